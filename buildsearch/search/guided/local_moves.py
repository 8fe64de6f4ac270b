"""Local steps: new neighbours of the best builds so far, the most promising first.

The best builds overall are not enough to start from: they look alike, and the best build of all may be of
another kind. So the best build with each part, and of each group, is a leader too. What is promising is
guessed by a Gaussian process on counts of parts, with a kernel that falls off with the number of parts in
which two builds differ. It orders candidates and does nothing else: no score of an answer comes from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from buildsearch.model.arrays import Floats, Ints
from buildsearch.search.guided.space import NOTHING, BuildCoder, Key
from buildsearch.search.guided.study import Records
from buildsearch.search.pareto import pareto_front

_BEST = 8
# The surrogate learns from so many of the best builds and so many of all; its doubt is worked out for some.
_LEARN_BEST, _LEARN_ALL = 400, 300
_DOUBTED = 600
# How much a doubt counts: moves are shared between caution and curiosity.
_CURIOSITY = (0.3, 1.0, 2.0)


class Neighbours:
    """Keeps the neighbourhoods of builds that once led."""

    def __init__(self, coder: BuildCoder, records: Records) -> None:
        self._coder = coder
        self._records = records
        self._near: dict[Key, list[Key]] = {}
        self._leaders: list[Key] = []
        self._column = {part: i for i, part in enumerate((*coder.groups, *coder.parts))}

    def propose(self, size: int, rng: np.random.Generator) -> list[Key]:
        """At most so many builds that nobody has tried, each once."""
        keys, costs = self._records.table()
        if not keys or size == 0:
            return []
        value = _one_value(costs, rng)
        # Of builds that do the same the one with the fewest parts leads: it has room for more.
        sizes = np.array([_size(key) for key in keys])
        order = np.lexsort((sizes, np.round(value, 6)))
        candidates = self._candidates([keys[row] for row in order], size, rng)
        if not candidates:
            return []
        learned = _to_learn(order)
        surrogate = Surrogate(self._counts(keys[row] for row in learned), value[learned])
        counts = self._counts(candidates)
        guess = surrogate.guess(counts)
        likely = np.argsort(guess, kind="stable")[:_DOUBTED]
        doubt = surrogate.doubt(counts[likely])
        chosen = self._one_each(dict(zip(candidates, guess.tolist(), strict=True)), size // 2, rng)
        first = len(chosen)
        for i, curiosity in enumerate(_CURIOSITY):
            ranked = likely[np.argsort(guess[likely] - curiosity * doubt, kind="stable")]
            fresh = (candidates[row] for row in ranked if candidates[row] not in chosen)
            share = first + (i + 1) * (size - first) // len(_CURIOSITY) - len(chosen)
            chosen |= dict.fromkeys(islice(fresh, share))
        for key in chosen:
            self._records.take(key)
        return list(chosen)

    def _one_each(self, guess: dict[Key, float], size: int, rng: np.random.Generator) -> dict[Key, None]:
        """The most promising move of each of some leaders: those of a kind that lags behind get on too."""
        chosen: dict[Key, None] = {}
        for i in rng.permutation(len(self._leaders)).tolist():
            if len(chosen) >= size:
                break
            fresh = [key for key in self._near[self._leaders[i]] if key in guess and key not in chosen]
            if fresh:
                chosen[min(fresh, key=guess.__getitem__)] = None
        return chosen

    def _candidates(self, ranked: list[Key], size: int, rng: np.random.Generator) -> list[Key]:
        """New neighbours of the leaders; of the next best too where leaders have none left."""
        leaders = dict.fromkeys(ranked[:_BEST])
        seen: set[str] = set()
        for key in ranked:
            parts = set(key) - {NOTHING}
            if not parts <= seen:
                leaders[key] = None
                seen |= parts
        self._leaders = list(leaders)
        found: dict[Key, None] = {}
        for key in leaders:
            found |= dict.fromkeys(self._fresh(key, rng))
        for key in ranked:
            if len(found) >= size:
                break
            found |= dict.fromkeys(self._fresh(key, rng))
        return list(found)

    def _fresh(self, key: Key, rng: np.random.Generator) -> list[Key]:
        if key not in self._near:
            near = [*self._coder.neighbours(key), *self._coder.insertions(key, rng)]
            self._near[key] = list(dict.fromkeys(near))
        # What is known stays known, so it need not be looked at again.
        self._near[key] = [each for each in self._near[key] if not self._records.is_known(each)]
        return self._near[key]

    def _counts(self, keys: Iterable[Key]) -> Floats:
        rows = list(keys)
        counts = np.zeros((len(rows), len(self._column)))
        for row, key in enumerate(rows):
            for part in key:
                if part != NOTHING:
                    counts[row, self._column[part]] += 1
        return counts


def _size(key: Key) -> int:
    return sum(part != NOTHING for part in key)


def _to_learn(order: Ints) -> Ints:
    """The best builds, and some from all over the rest."""
    rest = order[_LEARN_BEST:]
    step = max(1, -(-len(rest) // _LEARN_ALL))
    return np.concatenate([order[:_LEARN_BEST], rest[::step]])


def _one_value(costs: Floats, rng: np.random.Generator) -> Floats:
    """A single number for each build: with several objectives, a random mixture, the front first."""
    if costs.shape[1] == 1:
        return costs[:, 0]
    shares = rng.dirichlet(np.ones(costs.shape[1]))
    mixed = np.asarray(np.stack([normal_ranks(column) for column in costs.T], axis=1) @ shares)
    mixed[pareto_front(costs)] -= np.ptp(mixed) + 1
    return mixed


# The number of changes after which two scores have little in common, and the share of a score that is noise.
_REACH = 4.0
_NOISE = 0.01


class Surrogate:
    """Learns from rows of counts (builds, parts) and a value for each, smaller is better."""

    def __init__(self, counts: Floats, values: Floats) -> None:
        self._counts = counts
        scores = normal_ranks(values)
        kernel = _kernel(counts, counts)
        kernel[np.diag_indices(len(kernel))] += _NOISE
        self._inverse = np.linalg.inv(kernel)
        self._weights = self._inverse @ scores

    def guess(self, counts: Floats) -> Floats:
        """Expected values, on a scale of their own."""
        return np.asarray(_kernel(counts, self._counts) @ self._weights)

    def doubt(self, counts: Floats) -> Floats:
        """Standard deviations of the guesses, from 0 to 1."""
        near = _kernel(counts, self._counts)
        known = np.einsum("ij,ij->i", near @ self._inverse, near)
        return np.asarray(np.sqrt(np.maximum(1.0 - known, 1e-9)))


def normal_ranks(values: Floats) -> Floats:
    """Values as places in their order, spread like a bell: outliers and units do not matter then."""
    places = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    shares = (places + 0.5) / len(values)
    # The logistic curve is close to the bell and needs no special function.
    return np.asarray(np.log(shares / (1 - shares)) / 1.7)


def _kernel(left: Floats, right: Floats) -> Floats:
    # Squared differences of counts: for sets, the number of parts that differ.
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :] - 2 * left @ right.T
    return np.asarray(np.exp(-np.maximum(squares, 0.0) / _REACH))

"""The best loadouts: all of them where they can be counted, else best responses from many starts.

A loadout is swap-optimal when no other candidate in place of one of its own makes it better. Candidates whose
lower bound is no better need not be valued to know that; the others are, the most promising first. Where
there are more than `most` of them, the end is only the best that was found.

A loadout that reaches the floor is optimal: no loadout of candidates is below it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import Estimate
from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.search.loadouts.race import Loadout, Raced
from buildsearch.search.race import rank_ranges

OPTIMAL, SWAP_OPTIMAL, BEST_FOUND = "optimal", "swap-optimal", "best found"
_CLOSE = 1e-9
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Ranked:
    """One loadout: score and values by fight, and what is proved about it (among the candidates)."""

    loadout: Loadout
    score: float
    values: tuple[float, ...]
    status: str
    # Where fights were sampled: the score and the values with their intervals, which of these are exact, how
    # many fights there were of each other kind, and bounds on the score that hold for all who raced at once.
    estimate: Estimate | None = None
    estimates: tuple[Estimate, ...] = ()
    exact: tuple[bool, ...] = ()
    fights: int = 0
    bounds: tuple[float, float] | None = None

    @property
    def span(self) -> tuple[float, float]:
        """What the score is at least and at most."""
        return self.bounds or (self.score, self.score)


class LoadoutSearch:
    """Remembers every loadout that was valued. `most`: how many to value for one place of a loadout."""

    def __init__(
        self,
        scorer: LoadoutScorer,
        weights: Sequence[float],
        advance: Callable[[int], None] | None = None,
        *,
        most: int = 2_000,
        seconds: float | None = None,
    ) -> None:
        self._scorer = scorer
        share = np.array(weights, float)
        self._weights = share / share.sum()
        self._advance = advance or (lambda _: None)
        self._most = most
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._values: dict[Loadout, Floats] = {}
        self._swapped: set[Loadout] = set()
        self._fought: dict[Loadout, Ranked] = {}
        self._all = False
        self._floors = scorer.floor()
        self._best = float("inf")
        # Few enemies first: such fights are solved fastest. Measured times would differ from run to run.
        self._order = np.argsort(self._floors, kind="stable").tolist()
        self._looked_at = 0
        # Whether some loadout has no value: nothing is known of it, so nothing is proved.
        self._without_value = False

    @property
    def valued(self) -> int:
        """How many loadouts were valued, in all fights or in enough of them to know that they are worse."""
        return len(self._values) + self._looked_at

    @property
    def floor(self) -> float:
        """A number that no loadout of candidates is below."""
        return float(self._floors @ self._weights)

    @property
    def is_beaten(self) -> bool:
        """Whether a loadout with a build from behind the candidates is better than any of candidates."""
        return self._best < self.floor - _CLOSE

    def take_in(self, raced: Raced) -> None:
        """Rank loadouts that fought too; proved are only those that are exact, and at the floor of all."""
        field, floor = raced.field, self.floor_of_all
        values = field.means
        for row, loadout in enumerate(map(tuple, field.loadouts.tolist())):
            estimate = field.estimate(row)
            least = all(field.is_exact(row)) and estimate.value <= floor + _CLOSE
            self._fought[loadout] = Ranked(
                loadout,
                estimate.value,
                tuple(values[row].tolist()),
                OPTIMAL if least else BEST_FOUND,
                estimate,
                field.estimates(row),
                field.is_exact(row),
                int(field.fought[row]),
                (float(raced.low[row]), float(raced.high[row])),
            )
            self._best = min(self._best, estimate.value)

    @property
    def floor_of_all(self) -> float:
        """A number that no loadout is below, with builds from behind the candidates too."""
        return float(self._scorer.floor_with_extra() @ self._weights)

    @property
    def is_late(self) -> bool:
        return self._ends is not None and time.monotonic() > self._ends

    def score(self, loadout: Loadout) -> float:
        """The weighted mean over the fights; infinite where a loadout has no value."""
        found = float(self._values[loadout] @ self._weights)
        return float("inf") if np.isnan(found) else found

    def total(self) -> int:
        size, candidates = self._scorer.size, self._scorer.candidates
        return comb(candidates + size - 1, size)

    def enumerate(self, chunk: int = 4096) -> None:
        waiting: list[Loadout] = []
        for loadout in combinations_with_replacement(range(self._scorer.candidates), self._scorer.size):
            waiting.append(loadout)
            if len(waiting) == chunk:
                self._value(waiting)
                waiting = []
        self._value(waiting)
        self._all = True

    def respond(self, start: Loadout, most: int | None = None) -> Loadout:
        """Swap one candidate at a time for a better one, until none helps; gives where it ended.

        `most`: a shorter look at every place, to see where a start leads.
        """
        here, most = tuple(sorted(start)), self._most if most is None else most
        self._value([here])
        moved = True
        while moved:
            moved, proved = False, True
            for place in range(len(here)):
                best, sure = self._best_in(here, place, most)
                proved = proved and sure
                if best != here:
                    here, moved = best, True
                    break
        if proved and not self._without_value:
            self._swapped.add(here)
        return here

    def near(self, loadout: Loadout, top: int) -> None:
        """Value loadouts one swap away, as long as one of them may be among the best so many."""
        for place in range(len(loadout)):
            rest = loadout[:place] + loadout[place + 1 :]
            order, bounds = self._promising(rest)
            for _ in range(0, self._most, _CHUNK):
                kept = sorted(map(self.score, self._values))[:top]
                worst = kept[-1] if len(kept) == top else float("inf")
                order = order[bounds[order] < worst - _CLOSE]
                if len(order) == 0 or worst <= self.floor + _CLOSE or self.is_late:
                    break
                self._try(rest, order[:_CHUNK], worst)
                order = order[_CHUNK:]

    def tighten(self) -> None:
        """Raise the floor by what can be saved at most where the best of each fight are."""
        if not self._values or min(map(self.score, self._values)) <= self.floor + _CLOSE:
            return
        for fight in range(len(self._weights)):
            known = [loadout for loadout in self._values if max(loadout) < self._scorer.candidates]
            best = min(known, key=lambda loadout: _known(self._values[loadout][fight]))
            self._floors = np.maximum(self._floors, self._scorer.floor_near(best))

    def extend(self, start: Loadout, partners: Sequence[int]) -> Loadout:
        """Best responses among the builds behind the candidates and some partners; nothing is proved."""
        behind = range(self._scorer.candidates, self._scorer.candidates + self._scorer.extra)
        pool = [*behind, *partners]
        here, moved = tuple(sorted(start)), True
        self._value([here])
        while moved and not self.is_late:
            moved = False
            for place in range(len(here)):
                rest = here[:place] + here[place + 1 :]
                tried = [_with(rest, one) for one in pool]
                self._value(tried)
                best = min(tried, key=lambda loadout: (self.score(loadout), loadout))
                if self.score(best) < self.score(here) - _CLOSE:
                    here, moved = best, True
        return here

    def ranked(self, top: int) -> list[Ranked]:
        """The best that were valued or fought, with what is proved about each."""
        order = sorted(self._values, key=lambda loadout: (round(self.score(loadout), 9), loadout))[:top]
        solved = [
            Ranked(
                loadout,
                self.score(loadout),
                tuple(self._values[loadout].tolist()),
                self._status(place, loadout),
            )
            for place, loadout in enumerate(order)
        ]
        together = [*solved, *self._fought.values()]
        return sorted(together, key=lambda each: (round(each.score, 9), each.loadout))[:top]

    def rank_ranges(self, loadouts: Sequence[Loadout]) -> list[tuple[int, int]]:
        """The best and the worst rank that each can have among all that were valued or fought."""
        spans = {loadout: (self.score(loadout),) * 2 for loadout in self._values}
        spans |= {loadout: each.span for loadout, each in self._fought.items()}
        place = {loadout: i for i, loadout in enumerate(spans)}
        low, high = (np.array([span[end] for span in spans.values()], float) for end in (0, 1))
        rows = np.array([place[loadout] for loadout in loadouts], np.int64)
        best, worst = rank_ranges(low, high, rows)
        return list(zip(best.tolist(), worst.tolist(), strict=True))

    def _status(self, place: int, loadout: Loadout) -> str:
        if self.is_beaten or max(loadout) >= self._scorer.candidates:
            # By what is behind the candidates, of which nothing is proved.
            return BEST_FOUND
        # All were valued: the first of them is the best.
        if self._at_floor(loadout) or (self._all and place == 0):
            return OPTIMAL
        if loadout in self._swapped or (self._all and self._beats_swaps(loadout)):
            return SWAP_OPTIMAL
        return BEST_FOUND

    def _at_floor(self, loadout: Loadout) -> bool:
        return self.score(loadout) <= self.floor + _CLOSE

    def _promising(self, rest: Loadout) -> tuple[Ints, Floats]:
        """Candidates to go with the rest, the most promising first, and all bounds."""
        bounds = np.maximum(self._scorer.bounds(rest), self._floors) @ self._weights
        guesses = self._scorer.guesses(rest)
        # Where the floor makes guesses equal, the guess itself says more.
        order = np.lexsort((guesses @ self._weights, np.maximum(guesses, self._floors) @ self._weights))
        return order, bounds

    def _best_in(self, here: Loadout, place: int, most: int) -> tuple[Loadout, bool]:
        """The best candidate for a place, and whether no other is better for sure."""
        rest = here[:place] + here[place + 1 :]
        order, bounds = self._promising(rest)
        best, tried = here, 0
        while not self._at_floor(best):
            order = order[bounds[order] < self.score(best) - _CLOSE]
            if len(order) == 0:
                return best, True
            if tried >= most or self.is_late:
                return best, False
            for loadout in self._try(rest, order[:_CHUNK], self.score(best)):
                if self.score(loadout) < self.score(best) - _CLOSE:
                    best = loadout
            order = order[_CHUNK:]
            tried += _CHUNK
        return best, True

    def _try(self, rest: Loadout, candidates: Ints, below: float) -> list[Loadout]:
        """Value the rest with each candidate, fight by fight as long as the score may be below a number.

        Gives the loadouts whose value is known in the end.
        """
        loadouts = {_with(rest, one): one for one in candidates.tolist()}
        known = [loadout for loadout in loadouts if loadout in self._values]
        new = [loadout for loadout in loadouts if loadout not in self._values]
        rows = np.array([loadouts[loadout] for loadout in new], np.int64)
        least = np.maximum(self._scorer.bounds(rest)[rows], self._floors)
        alive = np.arange(len(new))
        for fight in self._order:
            alive = alive[least[alive] @ self._weights < below - _CLOSE]
            if len(alive):
                tried = np.array([new[one] for one in alive], np.int64)
                least[alive, fight] = self._scorer.fight_values(fight, tried)
                self._without_value |= bool(np.isnan(least[alive, fight]).any())
        self._advance(len(new))
        self._looked_at += len(new) - len(alive)
        self._values.update((new[one], least[one]) for one in alive)
        self._best = min(self._best, *(self.score(new[one]) for one in alive), self._best)
        return known + [new[one] for one in alive]

    def _beats_swaps(self, loadout: Loadout) -> bool:
        score = self.score(loadout)
        for place in range(len(loadout)):
            rest = loadout[:place] + loadout[place + 1 :]
            for one in range(self._scorer.candidates):
                if self.score(_with(rest, one)) < score - _CLOSE:
                    return False
        return True

    def _value(self, loadouts: Sequence[Loadout]) -> None:
        new = [loadout for loadout in dict.fromkeys(loadouts) if loadout not in self._values]
        if new:
            values = self._scorer.values(np.array(new, np.int64))
            self._values.update(zip(new, values, strict=True))
            self._best = min(self._best, *map(self.score, new))
            self._advance(len(new))


def _with(rest: Loadout, one: int) -> Loadout:
    return tuple(sorted((*rest, one)))


def _known(value: float) -> float:
    return float("inf") if np.isnan(value) else float(value)


def distinct(
    ranked: Sequence[Ranked], features: Callable[[Ranked], frozenset[str]], least: int, top: int
) -> list[Ranked]:
    """The best that differ from every better one listed in at least so many features."""
    kept: list[tuple[Ranked, frozenset[str]]] = []
    for each in ranked:
        own = features(each)
        if all(len(own ^ other) >= least for _, other in kept):
            kept.append((each, own))
            if len(kept) == top:
                break
    return [each for each, _ in kept]


# Up to so many loadouts every one is valued, and the best of them is proved.
_ALL = 20_000
# Candidates to start from: so many of each fight and on the whole, by what they may be worth alone.
_SHORTLIST = 40
# How many candidates to value for a place while looking where a start leads.
_SHORT = 128
# Candidates to try beside builds that stand behind them.
_PARTNERS = 40
# Candidates to go beside others for what they do alone: so many of each fight and on the whole.
_ALONE = 8


def explore(
    search: LoadoutSearch,
    scorer: LoadoutScorer,
    weights: Floats,
    starts: int,
    top: int,
    *,
    most_to_enumerate: int = _ALL,
) -> list[int]:
    """Value every loadout, or respond from several starts until time is over.

    Gives candidates that go well with others: those of the best loadouts, then the best alone in each fight.
    """
    if search.total() <= most_to_enumerate:
        search.enumerate()
        search.tighten()
        if scorer.extra:
            best = search.ranked(1)[0].loadout
            _extend(search, scorer, best, np.zeros(0, np.int64), top)
        return _members(search, top)
    shortlist = _shortlist(scorer, weights)
    singles = scorer.values(shortlist[:, None])
    ends = []
    proposed = start_loadouts(singles, weights, scorer.size, starts)
    for start in proposed or [(0,) * scorer.size]:
        ends.append(search.respond(tuple(int(shortlist[one]) for one in start), _SHORT))
        if search.is_late or search.score(ends[-1]) <= search.floor + 1e-9:
            break
    search.tighten()
    best = search.respond(min(ends, key=search.score))
    search.near(best, top)
    search.tighten()
    if scorer.extra and not search.is_late:
        _extend(search, scorer, best, shortlist, top)
    order = np.argsort(np.column_stack([singles, singles @ weights]), axis=0, kind="stable")
    alone = shortlist[order[:_ALONE]].ravel().tolist()
    return list(dict.fromkeys([*_members(search, top), *alone]))


def _members(search: LoadoutSearch, top: int) -> list[int]:
    """The builds of the best loadouts, not too many of them."""
    found = dict.fromkeys(one for each in search.ranked(top) for one in each.loadout)
    return list(found)[:_PARTNERS]


def _extend(
    search: LoadoutSearch,
    scorer: LoadoutScorer,
    best: tuple[int, ...],
    shortlist: Ints,
    top: int,
) -> None:
    """Try what stands behind the candidates, beside the best of them and one another."""
    partners = dict.fromkeys([*_members(search, top), *shortlist.tolist()])
    first = scorer.candidates
    chosen = list(partners)[:_PARTNERS]
    search.extend(best, chosen)
    search.extend((first,) * scorer.size, chosen)


def _shortlist(scorer: LoadoutScorer, weights: Floats) -> Ints:
    guesses = np.where(np.isfinite(scorer.bounds(())), scorer.guesses(()), np.inf)
    ranked = np.column_stack([guesses, guesses @ (weights / weights.sum())])
    number = min(_SHORTLIST, len(ranked) - 1)
    best = np.argpartition(ranked, number, axis=0)[: number + 1]
    return np.unique(best[np.isfinite(ranked[best, np.arange(ranked.shape[1])])])


# CP-SAT counts in whole numbers.
_PARTS = 100_000


def start_loadouts(
    singles: Floats, weights: Floats, size: int, number: int, *, shortlist: int = 60
) -> list[tuple[int, ...]]:
    """So many loadouts, the best first, by `singles[candidate, fight]`; each by candidates taken alone.

    Only the best few candidates of each fight can matter; no loadout is proposed twice.
    """
    from ortools.sat.python import cp_model

    known = np.where(np.isnan(singles), np.inf, singles)
    best = np.unique(np.argsort(known, axis=0, kind="stable")[:shortlist].ravel())
    best = best[np.isfinite(known[best]).all(axis=1)]
    if len(best) < size:
        return []
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"take_{one}") for one in best]
    serves = [[model.new_bool_var(f"use_{i}_{f}") for f in range(known.shape[1])] for i in range(len(best))]
    model.add(sum(taken) == size)
    for fight in range(known.shape[1]):
        model.add_exactly_one(serves[i][fight] for i in range(len(best)))
        for i in range(len(best)):
            model.add_implication(serves[i][fight], taken[i])
    costs = np.rint(known[best] * weights / weights.sum() * _PARTS).astype(int)
    model.minimize(
        sum(int(costs[i, f]) * serves[i][f] for i in range(len(best)) for f in range(known.shape[1]))
    )
    found: list[tuple[int, ...]] = []
    for _ in range(number):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 0
        # Or Ctrl-C would be the solver's from here on, and end the process without a word.
        solver.parameters.catch_sigint_signal = False
        if solver.solve(model) != cp_model.OPTIMAL:
            break
        chosen = [i for i in range(len(best)) if solver.value(taken[i])]
        found.append(tuple(int(best[i]) for i in chosen))
        model.add(sum(taken[i] for i in chosen) <= size - 1)
    return found

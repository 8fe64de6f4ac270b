"""Survival where nothing that is done depends on retaliation: blows of each kind are only counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_KINDS = 2


@dataclass(frozen=True, eq=False)
class CountedSurvival:
    """`shifts`: by living whether its blow is counted. `table[a, b]`: the chance to survive so many.

    Blows follow every turn but the last, so of t turns t - 1 do, and those that are not counted are
    of the second.
    """

    shifts: Ints
    table: Floats

    def of(self, ends: Floats, last: Floats) -> float:
        """The chance to survive, from the chances of fights by turns and blows of the first kind."""
        total = 0.0
        for turn in range(1, len(ends)):
            counts = np.flatnonzero(ends[turn])
            total += float(ends[turn, counts] @ self.table[counts, np.maximum(turn - 1 - counts, 0)])
        counts = np.arange(len(last))
        return total + float(last @ self.table[counts, len(ends) - 1 - counts])


def counted_survival(
    ground: ExactGround, who: list[list[int]], hp: int, max_turns: int
) -> CountedSurvival | None:
    """None where blows are not of one kind and then of another for good: then HP must be followed."""
    if int(ground.setup["waves"]) > 1:
        return None
    cap = int(ground.setup["retaliation_cap"])
    kinds: list[Floats] = []
    shifts = np.zeros(len(who), np.int64)
    for i, living in enumerate(who):
        if not living:
            continue  # before the first turn
        blow = _losses(ground.alive_retaliation(living)) if cap else np.eye(1, hp + 1)[0]
        which = next((k for k, known in enumerate(kinds) if np.array_equal(known, blow)), len(kinds))
        if which == len(kinds):
            kinds.append(blow)
        shifts[i] = which
    sizes = np.array([len(living) for living in who])
    some = sizes > 0
    first = shifts == shifts[np.argmax(sizes)]
    # Once fewer live, blows must be of the second kind for good.
    is_mixed = (some & ~first).any() and sizes[some & first].min() <= sizes[some & ~first].max()
    if len(kinds) > _KINDS or is_mixed:
        return None
    return CountedSurvival(shifts, _surviving(tuple(each.tobytes() for each in kinds), hp, max_turns))


def _losses(chances: Floats) -> Floats:
    """The chance of each loss of HP."""
    losses = chances[1:].copy()
    losses[0] += chances[0]
    return losses


@lru_cache(maxsize=64)
def _surviving(given: tuple[bytes, ...], hp: int, max_turns: int) -> Floats:
    """By blows of the second kind counted and the others the chance that fewer than all HP are lost."""
    kinds = [np.frombuffer(each) for each in given]
    second = kinds[1] if len(kinds) == _KINDS else np.eye(1, hp + 1)[0]
    after_second = _sums(second, hp, max_turns)
    after_first = _sums(kinds[0], hp, max_turns) if kinds else _sums(second, hp, max_turns)
    # Fewer than hp in all: of the one at most what the other leaves.
    return np.asarray(after_second @ np.cumsum(after_first, axis=1)[:, ::-1].T)


def _sums(one: Floats, hp: int, most: int) -> Floats:
    """By number of blows the chance that they take so much together, as far as it is less than all HP."""
    found = np.zeros((most + 1, hp))
    found[0, 0] = 1.0
    for number in range(most):
        found[number + 1] = np.convolve(found[number], one[:hp])[:hp]
    return found

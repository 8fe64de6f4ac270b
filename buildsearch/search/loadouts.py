"""The best loadouts: all of them where they can be counted, else best responses from many starts.

A loadout is swap-optimal when no other candidate in place of one of its own makes it better. That is proved
by trying every candidate in every place, so it holds among the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.loadouts import LoadoutScorer

OPTIMAL, SWAP_OPTIMAL, BEST_FOUND = "optimal", "swap-optimal", "best found"
_CLOSE = 1e-9
Loadout = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One loadout: score and values by fight, and what is proved about it (among the candidates)."""

    loadout: Loadout
    score: float
    values: tuple[float, ...]
    status: str


class LoadoutSearch:
    """Remembers every loadout that was valued."""

    def __init__(
        self, scorer: LoadoutScorer, weights: Sequence[float], advance: Callable[[int], None] | None = None
    ) -> None:
        self._scorer = scorer
        share = np.array(weights, float)
        self._weights = share / share.sum()
        self._advance = advance or (lambda _: None)
        self._values: dict[Loadout, NDArray[np.float64]] = {}
        self._swapped: set[Loadout] = set()
        self._all = False

    @property
    def valued(self) -> int:
        """How many loadouts were valued."""
        return len(self._values)

    def score(self, loadout: Loadout) -> float:
        """The weighted mean over the fights; infinite where a loadout has no value."""
        found = float(self._values[loadout] @ self._weights)
        return float("inf") if np.isnan(found) else found

    def total(self) -> int:
        """How many loadouts there are."""
        size, candidates = self._scorer.size, self._scorer.candidates
        return comb(candidates + size - 1, size)

    def enumerate(self, chunk: int = 4096) -> None:
        """Value every loadout."""
        waiting: list[Loadout] = []
        for loadout in combinations_with_replacement(range(self._scorer.candidates), self._scorer.size):
            waiting.append(loadout)
            if len(waiting) == chunk:
                self._value(waiting)
                waiting = []
        self._value(waiting)
        self._all = True

    def respond(self, start: Loadout) -> Loadout:
        """Swap one candidate at a time for the best one, until none helps; gives where it ended."""
        here = tuple(sorted(start))
        self._value([here])
        while True:
            best = here
            for place in range(len(here)):
                rest = here[:place] + here[place + 1 :]
                others = [tuple(sorted((*rest, one))) for one in range(self._scorer.candidates)]
                self._value(others)
                best = min((best, *others), key=lambda loadout: (self.score(loadout), loadout))
            if self.score(best) >= self.score(here) - _CLOSE:
                self._swapped.add(here)
                return here
            here = best

    def ranked(self, top: int) -> list[Ranked]:
        """The best that were valued. The first is optimal if all were; those that beat every swap say so."""
        order = sorted(self._values, key=lambda loadout: (self.score(loadout), loadout))[:top]
        found = []
        for place, loadout in enumerate(order):
            status = BEST_FOUND
            if loadout in self._swapped:
                status = SWAP_OPTIMAL
            if self._all:
                # All were valued: each of them is the best of those that are left.
                status = OPTIMAL if place == 0 else SWAP_OPTIMAL if self._beats_swaps(loadout) else BEST_FOUND
            values = tuple(self._values[loadout].tolist())
            found.append(Ranked(loadout, self.score(loadout), values, status))
        return found

    def _beats_swaps(self, loadout: Loadout) -> bool:
        score = self.score(loadout)
        for place in range(len(loadout)):
            rest = loadout[:place] + loadout[place + 1 :]
            for one in range(self._scorer.candidates):
                if self.score(tuple(sorted((*rest, one)))) < score - _CLOSE:
                    return False
        return True

    def _value(self, loadouts: Sequence[Loadout]) -> None:
        new = [loadout for loadout in dict.fromkeys(loadouts) if loadout not in self._values]
        if new:
            values = self._scorer.values(np.array(new, np.int64))
            self._values.update(zip(new, values, strict=True))
            self._advance(len(new))


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

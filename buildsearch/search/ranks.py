"""The order of a leaderboard, and the ranks that builds have or can have.

Ties are ordered by what else matters. One file for all who show ranks: the leaderboard, `explain`, the
report and `diff` say the same of a build.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import Feature


@dataclass(frozen=True, slots=True)
class RankRange:
    """`rank` is by the score that is known; `best` to `worst` are those that the bounds allow.

    `low` to `high` are the bounds of the score, as people read it; they hold for all builds at once, also for
    builds that were chosen for looking good. The same number: the score is exact. `tied` builds, with this
    one, have that score.
    """

    rank: int
    best: int
    worst: int
    tied: int
    low: float
    high: float
    builds: int

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def is_open(self) -> bool:
        """Whether the rank is a range, and not only by an exact tie: it, or one beside it, is sampled."""
        return is_open_rank(self.best, self.worst, self.tied, is_exact=self.is_exact)

    @property
    def rank_text(self) -> str:
        """`4`, `4=` (tied) or `4–28` (a range)."""
        return say_rank(self.rank, self.best, self.worst, self.tied, is_exact=self.is_exact)


def is_open_rank(best: int, worst: int, tied: int, *, is_exact: bool) -> bool:
    """Whether a range of ranks is more than a tie between exact scores."""
    width = worst - best
    return width > 0 and (not is_exact or width >= tied)


def say_rank(rank: int, best: int, worst: int, tied: int, *, is_exact: bool) -> str:
    """A rank, or the range of ranks that is open."""
    if not is_open_rank(best, worst, tied, is_exact=is_exact):
        # Exact builds with a tie in score are in order by what breaks ties.
        return f"{rank:,}{'=' if tied > 1 else ''}"
    return f"{best:,}–{worst:,}"


class RankRanges:
    """Ranks among builds with these costs (smaller is better; NaN: not scored) between these bounds.

    `ranks` are those of a leaderboard, 0 where a build is not on it: there ties are broken.
    """

    def __init__(
        self, costs: Floats, low: Floats, high: Floats, *, higher_is_better: bool, ranks: Ints | None = None
    ) -> None:
        known = ~np.isnan(costs)
        self._costs, self._low, self._high, self._ranks = costs, low, high, ranks
        self._up = higher_is_better
        self._lows, self._highs = np.sort(low[known]), np.sort(high[known])
        self._sorted = np.sort(costs[known])
        self._exact = np.sort(costs[known & (low == high)])

    def of(self, row: int) -> RankRange:
        cost, low, high = (float(each[row]) for each in (self._costs, self._low, self._high))
        rank = 0 if self._ranks is None else int(self._ranks[row])
        return self.between(cost, low, high, rank=rank)

    def between(
        self, cost: float, low: float, high: float, *, rank: int = 0, outside: bool = False
    ) -> RankRange:
        """The ranks of a build with this cost between these bounds; `outside`: it is none of them."""
        best = 1 + int(np.searchsorted(self._highs, low - TIE, side="left"))
        worst = int(np.searchsorted(self._lows, high + TIE, side="right")) + outside
        others, near = (self._exact, TIE) if low == high else (self._sorted, 0.0)
        tied = np.searchsorted(others, cost + near, side="right") - np.searchsorted(others, cost - near)
        shown = (-high, -low) if self._up else (low, high)
        return RankRange(
            rank=rank or 1 + int(np.searchsorted(self._sorted, cost - TIE, side="left")),
            best=best,
            worst=max(worst, best),
            tied=max(1, int(tied) + outside),
            low=shown[0],
            high=shown[1],
            builds=len(self._sorted) + outside,
        )


# Ties are looked at one by one up to here; a larger group is cut by its cheaper criteria.
MOST_TIED = 500


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """Builds in order; `group` numbers the ties, from 1, and `size` says how many builds are tied there."""

    rows: Ints
    group: Ints
    size: Ints
    rank: Ints


def order_top(
    costs: Floats,
    is_exact: Bools,
    top: int,
    tie_break: Callable[[Ints], list[tuple[object, ...]]],
) -> Ordered:
    """The best builds in order. `tie_break` gives a sorting key for each of some tied builds."""
    known = np.flatnonzero(~np.isnan(costs))
    if len(known) == 0:
        nothing = np.zeros(0, np.int64)
        return Ordered(nothing, nothing, nothing, nothing)
    top = min(top, len(known))
    last = np.partition(costs[known], top - 1)[top - 1]
    near = known[costs[known] <= last + TIE]
    near = near[np.argsort(costs[near], kind="stable")]
    rows: list[int] = []
    groups: list[int] = []
    sizes: list[int] = []
    ranks: list[int] = []
    for number, tied in enumerate(_ties(near, costs, is_exact), start=1):
        first = len(rows) + 1
        chosen = tied[: max(MOST_TIED, top - len(rows))]
        if len(chosen) > 1:
            keys = tie_break(chosen)
            chosen = chosen[sorted(range(len(chosen)), key=lambda i: keys[i])]
        for place, row in enumerate(chosen[: top - len(rows)]):
            rows.append(int(row))
            groups.append(number)
            sizes.append(len(tied))
            ranks.append(first + place)
        if len(rows) >= top:
            break
    return Ordered(*(np.array(column, dtype=np.int64) for column in (rows, groups, sizes, ranks)))


def _ties(rows: Ints, costs: Floats, is_exact: Bools) -> list[Ints]:
    """Neighbours in a sorted list whose exact scores are one score. Sampled scores tie with nobody."""
    gaps = np.diff(costs[rows]) > TIE
    both = is_exact[rows][1:] & is_exact[rows][:-1]
    # Sampled builds that do the same have the very same sums.
    same = (np.diff(costs[rows]) == 0) & ~is_exact[rows][1:] & ~is_exact[rows][:-1]
    cuts = np.flatnonzero(~((both & ~gaps) | same)) + 1
    return np.split(rows, cuts)


# A build that has so many of the parts that save the most in another build is a variant of it.
_KEY_PARTS = 2


@dataclass(frozen=True, slots=True)
class RankedBuild:
    """A row of a leaderboard: its parts, its type, and how much worse it is without each part."""

    features: tuple[Feature, ...]
    group: str
    saves: Mapping[str, float]  # the largest first

    @property
    def key_parts(self) -> tuple[str, ...]:
        """The parts that save the most; none where fewer than two can be removed."""
        found = tuple(name for name, saved in self.saves.items() if saved > 0)[:_KEY_PARTS]
        return found if len(found) == _KEY_PARTS else ()

    def is_variant_of(self, idea: RankedBuild) -> bool:
        """Whether it has the key parts of the other; without any, whether one swap leads to the other."""
        if idea.key_parts:
            return set(idea.key_parts) <= {feature.name for feature in self.features}
        mine, other = dict(self.features), dict(idea.features)
        differences = [mine.get(name, 0) - other.get(name, 0) for name in mine.keys() | other.keys()]
        added, removed = (sum(max(0, sign * each) for each in differences) for sign in (1, -1))
        return max(added, removed) <= 1


def variants(rows: Sequence[RankedBuild]) -> list[int | None]:
    """For each row the first idea that it is a variant of; None: an idea of its own."""
    found: list[int | None] = []
    ideas: list[int] = []
    for place, row in enumerate(rows):
        of = next((idea for idea in ideas if row.is_variant_of(rows[idea])), None)
        if of is None:
            ideas.append(place)
        found.append(of)
    return found


def first_of_groups(rows: Sequence[RankedBuild]) -> list[bool]:
    first: dict[str, int] = {}
    return [first.setdefault(row.group, place) == place for place, row in enumerate(rows)]

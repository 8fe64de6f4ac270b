"""A game over the revisions of its rules: did it get better?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from buildsearch.analysis.findings import VIABLE, FindingCode
from buildsearch.balancing.measure import Measure
from buildsearch.ruleset.git import FileState

# How far the best is ahead counts as changed from here on: one part in a hundred.
_NOTABLE = 0.01


class Trend(Enum):
    """Which way a game went."""

    BETTER = "better"
    WORSE = "worse"
    MIXED = "better in one thing and worse in another"
    SAME = "neither better nor worse"


@dataclass(frozen=True, slots=True)
class Point:
    """The game under the rules of one revision. Without a measure `why_not` says what was wrong with them.

    `ahead` is how many times better the best build is than the benchmark; `is_sampled` whether the best
    or the benchmark is a sampled score.
    """

    state: FileState
    measure: Measure | None = None
    ahead: float | None = None
    is_sampled: bool = False
    why_not: str = ""
    unjudged: str = ""  # why this game is too small to judge

    def is_broken(self, code: FindingCode) -> bool:
        return self.measure is not None and any(each.code is code for each in self.measure.findings)


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing by which a game is better or worse: before and after in words, and which way it went.

    A fault is what the default goal forbids.
    """

    name: str
    before: str
    after: str
    trend: Trend
    is_fault: bool = False


@dataclass(frozen=True, slots=True)
class BrokenSince:
    """What is broken at the end, and the revision since which it is."""

    kind: str
    since: Point
    from_the_start: bool


@dataclass(frozen=True, slots=True)
class History:
    """Every revision, the oldest first. `is_partial`: it was stopped before the end."""

    rules: str
    points: tuple[Point, ...]
    higher_is_better: bool
    scenarios: tuple[str, ...]
    is_partial: bool = False

    @property
    def measured(self) -> list[Point]:
        return [point for point in self.points if point.measure is not None]

    @property
    def signs(self) -> list[Sign]:
        """What changed from the first to the last of them."""
        if len(self.measured) < 2:
            return []
        return signs(self.measured[0], self.measured[-1])

    @property
    def trend(self) -> Trend:
        return trend_of(self.signs)

    @property
    def broken(self) -> list[BrokenSince]:
        """What the last revision suffers from, and since when."""
        found = []
        for kind in (FindingCode.OVERPOWERED, FindingCode.MUST_HAVE, FindingCode.INSTANT_WIN):
            streak = list(takewhile(lambda point: point.is_broken(kind), reversed(self.measured)))  # noqa: B023
            if streak:
                found.append(BrokenSince(kind, streak[-1], from_the_start=len(streak) == len(self.measured)))
        return found


def signs(before: Point, after: Point) -> list[Sign]:
    """Everything by which one is better or worse than the other."""
    old, new = before.measure, after.measure
    if old is None or new is None:
        return []
    found = [_freedom(old, new)]
    # Where a game is too small to accuse anybody, such counts say nothing.
    if not (before.unjudged or after.unjudged):
        found += [
            _counted("overpowered builds", old, new, lambda each: each.overpowered),
            _counted("must-haves", old, new, lambda each: len(each.must_haves)),
            _counted("instant wins", old, new, lambda each: each.decided),
        ]
    if before.ahead is not None and after.ahead is not None:
        change = after.ahead - before.ahead
        is_notable = abs(change) > _NOTABLE * max(abs(before.ahead), abs(after.ahead))
        trend = Trend.SAME if not is_notable else Trend.BETTER if change < 0 else Trend.WORSE
        name = "best build against the benchmark"
        found.append(Sign(name, f"{before.ahead:.3g}", f"{after.ahead:.3g}", trend))
    return found


def trend_of(found: Sequence[Sign]) -> Trend:
    """Better or worse where no sign says the opposite. Faults that come or go decide before anything else."""
    moved = [sign for sign in found if sign.trend is not Trend.SAME]
    seen = {sign.trend for sign in moved if sign.is_fault} or {sign.trend for sign in moved}
    return Trend.SAME if not seen else seen.pop() if len(seen) == 1 else Trend.MIXED


def _counted(name: str, old: Measure, new: Measure, count: Callable[[Measure], int]) -> Sign:
    before, after = count(old), count(new)
    trend = Trend.SAME if before == after else Trend.BETTER if after < before else Trend.WORSE
    return Sign(name, f"{before:,}", f"{after:,}", trend, is_fault=True)


def _freedom(old: Measure, new: Measure) -> Sign:
    """By share: options come and go with the rules."""
    before, after = old.free(VIABLE), new.free(VIABLE)
    left, right = before.options * after.of, after.options * before.of
    trend = Trend.SAME if left == right else Trend.BETTER if right > left else Trend.WORSE
    words = f"{before.options} of {before.of}", f"{after.options} of {after.of}"
    return Sign("viable options", *words, trend)

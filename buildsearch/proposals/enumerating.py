"""Sets of edits tried one after another, the small ones first, with the table as judge.

For what no hitting set covers: goals that more edits may break again. What was tried in full is proved; a
size that was begun and not finished is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from buildsearch.model.levers import Edit
from buildsearch.proposals.goals import Goal, hold
from buildsearch.proposals.state import Court

_MOST_FOUND = 60


@dataclass(frozen=True, slots=True)
class Tried:
    """What keeps the goals, among the sets of up to `finished` edits all of them; `tried` were looked at."""

    found: tuple[tuple[Edit, ...], ...]
    finished: int
    tried: int


def try_all(
    court: Court,
    goals: tuple[Goal, ...],
    edits: Sequence[Edit],
    *,
    most: int,
    until: float,
    say: Callable[[str], None],
) -> Tried:
    """Every set of up to `most` edits of different levers, until time is up."""
    found: list[tuple[Edit, ...]] = []
    keeping: list[set[str]] = []
    tried = finished = 0
    gaps: dict[str, float] = {}
    for size in range(1, most + 1):
        for some in _sets(edits, size, gaps):
            if len({edit.lever for edit in some}) < size:
                continue
            texts = {edit.text for edit in some}
            if any(known <= texts for known in keeping):
                continue
            if time.monotonic() > until or len(found) >= _MOST_FOUND:
                return Tried(tuple(found), finished, tried)
            tried += 1
            verdict = hold(goals, court.state(some))
            if size == 1:
                gaps[some[0].text] = _gap(goals, verdict)
            if verdict.is_kept:
                found.append(tuple(some))
                keeping.append(texts)
            if tried % 200 == 0:
                say(f"sets of {size}: {tried:,} tried, {len(found)} keep the goal")
        finished = size
    return Tried(tuple(found), finished, tried)


def _sets(edits: Sequence[Edit], size: int, gaps: dict[str, float]) -> Iterator[tuple[Edit, ...]]:
    """Sets of a size; those whose members came near the goal by themselves come first."""
    if size == 1:
        return ((edit,) for edit in edits)
    ordered = sorted(edits, key=lambda edit: gaps.get(edit.text, float("inf")))
    return combinations(ordered, size)


def _gap(goals: tuple[Goal, ...], verdict: object) -> float:
    """How far a state is off: by how many goals are left to look at, then by how far off that one is."""
    broken = getattr(verdict, "broken", ())
    if not broken:
        return float("inf") if getattr(verdict, "why_not", "") else 0.0
    goal, look = broken[0]
    later = len(goals) - [each.text for each in goals].index(goal.text)
    return 1000.0 * later + float(look.gap)

"""Sets of edits tried one after another, the small ones first, with the table as judge.

For what no hitting set covers: goals that more edits may break again. What was tried in full is proved; a
size that was begun and not finished is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from buildsearch.balancing.answers import MINIMAL, NOT_MINIMAL, count_edits, how_many
from buildsearch.balancing.goals import Goal, hold
from buildsearch.balancing.state import Court
from buildsearch.model.levers import Edit

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search

_MOST_FOUND = 60
_TRIED_SIZE = 2
_TRIALS = 3_000


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
    trials: int,
    until: float,
    say: Callable[[str], None],
) -> Tried:
    """Every set of up to `most` edits of different levers, so many `trials` or until time is up."""
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
            if tried == trials or time.monotonic() > until or len(found) >= _MOST_FOUND:
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


def try_sets(search: Search) -> None:
    """What no hitting set covers: goals that more edits may break again."""
    if all(goal.by_removal for goal in search.goals):
        return
    # What lets builds in is judged only where all of them have scores.
    edits = [
        edit
        for edit in search.levers.edits
        if not edit.changes_fights and (not edit.lets_in or search.court.table.is_closed((edit,)))
    ]
    until = min(search.until, time.monotonic() + 0.35 * search.effort.seconds)
    trials = search.effort.counted(_TRIALS)
    tried = try_all(
        search.court, search.goals, edits, most=_TRIED_SIZE, trials=trials, until=until, say=search.say
    )
    if tried.finished < _TRIED_SIZE:
        search.ran_out(until, of_work_too=False)
    for some in tried.found:
        search.note(some)
    search.notes.append(
        f"Tried {tried.tried:,} sets of edits: {how_many(len(tried.found))} the goal."
        + ("" if tried.finished == _TRIED_SIZE else " Larger sets were not all tried.")
    )
    if not search.proof and tried.found:
        smallest = min(len(some) for some in tried.found)
        # What was not scored was not tried.
        is_proved = tried.finished >= smallest - 1 and len(edits) == len(search.levers.edits)
        many = count_edits(smallest)
        search.proof = MINIMAL if is_proved or smallest == 1 else f"{NOT_MINIMAL} It has {many}."

"""The few proposals that are shown, each judged anew and measured as a whole."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from buildsearch.analysis.health import VIABLE
from buildsearch.balancing.answers import (
    MINIMAL,
    MINIMAL_OF_RAISES,
    NOT_MINIMAL,
    NOT_MINIMAL_ALIKE,
    Answer,
    Proposal,
)
from buildsearch.balancing.goals import hold
from buildsearch.balancing.measure import (
    NOTHING_OVERCOSTED,
    Candidate,
    Measure,
    change,
    deciding,
    measure,
    moved_benchmark,
    pick,
    quick,
    weakened,
)
from buildsearch.balancing.restrict import is_sound
from buildsearch.model.levers import Edit

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search

# Counted, not timed: half of what is spent on certainty before the search.
_SETTLE_FIGHTS = 4_000_000


def chosen(search: Search) -> list[tuple[Candidate, str]]:
    """Those of all that was found that are worth showing."""
    candidates = [
        (edits, quick(search.court.state(edits), VIABLE, search.goals)) for edits in search.found.values()
    ]
    return pick(candidates, search.effort.proposals)


def answer_with(search: Search, chosen: Sequence[tuple[Candidate, str]], broken: tuple[str, ...]) -> Answer:
    """The answer; a proposal that a closer look takes away is not in it."""
    begun = time.monotonic()
    before = measure(search.court.state(()))
    proposals = []
    for number, ((edits, _), best_at) in enumerate(chosen, start=1):
        search.say(f"looking closely at proposal {number} of {len(chosen)}")
        try:
            found = closer_look(search, edits, best_at, before)
        except KeyboardInterrupt:
            search.is_partial = True
            break
        if found is not None:
            proposals.append(found)
    search.mark("answer", begun)
    return search.told(tuple(proposals), before, broken)


def closer_look(search: Search, edits: tuple[Edit, ...], best_at: str, before: Measure) -> Proposal | None:
    """With the whole verdict; None where a closer look takes the goal away again."""
    court, open_why = search.explained_in(edits)
    state = court.state(edits)
    rows = deciding(state, search.goals)
    if len(rows) and search.lab is not None:
        settled = search.lab.settle(court.table, rows.tolist(), _SETTLE_FIGHTS)
        if settled.solved or settled.fought:
            court = search.reopened(settled.table)
            state = court.state(edits)
            rows = deciding(state, search.goals)
    verdict = hold(search.goals, state)
    if not verdict.is_kept and not (verdict.is_open and not open_why):
        search.notes.append(
            f"{', '.join(edit.text for edit in edits)} misses the goal after a closer look at sampled builds."
        )
        return None
    if verdict.is_open:
        open_why = "sampled scores are too close to a limit"
    after = measure(state)
    names = tuple(state.court.table.population.name(row, court.table.subject.space) for row in rows[:5])
    is_least = search.least is not None and len(edits) == len(search.least.edits)
    is_least = is_least and not any(edit.lets_in for edit in edits)
    proof, is_proved = _proof(search, edits) if is_least else ("", False)
    moved = moved_benchmark(search.goals, state, court.state(()))
    found = change(before, after)
    if NOTHING_OVERCOSTED in best_at and weakened(found):
        best_at = ", ".join(part for part in best_at.split(", ") if part != NOTHING_OVERCOSTED)
    return Proposal(edits, after, found, best_at, proof, open_why, names, moved, is_proved)


def _proof(search: Search, edits: Sequence[Edit]) -> tuple[str, bool]:
    """What is proved of the smallest set, and whether that is that none is smaller."""
    if not is_sound(search):
        return NOT_MINIMAL_ALIKE, False
    if search.least is None or not search.least.is_proved:
        return NOT_MINIMAL, False
    could_cut = len(edits) > 1 and any(edit.lets_in for edit in search.levers.edits)
    return (MINIMAL_OF_RAISES if could_cut else MINIMAL), True

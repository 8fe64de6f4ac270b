"""Numbers that change fights: tried on the builds that matter, and confirmed on all builds.

No table answers such an edit: builds are scored again under the edited rules. So every set of edits is looked
at on few builds first, and what keeps the goal there is scored as a whole before it is proposed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.levers import Edit
from buildsearch.proposals.answers import Answer, Proposal, how_many
from buildsearch.proposals.cuts import Lab
from buildsearch.proposals.goals import Goal, hold
from buildsearch.proposals.measure import Measure, change, deciding, measure
from buildsearch.proposals.state import Court, State
from buildsearch.proposals.table import Table

if TYPE_CHECKING:
    from buildsearch.proposals.search import Search

Ints = NDArray[np.int64]

# The best builds, the best with each option, and those in the way of a goal.
_BEST, _EACH, _IN_THE_WAY = 60, 4, 100
_LEAD = 5
_MOST_EDITS = 2
_SCREENING = 0.6
_SETTLE_FIGHTS = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """A set of edits that keeps the goals among the builds that matter; `tried` sets were looked at, on so
    many `builds`; `is_whole`: everything of one and two edits was."""

    found: tuple[tuple[Edit, ...], ...]
    tried: int
    builds: int
    is_whole: bool


def rows_that_matter(state: State, goals: Sequence[Goal], each: int = _EACH) -> Ints:
    """Those that a verdict on the game rests on: the best, so many with and without each option, those in the
    way."""
    chosen = [state.rows[:_BEST]]
    population = state.court.table.population
    for choice in state.choices:
        # Whoever asks for a must-have asks for the best without it.
        has = choice.has(population, state.rows)
        chosen += [state.rows[has][:each], state.rows[~has][:each]]
    # Two that stand in for one another are needed together: so the best without both, of what leads.
    leading = [
        has for has in (choice.has(population, state.rows) for choice in state.choices) if has[:_LEAD].any()
    ]
    chosen += [state.rows[~one & ~other][:each] for one, other in combinations(leading, 2)]
    chosen += [goal.look(state).rows[:_IN_THE_WAY] for goal in goals]
    return np.unique(np.concatenate(chosen))


def screen(
    court: Court,
    opened: Callable[[Table], Court],
    lab: Lab,
    goals: tuple[Goal, ...],
    edits: Sequence[Edit],
    *,
    wanted: int,
    until: float,
    say: Callable[[str], None],
) -> Screened:
    """Sets of one edit, and of two where one is not enough, until so many are found or time is up."""
    rows = rows_that_matter(court.state(()), goals)
    found: list[tuple[Edit, ...]] = []
    gaps: dict[str, float] = {}
    edits = _by_weight(court.state(()), goals, edits)
    tried = 0
    for size in range(1, _MOST_EDITS + 1):
        for some in _sets(edits, size, gaps):
            if time.monotonic() > until:
                return Screened(tuple(found), tried, len(rows), is_whole=False)
            say(f"{', '.join(edit.text for edit in some)} on {len(rows)} builds; {len(found)} keep the goal")
            tried += 1
            verdict = hold(goals, opened(lab.rescored(court.table, some, rows)).state(()))
            if verdict.is_kept or verdict.is_open:
                found.append(some)
            elif size == 1:
                gaps[some[0].text] = min((look.gap for _, look in verdict.broken), default=np.inf)
        if found:
            return Screened(tuple(found[: 2 * wanted]), tried, len(rows), is_whole=True)
    return Screened((), tried, len(rows), is_whole=True)


def _by_weight(state: State, goals: Sequence[Goal], edits: Sequence[Edit]) -> list[Edit]:
    """First what builds in the way of a goal have most often, the small steps first."""
    table = state.court.table
    looks = [goal.look(state).rows[:_IN_THE_WAY] for goal in goals]
    rows = np.unique(np.concatenate(looks)) if looks else state.rows[:0]
    share = {
        name: float((table.population.levels[place, rows] > 0).mean()) if len(rows) else 0.0
        for name, place in table.places.items()
    }
    weight = {edit.text: max((share.get(name, 0.0) for name in edit.about), default=0.0) for edit in edits}
    return sorted(edits, key=lambda edit: (edit.steps, -weight[edit.text]))


def _sets(edits: Sequence[Edit], size: int, gaps: dict[str, float]) -> Iterator[tuple[Edit, ...]]:
    """Small steps first; of several edits those that came near the goal by themselves."""
    order = sorted(edits, key=lambda edit: (gaps.get(edit.text, 0.0), edit.steps))  # stable
    for some in combinations(order, size):
        if len({edit.lever for edit in some}) == size:
            yield some


def renumber(search: Search, broken: tuple[str, ...]) -> Answer:
    """An answer by numbers alone: tried on the builds that matter, and confirmed on all of them."""
    before = measure(search.court.state(()))
    lab, edits, effort = search.lab, search.levers.edits, search.effort
    proposals: list[Proposal] = []
    if lab is None:
        return search.told((), before, broken)
    try:
        found = screen(
            search.court,
            search.reopened,
            lab,
            search.goals,
            edits,
            wanted=effort.proposals,
            until=search.begun + _SCREENING * effort.seconds,
            say=search.say,
        )
        search.notes.append(
            f"{found.tried:,} changes of {'a number' if found.tried <= len(edits) else 'one number or two'} "
            f"were tried on {found.builds:,} builds that matter: {how_many(len(found.found))} the goal there."
            + ("" if found.is_whole else " That is not all of them: time was up.")
        )
        for some in found.found:
            if len(proposals) == effort.proposals or (proposals and time.monotonic() > search.until):
                break
            search.say(f"all builds under {', '.join(edit.text for edit in some)}")
            confirmed = _confirmed(search, lab, some, before)
            if confirmed is not None:
                proposals.append(confirmed)
    except KeyboardInterrupt:
        search.on_interrupt()
        search.is_partial = True
        search.notes.append("The search was interrupted: this is what was found until then.")
    proposals.sort(key=lambda each: (len(each.edits), each.steps, each.after.shift))
    if proposals:
        search.proof = (
            "That no other number would do is not proved: the others were looked at on the builds that "
            "matter today."
        )
    return search.told(tuple(proposals), before, broken)


def _confirmed(search: Search, lab: Lab, edits: tuple[Edit, ...], before: Measure) -> Proposal | None:
    """By all builds under edited rules; None where the goal is not kept by all of them."""
    today = search.court.state(())
    court = search.reopened(lab.rescored(today.court.table, edits, today.rows))
    rows = deciding(court.state(()), search.goals)
    if len(rows):
        court = search.reopened(lab.settle(court.table, rows.tolist(), _SETTLE_FIGHTS, edits).table)
        rows = deciding(court.state(()), search.goals)
    state = court.state(())
    verdict = hold(search.goals, state)
    if not verdict.is_kept:
        named = ", ".join(edit.text for edit in edits)
        search.notes.append(
            f"Sampled scores leave undecided whether {named} keeps the goal among all builds."
            if verdict.is_open
            else f"{named} looked good on the builds that matter and does not keep the goal among all builds."
        )
        return None
    after = replace(measure(state), shift=_moved(today, state))
    space = court.table.subject.space
    names = tuple(court.table.population.name(row, space) for row in rows[:5].tolist())
    return Proposal(edits, after, change(before, after), "", "confirmed by scoring all builds", "", names)


def _moved(before: State, after: State) -> float:
    """How far the ranks of builds move in the mean, as a part of all ranks; both have the same builds."""
    was, now = _places(before), _places(after)
    return float(np.abs(was - now).mean() / max(1, len(was)))


def _places(state: State) -> Ints:
    """The places of builds, which are in the order of scores, in an order that does not depend on them."""
    scores, rows = state.court.table.population.scores, state.rows
    names = np.array(scores.groups)[scores.group[rows]]
    found: Ints = np.lexsort((*scores.codes[rows].T, names)).astype(np.int64)
    return found

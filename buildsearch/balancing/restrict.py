"""The fewest edits that take builds away, by proof, and other sets of them; what prevents it if none do."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from buildsearch.balancing.answers import (
    MINIMAL,
    MINIMAL_OF_RAISES,
    NOT_MINIMAL,
    NOT_MINIMAL_ALIKE,
    how_many,
)
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import Goal, GoalResult, hold
from buildsearch.balancing.hitting_set import ROUNDS, Cover, GoalCheck, HittingSetMaster
from buildsearch.balancing.levers import ChosenLevers
from buildsearch.balancing.measure import describe
from buildsearch.model.levers import CUTS, PAIRS, RAISES, TYPES, Edit, Lever
from buildsearch.model.text import count

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search


_MORE_EDITS = 2
_MOST_COVERS = 24
_MOST_FROM_LOSSES = 8
# Choices that may be made for other sets.
_ROUNDS_FOR_MORE = 300


def removing(levers: ChosenLevers) -> list[Edit]:
    return [edit for edit in levers.edits if not edit.lets_in and not edit.changes_fights]


def find_fewest(search: Search) -> HittingSetMaster | None:
    """The fewest raises and bans, by proof; what they were found with, where they were."""
    if not removing(search.levers):
        return None
    search.say("the fewest edits")
    search.stuck = _out_of_reach(search, removing(search.levers))
    can_cut = search.game.names_options() and any(edit.lets_in for edit in search.levers.edits)
    master = master_of(search, share=0.5 if can_cut else 1.0)
    try:
        first = None if search.stuck else master.solve()
    except TimeoutError:
        least = master.least
        if least > 1 and is_sound(search.game):
            search.proof = f"No set of fewer than {count(least, 'edit')} is enough (raises and bans)."
        if can_cut:
            search.ran_out(master.until)
            return None
        raise
    if first is None:
        is_proved = is_sound(search.game) or (
            search.stuck and not any(goal.accuses for goal in search.game.goals)
        )
        search.is_impossible = bool(is_proved)
        search.proof = (
            "Proved: no set of raises, bans and lower caps meets the goal."
            if is_proved
            else "Found no set of raises, bans and lower caps that meets the goal."
        )
        _find_core(search)
        return None
    search.least = first
    search.note(first.edits)
    search.proof = _say_proof(search, first)
    search.mark("first proposal", search.begun)
    search.on_first(f"{describe(first.edits)}. {search.proof}")
    search.say(search.proof)
    return master


def find_others(search: Search, master: HittingSetMaster) -> None:
    first = search.least
    _more(search, master, first, _MOST_COVERS, (10_000, 100, 1), until=0.6)
    search.say(f"{search.proof} Sets that keep more builds")
    _more(search, master_of(search), first, _MOST_FROM_LOSSES, (1, 1, 100), until=0.75)
    for kinds in ({RAISES, CUTS}, {PAIRS, TYPES}):
        if kinds & set(search.levers.kinds) and set(search.levers.kinds) - kinds:
            _more(search, master_of(search, kinds=kinds), None, 2, (10_000, 100, 1), until=0.85)


def master_of(
    search: Search,
    *,
    kinds: set[str] | None = None,
    locked: Sequence[Lever] = (),
    base: tuple[Edit, ...] = (),
    share: float = 1.0,
) -> HittingSetMaster:
    """Who chooses among raises and bans, with what is in the way under `base` known already."""
    free = [_of_kind(lever, kinds) for lever in search.levers.free]
    until = min(search.until, search.begun + share * search.effort.seconds)
    judge = GoalCheck(search.game.court, search.game.goals)
    rounds = search.effort.counted(round(share * ROUNDS))
    master = HittingSetMaster((judge,), free, locked, base, until, rounds)
    master.learn((), judge.verdict(base), judge)
    return master


def _more(
    search: Search,
    master: HittingSetMaster,
    first: Cover | None,
    most: int,
    weights: tuple[int, int, int],
    *,
    until: float,
) -> None:
    """More sets, none of which does all that another does and more."""
    master.until = min(search.until, search.begun + until * search.effort.seconds)
    master.rounds = master.done + search.effort.counted(_ROUNDS_FOR_MORE)
    limit = search.effort.edits if first is None else max(len(first.edits) + _MORE_EDITS, search.effort.edits)
    master.no_more_than(limit)
    if first is not None and weights[2] < 100:
        for edits in search.found.values():
            if not any(edit.lets_in for edit in edits):
                master.forbid_more(edits)
    for _ in range(most):
        try:
            cover = master.solve(weights)
        except TimeoutError:
            search.ran_out(master.until, of_work_too=False)
            return
        if cover is None:
            return
        search.note(cover.edits)
        master.forbid_more(cover.edits)
        search.say(f"{search.proof} {len(search.found)} sets of edits found")


def is_sound(game: BalancedGame) -> bool:
    """Options that act alike count once while they cost the same: moving one of them moves the median."""
    alike = {each.name for each in game.court.choices if each.like}
    alike |= {each.like for each in game.court.choices if each.like}
    return not any(feature in alike for edit in removing(game.levers) for _, feature, _ in edit.prices)


def _say_proof(search: Search, cover: Cover) -> str:
    if not is_sound(search.game):
        return NOT_MINIMAL_ALIKE
    if cover.is_proved:
        return MINIMAL_OF_RAISES if len(cover.edits) > 1 else MINIMAL
    return f"{NOT_MINIMAL} At least {count(max(1, cover.least), 'edit')} are needed."


def _find_core(search: Search) -> None:
    """The fewest edits that would help and are locked; where no lock prevents it, those that are not
    among what may be moved."""
    locked, outside = search.levers.locked, search.levers.outside
    for others in (locked, (*locked, *outside) if outside else ()):
        edits = [edit for lever in others for edit in lever.edits if not edit.lets_in]
        if not edits or _out_of_reach(search, [*removing(search.levers), *edits]):
            continue
        search.say("what prevents it")
        found = master_of(search, locked=others).solve()
        if found is not None:
            names = {lever.name for lever in locked}, {lever.name for lever in outside}
            search.core, search.outside = (
                tuple(edit.text for edit in found.edits if edit.lever in some) for some in names
            )
            return


def _out_of_reach(search: Search, edits: Sequence[Edit]) -> tuple[str, ...]:
    """Builds that must go and that no edit touches: everything at its farthest leaves them legal."""
    farthest = {edit.lever: edit for edit in sorted(edits, key=lambda edit: edit.steps)}
    legal = search.game.court.table.legal(tuple(farthest.values()))
    today = search.game.court.state(())
    rows = [
        row
        for goal in search.game.goals
        if goal.by_removal
        for row in goal.look(today).rows.tolist()
        if legal[row]
    ]
    return tuple(search.game.name(row) for row in list(dict.fromkeys(rows))[:3])


def _of_kind(lever: Lever, kinds: set[str] | None) -> Lever:
    return lever if kinds is None else replace(lever, edits=tuple(e for e in lever.edits if e.kind in kinds))


_MOST_FOUND = 60
_TRIED_SIZE = 2
_TRIALS = 3_000


def _tried(search: Search, edits: Sequence[Edit], until: float) -> tuple[list[tuple[Edit, ...]], int, int]:
    """Sets of edits of different levers that keep the goals; up to which size all were tried, and how many.
    Of sets of one size those come first whose members came near the goal by themselves."""
    goals, trials = search.game.goals, search.effort.counted(_TRIALS)
    found: list[tuple[Edit, ...]] = []
    keeping: list[set[str]] = []
    tried = 0
    gaps: dict[str, float] = {}
    for size in range(1, _TRIED_SIZE + 1):
        ordered = sorted(edits, key=lambda edit: gaps.get(edit.text, math.inf))
        for some in combinations(ordered, size):
            texts = {edit.text for edit in some}
            if len({edit.lever for edit in some}) < size or any(known <= texts for known in keeping):
                continue
            if tried == trials or time.monotonic() > until or len(found) >= _MOST_FOUND:
                return found, size - 1, tried
            tried += 1
            verdict = hold(goals, search.game.court.state(some))
            if size == 1:
                gaps[some[0].text] = _gap(goals, verdict)
            if verdict.is_kept:
                found.append(some)
                keeping.append(texts)
            if tried % 200 == 0:
                search.say(f"sets of {size}: {tried:,} tried, {len(found)} keep the goal")
    return found, _TRIED_SIZE, tried


def _gap(goals: tuple[Goal, ...], verdict: GoalResult) -> float:
    """How far a state is off: by how many goals are left to look at, then by how far off that one is."""
    if not verdict.broken:
        return math.inf if verdict.why_not else 0.0
    goal, look = verdict.broken[0]
    later = len(goals) - [each.text for each in goals].index(goal.text)
    return 1000.0 * later + float(look.gap)


def try_sets(search: Search) -> None:
    """What no hitting set covers: goals that more edits may break again."""
    if all(goal.by_removal for goal in search.game.goals):
        return
    # What lets builds in is judged only where all of them have scores.
    edits = [
        edit
        for edit in search.levers.edits
        if not edit.changes_fights and (not edit.lets_in or search.game.court.table.is_closed((edit,)))
    ]
    until = min(search.until, time.monotonic() + 0.35 * search.effort.seconds)
    found, finished, tried = _tried(search, edits, until)
    if finished < _TRIED_SIZE:
        search.ran_out(until, of_work_too=False)
    for some in found:
        search.note(some)
    search.notes.append(
        f"Tried {tried:,} sets of edits: {how_many(len(found))} the goal."
        + ("" if finished == _TRIED_SIZE else " Larger sets were not all tried.")
    )
    if not search.proof and found:
        smallest = min(len(some) for some in found)
        # What was not scored was not tried.
        is_proved = finished >= smallest - 1 and len(edits) == len(search.levers.edits)
        many = count(smallest, "edit")
        search.proof = MINIMAL if is_proved or smallest == 1 else f"{NOT_MINIMAL} It has {many}."

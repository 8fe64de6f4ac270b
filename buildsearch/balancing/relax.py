"""Edits that let builds in: which of them are worth a look, and the scores that they need first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from buildsearch.analysis.findings import VIABLE
from buildsearch.balancing.answers import how_many
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.balancing.game import MOST_FOR_ONE
from buildsearch.balancing.goals import Goal, hold
from buildsearch.balancing.restrict import master_of
from buildsearch.model.levers import Edit, Lever
from buildsearch.model.space import Chunk
from buildsearch.model.text import count

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search


def _say_scored(builds: int, levers: set[str], left: Sequence[str]) -> str:
    """What was scored, and what was not, in words; nothing where there was nothing to let in."""
    said = []
    if builds:
        cuts = count(len(levers), "cost cut")
        said.append(f"{cuts} would make {builds:,} more builds legal. Those were scored too.")
    if left:
        named = f"{', '.join(left[:3])}{f' and {len(left) - 3} more' if len(left) > 3 else ''}"
        said.append(
            f"Not tried, because too many builds need scores first: cost cuts of {named}. Run `optimize "
            "--over-budget 2` to score them."
        )
    return " ".join(said)


def worth_letting_in(state: EditedGame, goals: Sequence[Goal], levers: Sequence[Lever]) -> list[Edit]:
    """Edits that let builds in, of each lever the farthest, the most promising first: of what a goal names,
    else of options that are not viable, those that lack least before the others."""
    named = {name for goal in goals for name in goal.about}
    lacking = {
        reach.choice.name: reach.loss for reach in state.reaches if reach.counts and reach.viability < VIABLE
    }
    names = state.court.table.population.names
    lacking |= {
        names[each.choice.part.feature]: each.loss for each in state.reaches if each.choice.name in lacking
    }

    def order(edit: Edit) -> tuple[bool, float]:
        return not named & set(edit.about), min((lacking.get(name, np.inf) for name in edit.about), default=0)

    is_spent = any(account.is_spent for account in state.court.table.accounts)
    found = [edit for lever in levers for edit in _letting(lever, farthest=not is_spent)]
    if named:
        return sorted((edit for edit in found if named & set(edit.about)), key=order)
    return sorted((edit for edit in found if order(edit)[1] < np.inf), key=order)


def _letting(lever: Lever, *, farthest: bool) -> list[Edit]:
    """Who goes farthest lets in what the others do; where all points are spent, each lets in its own."""
    letting = [edit for edit in lever.edits if edit.lets_in and not edit.changes_fights]
    return sorted(letting, key=lambda edit: -edit.steps)[:1] if farthest else letting


def _no_farther(lever: Lever, edit: Edit) -> list[Edit]:
    """The edit, then those of its lever that let in less."""
    others = [each for each in lever.edits if each.lets_in and each.kind == edit.kind]
    return sorted((each for each in others if each.steps <= edit.steps), key=lambda each: -each.steps)


# Counted, not timed, so that every machine scores the same builds: of those that only might help, so many for
# every second that the search was given.
_LET_IN = 9_000
# Edits that let builds in, each with what it needs beside it.
_CUTS = 60


def score_let_in(search: Search) -> None:
    """Scores of the builds that lower prices let in, before anything is said of those prices: as far as these
    can go, the first ones first. Never by the clock: a fast machine would score others."""
    game = search.game
    levers = [lever for lever in search.levers.free if any(edit.lets_in for edit in lever.edits)]
    if game.lab is None or not levers:
        return
    wanted = worth_letting_in(game.court.state(()), game.goals, levers)
    if search.least is not None and len(search.least.edits) == 1 and not game.names_options():
        # No cut does with less than one edit: those are looked at that take no scoring.
        if not all(game.court.table.is_closed((edit,)) for edit in wanted):
            search.notes.append("One edit is enough, so cost cuts that need new scores were not tried.")
        return
    room = MOST_FOR_ONE if game.names_options() else search.effort.counted(_LET_IN)
    table, by_lever = game.court.table, {lever.name: lever for lever in levers}
    sets: list[tuple[tuple[Edit, ...], list[Chunk]]] = []
    tried: set[str] = set()
    left: list[str] = []
    for edit in wanted:
        if table.is_closed((edit,)):
            tried.add(edit.lever)
            continue
        search.say(f"builds that {edit.text} makes legal")
        for each in _no_farther(by_lever[edit.lever], edit):
            chunks = game.lab.let_in(table, (each,), room)
            many = sum(map(len, chunks))
            if many <= room:
                room -= many
                tried.add(edit.lever)
                sets.append(((each,), chunks))
                break
        else:
            left.append(edit.lever)
    if sets:
        game.court = game.reopened(game.lab.scored(table, sets))
    more = len(game.court.table.population) - len(table.population)
    if said := _say_scored(more, tried, list(dict.fromkeys(left))):
        search.notes.append(said)


def cut(search: Search) -> None:
    """Each edit that lets builds in, with the fewest raises and bans that it needs beside it."""
    game = search.game
    letting = [edit for edit in search.levers.edits if edit.lets_in and not edit.changes_fights]
    known = [edit for edit in letting if game.court.table.is_closed((edit,))]
    if not known or not all(goal.by_removal for goal in game.goals):
        return
    most = search.effort.edits if search.least is None else len(search.least.edits)
    looked, kept = 0, 0
    for edit in sorted(known, key=lambda edit: edit.steps)[: search.effort.counted(_CUTS)]:
        search.say(f"{search.proof} With {edit.text}")
        if time.monotonic() > search.begun + 0.5 * search.effort.seconds:
            search.ran_out(search.begun + 0.5 * search.effort.seconds)
            break
        looked += 1
        if hold(game.goals, game.court.state((edit,))).is_kept:
            search.note((edit,))
            kept += 1
        elif most > 1:
            master = master_of(search, base=(edit,), share=0.55)
            master.no_more_than(most - 1)
            try:
                found = master.solve()
            except TimeoutError:
                search.ran_out(master.until, of_work_too=False)
                looked -= 1
                break
            if found is not None:
                search.note(found.edits)
                kept += 1
    if left := len(known) - looked:
        was = "was" if left == 1 else "were"
        search.notes.append(f"{count(left, 'cost cut')} {was} not tried: the search ended at its limit.")
    if looked == 0:
        return
    each = "" if looked == 1 else "each "
    beside = "" if most == 1 else f", {each}with up to {count(most - 1, 'edit')} more"
    search.notes.append(f"Tried {count(looked, 'cost cut')}{beside}: {how_many(kept)} the goal.")

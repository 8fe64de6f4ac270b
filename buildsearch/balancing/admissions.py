"""Edits that let builds in, made first: what they let in is scored, and the fewest raises and bans are found
that they need beside them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from buildsearch.balancing.answers import count_edits, how_many
from buildsearch.balancing.cuts import MOST_FOR_ONE, let_in, worth_letting_in
from buildsearch.balancing.goals import hold
from buildsearch.balancing.removals import master_of

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search

# Counted, not timed, so that every machine scores the same builds: of those that only might help, so many for
# every second that the search was given.
_LET_IN = 9_000
# Edits that let builds in, each with what it needs beside it.
_CUTS = 60


def score_let_in(search: Search) -> None:
    """Scores of the builds that lower prices let in, before anything is said of those prices."""
    levers = [lever for lever in search.levers.free if any(edit.lets_in for edit in lever.edits)]
    if search.lab is None or not levers:
        return
    wanted = worth_letting_in(search.court.state(()), search.goals, levers)
    if search.least is not None and len(search.least.edits) == 1 and not search.names_options():
        # No cut does with less than one edit: those are looked at that take no scoring.
        if not all(search.court.table.is_closed((edit,)) for edit in wanted):
            search.notes.append("One edit is enough, so cost cuts that need new scores were not tried.")
        return
    room = MOST_FOR_ONE if search.names_options() else search.effort.counted(_LET_IN)
    found = let_in(search.court.table, search.lab, levers, wanted, room, search.say)
    if said := found.say():
        search.notes.append(said)
    if found.table is not search.court.table:
        search.court = search.reopened(found.table)


def cut(search: Search) -> None:
    """Each edit that lets builds in, with the fewest raises and bans that it needs beside it."""
    letting = [edit for edit in search.levers.edits if edit.lets_in and not edit.changes_fights]
    known = [edit for edit in letting if search.court.table.is_closed((edit,))]
    if not known or not all(goal.by_removal for goal in search.goals):
        return
    most = search.effort.edits if search.least is None else len(search.least.edits)
    looked, kept = 0, 0
    for edit in sorted(known, key=lambda edit: edit.steps)[: search.effort.counted(_CUTS)]:
        search.say(f"{search.proof} With {edit.text}")
        if time.monotonic() > search.begun + 0.5 * search.effort.seconds:
            search.ran_out(search.begun + 0.5 * search.effort.seconds)
            break
        looked += 1
        if hold(search.goals, search.court.state((edit,))).is_kept:
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
        what = "cost cut was" if left == 1 else "cost cuts were"
        search.notes.append(f"{left} {what} not tried: the search ended at its limit.")
    if looked == 0:
        return
    beside = "" if most == 1 else f", {'' if looked == 1 else 'each '}with up to {count_edits(most - 1)} more"
    what = "cost cut" if looked == 1 else "cost cuts"
    search.notes.append(f"Tried {looked} {what}{beside}: {how_many(kept)} the goal.")

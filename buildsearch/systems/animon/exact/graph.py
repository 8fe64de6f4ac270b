"""Every state that a fight can come to, with what greedy play does there, or all that the build could do."""

from __future__ import annotations

from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.systems.animon.exact.options import list_free, list_greedy, list_option
from buildsearch.systems.animon.exact.outcomes import expand, expand_rest, is_rest, open_wave
from buildsearch.systems.animon.exact.room import Desk, Room, copy
from buildsearch.systems.animon.mechanics.layout import NIBBLE, NOTHING, PLACE, UNITS, Floats, Ints
from buildsearch.systems.animon.mechanics.luck import GAUGE
from buildsearch.systems.animon.mechanics.slots import ACTS, MISSES, begin


@kernel_without_refcounts
def explore(plan: Ints, odds: Floats, room: Room, desk: Desk, free: bool) -> float:
    """Fill the room from the starts on; gives the gauge of the first initiative, -1 without room.

    `free`: the build may do anything, the others are greedy.
    """
    units = plan[UNITS]
    room.used[:] = 0
    desk.tally[:] = 0.0
    desk.next[:] = 0
    if not open_wave(plan, odds, room, desk, desk.next, 0, 1.0, True):
        return -1.0
    gauge = desk.tally[GAUGE]
    node = 0
    while node < room.used[0]:
        copy(room.keys[node], desk.now)
        room.first[node] = room.used[1]
        if is_rest(plan, desk.now):
            if not expand_rest(plan, odds, room, desk):
                return -1.0
            node += 1
            continue
        places = desk.now[units + 1]
        unit = (desk.now[units] >> (4 * ((places >> PLACE) & NIBBLE))) & NIBBLE
        copy(desk.now, desk.paid)
        what = begin(plan, desk.paid, unit)
        if what == MISSES:
            # `begin` is done in `_act`; a slot that is missed has only that and its end.
            copy(desk.paid, desk.now)
            list_option(desk.listed, 0, (-1, NOTHING, 0, 0, 0, 1, 0, 0))
            if not expand(plan, odds, room, desk, unit, desk.listed[0], True):
                return -1.0
        elif free and unit == 0:
            number = list_free(plan, desk, unit, what == ACTS)
            if number > len(desk.listed):
                return -1.0
            for i in range(number):
                if not expand(plan, odds, room, desk, unit, desk.listed[i], False):
                    return -1.0
        else:
            list_greedy(plan, odds, desk, unit, what == ACTS)
            if not expand(plan, odds, room, desk, unit, desk.listed[0], False):
                return -1.0
        node += 1
    room.first[node] = room.used[1]
    return gauge

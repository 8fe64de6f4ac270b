"""Best play where an attack begins a bleed: one tick, not renewed while it is pending, no thresholds.

Only HP less what is pending matters (`exact.batch.bleeding` has the reason). With D the damage of the attack
and b that of its first damaging strike, an enemy of h HP is down when D >= h, doomed when D < h <= D + b, and
else pending at e = h - D - b:

    pending(e): the next action does D, then the tick comes: down when D >= e, else standing at e - D
    doomed:     the next action does not matter, the tick defeats

So neither has a loop of its own: both follow from the standing values at the same HP. The player sees what is
pending. The same numbers as `solving` (a test says so).
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.axes import Field, forget_useless, set_axes
from buildsearch.systems.vitality.best_play.gating import Gating, find_states
from buildsearch.systems.vitality.best_play.regions import whole_axis
from buildsearch.systems.vitality.best_play.staying import WAYS, find_stays, list_options
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages
from buildsearch.systems.vitality.exact.moves import DAMAGED, DEFEATED, HIT

_CLOSE = 2e-14
_MOST_SWEEPS = 100_000
_FAR = 1e9
_FELLED = DAMAGED | DEFEATED


class Echoes(NamedTuple):
    """The chances of D + b, by row: by damage, from the last damage to the first, and sums from the end."""

    chances: NDArray[np.float64]
    backwards: NDArray[np.float64]
    at_least: NDArray[np.float64]


class Bled(NamedTuple):
    """As `fast.Solved`; `pending` by HP less what is pending, `doomed` without HP; neither begins a wave."""

    mean: float
    after: NDArray[np.float64]
    before: NDArray[np.float64]
    pending_after: NDArray[np.float64]
    pending_before: NDArray[np.float64]
    doomed_after: NDArray[np.float64]
    gating: Gating
    class_of: NDArray[np.int64]


@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
def _lost(hurt: NDArray[np.float64], losses: NDArray[np.float64], tail: NDArray[np.float64], k: int) -> float:
    """The part of retaliation that costs HP: `hurt` is what the choice is worth at each own HP below k."""
    if k == 0:
        return 0.0
    total = tail[k] * hurt[0]
    shift = np.uint64(len(losses) - 1 - k)
    for j in range(np.uint64(1), np.uint64(k)):
        total += losses[shift + j] * hurt[j]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
def solve_bleeding(  # noqa: PLR0912, PLR0915, PLR0917 - one recursion
    limits: NDArray[np.void],
    rows: NDArray[np.int64],
    echo_rows: NDArray[np.int64],
    basic_rows: NDArray[np.int64],
    basic_conditions: NDArray[np.int64],
    field: Field,
    full: int,
    damages: ClassDamages,
    echoes: Echoes,
    most: int,
    keep: bool,
) -> Bled:
    """Best play. `limits` is scratch; `rows[i]`, `echo_rows[i]`: attack i's first rows, -1: it bleeds not."""
    backwards = damages.backwards
    top = backwards.shape[1] - 1
    basics = len(basic_rows)
    places = len(field.max_hp)
    forget_useless(limits, places > 1, full)
    tables = 1 + basics
    for i in range(len(limits)):
        limits[i]["first_table"] = tables
        tables += limits[i]["levels"]
    blows, class_of = set_axes(limits, field, full)
    fits, gating = find_states(limits, basic_conditions, True, places > 1, False, -1, most)
    after = np.zeros((0, 0, 0, 0))
    before = np.zeros((0, 0, 0, 0, 0))
    pending_after = np.zeros((0, 0, 0, 0))
    pending_before = np.zeros((0, 0, 0, 0, 0))
    doomed_after = np.zeros((0, 0, 0))
    if not fits:
        return Bled(np.nan, after, before, pending_after, pending_before, doomed_after, gating, class_of)
    table_row = np.zeros(tables, np.int64)
    table_echo = np.full(tables, -1, np.int64)
    for i in range(basics):
        table_row[1 + i] = basic_rows[i]
    for i in range(len(limits)):
        for depth in range(limits[i]["levels"]):
            table_row[limits[i]["first_table"] + depth] = rows[i] + depth * damages.classes
            if echo_rows[i] >= 0:
                table_echo[limits[i]["first_table"] + depth] = echo_rows[i] + depth * damages.classes
    size = blows.shape[2]
    events = blows.shape[1]
    states = len(gating.values)
    leads = gating.leads
    regions = whole_axis(states, size)
    options = list_options(gating, regions, True)
    first_choice = options.first_choice
    stay = options.stay
    stay_at = options.stay_at
    own = options.own
    count = len(own)
    lead_of = np.zeros(count, np.int64)
    chance_of = np.zeros(count)
    accepts = np.zeros(count, np.int64)
    begins = np.zeros(count, np.int64)
    ends = np.zeros(count, np.int64)
    failed = np.zeros(count, np.int64)
    for c in range(count):
        choice = gating.choices[options.source[c]]
        lead_of[c] = choice["lead"]
        chance_of[c] = choice["chance"]
        accepts[c] = choice["accepts"]
        begins[c] = choice["usable_from"]
        ends[c] = choice["usable_to"]
        failed[c] = choice["failed"]
    most_hp = field.max_hp.max()
    values = np.zeros((size, states, most_hp + 1))
    waiting = np.zeros((size, states, most_hp + 1))  # pending
    doomed = np.zeros((size, states))
    entered = np.zeros((size, states))
    calm = np.zeros((size, states))
    calm_here = np.zeros((size, states))
    then = np.zeros((size, states))  # what follows this place
    standing_known = np.zeros(len(leads))
    plain_known = np.zeros(len(leads))
    here = np.zeros(count)
    worth = np.zeros(count)
    # When the choice is made: by state and own HP after damage to the attacker, else by event and state.
    hurt = np.zeros((states, size))
    hurt_pending = np.zeros((states, size))
    chosen = np.zeros((events, states))
    hurt_event = class_of[2]
    losses = np.zeros(size)  # from the largest to the smallest
    tail = np.zeros(size)
    level = np.ones(states)
    below = np.zeros(states)
    weight = np.zeros(events)
    if keep:
        after = np.zeros((places, size, states, most_hp + 1))
        before = np.zeros((places, events + 1, size, states, most_hp + 1))
        pending_after = np.zeros((places, size, states, most_hp + 1))
        pending_before = np.zeros((places, events, size, states, most_hp + 1))
        doomed_after = np.zeros((places, size, states))
    for place in range(places - 1, -1, -1):
        strike_class = field.strike_class[place]
        clears = field.wave_end[place] == place + 1
        find_stays(gating, regions, options, damages, table_row, strike_class)
        if place + 1 < places:
            then[:] = calm if clears else entered
        above = 0.0
        for lost in range(size - 1, -1, -1):
            above += blows[place, hurt_event, lost]
            tail[lost] = above
            losses[size - 1 - lost] = blows[place, hurt_event, lost]
        # Doomed: whatever is done, the tick defeats.
        for k in range(size):
            for state in range(states):
                total = _lost(hurt_pending[state], losses, tail, k)
                for event in range(events):
                    best = np.inf
                    for c in range(first_choice[state], first_choice[state + 1]):
                        if (accepts[c] >> event) & 1 == 0 or k < begins[c] or k >= ends[c]:
                            continue
                        whole = 1.0 + chance_of[c] * then[k, leads[lead_of[c], 1 + _FELLED]]
                        if failed[c] >= 0:
                            whole += (1.0 - chance_of[c]) * then[k, leads[failed[c], 1 + _FELLED]]
                        best = min(best, whole)
                    if event == hurt_event:
                        hurt_pending[state, k] = best
                    total += best * (blows[place, event].sum() if k == 0 else blows[place, event, 0])
                doomed[k, state] = total
        for hp in range(1, field.max_hp[place] + 1):
            last = hp == field.max_hp[place]
            for k in range(size):
                for lead in range(len(leads)):
                    table = leads[lead, 0]
                    if table == 0:
                        continue
                    row = table_row[table] + strike_class
                    to = leads[lead, 1 + (DAMAGED | HIT)]
                    down = damages.at_least[row, hp] * then[k, leads[lead, 1 + _FELLED]]
                    total = down
                    start = max(1, hp - damages.highest[row])
                    reach = hp - damages.lowest[row] + 1 - start
                    if reach > 0:
                        shift = np.uint64(top - hp + start)
                        first = np.uint64(start)
                        line = values[k, to]
                        for j in range(reach):
                            total += backwards[row, shift + np.uint64(j)] * line[first + np.uint64(j)]
                    plain_known[lead] = total
                    if table_echo[table] >= 0:
                        echo = table_echo[table] + strike_class
                        late = echoes.at_least[echo, hp] - damages.at_least[row, hp]
                        total = down + late * doomed[k, to]
                        shift = np.uint64(top - hp)
                        line = waiting[k, to]
                        for j in range(1, hp):
                            total += echoes.backwards[echo, shift + np.uint64(j)] * line[np.uint64(j)]
                    standing_known[lead] = total
                for c in range(count):
                    here[c] = 1.0 + chance_of[c] * standing_known[lead_of[c]]
                for event in range(events):
                    weight[event] = blows[place, event].sum() if k == 0 else blows[place, event, 0]
                for state in range(states):
                    below[state] = _lost(hurt[state], losses, tail, k)
                sweeps = 0
                while True:
                    moved = 0.0
                    for state in range(states):
                        total = below[state]
                        leave = 1.0
                        for event in range(events):
                            best = np.inf
                            rest = 0.0
                            loop = 0.0
                            for c in range(first_choice[state], first_choice[state + 1]):
                                if (accepts[c] >> event) & 1 == 0 or k < begins[c] or k >= ends[c]:
                                    continue
                                sum_here = here[c]
                                for way in range(WAYS):
                                    if stay[c, way] == 0.0:
                                        break
                                    sum_here += stay[c, way] * level[stay_at[c, way]]
                                whole = sum_here + own[c] * level[state]
                                if whole < best:
                                    best = whole
                                    rest = sum_here
                                    loop = own[c]
                            chosen[event, state] = best
                            total += weight[event] * rest
                            leave -= weight[event] * loop
                        found = total / leave if leave > 1e-9 else level[state] + total
                        moved = max(moved, abs(found - level[state]) / max(found, 1.0))
                        level[state] = found
                    sweeps += 1
                    if moved <= _CLOSE:
                        break
                    if sweeps > _MOST_SWEEPS or level.max() > _FAR:
                        return Bled(
                            np.inf,
                            after,
                            before,
                            pending_after,
                            pending_before,
                            doomed_after,
                            gating,
                            class_of,
                        )
                for state in range(states):
                    values[k, state, hp] = level[state]
                    hurt[state, k] = chosen[hurt_event, state]
                # Pending at this HP: the tick comes after the action.
                for c in range(count):
                    lead = lead_of[c]
                    table = leads[lead, 0]
                    ticked = level[leads[lead, 1 + DAMAGED]]
                    whole = ticked
                    if table > 0:
                        row = table_row[table] + strike_class
                        touched = damages.touched[row]
                        whole = plain_known[lead] + (damages.chances[row, 0] - touched) * ticked
                        whole += touched * level[leads[lead, 1 + (DAMAGED | HIT)]]
                    worth[c] = 1.0 + chance_of[c] * whole
                    if failed[c] >= 0:
                        worth[c] += (1.0 - chance_of[c]) * level[leads[failed[c], 1 + DAMAGED]]
                for state in range(states):
                    total = _lost(hurt_pending[state], losses, tail, k)
                    for event in range(events):
                        best = np.inf
                        for c in range(first_choice[state], first_choice[state + 1]):
                            if (accepts[c] >> event) & 1 != 0 and begins[c] <= k < ends[c]:
                                best = min(best, worth[c])
                        if event == hurt_event:
                            hurt_pending[state, k] = best
                        total += weight[event] * best
                        if keep:
                            before[place, event, k, state, hp] = chosen[event, state]
                            pending_before[place, event, k, state, hp] = best
                    waiting[k, state, hp] = total
                    if not last and not keep:
                        continue
                    # Nobody attacked back.
                    best = np.inf
                    for c in range(first_choice[state], first_choice[state + 1]):
                        if (accepts[c] >> events) & 1 == 0 or k < begins[c] or k >= ends[c]:
                            continue
                        whole = here[c] + own[c] * level[state]
                        for way in range(WAYS):
                            if stay[c, way] == 0.0:
                                break
                            whole += stay[c, way] * level[stay_at[c, way]]
                        best = min(best, whole)
                    if keep:
                        before[place, events, k, state, hp] = best
                    if last:
                        calm_here[k, state] = best
        if keep:
            after[place] = values
            pending_after[place] = waiting
            doomed_after[place] = doomed
        for k in range(size):
            for state in range(states):
                entered[k, state] = values[k, state, field.max_hp[place]]
        if place == 0 or field.wave_end[place - 1] == place:
            calm[:] = calm_here
    mean = calm[size - 1, gating.first]
    return Bled(mean, after, before, pending_after, pending_before, doomed_after, gating, class_of)

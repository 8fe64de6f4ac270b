"""The value of best play, quickly, where a turn's damage is the same at every HP: no splinter.

The same numbers as `general_solver` (a test says so). What damage leads to is a dot product of a row of
chances and a row of values; a choice is a number at each HP and at most three ways of staying there.

States that stay at the same HP depend on one another. The best choices seldom change from one HP to the next,
so the system of the last ones is inverted and gives a first guess; a sweep then finds that nothing moves, or
which choices to change. Where enemies may bleed every state is there twice (`stays`).
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.axes import Enemies, blows_of, forget_useless, set_axes
from buildsearch.systems.vitality.best_play.counter_graph import BEST_PLAY, CHOICE, CounterGraph, find_states
from buildsearch.systems.vitality.best_play.regions import find_regions
from buildsearch.systems.vitality.best_play.stays import (
    WAYS,
    find_stays,
    invert_policy,
    list_options,
    with_pending,
)
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages
from buildsearch.systems.vitality.exact.transitions import DAMAGED, DEFEATED

_CLOSE = 2e-14
_MOST_SWEEPS = 100_000
_FAR = 1e9
# States of a region up to which the system is inverted, and how often choices are changed that way.
_MOST_INVERTED = 16
_MOST_CHANGES = 6


class Solved(NamedTuple):
    """Mean turns of best play: NaN with too many states, infinite where enemies cannot be defeated.

    If asked for, by place, HP axis, state and enemy HP: turns still to come right after the action (`after`),
    and when the choice is made (`before`, with the class of event behind the place; the last class: nobody
    attacked back). In pending states enemy HP are without what is pending, and 0 where that is all of them.
    """

    mean: float
    after: NDArray[np.float64]
    before: NDArray[np.float64]
    graph: CounterGraph
    class_of: NDArray[np.int64]


@step
def nothing_solved() -> Solved:
    """What stands where there is nothing to solve."""
    rows = np.zeros((0, 0), np.int64)
    graph = CounterGraph(np.zeros(0, np.int64), np.zeros(0, CHOICE), rows, rows, 0, 0)
    return Solved(np.nan, np.zeros((0, 0, 0, 0)), np.zeros((0, 0, 0, 0, 0)), graph, np.zeros(0, np.int64))


@partial(step, fastmath={"reassoc", "nsz", "contract"})
def solve_loadout(  # noqa: PLR0912, PLR0915 - one recursion; parts of it as functions cost a third
    limits: NDArray[np.void],
    rows: NDArray[np.int64],
    basic_rows: NDArray[np.int64],
    basic_conditions: NDArray[np.int64],
    enemies: Enemies,
    full: int,
    damages: ClassDamages,
    most: int,
    bleeds: bool,
    keep: bool,
) -> Solved:
    """Best play. `limits` is scratch; `rows[i]`: attack i's first row. `bleeds`: follow what is pending."""
    at_least = damages.at_least
    backwards = damages.backwards
    top = backwards.shape[1] - 1
    basics = len(basic_rows)
    places = len(enemies.max_hp)
    forget_useless(limits, places > 1, full)
    tables = 1 + basics
    for i in range(len(limits)):
        limits[i]["first_table"] = tables
        tables += limits[i]["levels"]
    size, class_of = set_axes(limits, enemies.retaliation[0].sum() > 0.0, full)
    blows = blows_of(enemies, class_of, size)
    # To numba a constant has a type of its own, and a function called with it is compiled for it again.
    splinters = np.bool_(0)
    fits, graph = find_states(
        limits, basic_conditions, bleeds, places > 1, splinters, np.int64(BEST_PLAY), most
    )
    after = np.zeros((0, 0, 0, 0))
    before = np.zeros((0, 0, 0, 0, 0))
    if not fits:
        return Solved(np.nan, after, before, graph, class_of)
    # By table, and behind them by echo: its first row of damages, the one that defeats on this turn, whether
    # it is a condition.
    table_row = np.zeros(2 * tables, np.int64)
    table_now = np.zeros(2 * tables, np.int64)
    table_condition = np.zeros(2 * tables, np.int64)
    for i in range(basics):
        table_row[1 + i] = basic_rows[i]
        table_condition[1 + i] = basic_conditions[i]
    for i in range(len(limits)):
        for depth in range(limits[i]["levels"]):
            table_row[limits[i]["first_table"] + depth] = rows[i] + depth * damages.classes
            table_condition[limits[i]["first_table"] + depth] = limits[i]["condition"]
    echoes = np.zeros(tables, np.bool_)
    for table in range(tables):
        table_now[table] = table_row[table]
        table_now[tables + table] = table_row[table]
        table_row[tables + table] = table_row[table] + damages.echo[table_row[table]]
        echoes[table] = table > basics and damages.echo[table_row[table]] > 0
    if bleeds:
        graph = with_pending(graph, echoes)
    events = blows.shape[1]
    hurt_event = class_of[2]
    states = len(graph.values)
    regions = find_regions(limits, graph, size, keep)
    waits = places > 1 or bleeds
    for i in range(len(limits)):
        waits = waits or limits[i]["passive"] != 0
    options = list_options(graph, regions, waits)
    starts = regions.starts
    first_slot = regions.first_slot
    first_choice = options.first_choice
    first_lead = options.first_lead
    lead_table = options.lead_table
    lead_damaged = options.lead_damaged
    choice_lead = options.choice_lead
    choice_chance = options.choice_chance
    choice_accepts = options.choice_accepts
    stay = options.stay
    stay_at = options.stay_at
    own = options.own
    parts = len(starts) - 1
    all_slots = first_slot[parts]
    # Pending states stand behind the others.
    standing = np.zeros(parts, np.int64)
    for region in range(parts):
        for slot in range(first_slot[region], first_slot[region + 1]):
            standing[region] += 1 if regions.members[slot] < graph.standing else 0
    most_hp = enemies.max_hp.max()
    # Where each region begins among values (slot, enemy HP, own HP), and among slots x own HP.
    value_at = np.zeros(parts + 1, np.int64)
    cell_at = np.zeros(parts + 1, np.int64)
    inverse_at = np.zeros(parts + 1, np.int64)
    widest = 0
    most_slots = 0
    for region in range(parts):
        width = starts[region + 1] - starts[region]
        count = first_slot[region + 1] - first_slot[region]
        cell_at[region + 1] = cell_at[region] + count * width
        value_at[region + 1] = value_at[region] + count * width * (most_hp + 1)
        stands = standing[region]
        inverse_at[region + 1] = inverse_at[region] + (stands * stands if stands <= _MOST_INVERTED else 0)
        widest = max(widest, (first_lead[region + 1] - first_lead[region]) * width)
        most_slots = max(most_slots, count)
    values = np.empty(value_at[parts])
    cells = cell_at[parts]
    entered = np.zeros(cells)  # the next place at full HP
    calm = np.zeros(cells)  # the next wave before its first turn
    calm_here = np.zeros(cells)
    hurt = np.zeros(cells)  # when the choice is made, after damage to the attacker
    below = np.zeros(cells)
    known = np.zeros(widest)
    here = np.zeros(len(choice_lead))
    inverse = np.zeros(inverse_at[parts])
    is_inverted = np.zeros(parts, np.bool_)
    policy = np.zeros(events * all_slots, np.int64)
    latest = np.zeros(events * all_slots, np.int64)
    level = np.ones(all_slots)
    right = np.zeros(most_slots)
    weight = np.zeros(events)
    tail = np.zeros(size)
    if keep:
        after = np.zeros((places, size, states, most_hp + 1))
        before = np.zeros((places, events + 1, size, states, most_hp + 1))
    for place in range(places - 1, -1, -1):
        strike_class = enemies.strike_class[place]
        clears = enemies.wave_end[place] == place + 1
        find_stays(graph, regions, options, damages, table_row, strike_class)
        is_inverted[:] = False
        blow = blows[place, hurt_event]
        above = 0.0
        for lost in range(size - 1, -1, -1):
            above += blow[lost]
            tail[lost] = above
        for hp in range(0 if bleeds else 1, enemies.max_hp[place] + 1):
            last = hp == enemies.max_hp[place]
            for region in range(parts):
                begin = starts[region]
                width = starts[region + 1] - begin
                slot = first_slot[region]
                count = first_slot[region + 1] - slot
                stands = standing[region]
                cell = cell_at[region]
                value = value_at[region]
                for lead in range(first_lead[region], first_lead[region + 1]):
                    table = lead_table[lead]
                    base = (lead - first_lead[region]) * width
                    if table == 0 or hp == 0:
                        for k in range(width):
                            known[base + k] = 0.0
                        continue
                    row = table_row[table] + strike_class
                    now = table_now[table] + strike_class
                    kill_at = damages.kill_at[row]
                    down = at_least[now, max(1, hp - kill_at)]
                    if place + 1 < places:
                        bits = DEFEATED if table_condition[table] != 0 else DEFEATED | DAMAGED
                        to = cell + options.lead_to[lead, bits] * width
                        for k in range(width):
                            known[base + k] = down * (calm[to + k] if clears else entered[to + k])
                    else:
                        for k in range(width):
                            known[base + k] = 0.0
                    line = value + lead_damaged[lead] * (most_hp + 1) * width
                    if row != now:
                        late = at_least[row, hp] - at_least[now, hp]
                        for k in range(width):
                            known[base + k] += late * values[line + k]
                    start = max(kill_at + 1, hp - damages.highest[row])
                    reach = hp - damages.lowest[row] + 1 - start
                    if reach <= 0:
                        continue
                    shift = np.uint64(top - hp + start)
                    if width == 1:
                        first = np.uint64(line + start)
                        total = 0.0
                        for j in range(reach):
                            total += backwards[row, shift + np.uint64(j)] * values[first + np.uint64(j)]
                        known[base] += total
                        continue
                    # Four damages at a time, each a row of own HP.
                    at = np.uint64(line + start * width)
                    to_known = np.uint64(base)
                    wide = np.uint64(width)
                    j = np.uint64(0)
                    while j + np.uint64(4) <= np.uint64(reach):
                        one = backwards[row, shift + j]
                        two = backwards[row, shift + j + np.uint64(1)]
                        three = backwards[row, shift + j + np.uint64(2)]
                        four = backwards[row, shift + j + np.uint64(3)]
                        for k in range(wide):
                            known[to_known + k] += (
                                one * values[at + k]
                                + two * values[at + wide + k]
                                + three * values[at + np.uint64(2) * wide + k]
                                + four * values[at + np.uint64(3) * wide + k]
                            )
                        at += np.uint64(4) * wide
                        j += np.uint64(4)
                    while j < np.uint64(reach):
                        one = backwards[row, shift + j]
                        for k in range(wide):
                            known[to_known + k] += one * values[at + k]
                        at += wide
                        j += np.uint64(1)
                # Losses that lead into the regions below.
                for i in range(count if region > 0 else 0):
                    mine = cell + i * width
                    state = regions.members[slot + i]
                    least = hurt[regions.slots[0, state]]
                    for k in range(width):
                        below[mine + k] = tail[begin + k] * least
                    for other in range(1, region):
                        far = starts[other + 1] - starts[other]
                        theirs = cell_at[other] + regions.slots[other, state] * far
                        for j in range(far):
                            lost = begin - starts[other] - j
                            for k in range(width):
                                below[mine + k] += blow[lost + k] * hurt[theirs + j]
                for event in range(events):
                    weight[event] = blows[place, event].sum() if region == 0 else blows[place, event, 0]
                for k in range(width):
                    for c in range(first_choice[slot], first_choice[slot + count]):
                        here[c] = 1.0 + choice_chance[c] * known[choice_lead[c] * width + k]
                    if hp == 0:
                        # Pending, and nothing else left: whatever is done, the tick defeats.
                        for i in range(slot, slot + stands):
                            level[i] = 0.0
                        for c in range(first_choice[slot + stands], first_choice[slot + count]):
                            choice = graph.choices[options.source[c]]
                            here[c] = 1.0
                            for part in range(2 if place + 1 < places else 0):
                                lead = choice["failed"] if part == 1 else choice["lead"]
                                chance = 1.0 - choice["chance"] if part == 1 else choice["chance"]
                                if lead >= 0:
                                    state = graph.leads[lead, 1 + (DEFEATED | DAMAGED)]
                                    to = cell + regions.slots[region, state] * width + k
                                    here[c] += chance * (calm[to] if clears else entered[to])
                    sweeps = 0
                    changes = 0
                    direct = is_inverted[region]
                    while hp > 0:
                        if direct:
                            for i in range(stands):
                                total = below[cell + i * width + k] if region > 0 else 0.0
                                for event in range(events):
                                    total += weight[event] * here[policy[event * all_slots + slot + i]]
                                right[i] = total
                            for i in range(stands):
                                total = 0.0
                                for j in range(stands):
                                    total += inverse[inverse_at[region] + i * stands + j] * right[j]
                                level[slot + i] = total
                        moved = 0.0
                        switched = False
                        for i in range(slot, slot + stands):
                            total = below[cell + (i - slot) * width + k] if region > 0 else 0.0
                            leave = 1.0
                            for event in range(events):
                                if weight[event] == 0.0 and event != hurt_event:
                                    continue
                                best = np.inf
                                rest = 0.0
                                loop = 0.0
                                chosen = 0
                                for c in range(first_choice[i], first_choice[i + 1]):
                                    if (choice_accepts[c] >> event) & 1 == 0:
                                        continue
                                    sum_here = here[c]
                                    for way in range(WAYS):
                                        if stay[c, way] == 0.0:
                                            break
                                        sum_here += stay[c, way] * level[stay_at[c, way]]
                                    whole = sum_here + own[c] * level[i]
                                    if whole < best:
                                        best = whole
                                        rest = sum_here
                                        loop = own[c]
                                        chosen = c
                                if event == hurt_event:
                                    hurt[cell + (i - slot) * width + k] = best
                                if weight[event] > 0.0:
                                    latest[event * all_slots + i] = chosen
                                    switched = switched or chosen != policy[event * all_slots + i]
                                    total += weight[event] * rest
                                    leave -= weight[event] * loop
                            found = total / leave if leave > 1e-9 else level[i] + total
                            moved = max(moved, abs(found - level[i]) / max(found, 1.0))
                            level[i] = found
                        sweeps += 1
                        if moved <= _CLOSE:
                            break
                        direct = False
                        if sweeps > _MOST_SWEEPS or level[slot : slot + stands].max() > _FAR:
                            return Solved(np.inf, after, before, graph, class_of)
                        if switched and stands <= _MOST_INVERTED and changes < _MOST_CHANGES:
                            for event in range(events):
                                for i in range(event * all_slots + slot, event * all_slots + slot + stands):
                                    policy[i] = latest[i]
                            direct = invert_policy(
                                options, policy, weight, slot, stands, inverse[inverse_at[region] :]
                            )
                            is_inverted[region] = direct
                            changes += 1
                    # What the choice is worth after each event; the last one: nobody attacked back. What is
                    # pending has no loops: it follows from the others.
                    for i in range(slot + stands, slot + count):
                        level[i] = below[cell + (i - slot) * width + k] if region > 0 else 0.0
                    first_event = 0 if keep or stands < count else events
                    for event in range(first_event, events + 1 if last or keep else events):
                        for i in range(slot if last or keep else slot + stands, slot + count):
                            best = np.inf
                            for c in range(first_choice[i], first_choice[i + 1]):
                                if (choice_accepts[c] >> event) & 1 == 0:
                                    continue
                                whole = here[c] + own[c] * level[i]
                                for way in range(WAYS):
                                    if stay[c, way] == 0.0:
                                        break
                                    whole += stay[c, way] * level[stay_at[c, way]]
                                best = min(best, whole)
                            right[i - slot] = best
                            if event == events:
                                calm_here[cell + (i - slot) * width + k] = best
                            elif i >= slot + stands:
                                level[i] += weight[event] * best
                                if event == hurt_event:
                                    hurt[cell + (i - slot) * width + k] = best
                        if keep:
                            for state in range(graph.standing if hp == 0 else 0, states):
                                before[place, event, begin + k, state, hp] = right[
                                    regions.slots[region, state]
                                ]
                    for i in range(count):
                        values[value + (i * (most_hp + 1) + hp) * width + k] = level[slot + i]
                    if region > 0:
                        for i in range(count):
                            mine = np.uint64(cell + i * width + k)
                            worth = hurt[mine]
                            for lost in range(np.uint64(1), np.uint64(width - k)):
                                below[mine + lost] += blow[lost] * worth
        for region in range(parts):
            width = starts[region + 1] - starts[region]
            for i in range(first_slot[region + 1] - first_slot[region]):
                line = value_at[region] + i * (most_hp + 1) * width
                for k in range(width):
                    entered[cell_at[region] + i * width + k] = values[
                        line + enemies.max_hp[place] * width + k
                    ]
            if keep:
                for state in range(states):
                    line = value_at[region] + regions.slots[region, state] * (most_hp + 1) * width
                    for k in range(width):
                        for hp in range(0 if state >= graph.standing else 1, enemies.max_hp[place] + 1):
                            after[place, starts[region] + k, state, hp] = values[line + hp * width + k]
        if place == 0 or enemies.wave_end[place - 1] == place:
            for i in range(cells):
                calm[i] = calm_here[i]
    last_slot = regions.slots[parts - 1, graph.first]
    width = starts[parts] - starts[parts - 1]
    mean = calm[cell_at[parts - 1] + last_slot * width + width - 1]
    return Solved(mean, after, before, graph, class_of)

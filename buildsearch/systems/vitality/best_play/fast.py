"""The value of best play, quickly, where a turn's damage is the same at every HP: no bleed, no splinter.

The same numbers as `solving` (a test says so). What damage leads to is a dot product of a row of chances and
a row of values; a choice is a number at each HP and at most three ways of staying there.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.gating import Gating, find_states
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.moves import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.kernel.plan import ALL_MISSED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.kernel.plan import DAMAGED as WAS_DAMAGED

_CLOSE = 2e-14
_MOST_SWEEPS = 100_000
_FAR = 1e9
_WAYS = 3


class Field(NamedTuple):
    """The enemies in the order in which they are attacked, and what their retaliation does."""

    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    wave_end: NDArray[np.int64]
    # By place: the chances of a miss, of a hit without damage, of each damage; all zero: nobody attacks back.
    retaliation: NDArray[np.float64]


@njit(cache=True, nogil=True)
def set_axes(
    limits: NDArray[np.void], field: Field, full: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Fill `accepts` and the range of HP of every attack; `blows` by place, class of event and loss.

    Behind them the class of each event: all missed, hit unharmed, damaged.
    """
    floor = full
    for i in range(len(limits)):
        if limits[i]["hp_at_most"] < full:
            floor = min(floor, limits[i]["hp_at_most"])
        if limits[i]["hp_full"] != 0:
            floor = min(floor, full - 1)
    size = full - floor + 1
    for i in range(len(limits)):
        start = full - floor if limits[i]["hp_full"] != 0 else 0
        stop = min(limits[i]["hp_at_most"], full) - floor + 1
        limits[i]["usable_from"] = start if start < stop else 0
        limits[i]["usable_to"] = stop if start < stop else 0
    attacked = field.retaliation[0].sum() > 0.0
    events = np.array([ALL_MISSED, HIT_UNHARMED, WAS_DAMAGED])
    class_of = np.zeros(3, np.int64)
    classes = 0
    for event in range(3):
        class_of[event] = classes
        for other in range(event):
            same = True
            for i in range(len(limits)):
                mask = limits[i]["since_mask"]
                if (mask >> events[event]) & 1 != (mask >> events[other]) & 1:
                    same = False
            if same or not attacked:
                class_of[event] = class_of[other]
                break
        classes = max(classes, class_of[event] + 1)
    for i in range(len(limits)):
        mask = limits[i]["since_mask"]
        accepts = ((mask >> NOT_ATTACKED) & 1) << classes
        for event in range(3):
            accepts |= ((mask >> (events[event] if attacked else NOT_ATTACKED)) & 1) << class_of[event]
        limits[i]["accepts"] = accepts
    places = len(field.max_hp)
    blows = np.zeros((places, classes, size))
    for place in range(places):
        row = field.retaliation[place]
        if not attacked:
            blows[place, 0, 0] = 1.0
            continue
        blows[place, class_of[0], 0] += row[0]
        blows[place, class_of[1], 0] += row[1]
        for lost in range(1, len(row) - 1):
            blows[place, class_of[2], min(lost, size - 1)] += row[1 + lost]
    return blows, class_of


class Solved(NamedTuple):
    """Mean turns of best play: NaN with too many states, infinite where enemies cannot be defeated.

    If asked for, by place, HP axis, state and enemy HP: turns still to come right after the action (`after`),
    and when the choice is made (`before`, with the class of event behind the place; the last class: nobody
    attacked back).
    """

    mean: float
    after: NDArray[np.float64]
    before: NDArray[np.float64]
    gating: Gating
    class_of: NDArray[np.int64]


@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
def solve_loadout(  # noqa: PLR0912, PLR0915 - one recursion; parts of it as functions cost a third
    limits: NDArray[np.void],
    rows: NDArray[np.int64],
    basic_rows: NDArray[np.int64],
    basic_conditions: NDArray[np.int64],
    field: Field,
    full: int,
    damages: Damages,
    most: int,
    keep: bool,
) -> Solved:
    """Best play. `limits` is scratch for its ranges and `first_table`; `rows[i]`: attack i's first row."""
    chances = damages.chances
    at_least = damages.at_least
    backwards = damages.backwards
    top = backwards.shape[1] - 1
    basics = len(basic_rows)
    tables = 1 + basics
    for i in range(len(limits)):
        limits[i]["first_table"] = tables
        tables += limits[i]["levels"]
    blows, class_of = set_axes(limits, field, full)
    places = len(field.max_hp)
    fits, gating = find_states(limits, basic_conditions, False, places > 1, False, -1, most)
    after = np.zeros((0, 0, 0, 0))
    before = np.zeros((0, 0, 0, 0, 0))
    if not fits:
        return Solved(np.nan, after, before, gating, class_of)
    # By table: its first row of damages, whether it is a condition.
    table_row = np.zeros(tables, np.int64)
    table_condition = np.zeros(tables, np.int64)
    for i in range(basics):
        table_row[1 + i] = basic_rows[i]
        table_condition[1 + i] = basic_conditions[i]
    for i in range(len(limits)):
        for depth in range(limits[i]["levels"]):
            table_row[limits[i]["first_table"] + depth] = rows[i] + depth * damages.classes
            table_condition[limits[i]["first_table"] + depth] = limits[i]["condition"]
    leads = gating.leads
    first_choice = gating.first_choice
    states = len(first_choice) - 1
    size = blows.shape[2]
    events = blows.shape[1]
    count = len(gating.choices)
    choice_lead = np.zeros(count, np.int64)
    choice_chance = np.zeros(count)
    choice_accepts = np.zeros(count, np.int64)
    choice_from = np.zeros(count, np.int64)
    choice_to = np.zeros(count, np.int64)
    for c in range(count):
        choice_lead[c] = gating.choices[c]["lead"]
        choice_chance[c] = gating.choices[c]["chance"]
        choice_accepts[c] = gating.choices[c]["accepts"]
        choice_from[c] = gating.choices[c]["usable_from"]
        choice_to[c] = gating.choices[c]["usable_to"]
    # By choice: the chances to stay at this HP, and in which states; the chance to stay in the state itself.
    stay = np.zeros((count, _WAYS))
    stay_at = np.zeros((count, _WAYS), np.int64)
    own = np.zeros(count)
    here = np.zeros(count)
    known = np.zeros(len(leads))
    most_hp = field.max_hp.max()
    values = np.zeros((size, states, most_hp + 1))
    entered = np.zeros((size, states))  # the next place at full HP
    calm = np.zeros((size, states))  # the next wave before its first turn
    calm_here = np.zeros((size, states))
    chosen = np.zeros((events, states, size if size > 1 else 1))
    level = np.ones(states)
    below = np.zeros(states)
    weight = np.zeros(events)
    if keep:
        after = np.zeros((places, size, states, most_hp + 1))
        before = np.zeros((places, events + 1, size, states, most_hp + 1))
    for place in range(places - 1, -1, -1):
        strike_class = field.strike_class[place]
        clears = field.wave_end[place] == place + 1
        stay[:] = 0.0
        own[:] = 0.0
        for state in range(states):
            for c in range(first_choice[state], first_choice[state + 1]):
                ways = 0
                lead = choice_lead[c]
                chance = choice_chance[c]
                for part in range(3):
                    stays = 0.0
                    to = state
                    if part < 2:
                        table = leads[lead, 0]
                        if table == 0:
                            stays = chance if part == 0 else 0.0
                        else:
                            row = table_row[table] + strike_class
                            touched = damages.touched[row]
                            stays = chance * (touched if part == 1 else chances[row, 0] - touched)
                        to = leads[lead, 1 + HIT * part]
                    elif gating.choices[c]["failed"] >= 0:
                        stays = 1.0 - chance
                        to = leads[gating.choices[c]["failed"], 1]
                    if stays <= 0.0:
                        continue
                    if to == state:
                        own[c] += stays
                    elif ways > 0 and stay_at[c, ways - 1] == to:
                        stay[c, ways - 1] += stays
                    else:
                        stay[c, ways] = stays
                        stay_at[c, ways] = to
                        ways += 1
        for hp in range(1, field.max_hp[place] + 1):
            for k in range(size):
                for lead in range(len(leads)):
                    table = leads[lead, 0]
                    total = 0.0
                    if table > 0:
                        row = table_row[table] + strike_class
                        kill_at = damages.kill_at[row]
                        down = at_least[row, max(1, hp - kill_at)]
                        if place + 1 < places:
                            bits = DEFEATED if table_condition[table] != 0 else DEFEATED | DAMAGED
                            to = leads[lead, 1 + bits]
                            total += down * (calm[k, to] if clears else entered[k, to])
                        start = max(kill_at + 1, hp - damages.highest[row])
                        reach = hp - damages.lowest[row] + 1 - start
                        if reach > 0:
                            to = leads[lead, 1 + (DAMAGED | HIT)]
                            shift = np.uint64(top - hp + start)
                            first = np.uint64(start)
                            line = values[k, to]
                            for j in range(reach):
                                total += backwards[row, shift + np.uint64(j)] * line[first + np.uint64(j)]
                    known[lead] = total
                for c in range(count):
                    here[c] = 1.0 + choice_chance[c] * known[choice_lead[c]]
                below[:] = 0.0
                for event in range(events):
                    blow = blows[place, event]
                    if k == 0:
                        weight[event] = blow.sum()
                    else:
                        weight[event] = blow[0]
                        for lost in range(1, size):
                            if blow[lost] > 0.0:
                                at = max(k - lost, 0)
                                for state in range(states):
                                    below[state] += blow[lost] * chosen[event, state, at]
                sweeps = 0
                while True:
                    moved = 0.0
                    for state in range(states):
                        total = below[state]
                        leave = 1.0
                        for event in range(events):
                            if weight[event] == 0.0:
                                continue
                            best = np.inf
                            rest = 0.0
                            loop = 0.0
                            for c in range(first_choice[state], first_choice[state + 1]):
                                if (
                                    (choice_accepts[c] >> event) & 1 == 0
                                    or k < choice_from[c]
                                    or k >= choice_to[c]
                                ):
                                    continue
                                sum_here = here[c]
                                for way in range(_WAYS):
                                    if stay[c, way] == 0.0:
                                        break
                                    sum_here += stay[c, way] * level[stay_at[c, way]]
                                whole = sum_here + own[c] * level[state]
                                if whole < best:
                                    best = whole
                                    rest = sum_here
                                    loop = own[c]
                            total += weight[event] * rest
                            leave -= weight[event] * loop
                        value = total / leave if leave > 1e-9 else level[state] + total
                        moved = max(moved, abs(value - level[state]) / max(value, 1.0))
                        level[state] = value
                    sweeps += 1
                    if moved <= _CLOSE:
                        break
                    if sweeps > _MOST_SWEEPS or level.max() > _FAR:
                        return Solved(np.inf, after, before, gating, class_of)
                for state in range(states):
                    values[k, state, hp] = level[state]
                last = hp == field.max_hp[place]
                if size > 1 or last or keep:
                    # What the choice is worth after each event; the last one: nobody attacked back.
                    for event in range(events + 1):
                        if size == 1 and event < events and not keep:
                            continue
                        for state in range(states):
                            best = np.inf
                            for c in range(first_choice[state], first_choice[state + 1]):
                                if (
                                    (choice_accepts[c] >> event) & 1 == 0
                                    or k < choice_from[c]
                                    or k >= choice_to[c]
                                ):
                                    continue
                                whole = here[c] + own[c] * level[state]
                                for way in range(_WAYS):
                                    if stay[c, way] == 0.0:
                                        break
                                    whole += stay[c, way] * level[stay_at[c, way]]
                                best = min(best, whole)
                            if keep:
                                before[place, event, k, state, hp] = best
                            if event < events:
                                chosen[event, state, k] = best
                            elif last:
                                calm_here[k, state] = best
        if keep:
            after[place] = values
        for k in range(size):
            for state in range(states):
                entered[k, state] = values[k, state, field.max_hp[place]]
        if place == 0 or field.wave_end[place - 1] == place:
            calm[:] = calm_here
    return Solved(calm[size - 1, gating.first], after, before, gating, class_of)

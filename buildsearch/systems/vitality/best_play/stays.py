"""The choices of every slot of a region, and which of them leave the enemy at the same HP.

Where enemies may bleed (one tick, not renewed, no thresholds) every state is there twice: with nothing
pending, and with a bleed pending. Only HP less what is pending matters (`exact.batch.turn_damage` has the
reason). With D the damage of an attack and b that of its first damaging strike, an enemy of h HP is down
when D >= h, doomed when D < h <= D + b, and else pending at e = h - D - b: an *echo* of the attack takes
D + b off at once. Then

    pending(e): the next action does D, then the tick comes: down when D >= e, else standing at e - D
    doomed:     the next action does not matter, the tick defeats; it is what is pending at 0 HP

So neither has a loop of its own: both follow from what stands at the same HP. The player sees what is
pending.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.counter_graph import SETS, CounterGraph
from buildsearch.systems.vitality.best_play.regions import Regions
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages
from buildsearch.systems.vitality.exact.transitions import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.limits import WAIT


@step
def with_pending(graph: CounterGraph, echoes: NDArray[np.bool_]) -> CounterGraph:
    """States, choices and leads of the pending states stand behind the others.

    `echoes`: which tables of moves begin a bleed; their echoes are numbered behind all tables.
    """
    states = graph.standing
    count = len(graph.choices)
    leads = len(graph.leads)
    first_choice = np.zeros(2 * states + 1, np.int64)
    for state in range(states):
        first_choice[state + 1] = graph.first_choice[state + 1]
        first_choice[states + state + 1] = count + graph.first_choice[state + 1]
    choices = np.concatenate((graph.choices, graph.choices))
    for c in range(count, 2 * count):
        choices[c]["lead"] += leads
        if choices[c]["failed"] >= 0:
            choices[c]["failed"] += leads
    both = np.concatenate((graph.leads, graph.leads))
    for lead in range(leads):
        for bits in range(SETS):
            if bits & DEFEATED == 0:
                # The tick does damage in any case.
                both[leads + lead, 1 + bits] = graph.leads[lead, 1 + (bits | DAMAGED)]
        if echoes[graph.leads[lead, 0]]:
            both[lead, 0] += len(echoes)
            both[lead, 1 + (DAMAGED | HIT)] += states
    values = np.concatenate((graph.values, graph.values))
    return CounterGraph(first_choice, choices, both, values, graph.first, states)


@step
def same_damage(graph: CounterGraph, lead: int) -> int:
    """The first lead of the same table to the same states, but for those after a miss."""
    standing = lead - len(graph.leads) // 2
    twice = graph.standing < len(graph.values) and standing >= 0
    return standing if twice and graph.leads[standing, 0] == graph.leads[lead, 0] else lead


WAYS = 3
_SINGULAR = 1e-9


class Options(NamedTuple):
    """Choices by slot, from `first_choice[slot]` on; leads by region, from `first_lead[region]` on."""

    first_choice: NDArray[np.int64]
    source: NDArray[np.int64]  # its number in the graph
    choice_lead: NDArray[np.int64]  # counted within the region
    choice_chance: NDArray[np.float64]
    choice_accepts: NDArray[np.int64]
    # By choice: the chances to stay at this HP, and in which slots; the chance to stay in the slot itself.
    stay: NDArray[np.float64]
    stay_at: NDArray[np.int64]
    own: NDArray[np.float64]
    first_lead: NDArray[np.int64]
    lead_table: NDArray[np.int64]
    lead_damaged: NDArray[np.int64]  # the slot after damage that leaves the enemy standing, within the region
    lead_to: NDArray[np.int64]  # the same for every set of bits


@step
def list_options(graph: CounterGraph, regions: Regions, waits: bool) -> Options:
    """What can be done in each region; without `waits` waiting is never better than a basic attack.

    Against one enemy, where nobody asks who attacked last turn: it leaves no fewer HP, nor more of the bits
    that limits want.
    """
    parts = len(regions.starts) - 1
    total = 0
    for slot in range(len(regions.members)):
        state = regions.members[slot]
        total += graph.first_choice[state + 1] - graph.first_choice[state]
    first_choice = np.zeros(len(regions.members) + 1, np.int64)
    source = np.zeros(total, np.int64)
    choice_lead = np.zeros(total, np.int64)
    chance = np.zeros(total)
    accepts = np.zeros(total, np.int64)
    first_lead = np.zeros(parts + 1, np.int64)
    lead_table = np.zeros(total, np.int64)
    lead_damaged = np.zeros(total, np.int64)
    lead_to = np.zeros((total, SETS), np.int64)
    number = np.full(len(graph.leads), -1, np.int64)
    made = 0
    leads = 0
    for region in range(parts):
        begin = regions.starts[region]
        first_lead[region] = leads
        number[:] = -1
        for slot in range(regions.first_slot[region], regions.first_slot[region + 1]):
            state = regions.members[slot]
            first_choice[slot] = made
            for c in range(graph.first_choice[state], graph.first_choice[state + 1]):
                choice = graph.choices[c]
                # The same attacks may be used all over a region, unless it is the whole axis.
                if parts > 1 and (begin < choice["usable_from"] or begin >= choice["usable_to"]):
                    continue
                if not waits and choice["kind"] == WAIT:
                    continue
                lead = same_damage(graph, choice["lead"])
                if number[lead] < 0:
                    number[lead] = leads - first_lead[region]
                    lead_table[leads] = graph.leads[lead, 0]
                    for bits in range(SETS):
                        lead_to[leads, bits] = regions.slots[region, graph.leads[lead, 1 + bits]]
                    lead_damaged[leads] = lead_to[leads, DAMAGED | HIT]
                    leads += 1
                source[made] = c
                choice_lead[made] = number[lead]
                chance[made] = choice["chance"]
                accepts[made] = choice["accepts"]
                made += 1
    first_choice[len(regions.members)] = made
    first_lead[parts] = leads
    stay = np.zeros((made, WAYS))
    stay_at = np.zeros((made, WAYS), np.int64)
    return Options(
        first_choice, source, choice_lead[:made], chance[:made], accepts[:made], stay, stay_at,
        np.zeros(made), first_lead, lead_table, lead_damaged, lead_to,
    )  # fmt: skip


@step
def find_stays(
    graph: CounterGraph,
    regions: Regions,
    options: Options,
    damages: ClassDamages,
    table_row: NDArray[np.int64],
    strike_class: int,
) -> None:
    """Fill the ways of staying at the same HP against a class of enemy."""
    stay = options.stay
    stay_at = options.stay_at
    own = options.own
    stay[:] = 0.0
    own[:] = 0.0
    for region in range(len(regions.starts) - 1):
        first = regions.first_slot[region]
        for slot in range(first, regions.first_slot[region + 1]):
            for c in range(options.first_choice[slot], options.first_choice[slot + 1]):
                ways = 0
                choice = graph.choices[options.source[c]]
                lead = choice["lead"]
                chance = choice["chance"]
                for part in range(3):
                    stays = 0.0
                    to = 0
                    if part < 2:
                        table = graph.leads[lead, 0]
                        if table == 0:
                            stays = chance if part == 0 else 0.0
                        else:
                            row = table_row[table] + strike_class
                            touched = damages.touched[row]
                            stays = chance * (touched if part == 1 else damages.chances[row, 0] - touched)
                        to = graph.leads[lead, 1 + HIT * part]
                    elif choice["failed"] >= 0:
                        stays = 1.0 - chance
                        to = graph.leads[choice["failed"], 1]
                    if stays <= 0.0:
                        continue
                    at = first + regions.slots[region, to]
                    if at == slot:
                        own[c] += stays
                    elif ways > 0 and stay_at[c, ways - 1] == at:
                        stay[c, ways - 1] += stays
                    else:
                        stay[c, ways] = stays
                        stay_at[c, ways] = at
                        ways += 1


@step
def invert_policy(
    options: Options,
    policy: NDArray[np.int64],
    weight: NDArray[np.float64],
    slot: int,
    count: int,
    inverse: NDArray[np.float64],
) -> bool:
    """Invert the system of the slots from `slot` on, with these choices; False: somebody never leaves.

    Rows of chances add up to one at most, so no rows need to be exchanged.
    """
    all_slots = len(options.first_choice) - 1
    for i in range(count):
        for j in range(count):
            inverse[i * count + j] = 1.0 if i == j else 0.0
        for event in range(len(weight)):
            if weight[event] > 0.0:
                c = policy[event * all_slots + slot + i]
                inverse[i * count + i] -= weight[event] * options.own[c]
                for way in range(WAYS):
                    if options.stay[c, way] == 0.0:
                        break
                    inverse[i * count + options.stay_at[c, way] - slot] -= (
                        weight[event] * options.stay[c, way]
                    )
    for pivot in range(count):
        at = pivot * count
        scale = inverse[at + pivot]
        if scale < _SINGULAR:
            return False
        inverse[at + pivot] = 1.0
        for j in range(count):
            inverse[at + j] /= scale
        for i in range(count):
            factor = inverse[i * count + pivot]
            if i == pivot or factor == 0.0:
                continue
            inverse[i * count + pivot] = 0.0
            for j in range(count):
                inverse[i * count + j] -= factor * inverse[at + j]
    return True

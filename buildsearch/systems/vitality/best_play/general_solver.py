"""The value of best play, from few HP to many: HP only falls, so a field depends on what is already known.

`after[f, g, k]` is the mean number of turns still to come right after the attacker's action, with the
retaliation still to come: field f, state g of the counters, k on the axis of the attacker's HP. Which choice
is best is decided after the retaliation, so it is a mean over its classes of events of a minimum.

A miss stays in the field: there states depend on one another, and are solved by sweeps in the order of
`counter_graph`, each state's own loop being solved in closed form, until nothing moves.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.counter_graph import CounterGraph
from buildsearch.systems.vitality.exact.action_tables import Tables
from buildsearch.systems.vitality.exact.transitions import CALM, HIT

_CLOSE = 2e-14
_MOST_SWEEPS = 100_000
_FAR = 1e9


class Values(NamedTuple):
    """`after` as above; `calm[p, g, k]`: before a turn without retaliation, at place p with full HP."""

    after: NDArray[np.float64]
    calm: NDArray[np.float64]


@step
def fill_leads(
    graph: CounterGraph,
    tables: Tables,
    field: int,
    values: Values,
    next_wave: int,
    known: NDArray[np.float64],
    stays: NDArray[np.float64],
) -> None:
    """For each lead: turns still to come but for staying in the field; the chances of that, unhit and hit."""
    size = known.shape[1]
    after = values.after
    for lead in range(len(graph.leads)):
        row = graph.leads[lead]
        table = row[0]
        for k in range(size):
            known[lead, k] = 0.0
        stays[lead, 0] = 0.0
        stays[lead, 1] = 0.0
        for entry in range(tables.starts[table, field], tables.starts[table, field + 1]):
            chance = tables.chances[entry]
            to = tables.fields[entry]
            bits = tables.bits[entry]
            if to < 0:
                continue
            if to == field:
                stays[lead, 1 if bits & HIT else 0] += chance
                continue
            state = row[1 + (bits & 7)]
            if bits & CALM:
                for k in range(size):
                    known[lead, k] += chance * values.calm[next_wave, state, k]
            elif size == 1:
                known[lead, 0] += chance * after[to, state, 0]
            else:
                for k in range(size):
                    known[lead, k] += chance * after[to, state, k]


@step
def best_choice(
    graph: CounterGraph,
    state: int,
    event: int,
    k: int,
    known: NDArray[np.float64],
    stays: NDArray[np.float64],
    level: NDArray[np.float64],
    tie: float,
) -> tuple[int, float, float]:
    """The best choice, its turns but for those after staying in this very state, and the chance of that.

    `level[g]`: the turns still to come in each state of this field and HP of the attacker. Of choices that
    differ by at most the share `tie` the first counts.
    """
    best = np.inf
    chosen = -1
    rest = 0.0
    loop = 0.0
    for number in range(graph.first_choice[state], graph.first_choice[state + 1]):
        choice = graph.choices[number]
        if (choice["accepts"] >> event) & 1 == 0 or k < choice["usable_from"] or k >= choice["usable_to"]:
            continue
        lead = choice["lead"]
        chance = choice["chance"]
        here = 1.0
        own = 0.0
        while True:
            here += chance * known[lead, k]
            for hit in range(2):
                stay = chance * stays[lead, hit]
                if stay > 0.0:
                    to = graph.leads[lead, 1 + HIT * hit]
                    if to == state:
                        own += stay
                    else:
                        here += stay * level[to]
            if lead == choice["failed"] or choice["failed"] < 0:
                break
            chance = 1.0 - chance
            lead = choice["failed"]
        total = here + own * level[state]
        if total < best * (1.0 - tie):
            best = total
            chosen = number
            rest = here
            loop = own
    return chosen, rest, loop


@step
def _sweep(
    graph: CounterGraph,
    k: int,
    blow: NDArray[np.float64],
    below: NDArray[np.float64],
    known: NDArray[np.float64],
    stays: NDArray[np.float64],
    level: NDArray[np.float64],
) -> float:
    """Every state once; the answer: by how much any moved, relative to it."""
    moved = 0.0
    for state in range(len(level)):
        total = below[state]
        leave = 1.0
        for event in range(blow.shape[0]):
            weight = blow[event, 0]
            if weight > 0.0:
                _, rest, loop = best_choice(graph, state, event, k, known, stays, level, 0.0)
                total += weight * rest
                leave -= weight * loop
        # Waiting for ever is never best, but may look so before values are known.
        value = total / leave if leave > 1e-9 else level[state] + total
        moved = max(moved, abs(value - level[state]) / max(value, 1.0))
        level[state] = value
    return moved


@njit(cache=True, nogil=True)
def solve_fields(  # noqa: PLR0912 - one recursion
    graph: CounterGraph,
    tables: Tables,
    places: NDArray[np.void],
    blows: NDArray[np.float64],
    values: Values,
) -> bool:
    """Fill the values; False: the enemies cannot be defeated."""
    states = len(graph.first_choice) - 1
    size = blows.shape[2]
    events = blows.shape[1]
    known = np.zeros((len(graph.leads), size))
    stays = np.zeros((len(graph.leads), 2))
    # By event, state and HP: the turns still to come when the choice is made.
    chosen = np.zeros((events, states, size))
    level = np.full(states, 1.0)
    below = np.zeros(states)
    weights = np.zeros((events, 1))
    for place in range(len(places) - 1, -1, -1):
        next_wave = min(places[place]["wave_end"], len(places) - 1)
        for field in range(places[place]["base"], places[place]["next_base"]):
            fill_leads(graph, tables, field, values, next_wave, known, stays)
            for k in range(size):
                below[:] = 0.0
                for event in range(events):
                    blow = blows[place, event]
                    weights[event, 0] = blow[0] if k > 0 else blow.sum()
                    for lost in range(1, size):
                        if blow[lost] > 0.0 and k > 0:
                            at = max(k - lost, 0)
                            for state in range(states):
                                below[state] += blow[lost] * chosen[event, state, at]
                sweeps = 0
                while _sweep(graph, k, weights, below, known, stays, level) > _CLOSE:
                    sweeps += 1
                    if sweeps > _MOST_SWEEPS or level.max() > _FAR:
                        return False
                for state in range(states):
                    values.after[field, state, k] = level[state]
                if size > 1:
                    for event in range(events):
                        for state in range(states):
                            _, rest, loop = best_choice(graph, state, event, k, known, stays, level, 0.0)
                            chosen[event, state, k] = rest + loop * level[state]
        # The place at full HP, if nobody attacks back before the first turn there.
        top = field_at_full(places, place)
        fill_leads(graph, tables, top, values, next_wave, known, stays)
        for k in range(size):
            for state in range(states):
                level[state] = values.after[top, state, k]
            for state in range(states):
                _, rest, loop = best_choice(graph, state, events, k, known, stays, level, 0.0)
                values.calm[place, state, k] = rest + loop * level[state]
    return True


@njit(cache=True, nogil=True)
def field_at_full(places: NDArray[np.void], place: int) -> int:
    """The field of a place's enemy at full HP, without a bleed."""
    hp = places[place]["max_hp"]
    # Without bleeds a place has as many fields as HP; with them those of the last HP are hp x ticks + 1.
    fields = places[place]["next_base"] - places[place]["base"]
    extra = (fields - hp) * 2 // (hp * (hp + 1))
    return places[place]["next_base"] - 1 - extra * hp

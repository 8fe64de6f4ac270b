"""A policy followed forward in time: lengths of fights, survival, and how often each action is taken.

A policy is a table: by field, state of the counters, class of event and HP of the attacker the number of the
choice. Greedy play is one too, so loadouts are solved under it as well.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.counter_graph import CounterGraph
from buildsearch.systems.vitality.best_play.general_solver import (
    Values,
    best_choice,
    field_at_full,
    fill_leads,
)
from buildsearch.systems.vitality.best_play.loadout import CompiledLoadout
from buildsearch.systems.vitality.exact.action_tables import Tables
from buildsearch.systems.vitality.exact.forward import NEGLIGIBLE
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.exact.transitions import CALM

# Situations that are rarer still than `NEGLIGIBLE` are dropped.
_RARE = 1e-20
# Values are solved to 2e-14: what differs by a smaller share is equal on paper, whatever a machine rounds.
_TIE = 1e-11


@njit(cache=True, nogil=True)
def best_policy(
    graph: CounterGraph, tables: Tables, places: NDArray[np.void], events: int, values: Values
) -> NDArray[np.int32]:
    """The best choice everywhere; of equals the first. The last event is a turn without retaliation."""
    fields, states, size = values.after.shape
    policy = np.zeros((fields, states, events + 1, size), np.int32)
    known = np.zeros((len(graph.leads), size))
    stays = np.zeros((len(graph.leads), 2))
    level = np.zeros(states)
    for place in range(len(places)):
        next_wave = min(places[place]["wave_end"], len(places) - 1)
        for field in range(places[place]["base"], places[place]["next_base"]):
            fill_leads(graph, tables, field, values, next_wave, known, stays)
            for k in range(size):
                for state in range(states):
                    level[state] = values.after[field, state, k]
                for state in range(states):
                    for event in range(events + 1):
                        policy[field, state, event, k] = best_choice(
                            graph, state, event, k, known, stays, level, _TIE
                        )[0]
    return policy


@njit(cache=True, nogil=True)
def first_policy(graph: CounterGraph, fields: int, events: int, size: int) -> NDArray[np.int32]:
    """Greedy play: the first choice that can be made."""
    states = len(graph.first_choice) - 1
    policy = np.zeros((fields, states, events + 1, size), np.int32)
    for state in range(states):
        for event in range(events + 1):
            for k in range(size):
                number = graph.first_choice[state]
                while True:
                    choice = graph.choices[number]
                    if (choice["accepts"] >> event) & 1 != 0 and (
                        choice["usable_from"] <= k < choice["usable_to"]
                    ):
                        break
                    number += 1
                for field in range(fields):
                    policy[field, state, event, k] = number
    return policy


@step
def _move(  # noqa: PLR0917 - one loop, cut out for reading
    graph: CounterGraph, tables: Tables, lead: int, field: int, weight: float, start: int, stop: int,
    mass: NDArray[np.float64], middle: NDArray[np.float64], calm: NDArray[np.float64],
    over: NDArray[np.float64],
) -> None:  # fmt: skip
    """Take the mass of a range of HP through every move of a lead."""
    row = graph.leads[lead]
    for entry in range(tables.starts[row[0], field], tables.starts[row[0], field + 1]):
        chance = weight * tables.chances[entry]
        bits = tables.bits[entry]
        if tables.fields[entry] < 0:
            for j in range(start, stop):
                over[j] += chance * mass[j]
            continue
        state = row[1 + (bits & 7)]
        to = calm[tables.fields[entry], state] if bits & CALM else middle[tables.fields[entry], state]
        for j in range(start, stop):
            to[j] += chance * mass[j]


@step
def _act(
    graph: CounterGraph, tables: Tables, policy: NDArray[np.int32], floor: int, field: int,
    mass: NDArray[np.float64], middle: NDArray[np.float64], calm: NDArray[np.float64],
    over: NDArray[np.float64], seen: NDArray[np.float64],
) -> None:  # fmt: skip
    """One situation: `policy` by HP axis, `mass` by all HP; `seen` counts turns by HP axis."""
    start = 0
    while start < len(mass):
        number = policy[max(start - floor, 0)]
        stop = start + 1
        while stop < len(mass) and policy[max(stop - floor, 0)] == number:
            stop += 1
        total = mass[start:stop].sum()
        if total > _RARE:
            choice = graph.choices[number]
            for j in range(start, stop):
                seen[max(j - floor, 0)] += mass[j]
            for failed in range(2 if choice["failed"] >= 0 else 1):
                lead = choice["failed"] if failed == 1 else choice["lead"]
                chance = 1.0 - choice["chance"] if failed == 1 else choice["chance"]
                _move(graph, tables, lead, field, chance, start, stop, mass, middle, calm, over)
        start = stop


@step
def _retaliate(blow: NDArray[np.float64], mass: NDArray[np.float64], after: NDArray[np.float64]) -> None:
    """Spread the mass over the attacker's HP; `blow[j]` is the chance of losing j of them."""
    size = len(mass)
    below = 0.0
    for lost in range(len(blow)):
        chance = blow[lost]
        if 0 < lost <= size:
            below += mass[lost - 1]
        if chance == 0.0:
            continue
        for k in range(size - lost):
            after[np.uint64(k)] += chance * mass[np.uint64(lost + k)]
        after[0] += chance * below


@njit(cache=True, nogil=True)
def _play_through(  # noqa: PLR0917 - the inner tier; `play_through` is what others call
    graph: CounterGraph, tables: Tables, places: NDArray[np.void], place_of: NDArray[np.int64],
    blows: NDArray[np.float64], policy: NDArray[np.int32], floor: int, max_turns: int, first_field: int,
    ends: NDArray[np.float64], seen: NDArray[np.float64], totals: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill the chance of each length, the turns by situation, and (survived, timed out, cut)."""
    fields = len(place_of)
    states = len(graph.first_choice) - 1
    size = blows.shape[2]
    events = blows.shape[1]
    now = np.zeros((fields, states, events + 1, size))
    middle = np.zeros((fields, states, size))
    calm = np.zeros((fields, states, size))
    over = np.zeros(size)
    now[first_field, graph.first, events, size - 1] = 1.0
    for turn in range(1, max_turns + 1):
        middle[:] = 0.0
        calm[:] = 0.0
        over[:] = 0.0
        for field in range(fields):
            for state in range(states):
                for event in range(events + 1):
                    mass = now[field, state, event]
                    if mass.max() > _RARE:
                        _act(
                            graph, tables, policy[field, state, event], floor, field, mass, middle, calm,
                            over, seen[field, state, event],
                        )  # fmt: skip
        ends[turn] += over.sum()
        totals[0] += over[1:].sum()
        now[:] = 0.0
        remaining = 0.0
        for field in range(fields):
            for state in range(states):
                spared = calm[field, state]
                if spared.max() > 0.0:
                    for j in range(size):
                        now[field, state, events, j] += spared[j]
                    remaining += spared.sum()
                mass = middle[field, state]
                if mass.max() <= _RARE:
                    continue
                remaining += mass.sum()
                for event in range(events):
                    _retaliate(blows[place_of[field], event], mass, now[field, state, event])
        if remaining < NEGLIGIBLE and turn < max_turns:
            ends[turn] += remaining
            totals[0] += remaining
            totals[2] = remaining
            return
    totals[0] += now[:, :, :, 1:].sum()
    totals[1] = now.sum()
    ends[max_turns] += totals[1]


@dataclass(frozen=True, eq=False)
class Playthrough:
    """How fights go under a policy. `seen`: mean turns by field, state, event and HP of the attacker."""

    solution: Solution
    policy: NDArray[np.int32]
    seen: NDArray[np.float64]


def play_through(
    loadout: CompiledLoadout,
    graph: CounterGraph,
    tables: Tables,
    places: NDArray[np.void],
    policy: NDArray[np.int32],
    max_turns: int,
    *,
    survival: bool = True,
) -> Playthrough:
    """Go forward in time. Survival takes all of the attacker's HP; without it, only what limits look at."""
    ends, seen, totals = np.zeros(max_turns + 1), np.zeros(policy.shape), np.zeros(3)
    _play_through(
        graph,
        tables,
        places,
        np.repeat(np.arange(len(places)), places["next_base"] - places["base"]),
        loadout.blows(full_axis=survival),
        policy,
        loadout.floor if survival else 0,
        max_turns,
        int(field_at_full(places, 0)),
        ends,
        seen,
        totals,
    )
    solution = Solution(ends, float(totals[1]), 0.0, float(totals[2]), float(totals[0]))
    return Playthrough(solution, policy, seen)

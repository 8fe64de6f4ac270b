"""All profiles behind one process, eight at a time: value, proof, and the walk where there is no proof.

A value is a mean without a turn limit. The mean of growth ** turns proves that a limit of n takes hardly
anything off it: (N - n)+ <= growth ** (N - n) / (e ln growth).
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import GROWTHS, TOLERANCE, Arrivals
from buildsearch.systems.vitality.exact.batch.lanes.program import Program, program_of
from buildsearch.systems.vitality.exact.batch.lanes.tables import Tables, fill_tables, tables_for
from buildsearch.systems.vitality.exact.batch.lanes.values import LaneMemory, lane_memory, lane_values
from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES
from buildsearch.systems.vitality.exact.batch.lanes.walk import (
    Lasting,
    lane_walk,
    moves_of,
    set_lasting,
    walk_memory,
)
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.reading import Readings
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.moves import BASIC


class _Behind(NamedTuple):
    """The profiles behind a process, in the order in which they go side by side."""

    first_rows: NDArray[np.int64]
    values: NDArray[np.float64]
    # What the limit takes off at most, and the growth that says so; 0: none does.
    bounds: NDArray[np.float64]
    growths: NDArray[np.float64]


@njit(cache=True, nogil=True)
def _alike(damages: Damages, one: int, other: int) -> bool:
    """Whether two profiles defeat at the same HP: then they may go side by side."""
    for strike_class in range(damages.classes):
        if damages.kill_at[one + strike_class] != damages.kill_at[other + strike_class]:
            return False
    return True


@njit(cache=True, nogil=True)
def _group_end(damages: Damages, rows: NDArray[np.int64], start: int) -> int:
    """Where the group that starts there ends."""
    stop = start + 1
    while stop < len(rows) and stop < start + LANES and _alike(damages, rows[start], rows[stop]):
        stop += 1
    return stop


@njit(cache=True, nogil=True)
def _order(first_rows: NDArray[np.int64], damages: Damages, width: int) -> NDArray[np.int64]:
    """Those that defeat at the same HP side by side, and among them those that reach as far."""
    keys = np.zeros(len(first_rows), np.int64)
    for i in range(len(first_rows)):
        for strike_class in range(damages.classes):
            keys[i] = keys[i] * width + damages.kill_at[first_rows[i] + strike_class]
        keys[i] = keys[i] * width + damages.highest[first_rows[i] + damages.classes - 1]
    return np.argsort(keys)


@njit(cache=True, nogil=True)
def _evaluate(  # noqa: PLR0917 - compiled code takes arrays one by one
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    places: Places,
    damages: Damages,
    program: Program,
    arrivals: Arrivals,
    chosen: NDArray[np.int64],
    growths: NDArray[np.int64],
    limit: int,
    behind: _Behind,
    work: tuple[Tables, LaneMemory],
) -> None:
    """Moments of the chosen profiles by the growths of these numbers; -1: their values."""
    tables, memory = work
    rows = behind.first_rows[chosen]
    actions = len(program.action_starts) - 1
    start = 0
    while start < len(rows):
        stop = _group_end(damages, rows, start)
        fill_tables(tables, damages, rows[start:stop], actions)
        for number in growths:
            growth = 1.0 if number < 0 else GROWTHS[number]
            readings = Readings(arrivals.states, arrivals.grown[1 + number])
            lane_values(program, steps, spreads, places, tables, growth, readings, memory)
            is_open = False
            for lane in range(stop - start):
                i = chosen[start + lane]
                if number < 0:
                    behind.values[i] = np.inf if memory.stuck[lane] else memory.read[lane]
                    # The proof is a factor of two away at least: do not look for it in vain.
                    is_open = is_open or 2 * behind.values[i] <= limit
                    continue
                if 2 * behind.values[i] > limit:
                    # Asked for only because of who goes beside it: it must not know.
                    continue
                bound = memory.read[lane] * growth**-limit / (math.e * math.log(growth))
                if not memory.stuck[lane] and bound < behind.bounds[i]:
                    behind.bounds[i] = bound
                    behind.growths[i] = growth
                is_open = is_open or not behind.bounds[i] < TOLERANCE
            if not is_open:
                break
        start = stop


@njit(cache=True, nogil=True)
def solve_in_lanes(  # noqa: PLR0917 - compiled code takes arrays one by one
    steps: NDArray[np.void],
    spreads: NDArray[np.int64],
    states: int,
    places: Places,
    damages: Damages,
    first_rows: NDArray[np.int64],
    limit: int,
    arrivals: Arrivals,
    walks: bool,
    means: NDArray[np.float64],
    ways: NDArray[np.int64],
) -> None:
    """The mean turns of each profile, and which way they were found; without `walks` what is near is left."""
    ways[:] = BY_VALUE
    means[:] = arrivals.before
    if len(arrivals.states) == 0:
        return
    actions = BASIC + 1
    for i in range(len(steps)):
        actions = max(actions, steps[i]["action"] + 1)
    program = program_of(steps, spreads, states, actions)
    tables = tables_for(actions, places, damages)
    memory = lane_memory(program, steps, len(spreads), states, actions, places.max_hp.sum())
    order = _order(first_rows, damages, tables.width)
    count = len(order)
    behind = _Behind(first_rows[order], np.zeros(count), np.full(count, np.inf), np.zeros(count))
    work = (tables, memory)
    # One growth proves nearly all that can be proved; those it does not prove go side by side again.
    _evaluate(
        steps, spreads, places, damages, program, arrivals, np.arange(count), np.arange(-1, 1), limit, behind,
        work,
    )  # fmt: skip
    near = np.flatnonzero(~(behind.bounds < TOLERANCE) & (2 * behind.values <= limit))
    if len(near) > 0:
        _evaluate(
            steps, spreads, places, damages, program, arrivals, near, np.arange(1, len(GROWTHS)), limit,
            behind, work,
        )  # fmt: skip
    means[order] += behind.values
    near = np.flatnonzero(~(behind.bounds < TOLERANCE))
    if not walks:
        means[order[near]] = np.nan
        ways[order[near]] = LEFT
    if len(near) == 0 or not walks:
        return
    rows = behind.first_rows[near]
    moves = moves_of(steps)
    walked = walk_memory(states, len(spreads), len(moves.downs), places)
    lasting = Lasting(np.zeros(LANES), np.zeros(places.max_hp.sum() * LANES))
    readings = Readings(arrivals.states, arrivals.grown[0])
    alive = np.zeros(LANES)
    beyond = np.zeros(LANES)
    start = 0
    while start < len(near):
        stop = _group_end(damages, rows, start)
        fill_tables(tables, damages, rows[start:stop], actions)
        for lane in range(LANES):
            lasting.growths[lane] = behind.growths[near[min(start + lane, stop - 1)]]
        for growth in GROWTHS:
            if (lasting.growths == growth).any():
                lane_values(program, steps, spreads, places, tables, growth, readings, memory)
                set_lasting(memory.known, growth, states, places, lasting)
        lane_values(program, steps, spreads, places, tables, 1.0, readings, memory)
        lane_walk(
            steps, spreads, states, places, tables, moves, limit, arrivals.states, arrivals.by_turn, lasting,
            memory.known, walked, alive, beyond,
        )  # fmt: skip
        for lane in range(stop - start):
            mean = memory.read[lane] - beyond[lane] if lasting.growths[lane] > 0.0 else alive[lane]
            means[order[near[start + lane]]] = arrivals.before + mean
            ways[order[near[start + lane]]] = BY_WALK
        start = stop

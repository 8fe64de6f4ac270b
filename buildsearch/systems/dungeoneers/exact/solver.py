"""A hero in a fight, solved: graphs for one, and a kernel for rows of heroes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.forward import forward, sweep
from buildsearch.engines.graphs import Graph, arrange
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.exact.graph import TOO_MANY, explore
from buildsearch.systems.dungeoneers.exact.layout import LEVELS, MOST_BITS, Floats, Ints, Plan, Room
from buildsearch.systems.dungeoneers.exact.template import PROWESS, Template, empty_plan, fill_plan
from buildsearch.systems.dungeoneers.rules.model import MOST_SCORE

# Nodes of a graph: what greedy fights need at once, and where an engine gives up (some gigabytes).
ROOM = 1 << 14
_FREE_ROOM = 1 << 16
MOST_NODES = 1 << 22
MOST_OPTIONS = 1 << 25
_OPTIONS_A_NODE = 16

LOST = 0


class Ended(NamedTuple):
    """How a fight ends, by the hero's life then."""

    lost: float
    won: NDArray[np.float64]
    drawn: NDArray[np.float64]
    rounds: float


# A graph, where it begins, and its nodes' keys.
Explored = tuple[Graph, int, NDArray[np.int64]]


class Turns(NamedTuple):
    """`orders[prowess, i]`: the orders of turns of a hero, so many as `counts[prowess]`."""

    orders: Ints
    counts: Ints
    rounds: int


class Scratch(NamedTuple):
    """What a kernel that solves rows works in."""

    order: Ints
    mass: Floats
    ended: Floats


class TooLargeError(Exception):
    """A fight has more states than an engine can hold."""


def make_room(nodes: int, options: int, listed: int = 1) -> Room:
    """Room for so many nodes and options, so many of one node."""
    return Room(
        keys=np.empty(nodes, np.int64),
        table=np.full(2 * nodes, -1, np.int64),
        slots=np.empty(nodes, np.int64),
        levels=np.empty(nodes, np.int64),
        standing=np.empty(nodes, np.int64),
        first=np.empty(nodes + 1, np.int64),
        chance=np.empty(options),
        yes=np.empty(options, np.int32),
        no=np.empty(options, np.int32),
        what=np.empty(options, np.int64),
        listed=np.empty((listed, 4), np.int64),
    )


class Solver:
    """Fights of one bout: the template is prepared once, a hero is a row of numbers."""

    def __init__(self, template: Template, bout: Bout) -> None:
        self.template = template
        self.rounds = bout.numbers.rounds
        self.orders = [np.array(bout.order(prowess), np.int64) for prowess in range(MOST_SCORE + 1)]
        self._last: tuple[tuple[bytes, bool], list[Explored]] = ((b"", False), [])

    def plan(self, row: NDArray[np.int64]) -> tuple[Plan, int, int]:
        """The plan, its starting state, and the most life; raises TooLargeError."""
        plan = empty_plan(self.template)
        start, most_life, bits = fill_plan(self.template, row, plan, np.empty(64, np.int64))
        if bits > MOST_BITS:
            raise TooLargeError
        return plan, start, most_life

    def graphs(self, row: NDArray[np.int64], *, free: bool = False) -> list[Explored]:
        """For each order of turns, all equally likely: the graph, where it begins, and its nodes' keys."""
        asked = (row.tobytes(), free)
        known, found = self._last
        if known != asked:
            plan, start, most_life = self.plan(row)
            found = [_graph(plan, turns, start, most_life, free=free) for turns in self.orders[row[PROWESS]]]
            # Whether a fight can be held is asked before it is solved: kept, it is explored once.
            self._last = asked, found
        return found

    def greedy(self, row: NDArray[np.int64]) -> Ended:
        """The chances of all ends under greedy play."""
        found = [forward(graph, root, self.rounds) for graph, root, _ in self.graphs(row)]
        ends = np.mean([ended for ended, _ in found], axis=0)
        return ended_of(ends, float(np.mean([rounds for _, rounds in found])))


def ended_of(ends: NDArray[np.float64], rounds: float) -> Ended:
    """Ends in the order of `explore`: lost, won by life, drawn by life."""
    won, drawn = np.split(ends[1:], 2)
    return Ended(float(ends[LOST]), won, drawn, rounds)


def ends_of(most_life: int) -> int:
    """How many ends there are."""
    return 1 + 2 * (most_life + 1)


def _graph(plan: Plan, turns: NDArray[np.int64], start: int, most_life: int, *, free: bool) -> Explored:
    nodes = _FREE_ROOM if free else ROOM
    listed = 2 + 5 * 16 + plan.cast.shape[1] * plan.cast.shape[2] * plan.cast.shape[4] if free else 1
    listed += plan.strike.shape[1] * plan.strike.shape[2]
    while nodes <= MOST_NODES:
        options = min(MOST_OPTIONS, nodes * (_OPTIONS_A_NODE if free else 1))
        room = make_room(nodes, options, listed)
        with np.errstate(over="ignore"):  # hashes wrap around on purpose; without the JIT numpy warns
            root, used, number = explore(plan, turns, start, free, most_life, room)
        if root != TOO_MANY:
            order = np.empty(used, np.int64)
            arrange(room.levels, used, LEVELS - 1, np.empty(LEVELS + 1, np.int64), order)
            graph = Graph(
                order,
                room.first[: used + 1].copy(),
                room.chance[:number].copy(),
                room.yes[:number].copy(),
                room.no[:number].copy(),
                room.standing[:used].copy(),
                room.what[:number].copy(),
                ends_of(most_life),
            )
            return graph, int(root), room.keys[:used].copy()
        nodes *= 4
    raise TooLargeError


@njit(cache=True, nogil=True)
def solve_rows(
    template: Template,
    turns: Turns,
    draw_value: float,
    rows: Ints,
    plan: Plan,
    room: Room,
    scratch: Scratch,
    found: Floats,
) -> None:
    """The value of each row's fight; NaN where the room does not suffice."""
    orders, counts, rounds = turns
    order, mass, ended = scratch
    graph = Graph(order, room.first, room.chance, room.yes, room.no, room.standing, room.what, len(ended))
    slots = np.empty(64, np.int64)
    levels = np.empty(LEVELS + 1, np.int64)
    for i in range(len(rows)):
        start, most_life, bits = fill_plan(template, rows[i], plan, slots)
        found[i] = np.nan
        if bits > MOST_BITS or 3 + 2 * most_life > len(ended):
            continue
        prowess = rows[i, PROWESS]
        value = 0.0
        for j in range(counts[prowess]):
            root, nodes, _ = explore(plan, orders[prowess, j], start, False, most_life, room)
            if root != TOO_MANY:
                arrange(room.levels, nodes, LEVELS - 1, levels, order)
                ended[:] = 0.0
                sweep(graph, nodes, root, rounds, mass, ended)
                for life in range(most_life + 1):
                    value += ended[1 + life] + draw_value * ended[2 + most_life + life]
            for node in range(nodes):
                room.table[room.slots[node]] = -1
            if root == TOO_MANY:
                value = np.nan
                break
        found[i] = value / counts[prowess]

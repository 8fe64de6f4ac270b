"""A build in a fight, solved: the graph of all states, greedy play without sampling, best play."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from buildsearch.engines.graphs import Best, Graph, arrange, best_play, forward
from buildsearch.systems.animon.exact.graph import explore
from buildsearch.systems.animon.exact.options import OPTION
from buildsearch.systems.animon.exact.room import Desk, Room
from buildsearch.systems.animon.kernel.fights import make_plan
from buildsearch.systems.animon.mechanics.layout import F_HP, FORMS, MAX_ROUNDS, UNITS, Floats, Ints, Template
from buildsearch.systems.animon.mechanics.luck import TALLY
from buildsearch.systems.animon.mechanics.plans import form_at
from buildsearch.systems.animon.mechanics.template import empty_plan

# Nodes of a graph: what most fights need at once, and where an engine gives up (a gigabyte or two).
_FIRST_ROOM = 1 << 14
MOST_NODES = 1 << 21
_OUTCOMES_A_NODE = 10
_OPTIONS_A_NODE = 24
_LISTED = 1 << 10
_STARTS = 1 << 11

# Worths of best play that differ by no more are one. Spec, Best play.
_TIE = 1e-12


class TooLargeError(Exception):
    """A fight has more states than an engine can hold."""


class Ended(NamedTuple):
    """How a fight ends."""

    won: float
    drawn: float
    lost: float
    rounds: float
    hp_left: float
    gauge: float


class Explored(NamedTuple):
    """A graph, where it begins, the gauge of the first initiative, the states of its nodes."""

    graph: Graph
    starts: Ints
    chances: Floats
    gauge: float
    keys: Ints


class _Memory(threading.local):
    """What a solver writes on; threads have one each, since they ask one solver at the same time."""

    def __init__(self) -> None:
        self.plan: tuple[Ints, Floats] | None = None
        self.last: tuple[tuple[bytes, bool], Explored | None] = ((b"", False), None)

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        # A solver that travels to another process has nothing written there.
        return _Memory, ()


class Solver:
    """Fights on one template; a build is a row of numbers."""

    def __init__(self, template: Template, most_nodes: int = MOST_NODES) -> None:
        self.template = template
        self.rounds = int(template.law[MAX_ROUNDS])
        self.most_nodes = most_nodes
        self._memory = _Memory()

    def explored(self, row: Ints, *, free: bool = False) -> Explored:
        """The graph of a build; raises TooLargeError."""
        asked = (row.tobytes(), free)
        memory = self._memory
        known, found = memory.last
        if known != asked:
            # Odds are four megabytes, most of them the same for all builds.
            memory.plan = memory.plan or empty_plan(self.template)
            make_plan(self.template, row, *memory.plan)
            found = _explored(*memory.plan, free, self.most_nodes)
            # Whether a fight can be held is asked before it is solved: kept, it is explored once.
            memory.last = asked, found
        if found is None:
            raise TooLargeError
        return found

    def greedy(self, row: Ints) -> Ended:
        """Everybody plays greedily."""
        graph, starts, chances, gauge, _ = self.explored(row)
        found = forward(graph, starts, chances, self.rounds)
        hp = np.arange(graph.ends)
        left = float(found.ended[1:] @ hp[:-1] + found.timed_out @ hp)
        won, drawn = float(found.ended[1:].sum()), float(found.timed_out.sum())
        return Ended(won, drawn, float(found.ended[0]), found.rounds, left, gauge + found.gain)

    def best(self, row: Ints) -> tuple[Ended, Best, Explored]:
        """The build plays as well as can be."""
        explored = self.explored(row, free=True)
        graph, starts, chances, gauge, _ = explored
        worth, timed_out = np.zeros((graph.ends, 6)), np.zeros((graph.ends, 6))
        hp = np.arange(graph.ends, dtype=np.float64)
        # What is played for, then won, drawn, lost, HP left, and the gauge that is gained on the way.
        worth[1:, 0] = worth[1:, 1] = worth[0, 3] = 1.0
        worth[1:, 4] = hp[:-1]
        timed_out[:, 0], timed_out[:, 2], timed_out[:, 4] = 0.5, 1.0, hp
        best = best_play(graph, worth, timed_out, self.rounds, _TIE)
        values = best.values[:, starts] @ chances
        rounds = 1.0 + float(chances @ best.later[starts])
        won, drawn, lost, left, gained = (float(each) for each in values[1:])
        return Ended(won, drawn, lost, rounds, left, gauge + gained), best, explored


def _explored(plan: Ints, odds: Floats, free: bool, most_nodes: int) -> Explored | None:
    words = int(plan[UNITS]) + 2
    desk = Desk(
        now=np.zeros(words, np.int64),
        paid=np.zeros(words, np.int64),
        next=np.zeros(words, np.int64),
        opened=np.zeros(words, np.int64),
        order=np.zeros(16, np.int64),
        plain=np.zeros(16),
        tally=np.zeros(TALLY),
        luck=np.zeros(4, np.uint64),
        listed=np.zeros((_LISTED, OPTION), np.int64),
    )
    nodes, more = _FIRST_ROOM, 1
    while nodes <= most_nodes:
        room = _make_room(nodes, more, words, free)
        with np.errstate(over="ignore"):  # hashes wrap around on purpose; without the JIT numpy warns
            gauge = explore(plan, odds, room, desk, free)
        if gauge >= 0.0:
            return _taken(plan, room, gauge)
        if room.used[0] >= nodes or room.used[3] >= _STARTS:
            nodes *= 4
        else:
            more *= 4  # more options or outcomes than usual
        if nodes * more > most_nodes * 64:
            return None
    return None


def _make_room(nodes: int, more: int, words: int, free: bool) -> Room:
    options = nodes * more * (_OPTIONS_A_NODE if free else 1)
    outcomes = options * _OUTCOMES_A_NODE
    return Room(
        keys=np.empty((nodes, words), np.int64),
        table=np.full(2 * nodes, -1, np.int32),
        standing=np.empty(nodes, np.int64),
        first=np.empty(nodes + 1, np.int64),
        begin=np.empty(options + 1, np.int64),
        chance=np.empty(outcomes),
        target=np.empty(outcomes, np.int32),
        gain=np.empty(options),
        what=np.empty((options, OPTION), np.int64),
        starts=np.empty(_STARTS, np.int64),
        start_chances=np.empty(_STARTS),
        used=np.zeros(4, np.int64),
    )


def _taken(plan: Ints, room: Room, gauge: float) -> Explored:
    nodes, options, outcomes, starts = (int(each) for each in room.used)
    order = np.empty(nodes, np.int64)
    arrange(nodes, room.first, room.begin, room.target, np.empty(nodes, np.int32), order)
    forms = max(form_at(plan, 0, form, F_HP) for form in range(FORMS))
    most_hp = int(max(forms, room.standing[:nodes].max()))
    graph = Graph(
        order,
        room.first[: nodes + 1].copy(),
        room.begin[: options + 1].copy(),
        room.chance[:outcomes].copy(),
        room.target[:outcomes].copy(),
        room.gain[:options].copy(),
        room.standing[:nodes].copy(),
        room.what[:options].copy(),
        most_hp + 2,
    )
    keys = room.keys[:nodes].copy()
    return Explored(graph, room.starts[:starts].copy(), room.start_chances[:starts].copy(), gauge, keys)

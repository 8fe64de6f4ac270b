"""A finite fight as a graph: how it goes, and how it is best played. No game is known here.

A node is a moment at which somebody decides. Options of node i are `first[i]` to `first[i + 1]`; an option
has outcomes, `begin[option]` to `begin[option + 1]`, each with a chance and a target. A target below 0 is an
end of the fight: -1 is end 0, -2 end 1 and so on. From 0 up it is four times a node, plus the code of the way
there: NEXT stays in the round, ROUND begins the next one, TICK lets the clock tick and begins none.
`order` lists the nodes so that NEXT leads forward in it. `gain` is what an option adds, in the mean, to a
number that has no effect; `standing[i]` is the end that counts when time runs out at node i.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts

# What an action leads to; the clock ticks where the code is odd.
NEXT, ROUND, END, TICK = range(4)
# What is still open after a tick with less than this in every node together has ended, for every purpose.
NOTHING = 1e-17

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Targets = NDArray[np.int32]


class Graph(NamedTuple):
    """See above. `what` says of each option what it is, in the words of the game that made it."""

    order: Ints
    first: Ints
    begin: Ints
    chance: Floats
    target: Targets
    gain: Floats
    standing: Ints
    what: Ints
    ends: int

    @property
    def nodes(self) -> int:
        """How many moments."""
        return len(self.order)


class Reached(NamedTuple):
    """Chances of ends, and of those that time brought; mean rounds and gain; visits; chances of each length.

    `ticks[i]` is the chance that a fight ends in tick i: rounds, in games whose clock ticks once a round.
    """

    ended: Floats
    timed_out: Floats
    rounds: float
    gain: float
    visits: Floats
    ticks: Floats


class Best(NamedTuple):
    """By node, with all time to come: means of each number, later rounds, the option to take."""

    values: Floats
    later: Floats
    choice: Ints


@kernel_without_refcounts
def arrange(
    nodes: int, first: Ints, begin: Ints, target: Targets, degree: NDArray[np.int32], order: Ints
) -> int:
    """Fill `order`; gives how many nodes have a place in it. Fewer than all: the rest is on a cycle.

    `degree` is left with what each node still waited for.
    """
    for node in range(nodes):
        degree[node] = 0
    for i in range(begin[first[nodes]]):
        if target[i] >= 0 and target[i] & 3 == NEXT:
            degree[target[i] >> 2] += 1
    number = 0
    for node in range(nodes):
        if degree[node] == 0:
            order[number] = node
            number += 1
    done = 0
    while done < number:
        node = order[done]
        done += 1
        for i in range(begin[first[node]], begin[first[node + 1]]):
            to = target[i]
            if to >= 0 and to & 3 == NEXT:
                to >>= 2
                degree[to] -= 1
                if degree[to] == 0:
                    order[number] = to
                    number += 1
    return number


@kernel_without_refcounts
def sweep(
    nodes: int,
    order: Ints,
    choice: Ints,
    begin: Ints,
    chance: Floats,
    target: Targets,
    gain: Floats,
    limit: int,
    mass: Floats,
    later: Floats,
    ended: Floats,
    ticks: Floats,
    visits: Floats,
) -> tuple[float, float]:
    """Follow a fight until the clock has ticked `limit` times; gives the mean of rounds and of the gain.

    What is still open then is in `mass` and `later`: one of them has it, the other is zero. `visits` is
    counted unless it is empty.
    """
    rounds, gained = 1.0, 0.0
    counts = len(visits) > 0
    for tick in range(1, limit + 1):
        busy, over = 0.0, 0.0
        for place in range(nodes):
            node = order[place]
            here = mass[node]
            if here == 0.0:
                continue
            mass[node] = 0.0
            busy += here
            if counts:
                visits[node] += here
            option = choice[node]
            gained += here * gain[option]
            for i in range(begin[option], begin[option + 1]):
                there = here * chance[i]
                to = target[i]
                if to < 0:
                    ended[-1 - to] += there
                    over += there
                elif to & 3 == NEXT:
                    mass[to >> 2] += there
                else:
                    later[to >> 2] += there
                    if to & 3 == ROUND and tick < limit:
                        rounds += there
        ticks[tick] += over
        mass, later = later, mass
        if busy < NOTHING:
            break
    return rounds, gained


def forward(graph: Graph, starts: Ints, chances: Floats, limit: int, choice: Ints | None = None) -> Reached:
    """How a fight goes from its starts, by the first option of each node or by those chosen."""
    mass, later, visits = (np.zeros(graph.nodes) for _ in range(3))
    np.add.at(mass, starts, chances)
    ended, timed_out, ticks = np.zeros(graph.ends), np.zeros(graph.ends), np.zeros(limit + 1)
    taken = graph.first[:-1] if choice is None else choice
    _, _, begin, chance, target, gain, _, _, _ = graph
    rounds, gained = sweep(
        graph.nodes, graph.order, taken, begin, chance, target, gain, limit, mass, later, ended, ticks, visits
    )
    left = mass + later
    np.add.at(timed_out, graph.standing, left)
    ticks[limit] += left.sum()
    return Reached(ended, timed_out, float(rounds), float(gained), visits, ticks)


@njit(cache=True, nogil=True)
def _lay_out(graph: Graph, rank: Ints) -> tuple[Ints, Ints, Floats, Targets, Ints]:
    """The graph with its nodes numbered in order: passes are bound by memory, and neighbours are near."""
    order, first, begin, chance, target, _, _, _, _ = graph
    firsts, begins = np.empty(len(first), np.int64), np.empty(len(begin), np.int64)
    chances, targets = np.empty(len(chance)), np.empty(len(target), np.int32)
    source = np.empty(len(begin) - 1, np.int64)
    option, edge = 0, 0
    for place in range(len(order)):
        firsts[place] = option
        for old in range(first[order[place]], first[order[place] + 1]):
            begins[option] = edge
            source[option] = old
            option += 1
            for i in range(begin[old], begin[old + 1]):
                chances[edge] = chance[i]
                to = target[i]
                targets[edge] = to if to < 0 else (rank[to >> 2] << 2) | (to & 3)
                edge += 1
    firsts[len(order)] = option
    begins[option] = edge
    return firsts, begins, chances, targets, source


@njit(cache=True, nogil=True)
def _backward(
    first: Ints,
    begin: Ints,
    chance: Floats,
    target: Targets,
    gain: Floats,
    worth: Floats,
    tie: float,
    is_last: bool,
    before: Floats,
    later: Floats,
    now: Floats,
    soon: Floats,
    choice: Ints,
    scratch: Floats,
) -> bool:
    """One tick more: `before` and `later` are what the ticks after it are worth. Whether anything moved."""
    means, ends = scratch[0], scratch[1]
    numbers = worth.shape[1]
    another = 0.0 if is_last else 1.0
    moved = False
    for node in range(len(first) - 2, -1, -1):
        start, stop = first[node], first[node + 1]
        best = -np.inf
        for option in range(start, stop):
            value, rounds = 0.0, 0.0
            for i in range(begin[option], begin[option + 1]):
                to = target[i]
                if to < 0:
                    value += chance[i] * worth[-1 - to, 0]
                elif to & 3 == NEXT:
                    value += chance[i] * now[0, to >> 2]
                    rounds += chance[i] * soon[to >> 2]
                else:
                    value += chance[i] * before[0, to >> 2]
                    rounds += chance[i] * (later[to >> 2] + (another if to & 3 == ROUND else 0.0))
            means[option - start] = value
            ends[option - start] = rounds
            best = max(best, value)
        soonest = np.inf
        for option in range(stop - start):
            if means[option] >= best - tie:
                soonest = min(soonest, ends[option])
        chosen = start
        for option in range(stop - start):
            if means[option] >= best - tie and ends[option] <= soonest + tie:
                chosen = start + option
                break
        moved = moved or choice[node] != chosen or later[node] != ends[chosen - start]
        choice[node] = chosen
        soon[node] = ends[chosen - start]
        for number in range(numbers):
            total = gain[chosen] if number == numbers - 1 else 0.0
            for i in range(begin[chosen], begin[chosen + 1]):
                to = target[i]
                if to < 0:
                    total += chance[i] * worth[-1 - to, number]
                elif to & 3 == NEXT:
                    total += chance[i] * now[number, to >> 2]
                else:
                    total += chance[i] * before[number, to >> 2]
            moved = moved or before[number, node] != total
            now[number, node] = total
    return moved


def best_play(graph: Graph, worth: Floats, timed_out: Floats, limit: int, tie: float) -> Best:
    """Play for the greatest mean of the first number, then the fewest rounds, then the first option.

    `worth[end]` are the numbers of an end, `timed_out[end]` those where time ran out; the gain is added to
    the last of them. What differs by no more than `tie` is the same. Choices are those with all time still to
    come; a fight that is played so has `1 + later` rounds in the mean.
    """
    rank = np.empty(graph.nodes, np.int64)
    rank[graph.order] = np.arange(graph.nodes)
    first, begin, chance, target, source = _lay_out(graph, rank)
    gain = graph.gain[source]
    # A row for each number: options read the first, and its values should lie close together.
    before = np.ascontiguousarray(timed_out[graph.standing[graph.order]].T)
    now = before.copy()
    later, soon = np.zeros(graph.nodes), np.zeros(graph.nodes)
    choice = first[:-1].copy()
    scratch = np.empty((2, int(np.diff(first).max(initial=1))))
    for tick in range(limit):
        moved = _backward(
            first, begin, chance, target, gain, worth, tie, tick == 0,
            before, later, now, soon, choice, scratch,
        )  # fmt: skip
        before, now = now, before
        later, soon = soon, later
        if tick > 0 and not moved:
            break  # more time changes nothing, to the last bit
    return Best(before[:, rank], later[rank], source[choice][rank])

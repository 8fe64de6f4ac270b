"""A finite fight as a graph whose options have any number of outcomes, and what it comes to.

As `graphs`, but an option leads on by chance to several moments: its outcomes are `begin[option]` to
`begin[option + 1]`, each with a chance and a target. A target from 0 up is a node, twice its number, and one
more where the next round begins there; below 0 it is an end (-1 is end 0). `order` lists the nodes so that
whatever stays in a round leads forward in it. `gain` is what an option adds, in the mean, to a number that
has no effect; ends of fights that run out of rounds are counted apart, by `standing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.forward import NOTHING

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Branching(NamedTuple):
    """See above. `what` says of each option what it is, a row in the words of the game that made it."""

    order: Ints
    first: Ints
    begin: Ints
    chance: Floats
    target: NDArray[np.int32]
    gain: Floats
    standing: Ints
    what: Ints
    ends: int

    @property
    def nodes(self) -> int:
        """How many moments."""
        return len(self.order)


class Reached(NamedTuple):
    """The chances of ends, of ends that time brought, the mean number of rounds, the mean gain, visits."""

    ended: Floats
    timed_out: Floats
    rounds: float
    gain: float
    visits: Floats


class Best(NamedTuple):
    """By node, with all rounds to come: means of each number, later rounds, gains, the option to take."""

    values: Floats
    later: Floats
    gain: Floats
    choice: Ints


@njit(cache=True, nogil=True)
def _forward(
    graph: Branching,
    choice: Ints,
    mass: Floats,
    rounds: int,
    ended: Floats,
    timed_out: Floats,
    visits: Floats,
) -> tuple[float, float]:
    order, _, begin, chance, target, gain, standing, _, _ = graph
    mean, gained = 0.0, 0.0
    after = np.zeros(len(mass))
    for done in range(1, rounds + 1):
        busy, now = 0.0, 0.0
        for node in order:
            here = mass[node]
            if here == 0.0:
                continue
            mass[node] = 0.0
            busy += here
            visits[node] += here
            option = choice[node]
            gained += here * gain[option]
            for i in range(begin[option], begin[option + 1]):
                there = here * chance[i]
                to = target[i]
                if to < 0:
                    ended[-1 - to] += there
                    now += there
                elif to & 1:
                    after[to >> 1] += there
                else:
                    mass[to >> 1] += there
        mean += done * now
        mass, after = after, mass
        if busy < NOTHING:
            break
    for node in range(len(mass)):
        if mass[node] != 0.0:
            timed_out[standing[node]] += mass[node]
            mean += rounds * mass[node]
    return mean, gained


def forward(
    graph: Branching, starts: Ints, chances: Floats, rounds: int, choice: Ints | None = None
) -> Reached:
    """How a fight goes from its starts, by the first option of each node or by those chosen."""
    mass = np.zeros(graph.nodes)
    np.add.at(mass, starts, chances)
    ended, timed_out, visits = np.zeros(graph.ends), np.zeros(graph.ends), np.zeros(graph.nodes)
    taken = graph.first[:-1] if choice is None else choice
    mean, gained = _forward(graph, taken, mass, rounds, ended, timed_out, visits)
    return Reached(ended, timed_out, float(mean), float(gained), visits)


@njit(cache=True, nogil=True)
def _backward(
    graph: Branching,
    worth: Floats,
    tie: float,
    before: Floats,
    later: Floats,
    now: Floats,
    soon: Floats,
    choice: Ints,
) -> bool:
    """One round more: `before` and `later` are what the rounds after it are worth. Whether anything moved."""
    order, first, begin, chance, target, gain, _, _, _ = graph
    numbers = worth.shape[1]
    moved = False
    for place in range(len(order) - 1, -1, -1):
        node = order[place]
        best, soonest, chosen = -np.inf, np.inf, first[node]
        for option in range(first[node], first[node + 1]):
            value, rounds = 0.0, 0.0
            for i in range(begin[option], begin[option + 1]):
                to = target[i]
                if to < 0:
                    value += chance[i] * worth[-1 - to, 0]
                elif to & 1:
                    value += chance[i] * before[to >> 1, 0]
                    rounds += chance[i] * (1.0 + later[to >> 1])
                else:
                    value += chance[i] * now[to >> 1, 0]
                    rounds += chance[i] * soon[to >> 1]
            if value > best + tie or (value > best - tie and rounds < soonest - tie):
                best, soonest, chosen = max(best, value), rounds, option
        if choice[node] != chosen:
            choice[node] = chosen
            moved = True
        soon[node] = soonest
        moved = moved or later[node] != soonest
        for number in range(numbers):
            total = gain[chosen] if number == numbers - 1 else 0.0
            for i in range(begin[chosen], begin[chosen + 1]):
                to = target[i]
                if to < 0:
                    total += chance[i] * worth[-1 - to, number]
                elif to & 1:
                    total += chance[i] * before[to >> 1, number]
                else:
                    total += chance[i] * now[to >> 1, number]
            if before[node, number] != total:
                moved = True
            now[node, number] = total
    return moved


def best_play(graph: Branching, worth: Floats, timed_out: Floats, rounds: int, tie: float) -> Best:
    """Play for the greatest mean of the first number, then the fewest rounds, then the first option.

    `worth[end]` are the numbers of an end, `timed_out[end]` those where time ran out; the gain is added to
    the last of them. A fight that is played so has `1 + later` rounds in the mean.
    """
    before = timed_out[graph.standing].copy()
    now = before.copy()
    # Time is up: what would be one more round is none.
    later, soon = np.full(graph.nodes, -1.0), np.zeros(graph.nodes)
    choice = graph.first[:-1].copy()
    for _ in range(rounds):
        moved = _backward(graph, worth, tie, before, later, now, soon, choice)
        before, now = now, before
        later, soon = soon, later
        if not moved:
            break  # more rounds change nothing, to the last bit
    return Best(before, later, before[:, -1], choice)

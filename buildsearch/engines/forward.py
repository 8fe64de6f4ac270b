"""How a fight without decisions goes: all chances at once, round by round."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.graphs import Graph

# What is still open after a round with less than this in every node together has ended, for every purpose.
NOTHING = 1e-17


@njit(cache=True, nogil=True)
def sweep(
    graph: Graph,
    nodes: int,
    start: int,
    rounds: int,
    mass: NDArray[np.float64],
    ended: NDArray[np.float64],
) -> float:
    """Add up the chance of each end in `ended`; gives the mean number of rounds.

    Takes the first option of each node. Arrays of the graph may have more room than its nodes need. `mass`
    must be zero, and is left so.
    """
    order, first, chance, yes, no, standing, _, _ = graph
    mean = 0.0
    mass[start] = 1.0
    done = 0
    while done < rounds:
        done += 1
        busy = 0.0
        now = 0.0
        for i in range(nodes):
            node = order[i]
            here = mass[node]
            if here == 0.0:
                continue
            mass[node] = 0.0
            busy += here
            option = first[node]
            there = here * chance[option]
            target = yes[option]
            if target >= 0:
                mass[target] += there
            else:
                ended[-1 - target] += there
                now += there
            if chance[option] < 1.0:
                there = here - there
                target = no[option]
                if target >= 0:
                    mass[target] += there
                else:
                    ended[-1 - target] += there
                    now += there
        mean += done * now
        if busy < NOTHING:
            break
    for node in range(nodes):
        here = mass[node]
        if here != 0.0:
            mass[node] = 0.0
            ended[standing[node]] += here
            mean += rounds * here
    return mean


def forward(graph: Graph, start: int, rounds: int) -> tuple[NDArray[np.float64], float]:
    """The chance of each end, and the mean number of rounds."""
    ended, mass = np.zeros(graph.ends), np.zeros(graph.nodes)
    mean = sweep(graph, graph.nodes, start, rounds, mass, ended)
    return ended, float(mean)

"""How often a fight comes to each moment, once somebody has chosen what to do there."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.forward import NOTHING
from buildsearch.engines.graphs import Graph


@njit(cache=True, nogil=True)
def _follow(
    graph: Graph,
    choice: NDArray[np.int64],
    rounds: int,
    mass: NDArray[np.float64],
    seen: NDArray[np.float64],
) -> None:
    order, _, chance, yes, no, _, _, _ = graph
    for _ in range(rounds):
        busy = 0.0
        for node in order:
            here = mass[node]
            if here == 0.0:
                continue
            mass[node] = 0.0
            seen[node] += here
            busy += here
            option = choice[node]
            if yes[option] >= 0:
                mass[yes[option]] += here * chance[option]
            if chance[option] < 1.0 and no[option] >= 0:
                mass[no[option]] += here * (1.0 - chance[option])
        if busy < NOTHING:
            break


def visits(graph: Graph, choice: NDArray[np.int64], start: int, rounds: int) -> NDArray[np.float64]:
    """The mean number of times that each node is come to in a fight, by the option chosen at each."""
    mass, seen = np.zeros(graph.nodes), np.zeros(graph.nodes)
    mass[start] = 1.0
    _follow(graph, choice, rounds, mass, seen)
    return seen

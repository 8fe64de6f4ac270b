"""Best play by backward recursion: what is best with one round left, with two, and so on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.graphs import Graph

# Values that differ by no more are one value.
TIE = 1e-9


class BestPlay(NamedTuple):
    """By node: the mean of each number, the mean of the rounds that follow, and the option to take."""

    values: NDArray[np.float64]
    later: NDArray[np.float64]
    choice: NDArray[np.int64]


@njit(cache=True, nogil=True)
def _round(
    graph: Graph,
    rank: NDArray[np.int64],
    worth: NDArray[np.float64],
    values: NDArray[np.float64],
    later: NDArray[np.float64],
    choice: NDArray[np.int64],
    scratch: NDArray[np.float64],
) -> bool:
    """One round more, in place; whether any value moved.

    Targets later in the order have been seen in this pass, earlier ones hold what the rounds after it are
    worth: so nothing needs to be kept twice.
    """
    order, first, chance, yes, no, _, _, _ = graph
    means, ends = scratch[0], scratch[1]
    numbers = worth.shape[1]
    moved = False
    for i in range(len(order) - 1, -1, -1):
        node = order[i]
        begin, end = first[node], first[node + 1]
        best = -np.inf
        for option in range(begin, end):
            good, soon = _outcome(yes[option], i, rank, worth, values, later)
            if chance[option] < 1.0:
                bad, late = _outcome(no[option], i, rank, worth, values, later)
                good = chance[option] * good + (1.0 - chance[option]) * bad
                soon = chance[option] * soon + (1.0 - chance[option]) * late
            means[option - begin] = good
            ends[option - begin] = soon
            best = max(best, good)
        soonest = np.inf
        for option in range(end - begin):
            if means[option] >= best - TIE:
                soonest = min(soonest, ends[option])
        chosen = begin
        for option in range(end - begin):
            if means[option] >= best - TIE and ends[option] <= soonest + TIE:
                chosen = begin + option
                break
        choice[node] = chosen
        if later[node] != ends[chosen - begin]:
            later[node] = ends[chosen - begin]
            moved = True
        for number in range(numbers):
            target = yes[chosen]
            found = values[target, number] if target >= 0 else worth[-1 - target, number]
            if chance[chosen] < 1.0:
                target = no[chosen]
                other = values[target, number] if target >= 0 else worth[-1 - target, number]
                found = chance[chosen] * found + (1.0 - chance[chosen]) * other
            if values[node, number] != found:
                values[node, number] = found
                moved = True
    return moved


@njit(inline="always")
def _outcome(
    target: int,
    i: int,
    rank: NDArray[np.int64],
    worth: NDArray[np.float64],
    values: NDArray[np.float64],
    later: NDArray[np.float64],
) -> tuple[float, float]:
    """What a target is worth, and the rounds that follow: one more where the next round begins there."""
    if target < 0:
        return worth[-1 - target, 0], 0.0
    if rank[target] > i:
        return values[target, 0], later[target]
    return values[target, 0], later[target] + 1.0


def best_play(graph: Graph, worth: NDArray[np.float64], rounds: int) -> BestPlay:
    """Play for the greatest mean of the first number, then for the fewest rounds, then the first option.

    `worth[end]` are the numbers of an end. The choices are those with all rounds still to come; a fight that
    is played so has `1 + later` rounds in the mean.
    """
    rank = np.empty(graph.nodes, np.int64)
    rank[graph.order] = np.arange(graph.nodes)
    most = int(np.diff(graph.first).max(initial=1))
    scratch = np.empty((2, most))
    values = worth[graph.standing].copy()
    # Time is up: what would be one more round is none.
    later = np.full(graph.nodes, -1.0)
    choice = graph.first[:-1].copy()
    for _ in range(rounds):
        if not _round(graph, rank, worth, values, later, choice, scratch):
            break  # more rounds change nothing, to the last bit
    return BestPlay(values, later, choice)

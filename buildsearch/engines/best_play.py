"""Best play by backward recursion: what is best with one round left, with two, and so on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.graphs import Graph

# Values that differ by no more are one value.
TIE = 1e-9

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class BestPlay(NamedTuple):
    """Means of each number by node, means of the rounds that follow, and the option to take."""

    values: Floats
    later: Floats
    choice: Ints


class _Line(NamedTuple):
    """A graph whose nodes are numbered in order: a target above its node stays in the round.

    The passes are bound by memory: so laid out, neighbours are near, and nobody looks up a rank.
    """

    first: Ints
    chance: Floats
    yes: NDArray[np.int32]
    no: NDArray[np.int32]
    source: Ints  # the option that it was


@njit(cache=True, nogil=True)
def _lay_out(graph: Graph, rank: Ints) -> _Line:
    order, first, chance, yes, no, _, _, _ = graph
    line = _Line(
        np.empty(len(order) + 1, np.int64),
        np.empty(len(chance)),
        np.empty(len(chance), np.int32),
        np.empty(len(chance), np.int32),
        np.empty(len(chance), np.int64),
    )
    number = 0
    for i in range(len(order)):
        line.first[i] = number
        for option in range(first[order[i]], first[order[i] + 1]):
            line.chance[number] = chance[option]
            line.yes[number] = rank[yes[option]] if yes[option] >= 0 else yes[option]
            line.no[number] = rank[no[option]] if no[option] >= 0 else no[option]
            line.source[number] = option
            number += 1
    line.first[len(order)] = number
    return line


@njit(inline="always")
def _outcome(target: int, node: int, worth: Floats, values: Floats, later: Floats) -> tuple[float, float]:
    """What a target is worth, and the rounds that follow: one more where the next round begins there."""
    if target < 0:
        return worth[-1 - target, 0], 0.0
    if target > node:
        return values[0, target], later[target]
    return values[0, target], later[target] + 1.0


@njit(cache=True, nogil=True)
def _round(line: _Line, worth: Floats, values: Floats, later: Floats, choice: Ints, scratch: Floats) -> bool:
    """One round more, in place; whether any value moved.

    Targets above have been seen in this pass, those below hold what the rounds after it are worth: so nothing
    needs to be kept twice.
    """
    first, chance, yes, no, _ = line
    means, ends = scratch[0], scratch[1]
    moved = False
    for node in range(len(first) - 2, -1, -1):
        begin, end = first[node], first[node + 1]
        best = -np.inf
        for option in range(begin, end):
            p = chance[option]
            good, soon = _outcome(yes[option], node, worth, values, later)
            if p < 1.0:
                bad, late = _outcome(no[option], node, worth, values, later)
                good = p * good + (1.0 - p) * bad
                soon = p * soon + (1.0 - p) * late
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
        for number in range(worth.shape[1]):
            target = yes[chosen]
            found = values[number, target] if target >= 0 else worth[-1 - target, number]
            if chance[chosen] < 1.0:
                target = no[chosen]
                other = values[number, target] if target >= 0 else worth[-1 - target, number]
                found = chance[chosen] * found + (1.0 - chance[chosen]) * other
            if values[number, node] != found:
                values[number, node] = found
                moved = True
    return moved


def best_play(graph: Graph, worth: Floats, rounds: int) -> BestPlay:
    """Play for the greatest mean of the first number, then for the fewest rounds, then the first option.

    `worth[end]` are the numbers of an end. The choices are those with all rounds still to come; a fight that
    is played so has `1 + later` rounds in the mean.
    """
    rank = np.empty(graph.nodes, np.int64)
    rank[graph.order] = np.arange(graph.nodes)
    line = _lay_out(graph, rank)
    # A row for each number: options read the first, and its values should lie close together.
    values = np.ascontiguousarray(worth[graph.standing[graph.order]].T)
    # Time is up: what would be one more round is none.
    later = np.full(graph.nodes, -1.0)
    choice = line.first[:-1].copy()
    scratch = np.empty((2, int(np.diff(line.first).max(initial=1))))
    for _ in range(rounds):
        if not _round(line, worth, values, later, choice, scratch):
            break  # more rounds change nothing, to the last bit
    return BestPlay(values[:, rank], later[rank], line.source[choice][rank])

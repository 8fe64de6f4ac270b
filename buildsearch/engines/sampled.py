"""Single fights drawn from a graph: blocks with a stream of their own, so that workers do not matter."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.graphs import Graph
from buildsearch.evaluate.randomness import next_word, stream_state

_SHIFT = np.uint64(11)
_UNIT = 2.0**-53


@njit(cache=True, nogil=True)
def _walk(
    graph: Graph,
    rank: NDArray[np.int64],
    starts: NDArray[np.int64],
    rounds: int,
    fights: int,
    state: NDArray[np.uint64],
    ends: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> None:
    """Count the ends and the lengths of so many fights, each from one of the starts."""
    _, first, chance, yes, no, standing, _, _ = graph
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for _ in range(fights):
        node = starts[0]
        if len(starts) > 1:
            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
            node = starts[int(np.float64(word >> _SHIFT) * _UNIT * len(starts))]
        length = 1
        while True:
            option = first[node]
            target = yes[option]
            if chance[option] < 1.0:
                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                if np.float64(word >> _SHIFT) * _UNIT >= chance[option]:
                    target = no[option]
            if target < 0:
                ends[-1 - target] += 1
                break
            if rank[target] <= rank[node]:
                if length == rounds:
                    ends[standing[target]] += 1
                    break
                length += 1
            node = target
        lengths[length] += 1


def sample_block(
    graph: Graph, starts: NDArray[np.int64], rounds: int, seed: int, content: bytes, block: int, fights: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each end and each number of rounds came up. Starts are equally likely."""
    ends, lengths = np.zeros(graph.ends, np.int64), np.zeros(rounds + 1, np.int64)
    rank = np.empty(graph.nodes, np.int64)
    rank[graph.order] = np.arange(graph.nodes)
    with np.errstate(over="ignore"):  # the generator wraps around on purpose; without the JIT numpy warns
        _walk(graph, rank, starts, rounds, fights, stream_state(seed, content, block), ends, lengths)
    return ends, lengths

"""Graphs with many outcomes: forward and best play against what a slow loop over all courses says."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.engines.branching import Branching, best_play, forward

NODES, ENDS = 3, 3


@st.composite
def graphs(draw):
    """Nodes 0, 1, 2 in the order of a round; what leads back or to itself begins the next one."""
    first, begin, chance, target, gain = [0], [0], [], [], []
    for node in range(NODES):
        for _ in range(draw(st.integers(1, 2))):
            number = draw(st.integers(1, 3))
            parts = [draw(st.integers(1, 4)) for _ in range(number)]
            for part in parts:
                to = draw(st.integers(-ENDS, NODES - 1))
                target.append(to if to < 0 else 2 * to + (to <= node))
                chance.append(part / sum(parts))
            gain.append(draw(st.integers(0, 3)))
            begin.append(len(chance))
        first.append(len(gain))
    return Branching(
        np.arange(NODES),
        np.array(first),
        np.array(begin),
        np.array(chance),
        np.array(target, np.int32),
        np.array(gain, np.float64),
        np.array([draw(st.integers(0, ENDS - 1)) for _ in range(NODES)]),
        np.zeros((len(gain), 1), np.int64),
        ENDS,
    )


def play(graph, node, left, choose, worth, timed_out):
    """(value, later rounds, gain) of a node with so many rounds left, by a choice for each (node, left)."""
    option = choose[node, left]
    value, rounds, gain = 0.0, 0.0, graph.gain[option]
    for i in range(graph.begin[option], graph.begin[option + 1]):
        to, chance = int(graph.target[i]), graph.chance[i]
        if to < 0:
            value += chance * worth[-1 - to]
        elif to & 1 and left == 1:
            value += chance * timed_out[graph.standing[to >> 1]]
        else:
            found = play(graph, to >> 1, left - (to & 1), choose, worth, timed_out)
            value += chance * found[0]
            rounds += chance * (found[1] + (to & 1))
            gain += chance * found[2]
    return value, rounds, gain


@given(graphs(), st.integers(1, 3))
def test_forward_and_best_play(graph, rounds):
    worth, timed_out = np.array([0.0, 1.0, 0.25]), np.array([0.5, 0.1, 0.9])
    moments = list(product(range(NODES), range(1, rounds + 1)))
    first = {(node, left): int(graph.first[node]) for node, left in moments}
    value, later, gain = play(graph, 0, rounds, first, worth, timed_out)
    found = forward(graph, np.array([0]), np.array([1.0]), rounds)
    assert found.ended @ worth + found.timed_out @ timed_out == pytest.approx(value, abs=1e-12)
    assert found.ended.sum() + found.timed_out.sum() == pytest.approx(1, abs=1e-12)
    assert found.rounds == pytest.approx(1 + later, abs=1e-12)
    assert found.gain == pytest.approx(gain, abs=1e-12)

    options = [range(graph.first[node], graph.first[node + 1]) for node, _ in moments]
    courses = [
        play(graph, 0, rounds, dict(zip(moments, choice, strict=True)), worth, timed_out)
        for choice in product(*options)
    ]
    top = max(course[0] for course in courses)
    soonest = min(course[1] for course in courses if course[0] >= top - 1e-12)
    both = (np.stack([worth, np.zeros(ENDS)], axis=1), np.stack([timed_out, np.zeros(ENDS)], axis=1))
    best = best_play(graph, *both, rounds, 1e-12)
    assert best.values[0, 0] == pytest.approx(top, abs=1e-11)
    assert best.later[0] == pytest.approx(soonest, abs=1e-9)

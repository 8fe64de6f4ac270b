"""Graphs that are small enough to be gone through by hand: no game in sight."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.engines.graphs import NEXT, ROUND, TICK, Graph, arrange, best_play, forward
from buildsearch.engines.narration import Narration
from buildsearch.evaluate.events import Event

NODES, ENDS = 3, 3


@st.composite
def graphs(draw):
    """Nodes 0, 1, 2 in the order of a round; what leads back or to itself lets the clock tick."""
    first, begin, chance, target, gain = [0], [0], [], [], []
    for node in range(NODES):
        for _ in range(draw(st.integers(1, 2))):
            number = draw(st.integers(1, 3))
            parts = [draw(st.integers(1, 4)) for _ in range(number)]
            for part in parts:
                to = draw(st.integers(-ENDS, NODES - 1))
                codes = [ROUND, TICK] if to <= node else [NEXT, ROUND, TICK]
                target.append(to if to < 0 else 4 * to + draw(st.sampled_from(codes)))
                chance.append(part / sum(parts))
            gain.append(draw(st.integers(0, 3)))
            begin.append(len(chance))
        first.append(len(gain))
    return Graph(
        np.arange(NODES),
        np.array(first),
        np.array(begin),
        np.array(chance),
        np.array(target, np.int32),
        np.array(gain, np.float64),
        np.array([draw(st.integers(0, ENDS - 1)) for _ in range(NODES)]),
        np.zeros(len(gain), np.int64),
        ENDS,
    )


def play(graph, node, left, choose, worth, timed_out):
    """(value, later rounds, gain) of a node with so many ticks left, by a choice for each (node, left)."""
    option = choose[node, left]
    value, rounds, gain = 0.0, 0.0, graph.gain[option]
    for i in range(graph.begin[option], graph.begin[option + 1]):
        to, code, chance = int(graph.target[i]) >> 2, int(graph.target[i]) & 3, graph.chance[i]
        if graph.target[i] < 0:
            value += chance * worth[-1 - int(graph.target[i])]
        elif code != NEXT and left == 1:
            value += chance * timed_out[graph.standing[to]]
        else:
            found = play(graph, to, left - (code != NEXT), choose, worth, timed_out)
            value += chance * found[0]
            rounds += chance * (found[1] + (code == ROUND))
            gain += chance * found[2]
    return value, rounds, gain


@given(graphs(), st.integers(1, 3))
def test_forward_and_best_play(graph, limit):
    worth, timed_out = np.array([0.0, 1.0, 0.25]), np.array([0.5, 0.1, 0.9])
    moments = list(product(range(NODES), range(1, limit + 1)))
    first = {(node, left): int(graph.first[node]) for node, left in moments}
    value, later, gain = play(graph, 0, limit, first, worth, timed_out)
    found = forward(graph, np.array([0]), np.array([1.0]), limit)
    assert found.ended @ worth + found.timed_out @ timed_out == pytest.approx(value, abs=1e-12)
    assert found.ended.sum() + found.timed_out.sum() == pytest.approx(1, abs=1e-12)
    assert found.ticks.sum() == pytest.approx(1, abs=1e-12)
    assert found.rounds == pytest.approx(1 + later, abs=1e-12)
    assert found.gain == pytest.approx(gain, abs=1e-12)

    options = [range(graph.first[node], graph.first[node + 1]) for node, _ in moments]
    courses = [
        play(graph, 0, limit, dict(zip(moments, choice, strict=True)), worth, timed_out)
        for choice in product(*options)
    ]
    top = max(course[0] for course in courses)
    soonest = min(course[1] for course in courses if course[0] >= top - 1e-12)
    both = (np.stack([worth, np.zeros(ENDS)], axis=1), np.stack([timed_out, np.zeros(ENDS)], axis=1))
    best = best_play(graph, *both, limit, 1e-12)
    assert best.values[0, 0] == pytest.approx(top, abs=1e-11)
    assert best.later[0] == pytest.approx(soonest, abs=1e-9)
    if limit == 1:
        # With the choice fixed for all time, forward gives the same numbers.
        followed = forward(graph, np.array([0]), np.array([1.0]), 1, best.choice)
        assert best.values[1, 0] == pytest.approx(followed.gain, abs=1e-12)
        assert followed.visits[0] == 1


def test_visits_count_every_round():
    # Half of the rounds end the fight: 1 + 1/2 + 1/4 visits in three rounds.
    none, half = np.array([0]), np.array([0.5, 0.5])
    targets = np.array([-1, ROUND], np.int32)
    graph = Graph(
        none, np.array([0, 1]), np.array([0, 2]), half, targets, np.zeros(1), np.array([1]), none, 2
    )
    found = forward(graph, none, np.ones(1), 3)
    assert found.visits.tolist() == [1.75]
    assert (found.ended[0], found.timed_out[1]) == (0.875, 0.125)
    assert found.ticks.tolist() == [0, 0.5, 0.25, 0.25]


def test_a_cycle_has_no_place_in_the_order():
    first, begin = np.arange(4), np.arange(4)
    order, degree = np.empty(3, np.int64), np.empty(3, np.int32)
    assert arrange(3, first, begin, np.array([4 * 2, -1, 4 * 1], np.int32), degree, order) == 3
    assert order.tolist() == [0, 2, 1]
    assert arrange(3, first, begin, np.array([4 * 1, 4 * 0, -1], np.int32), degree, order) == 1
    assert degree.tolist() == [1, 1, 0]


@dataclass(frozen=True)
class Fell(Event):
    who: str


def test_narration_has_one_voice_a_kind():
    narrate = Narration()

    @narrate.tells(Fell)
    def _fell(event):
        yield f"{event.who} falls"

    assert list(narrate([Fell("one"), Fell("other")])) == ["one falls", "other falls"]
    with pytest.raises(ValueError, match="Fell has words already"):
        narrate.tells(Fell)(_fell)
    with pytest.raises(KeyError):
        list(narrate([Event()]))

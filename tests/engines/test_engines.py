"""Engines on graphs that are small enough to be gone through by hand: no game in sight."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from buildsearch.engines.best_play import TIE, best_play
from buildsearch.engines.forward import forward
from buildsearch.engines.graphs import Graph, arrange
from buildsearch.engines.narration import Narration
from buildsearch.engines.sampled import sample_block
from buildsearch.engines.visits import visits
from buildsearch.evaluate.events import Event

ENDS = 3
EIGHTHS = st.integers(0, 8).map(lambda number: number / 8)


@st.composite
def graphs(draw, most_options=1):
    """Nodes are in order; targets ahead stay in the round, others begin the next one."""
    nodes = draw(st.integers(1, 5))
    first, chance, yes, no = [0], [], [], []
    for _ in range(nodes):
        for _ in range(draw(st.integers(1, most_options))):
            chance.append(draw(EIGHTHS))
            yes.append(draw(st.integers(-ENDS, nodes - 1)))
            no.append(draw(st.integers(-ENDS, nodes - 1)))
        first.append(len(chance))
    standing = draw(st.lists(st.integers(0, ENDS - 1), min_size=nodes, max_size=nodes))
    numbers = [np.array(each, np.int64) for each in (range(nodes), first, yes, no, standing)]
    order, first, yes, no, standing = numbers
    yes, no = yes.astype(np.int32), no.astype(np.int32)
    return Graph(order, first, np.array(chance), yes, no, standing, np.zeros(len(chance), np.int64), ENDS)


def outcomes(graph, node, choose, left, length=1, p=Fraction(1)):
    """Every (end, rounds, chance) of a fight, one path after another."""
    option = choose(node, left)
    chance = Fraction(float(graph.chance[option]))
    for share, target in ((chance, graph.yes[option]), (1 - chance, graph.no[option])):
        if share == 0:
            continue
        if target < 0:
            yield -1 - int(target), length, p * share
        elif target > node:
            yield from outcomes(graph, int(target), choose, left, length, p * share)
        elif left == 1:
            yield int(graph.standing[target]), length, p * share
        else:
            yield from outcomes(graph, int(target), choose, left - 1, length + 1, p * share)


@given(graphs(), st.integers(1, 4))
def test_forward_is_the_sum_over_all_paths(graph, rounds):
    ended, mean = forward(graph, 0, rounds)
    expected, length = [Fraction(0)] * ENDS, Fraction(0)
    for end, number, p in outcomes(graph, 0, lambda node, _: int(graph.first[node]), rounds):
        expected[end] += p
        length += number * p
    assert ended == pytest.approx([float(each) for each in expected], abs=1e-14)
    assert mean == pytest.approx(float(length), abs=1e-13)


def best_by_hand(graph, worth, node, left, known):
    """(value, rounds that follow, option), by trying every option at every node with every time left."""
    if (node, left) in known:
        return known[node, left]
    found = []
    for option in range(graph.first[node], graph.first[node + 1]):
        value = later = 0.0
        for share, target in (
            (graph.chance[option], int(graph.yes[option])),
            (1 - graph.chance[option], int(graph.no[option])),
        ):
            if share == 0:
                continue
            if target < 0:
                value += share * worth[-1 - target]
            elif target > node:
                ahead = best_by_hand(graph, worth, target, left, known)
                value, later = value + share * ahead[0], later + share * ahead[1]
            elif left == 1:
                value += share * worth[graph.standing[target]]
            else:
                ahead = best_by_hand(graph, worth, target, left - 1, known)
                value, later = value + share * ahead[0], later + share * (1 + ahead[1])
        found.append((value, later, option))
    best = max(value for value, _, _ in found)
    near = [each for each in found if each[0] >= best - TIE]
    soonest = min(later for _, later, _ in near)
    known[node, left] = next(each for each in near if each[1] <= soonest + TIE)
    return known[node, left]


@given(graphs(most_options=3), st.integers(1, 4))
def test_best_play_tries_everything(graph, rounds):
    worth = np.array([0.0, 1.0, 0.5])
    found = best_play(graph, np.stack([worth, np.arange(ENDS)], axis=1), rounds)
    value, later, option = best_by_hand(graph, worth, 0, rounds, {})
    assert found.values[0, 0] == pytest.approx(value, abs=1e-12)
    assert found.later[0] == pytest.approx(later, abs=1e-12)
    assert found.choice[0] == option


@given(graphs(most_options=3))
def test_what_is_followed_besides_belongs_to_the_play(graph):
    """With the choice fixed for all time, forward gives the same numbers."""
    worth = np.stack([np.array([0.0, 1.0, 0.5]), np.arange(ENDS)], axis=1)
    found = best_play(graph, worth, 1)
    chosen = Graph(
        graph.order,
        np.arange(graph.nodes + 1),
        graph.chance[found.choice],
        graph.yes[found.choice],
        graph.no[found.choice],
        graph.standing,
        graph.what[found.choice],
        ENDS,
    )
    ended, mean = forward(chosen, 0, 1)
    assert found.values[:, 0] == pytest.approx(ended @ worth, abs=1e-12)
    assert 1 + found.later[0] == pytest.approx(mean)


def test_visits_count_every_round():
    # Half of the rounds end the fight: 1 + 1/2 + 1/4 visits in three rounds.
    none = np.array([0])
    over, again = np.array([-1], np.int32), np.array([0], np.int32)
    graph = Graph(none, np.array([0, 1]), np.array([0.5]), over, again, np.array([1]), none, 2)
    assert visits(graph, np.array([0]), 0, 3).tolist() == [1.75]
    assert forward(graph, 0, 3)[0].tolist() == [0.875, 0.125]


def test_samples_follow_the_chances():
    graph = Graph(
        np.array([0, 1]),
        np.array([0, 1, 2]),
        np.array([0.25, 0.625]),
        np.array([-1, 0], np.int32),
        np.array([1, -2], np.int32),
        np.array([2, 2]),
        np.array([0, 0]),
        3,
    )
    ended, mean = forward(graph, 0, 6)
    fights = 40_000
    ends, lengths = sample_block(graph, np.array([0]), 6, 5, b"content", 0, fights)
    assert chisquare(ends, ended * fights).pvalue > 1e-4
    assert lengths @ np.arange(7) / fights == pytest.approx(mean, abs=0.05)
    again = sample_block(graph, np.array([0]), 6, 5, b"content", 0, fights)
    assert (again[0] == ends).all()
    assert (sample_block(graph, np.array([0]), 6, 5, b"content", 1, fights)[0] != ends).any()


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


def test_nodes_are_arranged_by_level():
    levels, order = np.array([2, 0, 1, 0]), np.empty(4, np.int64)
    arrange(levels, 4, 2, np.empty(4, np.int64), order)
    assert order.tolist() == [1, 3, 2, 0]

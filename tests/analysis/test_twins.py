"""Fast column code against plain loops over all builds."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from buildsearch.analysis.dominance import ON_THE_FRONT, dominance
from buildsearch.analysis.dominated import outclassed, worth_playing
from buildsearch.analysis.population import populate
from buildsearch.analysis.reach import Reference
from buildsearch.analysis.saturation import saturation
from buildsearch.analysis.score_order import ScoreScale, contest_of
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.model.evaluation import Scale
from tests.analysis import naive
from tests.analysis.tables import deck_space, made_up, small_space

LIMITS = read_thresholds()


@pytest.fixture(scope="module")
def subsets():
    space = small_space()
    return populate(made_up(space, groups=("melee_ac", "ranged")), space)


@pytest.fixture(scope="module")
def decks():
    space = deck_space()
    groups = list(space.count(_everything()))[:2]
    return populate(made_up(space, groups=groups, higher=True), space)


def _everything():
    from buildsearch.model.space import Wanted

    return Wanted()


def test_populations_know_what_can_be_dropped(subsets, decks):
    assert subsets.has_drops
    assert not decks.has_drops
    assert {subsets.names[f] for f in subsets.free}.isdisjoint({"melee_ac", "ranged"})


@pytest.mark.parametrize("ties", [False, True])
def test_saturation(ties):
    space = small_space()
    population = populate(made_up(space, seed=3, ties=ties), space)
    found = saturation(population, read_thresholds().saturation)
    for curve in found.curves[::3]:
        for cut, share in zip(found.cuts, curve.shares, strict=True):
            assert share == pytest.approx(naive.top_share(population, curve.part.feature, cut.size))


@pytest.mark.parametrize("ties", [False, True])
def test_dominance_of_builds(ties):
    space = small_space(2)
    population = populate(made_up(space, seed=5, ties=ties), space)
    found = dominance(population, 6.0)
    front = set(found.front.tolist())
    for row in range(len(population)):
        dominators = [other for other in range(len(population)) if naive.dominates(population, other, row)]
        assert (row in front) == (not dominators)
        if row not in front:
            assert int(found.dominator[row]) in front
            assert int(found.dominator[row]) in dominators
        else:
            assert found.dominator[row] == ON_THE_FRONT
    for row, share in zip(found.front, found.shares, strict=True):
        beaten = sum(naive.dominates(population, int(row), other) for other in range(len(population)))
        assert share == pytest.approx(beaten / len(population))


def judged_by(population):
    """By turns, as a run without an objective is."""
    yardstick = ScoreScale(Scale.POSITIVE, False, 1.0, LIMITS.verdict)
    return contest_of(population, yardstick)


@pytest.mark.parametrize("benchmark", [8.0, 4.0, 1.0])
def test_outclassed_options(benchmark):
    """Scores with ties, so that some pairs survive every context by being equal; of the options some lean to
    one fight, so that single fights speak where the benchmark lets them."""
    space = small_space()
    table = made_up(space, seed=8, groups=("melee_ac",))
    free = populate(table, space).free
    levels = populate(table, space).levels[free].astype(float)
    # One option is worth nothing, another less than a third everywhere.
    effects = np.linspace(-0.3, 0.1, len(free)) @ levels
    lean = 0.15 * np.resize([0.0, 1.0, 0.0, -1.0, 0.0], len(free)) @ levels
    means = np.exp(2.5 + effects + np.stack([lean, -lean]))
    population = populate(replace(table, fight_means=means, score=table.weights @ means), space)
    reference = Reference(benchmark, math.log(benchmark), 0.0)
    contest = judged_by(population)
    found = {(each.part, each.by) for each in outclassed(contest, [reference], 1e-9)}
    everyone = [int(part) for part in free]
    expected = {
        (part, by)
        for part, by in [*permutations(everyone, 2), *((part, None) for part in everyone)]
        if naive.outclasses(population, part, by, 2 * benchmark)
    }
    assert found == expected
    assert len(expected) > 5
    share = worth_playing(contest, [reference]).mean()
    assert share == pytest.approx((population.scores.score <= 2 * benchmark).mean())

"""Fast column code against plain loops over all builds."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from buildsearch.analysis.average_effects import average_effects
from buildsearch.analysis.corners import corners
from buildsearch.analysis.dominance import ON_THE_FRONT, dominance
from buildsearch.analysis.outclassed import outclassed
from buildsearch.analysis.population import populate
from buildsearch.analysis.ranking import standings
from buildsearch.analysis.saturation import saturation
from buildsearch.analysis.thresholds import read_thresholds
from tests.analysis import naive
from tests.analysis.tables import deck_space, made_up, small_space


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


@pytest.mark.parametrize("size", [2, 3])
def test_interactions_of_subsets(subsets, size):
    found = corners(subsets)
    sums = found.pairs if size == 2 else found.triples
    seen = 0
    for places in list(combinations(range(len(subsets.free)), size))[:: 7 if size == 2 else 5]:
        effects = naive.corner_effects(subsets, [int(subsets.free[place]) for place in places], swaps=False)
        assert sums.count[places] == len(effects)
        if effects:
            seen += 1
            assert sums.mean[places] == pytest.approx(np.mean(effects))
            assert sums.spread[places] == pytest.approx(np.std(effects), abs=1e-9)
    assert seen > 5


@pytest.mark.parametrize("size", [2, 3])
def test_interactions_of_swaps(decks, size):
    found = corners(decks)
    assert found.share == 1
    sums = found.pairs if size == 2 else found.triples
    seen = 0
    # Cards and points of stats: those that cost alike make way for one another.
    assert {"tuf", "light_attack"} <= {decks.names[part] for part in decks.free}
    for places in list(combinations(range(len(decks.free)), size))[::3]:
        effects = naive.corner_effects(decks, [int(decks.free[place]) for place in places], swaps=True)
        assert sums.count[places] == len(effects)
        if effects:
            seen += 1
            assert sums.mean[places] == pytest.approx(np.mean(effects))
    assert seen > 2


def test_swaps_are_moves_between_neighbours(decks):
    space = deck_space()
    names = {population_name(decks, space, row): row for row in range(len(decks))}
    found = corners(decks)
    counted = 0
    for row in range(len(decks)):
        (build,) = space.builds(decks.chunk(row))
        near = [names.get(space.name(other)) for other in space.neighbours(build)]
        counted += sum(1 for other in near if other is not None and _one_swap(decks, row, other))
    assert int(found.marginal.count.sum()) == counted


def population_name(population, space, row):
    return population.name(row, space)


def _one_swap(population, first, second):
    """One part for one part; a trade of three points for one is more."""
    levels = population.levels.astype(int)
    return np.abs(levels[:, first] - levels[:, second]).sum() == 2


def test_sampling_errors_of_interactions_add_up():
    space = small_space()
    population = populate(made_up(space, sampled=0.5), space)
    sums = corners(population).pairs
    place = np.unravel_index(np.argmax(sums.count), sums.count.shape)
    names = [population.names[population.free[i]] for i in place]
    builds = naive.builds_of(population)
    row_of = {naive.key(build): i for i, build in enumerate(builds)}
    variance = 0.0
    for i, build in enumerate(builds):
        if all(name in build for name in names):
            a, b = (naive.without(build, name) for name in names)
            rows = [i, *(row_of[naive.key(each)] for each in (a, b, naive.without(a, names[1])))]
            variance += sum((population.scores.error[r] / population.scores.score[r]) ** 2 for r in rows)
    assert sums.error[place] == pytest.approx(math.sqrt(variance) / sums.count[place])


def test_average_effects(subsets):
    found = average_effects(subsets, corners(subsets), dict.fromkeys(subsets.names, 2))
    for effect, part in zip(found, subsets.free, strict=True):
        assert effect.effect == pytest.approx(naive.mean_gain(subsets, int(part)))
        assert effect.per_point == pytest.approx(effect.effect / 2)


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


def test_outclassed_options():
    """Scores with ties, so that some pairs survive every context by being equal."""
    space = small_space()
    table = made_up(space, seed=8, groups=("melee_ac",))
    population = populate(table, space)
    # One option is worth nothing, another less than a third everywhere.
    effects = np.linspace(-0.3, 0.1, len(population.free))
    loss = np.exp(2.5 + sum(effects[i] * population.has(int(f)) for i, f in enumerate(population.free)))
    population.__dict__["means"] = np.stack([loss, 2 * loss], axis=1)
    population.__dict__["errors"] = np.zeros((len(population), 2))
    found = {(each.part, each.by) for each in outclassed(population, 1e-9, 6.0)}
    everyone = [int(part) for part in population.free]
    expected = {
        (part, by)
        for part, by in [*permutations(everyone, 2), *((part, None) for part in everyone)]
        if naive.outclasses(population, part, by)
    }
    assert found == expected
    assert len(expected) > 5


def test_standings(subsets):
    for standing in standings(subsets)[::25]:
        has = standing.part.of(subsets)
        scores = subsets.scores
        number = scores.fights.index(standing.measure) if standing.measure != "score" else None
        values = scores.score if number is None else scores.fight_means[number]
        mine = (
            np.ones(len(values), bool)
            if standing.group == "all"
            else (scores.group == scores.groups.index(standing.group))
        )
        for side, rows in ((standing.with_it, has & mine), (standing.without, ~has & mine)):
            best_first = sorted(values[rows])
            assert side.builds == len(best_first)
            assert side.mean == pytest.approx(np.mean(best_first))
            assert side.median == pytest.approx(np.median(best_first))
            assert side.top == best_first[max(1, math.ceil(0.1 * len(best_first))) - 1]

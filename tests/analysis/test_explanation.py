"""One build among all, against plain loops."""

from __future__ import annotations

import pytest

from buildsearch.analysis.explanation import explain, row_of
from buildsearch.analysis.population import populate
from tests.analysis import naive
from tests.analysis.tables import made_up, small_space


@pytest.fixture(scope="module")
def space():
    return small_space()


@pytest.fixture(scope="module")
def population(space):
    return populate(made_up(space, seed=4, groups=("melee_ac", "ranged")), space)


def _changes(first, second):
    more = sum(max(0, first.get(name, 0) - level) for name, level in second.items())
    fewer = sum(max(0, second.get(name, 0) - level) for name, level in first.items())
    added = sum(level for name, level in first.items() if name not in second) + more
    removed = sum(level for name, level in second.items() if name not in first) + fewer
    return max(added, removed)


def test_a_build_is_found_and_ranked(population, space):
    build = space.parse("melee_ac+aim+cruel")
    row = row_of(population, space, build)
    assert population.name(row, space) == "melee_ac+aim+cruel"
    found = explain(population, row)
    place = population.scores.rank_ranges().of(row)
    assert place.rank == 1 + sum(loss < population.loss[row] - 1e-9 for loss in population.loss)
    assert found.worst == min(found.standings, key=lambda each: each.better_than)


def test_a_build_of_another_space_has_no_row(population, space):
    assert row_of(population, space, space.parse("melee_dg+aim")) is None


def test_parts_are_worth_what_dropping_and_swapping_them_loses(population, space):
    row = row_of(population, space, space.parse("melee_ac+aim+cruel"))
    found = {population.names[each.part]: each for each in explain(population, row).contributions}
    assert set(found) == {"aim", "cruel"}
    without = row_of(population, space, space.parse("melee_ac+cruel"))
    assert found["aim"].gain == pytest.approx(population.scores.score[without] - population.scores.score[row])
    same_cost = [
        i
        for i, build in enumerate(naive.builds_of(population))
        if "aim" not in build
        and "cruel" in build
        and "melee_ac" in build
        and len(build) == 3
        and population.scores.cost[i] == population.scores.cost[row]
    ]
    assert found["aim"].swap == min(same_cost, key=lambda i: population.loss[i])


def test_nearest_builds(population):
    builds = naive.builds_of(population)
    for row in (7, 100, 250):
        found = explain(population, row)
        cost = population.scores.cost
        better = [i for i in range(len(builds)) if population.loss[i] < population.loss[row] - 1e-9]
        cheaper = [i for i in range(len(builds)) if cost[i] < cost[row]]
        for wanted, answer in ((better, found.nearest_better), (cheaper, found.nearest_cheaper)):
            best = min(wanted, key=lambda i: (_changes(builds[i], builds[row]), population.loss[i]))
            assert answer == best
        as_good = [i for i in cheaper if population.loss[i] <= population.loss[row] + 1e-9]
        expected = min(as_good, key=lambda i: (cost[i], population.loss[i])) if as_good else None
        assert found.cheapest_as_good == expected

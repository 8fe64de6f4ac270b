"""Lift before and after: the numbers that `analyze` says, through renames."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from buildsearch.analysis.population import populate
from buildsearch.analysis.saturation import saturation
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.diffs.moves import lift_changes
from buildsearch.diffs.sides import Side
from buildsearch.model.space import Chunk
from buildsearch.search.ledger import Ledger
from tests.analysis.tables import made_up, small_space


def side_of(space, scores):
    chunks = [Chunk(name, scores.codes[scores.group == number]) for number, name in enumerate(scores.groups)]
    ledger = Ledger.empty({}, chunks, ())
    return Side(SimpleNamespace(space=space), ledger, scores.score.copy(), np.zeros(0, np.uint64))


@pytest.mark.parametrize("ties", [False, True])
def test_lifts_are_those_of_the_analysis(ties):
    space = small_space()
    tables = [made_up(space, seed=seed, ties=ties) for seed in (1, 2)]
    sides = [side_of(space, table) for table in tables]
    # A build without a score counts nowhere.
    sides[0].costs[-1] = np.nan
    found = {each.feature: (each.before, each.after) for each in lift_changes(*sides, {})}
    assert len(found) > 10
    population = populate(tables[1], space)
    curves = saturation(population, read_thresholds().saturation)
    (cut,) = (i for i, cut in enumerate(curves.cuts) if cut.label == "top 1 %")
    checked = 0
    for curve in curves.curves:
        name = population.names[curve.part.feature]
        if curve.part.at_least == 1 and name in found:
            assert found[name][1] == pytest.approx(curve.lifts[cut], rel=1e-12)
            checked += 1
    assert checked > 10


def test_a_renamed_option_is_one_option():
    space = small_space()
    sides = [side_of(space, made_up(space, seed=1)) for _ in range(2)]
    assert lift_changes(*sides, {}) == []
    old = sides[0].arena.space.features(sides[0].build(int(sides[0].best(1)[0])))[0].name
    names = {each.feature for each in lift_changes(*sides, {old: "new_name"})}
    assert names == {old, "new_name"}

"""A few builds under other readings: which scores move, who keeps a place, and what cannot be scored."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from buildsearch.library.input_files import load_rules
from buildsearch.library.optimize import arena_under
from buildsearch.library.watch import Scoring
from buildsearch.model.errors import UsageError
from buildsearch.model.rules_file import Variation
from buildsearch.options.game import GameOptions
from buildsearch.search.objectives import read_objectives
from buildsearch.search.readings import Reading, Readings, sweep

needs_jit = pytest.mark.skipif(config.DISABLE_JIT, reason="too slow without compiled code")


def reading(label, costs, errors=None, problem=None):
    change = None if label is None else Variation("ruling", label, (label,))
    costs = np.array(costs, float)
    errors = np.zeros(len(costs)) if errors is None else np.array(errors, float)
    return Reading(change, costs, errors, costs, problem)


def test_places_count_those_that_are_better_for_sure():
    assert reading(None, [3.0, 1.0, 1.0 + 1e-12, 2.0]).ranks.tolist() == [4, 1, 1, 3]
    # 2.0 and 2.3 are three standard errors apart: nobody knows.
    assert reading(None, [2.3, 2.0, 9.0], [0.1, 0.0, 0.1]).ranks.tolist() == [1, 1, 3]


def test_what_moves_and_who_is_displaced():
    usual = reading(None, [1.0, 2.0])
    same, noisy = reading("same", [1.0, 2.0]), reading("noisy", [1.3, 2.0], [0.1, 0.0])
    worse, other = reading("worse", [3.0, 2.0]), reading("impossible", [np.nan] * 2, problem="no")
    readings = Readings(("a", "b"), usual, (same, noisy, worse, other))
    assert [each.label for each in readings.moved(0)] == ["worse"]
    assert [each.label for each in readings.displaced(0)] == ["worse"]
    assert readings.displaced(1) == []


@needs_jit
def test_builds_under_rulings(tmp_path):
    request = GameOptions(rules="vitality-v2", parameters={"tier": "3"}, only=("boss",))
    arena = arena_under(request, Scoring(tmp_path, 1))
    system = load_rules("vitality-v2").system
    space = arena(None).space
    builds = [space.parse(text) for text in ("melee_dg+barrage+charges_1", "area", "melee_dg+double_tap")]
    changes = [
        Variation("ruling", f"{name}={value}", (f"{name}={value}",))
        for name, value in (("limit_scope", "strike"), ("brutal", "excess"), ("brutal", "sometimes"))
    ]
    (mean,) = read_objectives((), system.metrics)
    found = sweep(builds, changes, arena, mean)
    assert found.names == tuple(space.name(build) for build in builds)
    assert found.usual.scores == pytest.approx(found.others[1].scores)
    # One use pays for one strike only; the others do not notice.
    assert found.others[0].scores[0] > found.usual.scores[0] + 1
    assert found.others[0].scores[1:] == pytest.approx(found.usual.scores[1:])
    assert (found.usual.errors == 0).all()
    assert "sometimes" in found.others[2].problem
    assert np.isnan(found.others[2].scores).all()


def test_what_cannot_be_scored_at_all_is_an_error():
    def arena(_change):
        raise UsageError("no")

    with pytest.raises(UsageError):
        sweep([], [], arena, None)

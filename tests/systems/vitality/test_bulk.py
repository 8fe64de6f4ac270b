"""What is solved for all builds of a space at once, and what only for contenders."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from buildsearch.library.input_files import load_scenarios
from buildsearch.systems.vitality import bulk
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from tests import v2


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compiled engines only")
def test_in_large_spaces_builds_that_hurt_several_are_solved_one_at_a_time(monkeypatch):
    space, swarm = v2.space(budget=2), make_bouts(v2.rules(), load_scenarios("default").model, 3, {})["swarm"]
    both = [space.encode(space.parse(text)) for text in ("melee_dg+explosive_critical", "melee_dg")]
    found = {}
    for size in ("small", "large"):
        scorer = VitalityBulk(v2.rules(), space)
        found[size] = [*(scorer.solve(code, swarm)[0] for code in both), scorer.context("melee_dg", swarm)]
        monkeypatch.setattr(bulk, "_MOST_IN_BULK", 10)
    (explosive, plain, context), (left_open, as_plain, other) = found["small"], found["large"]
    assert plain == as_plain
    assert np.isnan(left_open)
    assert scorer.solve_alone(both[0], swarm)[0] == pytest.approx(explosive, abs=TOLERANCE / 2)
    # What a large space left open is never taken for what a small one says.
    assert context != other

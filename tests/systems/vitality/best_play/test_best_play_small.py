"""Tiny fights, so that the kernels of best play run without compiled code too."""

import numpy as np
import pytest
import v2
from test_best_play_fast import grouped
from vitality_exact_support import scene

from buildsearch.systems.vitality.best_play.dominance import dominators, tame
from buildsearch.systems.vitality.best_play.kits import make_kits
from buildsearch.systems.vitality.best_play.optimum import solve_best_play
from buildsearch.systems.vitality.best_play.relaxation import relaxed_value
from buildsearch.systems.vitality.best_play.savings import least_beside, most_saved
from buildsearch.systems.vitality.builds.build import Build

ATTACKS = (
    *("melee_dg+bleed", "melee_dg+timid+cooldown", "melee_dg+bloodied", "melee_dg+finishing_blow"),
    *("melee_ac+charge_up", "melee_ac+quickdraw+charge_up", "melee_dg+power_attack", "melee_dg"),
)
PAIRS = ((0, 1), (1, 6), (0, 4), (1, 1), (5, 7), (2, 3))


@pytest.mark.parametrize("hps", ["4", "3,2"])
def test_values_and_bounds(hps):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    builds, groups = grouped(space, ATTACKS)
    names = [space.name(space.parse(text)) for text in ATTACKS]
    order = [names.index(space.name(build)) for build in builds]
    attacker, encounter = scene(4, hps)
    kits = make_kits(rules, attacker, encounter, groups).part(np.argsort(order))
    builds = [builds[i] for i in np.argsort(order)]
    pairs = np.array(PAIRS)
    values = kits.values(pairs)
    for (one, two), value in zip(pairs, values, strict=True):
        build = Build(builds[one].attacks + builds[two].attacks)
        assert solve_best_play(rules, build, attacker, encounter).mean == pytest.approx(value, abs=1e-9)
    charges = np.unique(kits.limits["charge"])
    for one, two in ((0, 1), (1, 0), (1, 4)):
        least = least_beside(kits, np.array([one]), charges).turns
        assert least[two] <= kits.values(np.array([[one, two]]))[0] + 1e-7
    saved = most_saved(kits, np.array([7]), charges)
    assert kits.values(np.array([[7]]))[0] - 2 * saved <= values.min() + 1e-7
    assert relaxed_value(kits) <= values.min() + 1e-9
    assert dominators([kits])[0] < 0
    assert not tame(kits)[0]

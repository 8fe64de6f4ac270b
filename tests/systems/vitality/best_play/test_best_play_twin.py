"""Best play against value iteration over the reference, on tiny rules."""

import numba
import numpy as np
import pytest
from best_play_naive import Twin
from vitality_exact_support import build_of, tiny_attacker, tiny_builds, tiny_encounter, tiny_rules

from buildsearch.systems.vitality.best_play.optimum import solve_best_play
from buildsearch.systems.vitality.best_play.support import why_not_exact
from buildsearch.systems.vitality.builds.build import Build

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow without compiled code")


def loadout_of(rules, text):
    return Build(tuple(build_of(rules, part.strip()).attacks[0] for part in text.split("|")))


def check(rules, build, encounter):
    attacker = tiny_attacker(rules)
    if why_not_exact(rules, build, attacker, encounter) is not None:
        return False
    slow = Twin(rules, build, attacker, encounter).value(most=4_000)
    if slow is None:
        return False
    assert solve_best_play(rules, build, attacker, encounter).mean == pytest.approx(slow, abs=1e-10)
    return True


NAMES = [*tiny_rules().upgrades, *tiny_rules().limits]
WAVES = (((4,),), ((2, 2),), ((2,), (2,)))


@pytest.mark.parametrize("name", NAMES)
def test_every_option_beside_a_plain_attack(name):
    rules = tiny_rules()
    # Limits against several; upgrades in turn against one, several and waves.
    waves = WAVES[1] if name in rules.limits else WAVES[NAMES.index(name) % 3]
    effect = ":condition" if name.endswith("_cond") else ""
    build = loadout_of(rules, f"melee_dg{effect}+{name} | direct_damage+charges_1")
    checked = check(rules, build, tiny_encounter(rules, *waves))
    assert checked or name in {"ricochet", "explosive_critical"}


@pytest.mark.parametrize(
    "text",
    [
        "melee_dg+cooldown | melee_ac+charge_up_2",
        "melee_dg+bleed+finishing_blow | melee_ac+relentless",
        "melee_dg+bleed | melee_dg+bleed+charge_up",
        "melee_dg+charges_2+charge_up | melee_dg+charges_2+charge_up",
        "melee_dg+passive+charge_up | melee_ac+combo_move",
        "melee_dg+near_death+revenge | melee_ac+bloodied",
        "melee_dg+timid | melee_ac+unbreakable+unreliable_2",
        "melee_dg+channeled | melee_ac+cooldown+slaughter",
        "melee_dg:condition+finale | melee_ac+relentless",
        "melee_dg+quickdraw | melee_ac+splinter+slaughter",
        "direct_damage+untouchable | melee_dg+careful+passive | melee_ac+vengeful",
    ],
)
def test_loadouts(text):
    rules = tiny_rules()
    assert check(rules, loadout_of(rules, text), tiny_encounter(rules, (2, 2), strong=True))


@pytest.mark.parametrize(
    "rulings",
    [{"retaliation_cap": 0, "unmet_limit": "wait"}, {"bleed_overlap": "replace", "bleed_ticks": 2}],
    ids="-".join,
)
@pytest.mark.parametrize(
    "text", ["melee_dg+bleed | melee_ac+relentless+careful", "melee_dg+charge_up+bleed | melee_ac+combo_move"]
)
def test_rulings(text, rulings):
    rules = tiny_rules(**rulings)
    assert check(rules, loadout_of(rules, text), tiny_encounter(rules, (4,)))


def test_random_loadouts():
    rules = tiny_rules()
    rng = np.random.default_rng(7)
    builds = tiny_builds(rules, 60, seed=3)
    checked = 0
    for waves in (((3,),), ((2, 2),)) * 3:
        one, two = rng.integers(len(builds), size=2)
        build = Build(builds[one].attacks + builds[two].attacks)
        checked += check(rules, build, tiny_encounter(rules, *waves))
    assert checked >= 3

"""Uses, channels, cooldowns, turns and bleeds: batches against the general engine."""

import numpy as np
import pytest
from test_vitality_exact_batch import CLOSE
from vitality_exact_support import scene, v2_rules

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.rules.settings import read_settings

# By kind what every attack has, then what each has in turn: limits and channels, then other upgrades.
MORE = ((), ("culling_strike",), ("finishing_blow",), ("barrage", "minion_slayer_dmg"))
KINDS = {
    "few uses": (
        (),
        (("charges_1",), ("charges_2",), ("charges_2", "charge_up"), ("charges_1", "patient")),
        MORE,
    ),
    "channelling": ((), (("channeled",), ("channeled", "charges_2"), ("channeled", "patient")), MORE),
    "cooling down": ((), (("cooldown",), ("cooldown", "patient"), ("cooldown", "charges_2")), MORE),
    "turns": ((), (("patient",), ("finale",), ("quickdraw",), ("patient", "charge_up")), MORE),
    "bleeds": (
        ("bleed",),
        (
            *((), ("channeled",), ("channeled", "charges_2"), ("charges_1",), ("charges_2", "charge_up")),
            *(("patient",), ("quickdraw",), ("cooldown",), ("charge_up",), ("unreliable_2",)),
        ),
        ((), ("barrage",), ("double_tap", "minion_slayer_dmg")),
    ),
}


@pytest.mark.parametrize("waves", [[[60]], [[30, 10, 10]], [[25], [25, 10]]])
@pytest.mark.parametrize("max_turns", [1, 2, 9, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_attacks_in_a_rhythm(kind, max_turns, waves):
    """Few uses, channelling, turn limits and bleeds, with thresholds, several strikes and bonuses."""
    rules = v2_rules()
    attacker, encounter = scene(4, "", waves=waves, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "10"}))
    upgrades, limits, others = KINDS[kind]
    for attack_type in ("melee_dg", "ranged"):
        attacks = [Attack(attack_type, (*upgrades, *more, *names)) for names in limits for more in others]
        masks = np.concatenate([space.encode(Build((attack,))).codes for attack in attacks])
        found = batch_means(rules, attacker, encounter, attack_type, masks)
        assert (found.ways != LEFT).all()
        for i, attack in enumerate(attacks):
            mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
            assert found.means[i] == pytest.approx(mean, abs=CLOSE), attack
        if max_turns == 9:
            assert (found.ways == BY_WALK).any()
        elif max_turns == 100 and attack_type == "melee_dg":
            assert (found.ways == BY_VALUE).any()


def test_hardly_ever():
    """An attack that nearly always fails takes more turns than there are: no mean is taken off another."""
    rules = v2_rules()
    attacker, encounter = scene(1, "60", enemy="2,2,8,2")
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))
    attack = Attack("ranged", ("unreliable_3", "charge_up_2"))
    found = batch_means(rules, attacker, encounter, "ranged", space.encode(Build((attack,))).codes)
    mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
    assert found.ways.tolist() == [BY_WALK]
    assert found.means[0] == pytest.approx(mean, abs=CLOSE)

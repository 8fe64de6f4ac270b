"""Attacks in a rhythm: batches against the general engine, and attempts as `several` counts them."""

import numpy as np
import pytest
from test_vitality_exact_batch import CLOSE
from vitality_exact_support import scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.chain import chain_of
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, gatings_of
from buildsearch.systems.vitality.exact.batch.lumping import lumped
from buildsearch.systems.vitality.exact.batch.options import options_of
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, classes_of
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.several.rhythms import attempts_of
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.rules.settings import read_settings


def attempts(names, levels=1, **rulings):
    """The attempts of limits in ten turns, under tiny rules: a cooldown of two turns."""
    rules = tiny_rules(**rulings)
    attacker, encounter = tiny_attacker(rules), tiny_encounter(rules, (5, 3), max_turns=30)
    given = Attackers(
        rules, attacker, encounter, options_of(rules, attacker), "melee_dg", "damage", classes_of([encounter])
    )
    has = np.array([[name in names for name in rules.enhancements]])
    ground = exact_ground(rules, Build((Attack("melee_dg"),)), attacker, encounter)
    (gating,) = gatings_of(ground, *all_fields(given, has))[0]
    whole = chain_of(gating.setup, levels, gating.activation)
    found = attempts_of(lumped(whole, bleeds=False, several=True, waves=False), 10)
    return None if found is None else (found[0], found[1].tolist())


def test_attempts():
    """The chance to activate, and the turns with so many attempts behind them; None where turns differ."""
    assert attempts(()) == (1.0, [1] * 10)
    assert attempts(("unreliable_2",)) == (0.5, [1] * 10)
    assert attempts(("charge_up_2",)) == (1.0, [3, 3, 3, 1])
    assert attempts(("charge_up", "unreliable_3")) == (0.25, [2] * 5)
    assert attempts(("cooldown",), unmet_limit="wait") == (1.0, [1, 3, 3, 3])
    assert attempts(("cooldown", "unreliable_2"), unmet_limit="wait") == (0.5, [1, 3, 3, 3])
    for names in (("cooldown",), ("charges_2",), ("patient",), ("slaughter",), ("timid",), ("revenge",)):
        assert attempts(names) is None
    assert attempts((), levels=3) is None


FIRST_TURNS = {
    "few uses": (("charges_1",), ("charges_2",), ("charges_2", "charge_up"), ("charges_1", "patient")),
    "channelling": (("channeled",), ("channeled", "charges_2"), ("channeled", "patient")),
    "cooling down": (("cooldown",), ("cooldown", "patient"), ("cooldown", "charges_2")),
    "turns": (("patient",), ("finale",), ("quickdraw",), ("patient", "charge_up")),
}


@pytest.mark.parametrize("waves", [[[60]], [[30, 10, 10]], [[25], [25, 10]]])
@pytest.mark.parametrize("max_turns", [1, 2, 9, 100])
@pytest.mark.parametrize("kind", FIRST_TURNS)
def test_first_turns(kind, max_turns, waves):
    """Few uses, channelling and turn limits, with thresholds, several strikes and bonuses against some."""
    rules = v2_rules()
    attacker, encounter = scene(4, "", waves=waves, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))
    upgrades = ((), ("culling_strike",), ("finishing_blow",), ("barrage", "minion_slayer_dmg"))
    for attack_type in ("melee_dg", "ranged"):
        attacks = [Attack(attack_type, (*more, *names)) for names in FIRST_TURNS[kind] for more in upgrades]
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


BLEEDS = (
    (),
    ("channeled",),
    ("channeled", "charges_2"),
    ("charges_1",),
    ("charges_2", "charge_up"),
    ("patient",),
    ("quickdraw",),
    ("cooldown",),
    ("charge_up",),
    ("unreliable_2",),
)


@pytest.mark.parametrize("waves", [[[25]], [[30, 10, 10]], [[25], [25, 10]]])
@pytest.mark.parametrize("max_turns", [1, 2, 9, 100])
def test_bleeds(max_turns, waves):
    """Bleeds in a rhythm, with several strikes and bonuses against some."""
    rules = v2_rules()
    attacker, encounter = scene(4, "", waves=waves, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "10"}))
    upgrades = ((), ("barrage",), ("double_tap", "minion_slayer_dmg"))
    for attack_type in ("melee_dg", "ranged"):
        attacks = [Attack(attack_type, ("bleed", *more, *names)) for names in BLEEDS for more in upgrades]
        masks = np.concatenate([space.encode(Build((attack,))).codes for attack in attacks])
        found = batch_means(rules, attacker, encounter, attack_type, masks)
        assert (found.ways != LEFT).all()
        for i, attack in enumerate(attacks):
            mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
            assert found.means[i] == pytest.approx(mean, abs=CLOSE), attack
        if max_turns == 9:
            assert (found.ways == BY_WALK).any()


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

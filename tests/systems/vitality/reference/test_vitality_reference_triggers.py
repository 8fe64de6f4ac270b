"""When an enhancement is said to have fired, and how that is counted."""

import pytest
from vitality_reference_support import MISS, attacker, build, d20, encounter, foe, hit, of, play, v2

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.vitality.reference.events import BleedTick, Strike
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.triggers import TriggerCounter, TriggerRate, has_trigger

ALWAYS_ON = {
    "accurate_attack",
    "power_attack",
    "reliable_accuracy",
    "high_impact",
    "critical_effect",
    "armor_piercing",
    "barrage",
}


def test_which_enhancements_have_a_trigger():
    without = {name for name, each in v2().enhancements.items() if not has_trigger(each)}
    assert without == ALWAYS_ON


@pytest.mark.parametrize(
    ("text", "dice", "enemies", "fired"),
    [
        ("melee_dg", hit(20, 4, 4, 4), "10", ()),
        ("melee_dg+power_attack", hit(20, 4, 4, 4), "10", ()),
        ("melee_dg+cooldown", hit(10, 4, 4, 4), "10", ("cooldown",)),
        ("melee_dg+double_tap", hit(15, 4, 4, 4), "10", ("double_tap",)),
        ("melee_dg+double_tap", hit(20, 4, 4, 4), "10", ()),
        ("melee_dg+powerful_critical", hit(20, 4, 4, 4), "10", ("powerful_critical",)),
        ("melee_dg+powerful_critical", hit(14, 4, 4, 4), "10", ()),
        ("melee_dg+brutal", hit(10, 6, 5, 6, 5, 1), "20", ("brutal",)),
        ("melee_dg+brutal", hit(10, 4, 4, 4), "10", ()),
        ("melee_ac+overhit+charges_1", hit(10, 4, 4, 4), "10", ("overhit", "charges_1")),
        ("melee_dg+overhit", hit(20, 4, 4, 4), "10", ()),
        ("melee_dg+minion_slayer_dmg", hit(10, 4, 4, 4), "10", ("minion_slayer_dmg",)),
        ("melee_dg+minion_slayer_dmg", hit(10, 4, 4, 4), "11", ()),
        ("melee_dg+minion_slayer_acc", hit(10, 4, 4, 4), "10", ("minion_slayer_acc",)),
        ("melee_dg+finishing_blow", hit(10, 4, 4, 4), "20", ("finishing_blow",)),
        ("melee_dg+finishing_blow", hit(10, 4, 4, 4), "11", ()),
        ("melee_dg+culling_strike", hit(10, 4, 4, 4), "13", ("culling_strike",)),
    ],
)
def test_what_fires_in_the_first_strike(text, dice, enemies, fired):
    _, events = play(text, dice, enemies)
    assert of(Strike, events)[0].fired == fired


def test_a_damage_slayer_does_not_fire_on_a_miss_but_an_accuracy_slayer_does():
    for roll, fired in (("dmg", ()), ("acc", ("boss_slayer_acc",))):
        _, events = play(f"melee_dg+boss_slayer_{roll}", [*d20(2), *MISS], max_turns=1)
        assert of(Strike, events)[0].fired == fired


def test_triggered_strikes_are_fired_by_what_allowed_them():
    dice = [*hit(20, 4, 4, 4), *d20(2), *MISS]
    _, events = play("melee_dg+double_tap", dice, max_turns=1)
    assert [each.fired for each in of(Strike, events)] == [(), ("double_tap",)]


def test_a_bleed_fires_when_it_ticks():
    dice = [*hit(10, 4, 4, 4), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed", dice, max_turns=2)
    assert [each.fired for each in of(Strike, events)] == [(), ()]
    assert [each.fired for each in of(BleedTick, events)] == [("bleed",)]


def test_both_critical_options_are_credited_for_a_critical_that_the_rules_alone_would_not_give():
    _, events = play("melee_dg+powerful_critical+ricochet", hit(16, 4, 4, 4), "10")
    assert of(Strike, events)[0].fired == ("powerful_critical", "ricochet")


def test_counting_over_fights():
    options = build("melee_dg+bleed+power_attack+patient")
    counter = TriggerCounter(v2(), options)
    dice = SeededDice(5)
    turns = [fight(v2(), options, attacker(), encounter("100"), dice, counter).turns for _ in range(40)]
    rates = counter.rates()
    assert list(rates) == ["bleed", "patient"]
    assert rates["bleed"].usable is None
    assert rates["patient"] == TriggerRate(usable=sum(n - 3 for n in turns) / sum(turns), fired=1.0)


def test_counting_what_never_happens():
    options = build("melee_dg+elite_slayer_dmg+finale")
    counter = TriggerCounter(v2(), options)
    script_free = SeededDice(1)
    fight(v2(), options, attacker(), encounter([foe(1)]), script_free, counter)
    assert counter.rates()["elite_slayer_dmg"] == TriggerRate(None, 0.0)
    assert TriggerCounter(v2(), options).rates()["finale"] == TriggerRate(0.0, 0.0)

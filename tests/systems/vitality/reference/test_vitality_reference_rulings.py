"""Every ruling's other values."""

import pytest
from vitality_reference_support import HARMLESS, MISS, WOUND, d20, foe, hit, kinds, of, play, ruled, strikes

from buildsearch.systems.vitality.reference.events import (
    BleedTick,
    Retaliation,
    Strike,
    StrikeLost,
    WaveArrived,
)

ONES = (1, 1, 1)


@pytest.mark.parametrize(
    ("ruling", "enemies", "target"),
    [
        ("first", "25,10,50", 0),
        ("lowest_hp", "25,10,10", 1),
        ("highest_hp", "25,50,50", 1),
    ],
)
def test_target(ruling, enemies, target):
    _, events = play("melee_dg", [*d20(2), *MISS * 2], enemies, rules=ruled(target=ruling), max_turns=1)
    assert of(Strike, events)[0].target == target


def test_target_goes_by_current_hp_and_holds_for_splinter_and_combo_move():
    rules = ruled(target="lowest_hp")
    # Tier 3: dice + 3 + 2 + 3 - 3 + 18 - 10.
    dice = [*hit(2, *ONES) * 2, *MISS * 2]
    _, events = play("melee_dg+splinter+charges_1", dice, "100,10,50,25", rules=rules, tier=3, max_turns=1)
    assert strikes(events) == [("base", 1, 16, 0), ("splinter", 3, 16, 9)]
    highest = ruled(target="highest_hp")
    dice = [*hit(10, 4, 4, 4), *MISS * 2, *d20(2), *MISS * 2]
    _, events = play("melee_dg+combo_move", dice, "50,45", rules=highest, max_turns=2)
    # 50 falls to 39: the other is the target now, and was not hit.
    assert kinds(events) == "B B"
    assert [each.target for each in of(Strike, events)] == [0, 1]


@pytest.mark.parametrize(("cap", "count"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 4)])
def test_retaliation_cap(cap, count):
    rules = ruled(retaliation_cap=cap)
    _, events = play("melee_dg", [*d20(2), *MISS * count], "10,10,10,10", rules=rules, max_turns=1)
    assert [each.enemy for each in of(Retaliation, events)] == list(range(count))


def test_attacker_defeat_ends_the_fight_or_not():
    dice = [*d20(2), *WOUND]
    lost, events = play("melee_dg", dice, "10,10", rules=ruled(attacker_defeat="loss"), hp=5)
    assert (lost.turns, lost.won, lost.survived, lost.timeout) == (100, False, False, False)
    assert len(of(Retaliation, events)) == 1  # at once, before the second enemy
    won, _ = play("melee_dg", [*dice, *hit(10, 4, 4, 4)], "10", hp=5)
    assert (won.turns, won.won, won.survived, won.attacker_hp) == (2, True, False, 0)


def test_unmet_limit_may_mean_waiting():
    dice = [*hit(2, *ONES), *MISS, *MISS, *MISS]
    _, events = play("melee_dg+quickdraw", dice, rules=ruled(unmet_limit="wait"), max_turns=3)
    assert kinds(events) == "A W W"


def test_unmet_limit_may_depend_on_how_many_attacks_there_are():
    rules = ruled(unmet_limit="archetype")
    _, events = play("melee_dg+patient", [*MISS], rules=rules, max_turns=1)
    assert kinds(events) == "W"
    _, events = play("melee_dg+patient | ranged+finale", [*d20(2), *MISS], rules=rules, max_turns=1)
    assert kinds(events) == "B"


def test_limit_scope_strike_spends_a_use_for_each_strike():
    """Two uses: the third strike is lost, and so is all of the next turn."""
    dice = [*hit(10, *ONES) * 2, *MISS, *d20(2), *MISS]
    rules = ruled(limit_scope="strike")
    _, events = play("melee_dg+barrage+charges_2", dice, rules=rules, max_turns=2)
    assert kinds(events) == "A B"
    assert [each.cause for each in of(StrikeLost, events)] == ["base"]
    assert len(strikes(events)) == 3


def test_limit_scope_strike_rolls_unreliable_for_each_strike():
    """The first fails, the second hits and is critical; its Double Tap fails; the third comes about."""
    dice = [*d20(4), *d20(5), *hit(20, *ONES), *d20(4), *d20(12), *hit(10, *ONES), *MISS]
    rules = ruled(limit_scope="strike")
    _, events = play("melee_dg+barrage+double_tap+unreliable_1+timid", dice, rules=rules, max_turns=1)
    assert [each.cause for each in of(StrikeLost, events)] == ["base", "double_tap"]
    assert [cause for cause, *_ in strikes(events)] == ["base", "base"]


@pytest.mark.parametrize("limit", ["cooldown", "charges_1"])
def test_limit_scope_strike_leaves_one_strike_where_the_first_uses_the_limit_up(limit):
    dice = [*hit(10, *ONES), *MISS]
    _, events = play(f"melee_dg+barrage+{limit}", dice, rules=ruled(limit_scope="strike"), max_turns=1)
    assert len(strikes(events)) == 1
    assert len(of(StrikeLost, events)) == 2


def test_limit_scope_strike_leaves_alone_what_looks_at_earlier_turns():
    """Charged, and the target was hit last turn, for all three strikes."""
    dice = [*hit(10, *ONES), *MISS, *MISS, *hit(10, *ONES) * 3, *MISS]
    rules = ruled(limit_scope="strike")
    _, events = play("melee_dg+barrage+combo_move+charge_up", dice, rules=rules, max_turns=3)
    assert kinds(events) == "B C A"
    assert len(strikes(events)) == 4


@pytest.mark.parametrize(("ruling", "done"), [("none", "A A"), ("attack", "A W")])
def test_failed_activation_and_passive(ruling, done):
    dice = [*d20(4), *MISS, *([*d20(4)] if ruling == "none" else []), *MISS]
    rules = ruled(failed_activation=ruling)
    _, events = play("melee_dg+passive+unreliable_1", dice, rules=rules, max_turns=2)
    assert kinds(events) == done


@pytest.mark.parametrize("scope", ["action", "strike"])
@pytest.mark.parametrize(("ruling", "turns"), [("none", 0), ("attack", 1)])
def test_failed_activation_and_a_channel(ruling, turns, scope):
    strikes_made = hit(10, *ONES) if scope == "action" else [*hit(10, *ONES), *d20(4), *d20(4)]
    failed = d20(4) if scope == "action" else d20(4, 4, 4)
    rest = [*hit(10, *ONES)] * (2 if scope == "action" else 0)
    dice = [*failed, *MISS, *d20(5), *strikes_made, *rest, *MISS]
    rules = ruled(failed_activation=ruling, limit_scope=scope)
    text = "melee_dg+barrage+channeled+unreliable_1+timid"
    _, events = play(text, dice, rules=rules, max_turns=2)
    assert {each.channel_turns for each in of(Strike, events)} == {turns}


@pytest.mark.parametrize(
    ("ruling", "causes"),
    [
        ("every", ["base", "double_tap", "base", "double_tap", "base"]),
        ("first", ["base", "double_tap", "base", "base"]),
    ],
)
def test_barrage_triggers(ruling, causes):
    fallen = [20, 10, 20, 10, 10] if ruling == "every" else [20, 10, 20, 10]
    dice = [*(roll for natural in fallen for roll in hit(natural, *ONES)), *MISS]
    rules = ruled(barrage_triggers=ruling)
    _, events = play("melee_ac+barrage+double_tap+timid", dice, rules=rules, max_turns=1)
    assert [cause for cause, *_ in strikes(events)] == causes


def test_area_strikes_single():
    """The second and third go at the first living enemy, whoever that is by then."""
    rules = ruled(area_strikes="single")
    # Tier 4: 8 + 4 + 2 + 24 - 8 - 11.
    _, events = play("direct_area_damage+barrage+charges_1", MISS, "25,25,100", rules=rules, max_turns=1)
    assert [target for _, target, *_ in strikes(events)] == [0, 1, 2, 0, 1]


def test_natural_rulings_hold_for_retaliation_too():
    rules = ruled(natural_max_hits=True, natural_min_misses=True)
    strong, weak = foe(100, "30,2,2,2"), foe(100, "0,2,2,2")
    dice = [*d20(2), *d20(1), *d20(20), (6, 4), (6, 4), (6, 4)]
    _, events = play("direct_damage", dice[1:], ((strong, weak),), rules=rules, max_turns=1)
    assert [each.hit for each in of(Retaliation, events)] == [False, True]


def test_flat_damage_as_the_whole_roll():
    rules = ruled(flat_damage="roll")
    _, events = play("direct_damage+charges_1", MISS, rules=rules, max_turns=1)
    assert strikes(events) == [("base", 0, 1, 99)]
    assert of(Strike, events)[0].effect_modifiers == ()


def test_bleed_at_the_start_of_the_turn():
    rules = ruled(bleed_tick="start")
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(10, 5, 5, 5), *MISS, *d20(2), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed", dice, rules=rules, max_turns=4)
    assert [each[3] for each in strikes(events)] == [93, 76, 66, 66]
    assert [(tick.damage, tick.hp_after) for tick in of(BleedTick, events)] == [(7, 86), (10, 66)]


def test_bleed_at_the_start_can_end_the_fight_before_the_attacker_acts():
    rules = ruled(bleed_tick="start")
    result, events = play("melee_dg+bleed", [*hit(10, 4, 4, 4), *MISS], "14", rules=rules)
    assert (result.turns, kinds(events)) == (2, "A")


def test_bleed_at_the_start_belongs_to_the_turn_that_it_opens():
    rules = ruled(bleed_tick="start")
    # Turn 2 bleeds (14 of 28 left), turn 3 opens with the defeat; slaughter sees it on turn 4.
    dice = [*hit(10, 4, 4, 4), *MISS * 2, *hit(2, *ONES), *MISS * 2, *d20(2), *MISS, *hit(2, *ONES), *MISS]
    _, events = play("melee_dg+slaughter+bleed", dice, "10,28,100", rules=rules, max_turns=4)
    assert kinds(events) == "B A B A"


def test_bleed_at_the_start_that_fells_a_wave_leaves_nobody_to_attack():
    rules = ruled(bleed_tick="start")
    dice = [*hit(10, 4, 4, 4), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed+passive", dice, ("14", "100"), rules=rules, max_turns=3)
    assert kinds(events) == "A A"  # nothing on turn 2, so that Passive holds on turn 3
    assert len(of(WaveArrived, events)) == 1


def test_bleed_replace_starts_anew_with_the_later_damage():
    rules = ruled(bleed_overlap="replace")
    dice = [*hit(10, 5, 5, 5), *MISS, *hit(10, 4, 4, 4), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed", dice, rules=rules, max_turns=3)
    assert [(tick.damage, tick.hp_after) for tick in of(BleedTick, events)] == [(7, 100 - 10 - 7 - 7)]
    # A strike without damage replaces nothing.
    dice = [*hit(10, 5, 5, 5), *MISS, *hit(10, *ONES), *MISS]
    _, events = play("melee_dg+bleed", dice, rules=rules, max_turns=2)
    assert [tick.damage for tick in of(BleedTick, events)] == [10]


def test_bleed_ticks_may_be_several():
    rules = ruled(bleed_ticks=2)
    miss = [*d20(2), *MISS]
    dice = [*hit(10, 4, 4, 4), *MISS, *miss, *hit(10, 5, 5, 5), *MISS, *miss, *hit(10, 4, 4, 5), *MISS, *miss]
    _, events = play("melee_dg+bleed", dice, rules=rules, max_turns=6)
    # The hit of turn 3 finds one pending; that of turn 5 does not.
    assert [tick.damage for tick in of(BleedTick, events)] == [7, 7, 8]
    both = ruled(bleed_ticks=2, bleed_tick="start", bleed_overlap="replace")
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(10, 4, 4, 5), *MISS, *miss, *miss, *miss]
    _, events = play("melee_dg+bleed", dice, rules=both, max_turns=5)
    assert [tick.damage for tick in of(BleedTick, events)] == [7, 8, 8]


def test_area_strikes_once():
    dice = [*d20(2, 2), (6, 1), (6, 1), (6, 1), *MISS * 2]
    rules = ruled(area_strikes="once")
    _, events = play("area+barrage+charges_1", dice, "100,100", rules=rules, max_turns=1)
    assert len(strikes(events)) == 2
    _, events = play("melee_ac+barrage", [*d20(2) * 3, *MISS], rules=rules, max_turns=1)
    assert len(strikes(events)) == 3


def test_area_extra_attack_single():
    rules = ruled(area_extra_attack="single")
    area = [*d20(2, 2, 2), (6, 1), (6, 1), (6, 1)]
    dice = [*area, *hit(2, *ONES), *MISS * 2]
    _, events = play("area+extra_attack+charges_1", dice, "10,50,50", rules=rules, max_turns=1)
    assert strikes(events)[3:] == [("extra_attack", 1, 18, 14)]
    result, _ = play("area+extra_attack+charges_1", area, "10,10,10", rules=rules)
    assert result.turns == 1


def test_triggered_defeats_may_not_feed_splinter():
    rules = ruled(triggered_defeats="none")
    dice = [*hit(2, *ONES) * 2, *MISS * 2]
    _, events = play("melee_dg+splinter+charges_1", dice, "10,10,10,10", rules=rules, max_turns=1)
    assert [each[:2] for each in strikes(events)] == [("base", 0), ("splinter", 1)]
    dice = [*hit(15, *ONES), *hit(2, *ONES) * 4]
    text = "melee_ac+barrage+ricochet+splinter+charges_1"
    _, events = play(text, dice, "25,10,10", rules=rules)
    assert [each[0] for each in strikes(events)] == ["base", "ricochet", "ricochet", "base", "base"]


def test_harmless_hits_are_what_they_say():
    _, events = play("melee_dg", [*d20(2), *HARMLESS, *WOUND], "10,10", max_turns=1)
    assert [(each.hit, each.damage) for each in of(Retaliation, events)] == [(True, 0), (True, 5)]

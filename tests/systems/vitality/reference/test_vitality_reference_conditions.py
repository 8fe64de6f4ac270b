"""Builds whose effect is a condition. Tier 4: resistance 16."""

from vitality_reference_support import MISS, d20, hit, kinds, of, play, ruled, strikes

from buildsearch.systems.vitality.reference.events import Retaliation, Strike


def test_a_condition_that_lands_takes_the_enemy_out():
    result, events = play("melee_dg:condition", [*d20(10, 5), *MISS, *d20(10, 6)], "100")
    first, second = of(Strike, events)
    assert (first.effect_dice, first.effect_total, first.landed, first.defeated) == ((5,), 15, False, False)
    assert (second.effect_total, second.effect_defence, second.defeated_by) == (16, 16, "condition")
    assert (second.damage, second.hp_after) == (0, 100)
    assert (result.turns, result.won) == (2, True)


def test_the_basic_attack_keeps_the_effect_and_relentless_never_holds():
    dice = [*d20(10, 2), *MISS, *d20(10, 2), *MISS]
    _, events = play("melee_dg:condition+relentless", dice, max_turns=2)
    assert kinds(events) == "B B"
    assert {each.label for each in of(Strike, events)} == {"melee_dg:condition"}


def test_slaughter_and_splinter_count_who_is_out():
    dice = [*d20(10, 6), *MISS, *d20(2, 1), *MISS]  # +16: lands unless resisted, which it is not
    _, events = play("melee_dg:condition+slaughter", dice[:-1], "10,100", max_turns=2)
    assert kinds(events) == "B A"
    # +2 accuracy after splinter's penalty; the check has none.
    dice = [*d20(14, 6), *d20(14, 6), *d20(14, 5), *MISS * 2]
    _, events = play("melee_dg:condition+splinter", dice, "10,10,10,10", max_turns=1)
    assert [(each.cause, each.target, each.landed) for each in of(Strike, events)] == [
        ("base", 0, True),
        ("splinter", 1, True),
        ("splinter", 2, False),
    ]


def test_an_area_rolls_the_check_for_each_target_that_was_hit():
    # +10 accuracy, +14 on the check.
    dice = [*d20(6, 5, 6), *d20(1, 2), *MISS * 2]
    _, events = play("area:condition+cooldown", dice, "10,10,10", max_turns=1)
    told = [(each.hit, each.effect_dice, each.landed) for each in of(Strike, events)]
    assert told == [(True, (1,), False), (False, (), False), (True, (2,), True)]
    assert [each.enemy for each in of(Retaliation, events)] == [0, 1]


def test_explosive_critical_rolls_the_check_for_each_with_the_same_accuracy_die():
    dice = [*d20(15), *d20(10), *d20(9), *d20(10), *MISS]
    _, events = play("melee_ac:condition+explosive_critical", dice, "10,10,10", max_turns=1)
    told = [(each.cause, each.natural_dice, each.effect_dice, each.landed) for each in of(Strike, events)]
    assert told == [
        ("base", (15,), (10,), True),
        ("explosive_critical", (15,), (9,), False),
        ("explosive_critical", (15,), (10,), True),
    ]


def test_extra_attack_needs_the_condition_to_land_somewhere():
    # Alone the target is out, and nobody is left to strike.
    _, events = play("melee_dg:condition+extra_attack", [*d20(14, 10), *MISS], "10,10", max_turns=1)
    assert len(strikes(events)) == 1
    # An area goes again at the others. +6 accuracy, +10 on the check.
    dice = [*d20(10, 10), *d20(6, 5), *d20(10), *d20(5), *MISS]
    _, events = play("area:condition+extra_attack+cooldown", dice, "10,10", max_turns=1)
    assert [(each.cause, each.target) for each in of(Strike, events)] == [
        ("base", 0),
        ("base", 1),
        ("extra_attack", 1),
    ]
    single = ruled(area_extra_attack="single")
    dice = [*d20(10, 10), *d20(6, 5), *MISS]
    _, events = play("area:condition+extra_attack+cooldown", dice, "10,10", rules=single, max_turns=1)
    assert len(strikes(events)) == 2


def test_options_about_damage_and_hp_do_nothing():
    dice = [*d20(10, 5), *MISS]
    _, events = play("melee_dg:condition+finishing_blow+culling_strike", dice, "10", max_turns=1)
    assert strikes(events) == [("base", 0, 0, 10)]
    assert of(Strike, events)[0].fired == ()


def test_powerful_critical_helps_the_check_and_a_plain_critical_does_not():
    _, events = play("melee_dg:condition", [*d20(20, 5), *MISS], max_turns=1)
    assert not of(Strike, events)[0].landed
    _, events = play("melee_dg:condition+powerful_critical", d20(15, 2), max_turns=1)
    assert of(Strike, events)[0].effect_total == 16


def test_combo_move_counts_hits_that_were_resisted():
    _, events = play("melee_dg:condition+combo_move", [*d20(10, 5), *MISS, *d20(2), *MISS], max_turns=2)
    assert kinds(events) == "B A"


def test_a_damage_attack_of_the_loadout_makes_relentless_hold():
    text = "melee_dg+charges_1 | melee_dg:condition+relentless"
    _, events = play(text, [*hit(2, 1, 1, 1), *MISS, *d20(2), *MISS], max_turns=2)
    assert kinds(events) == "A A"

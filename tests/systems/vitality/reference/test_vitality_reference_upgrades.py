"""Every upgrade mechanic in scripted fights. Tier 4: avoidance 16, durability 11."""

from vitality_reference_support import MISS, d20, foe, hit, of, play, strikes

from buildsearch.systems.vitality.reference.events import BleedTick, Strike

ONES = (1, 1, 1)


def test_a_plain_fight():
    result, events = play("melee_dg", [*hit(10, 4, 4, 4), *MISS, *hit(20, 6, 2, 4, 4)], "25")
    assert strikes(events) == [("base", 0, 11, 14), ("base", 0, 19, 0)]
    assert of(Strike, events)[1].effect_dice == (6, 2, 4, 4)
    assert of(Strike, events)[1].critical
    assert (result.turns, result.won, result.survived, result.timeout) == (2, True, True, False)
    assert result.attacker_hp == 100


def test_reliable_accuracy_keeps_the_higher_of_two():
    _, events = play("melee_dg+reliable_accuracy", [*d20(5), *hit(13, 4, 4, 4)], "10")
    (strike,) = of(Strike, events)
    assert (strike.natural_dice, strike.natural, strike.accuracy_total, strike.hit) == ((5, 13), 13, 16, True)


def test_critical_effect_explodes_on_five_again_and_again():
    _, events = play("melee_dg+critical_effect", hit(10, 5, 6, 1, 2, 3), "10")
    (strike,) = of(Strike, events)
    assert strike.effect_dice == (5, 6, 1, 2, 3)
    assert strike.damage == 17 - 1 - 3


def test_high_impact_rolls_no_dice():
    _, events = play("melee_dg+high_impact", d20(10), "10")
    assert strikes(events) == [("base", 0, 14, 0)]
    assert of(Strike, events)[0].flat == 15


def test_barrage_strikes_one_target_and_loses_what_is_left_when_it_dies():
    # +26 accuracy, dice + 11 damage.
    dice = [*hit(2, 3, 3, 3), *hit(2, *ONES), *MISS]
    _, events = play("melee_ac+barrage+charges_1", dice, "25,25", max_turns=1)
    assert strikes(events) == [("base", 0, 20, 5), ("base", 0, 14, 0)]
    _, events = play("melee_ac+barrage+charges_1", [*hit(2, *ONES) * 3, *MISS], "100", max_turns=1)
    assert strikes(events) == [("base", 0, 14, 86), ("base", 0, 14, 72), ("base", 0, 14, 58)]


def test_extra_attack_follows_damage_once_a_turn():
    # +26 accuracy, dice + 19 damage.
    _, events = play("melee_dg+extra_attack+charges_1", [*hit(2, *ONES) * 2, *MISS], max_turns=1)
    assert strikes(events) == [("base", 0, 22, 78), ("extra_attack", 0, 22, 56)]
    # With Barrage, dice + 11: after the first base strike only.
    _, events = play("melee_dg+barrage+extra_attack+charges_1", [*hit(2, *ONES) * 4, *MISS], max_turns=1)
    assert [each[0] for each in strikes(events)] == ["base", "extra_attack", "base", "base"]


def test_extra_attack_needs_damage_not_only_a_hit():
    # +2 accuracy, dice - 5 damage.
    _, events = play("melee_dg+extra_attack", [*hit(14, *ONES), *MISS], max_turns=1)
    assert strikes(events) == [("base", 0, 0, 100)]
    assert of(Strike, events)[0].hit


def test_extra_attack_may_follow_a_later_strike_of_a_barrage():
    # +10 - 8 - 4 + 8 accuracy (hits from 10), dice - 9 damage.
    dice = [*hit(10, *ONES), *d20(2), *hit(10, 4, 4, 4), *hit(10, 4, 4, 4), *MISS]
    _, events = play("melee_ac+barrage+extra_attack+cooldown", dice, max_turns=1)
    assert strikes(events) == [
        ("base", 0, 0, 100),
        ("base", 0, 0, 100),
        ("base", 0, 3, 97),
        ("extra_attack", 0, 3, 94),
    ]


def test_double_tap_follows_a_critical_once_and_does_not_chain():
    dice = [*hit(15, 4, 4, 4), *hit(20, 4, 4, 4), *MISS, *hit(14, 4, 4, 4), *MISS]
    _, events = play("melee_ac+double_tap", dice, max_turns=2)
    assert strikes(events) == [("base", 0, 11, 89), ("double_tap", 0, 11, 78), ("base", 0, 7, 71)]


def test_double_tap_needs_a_living_target():
    _, events = play("melee_ac+double_tap", [*hit(15, 4, 4, 4), *MISS], "10,10", max_turns=1)
    assert strikes(events) == [("base", 0, 11, 0)]


def test_double_tap_comes_before_extra_attack_and_only_the_base_strike_enables_it():
    # +6 accuracy, dice - 9 damage, + 4 on a critical.
    dice = [*hit(15, 4, 4, 4), *d20(2), *hit(16, 4, 4, 4), *MISS]
    _, events = play("melee_ac+double_tap+extra_attack", dice, max_turns=1)
    assert strikes(events) == [("base", 0, 7, 93), ("double_tap", 0, 0, 93), ("extra_attack", 0, 7, 86)]
    # The base strike did no damage: that the double tap does is no reason for an extra attack.
    dice = [*hit(15, *ONES), *hit(15, 4, 4, 4), *MISS]
    _, events = play("melee_ac+double_tap+extra_attack", dice, max_turns=1)
    assert strikes(events) == [("base", 0, 0, 100), ("double_tap", 0, 7, 93)]


def test_ricochet_strikes_the_first_two_others():
    dice = [*hit(15, 4, 4, 5), *hit(20, 5, 5, 5), *d20(3), *MISS, *MISS]
    _, events = play("melee_ac+ricochet", dice, "10,10,10,10", max_turns=1)
    assert strikes(events) == [("base", 0, 12, 0), ("ricochet", 1, 14, 0), ("ricochet", 2, 0, 10)]
    _, events = play("melee_ac+ricochet", [*hit(14, 4, 4, 4), *MISS, *MISS], "10,10", max_turns=1)
    assert [each[0] for each in strikes(events)] == ["base"]


def test_explosive_critical_is_worked_out_for_each_enemy_with_the_same_dice():
    # +6 accuracy; dice - 5 + 4 damage, + 4 against 10 HP.
    enemies = [foe(100), foe(10), foe(25, "2,2,10,2"), foe(25, "2,2,2,7")]
    dice = [*hit(15, 3, 3, 3), *MISS, *MISS]
    _, events = play("melee_ac+explosive_critical+minion_slayer_dmg", dice, (enemies,), max_turns=1)
    assert strikes(events) == [
        ("base", 0, 8, 92),
        ("explosive_critical", 1, 12, 0),
        ("explosive_critical", 3, 3, 22),
    ]
    echoed = of(Strike, events)[1]
    assert (echoed.natural_dice, echoed.effect_dice, echoed.critical) == ((15,), (3, 3, 3), True)
    assert echoed.fired == ("explosive_critical", "minion_slayer_dmg")


def test_explosive_critical_carries_on_hit_effects_and_overhit_for_each():
    # +22 + 6 accuracy: margin 28 - 16 + the die; dice + 6 + 24 - 11 damage.
    enemies = [foe(100), foe(100, "2,2,12,2")]
    dice = [*hit(15, *ONES), *MISS, *MISS, *d20(2), *MISS, *MISS]
    text = "melee_ac+explosive_critical+overhit+bleed+charges_1"
    _, events = play(text, dice, (enemies,), max_turns=2)
    first, second = of(Strike, events)[:2]
    assert (first.accuracy_total, second.accuracy_total) == (45, 45)
    assert (first.damage, second.damage) == (3 + 6 + 24 - 4 - 11 + 4 + 14, 3 + 6 + 24 - 4 - 11 + 4 + 9)
    assert [(tick.target, tick.damage) for tick in of(BleedTick, events)] == [(0, 36), (1, 31)]


def test_extra_attack_comes_before_explosive_critical_whose_dice_are_the_base_strikes():
    # +2 accuracy, dice - 9 + 4 damage.
    dice = [*hit(15, 4, 4, 4), *hit(14, 5, 5, 5), *MISS, *MISS]
    _, events = play("melee_ac+explosive_critical+extra_attack", dice, "100,100", max_turns=1)
    assert strikes(events) == [
        ("base", 0, 7, 93),
        ("extra_attack", 0, 6, 87),
        ("explosive_critical", 1, 7, 93),
    ]


def test_bleed_ticks_at_the_end_of_the_next_turn_and_does_not_overlap():
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(10, 5, 5, 5), *MISS, *hit(10, 4, 4, 5), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed", dice, max_turns=4)
    assert strikes(events) == [
        ("base", 0, 7, 93),
        ("base", 0, 10, 83),
        ("base", 0, 8, 68),
        ("base", 0, 0, 68),
    ]
    assert [(tick.damage, tick.hp_after) for tick in of(BleedTick, events)] == [(7, 76), (8, 60)]


def test_a_bleed_can_end_the_fight_without_retaliation_and_triggers_nothing():
    result, events = play("melee_dg+bleed", [*hit(10, 4, 4, 4), *MISS, *d20(2)], "14")
    assert result.turns == 2
    assert of(BleedTick, events)[0].defeated
    dice = [*hit(10, 4, 4, 4), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+bleed+finishing_blow+culling_strike", dice, "24", max_turns=2)
    assert [(tick.hp_after, tick.defeated) for tick in of(BleedTick, events)] == [(10, False)]
    _, events = play("melee_dg+bleed+culling_strike", dice, "15", max_turns=2)
    assert [(tick.hp_after, tick.defeated) for tick in of(BleedTick, events)] == [(1, False)]


def test_only_the_first_strike_of_a_barrage_bleeds():
    # Dice + 10 - 8 - 4 + 24 - 11.
    dice = [*hit(2, *ONES), *hit(2, 2, 2, 2), *hit(2, 3, 3, 3), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+barrage+bleed+charges_1", dice, max_turns=2)
    assert [tick.damage for tick in of(BleedTick, events)] == [14]


def test_finishing_blow_defeats_at_ten_but_only_after_damage():
    _, events = play("melee_dg+finishing_blow", hit(10, 5, 5, 5), "24")
    (strike,) = of(Strike, events)
    assert (strike.damage, strike.hp_after, strike.defeated_by) == (14, 0, "finishing_blow")
    _, events = play("melee_dg+finishing_blow", [*hit(10, 5, 5, 5), *MISS], "25", max_turns=1)
    assert strikes(events) == [("base", 0, 14, 11)]
    _, events = play("melee_ac+finishing_blow", [*hit(10, *ONES), *MISS], "10", max_turns=1)
    assert strikes(events) == [("base", 0, 0, 10)]
    _, events = play("melee_dg+finishing_blow", hit(10, 4, 4, 4), "10")
    assert of(Strike, events)[0].defeated_by == "damage"


def test_culling_strike_defeats_strictly_below_a_fifth():
    # Dice + 7.
    _, events = play("melee_dg+culling_strike+cooldown", [*hit(2, 4, 4, 5), *MISS], "25", max_turns=1)
    assert strikes(events) == [("base", 0, 20, 5)]
    _, events = play("melee_dg+culling_strike+cooldown", hit(2, 4, 5, 5), "25")
    assert of(Strike, events)[0].defeated_by == "culling_strike"


def test_splinter_chains_up_to_half_the_tier_rounded_up():
    text = "melee_dg+splinter+charges_1"
    dice = [*hit(2, *ONES) * 3, *MISS * 2]
    _, events = play(text, dice, "10,10,10,10,10", max_turns=1)
    assert [each[:2] for each in strikes(events)] == [("base", 0), ("splinter", 1), ("splinter", 2)]
    _, events = play(text, [*hit(2, *ONES) * 4, *MISS], "10,10,10,10,10", tier=5, max_turns=1)
    assert [each[1] for each in strikes(events)] == [0, 1, 2, 3]
    # A splinter that does not defeat ends the chain.
    _, events = play(text, [*hit(2, *ONES) * 2, *MISS * 2], "10,100,10", max_turns=1)
    assert strikes(events) == [("base", 0, 22, 0), ("splinter", 1, 22, 78)]


def test_splinter_counts_the_kills_of_triggers_and_can_end_a_barrage():
    # +22 accuracy, dice + 7.
    dice = [*hit(15, *ONES), *hit(2, *ONES) * 4]
    result, events = play("melee_ac+barrage+ricochet+splinter+charges_1", dice, "25,10,10")
    assert strikes(events) == [
        ("base", 0, 14, 11),
        ("ricochet", 1, 10, 0),
        ("ricochet", 2, 10, 0),
        ("splinter", 0, 10, 1),
        ("splinter", 0, 10, 0),
    ]
    assert result.turns == 1


def test_splinter_is_counted_over_the_whole_turn():
    # A barrage whose target survives its splinters: the second critical's kills find none left.
    dice = [*hit(15, *ONES), *hit(2, *ONES) * 4, *hit(15, *ONES), *hit(2, *ONES) * 2, *hit(2, *ONES), *MISS]
    text = "melee_ac+barrage+ricochet+splinter+charges_1"
    _, events = play(text, dice, "100,10,10,10,10", max_turns=1)
    assert [each[0] for each in strikes(events)].count("splinter") == 2
    assert strikes(events)[-1] == ("base", 0, 10, 100 - 14 - 20 - 14 - 10)


def test_area_rolls_accuracy_for_each_and_damage_once():
    # +10 accuracy, dice + 3.
    dice = [*d20(6, 5, 20), (6, 2), (6, 2), (6, 2), *MISS * 2]
    _, events = play("area+cooldown", dice, "25,25,25", max_turns=1)
    assert strikes(events) == [("base", 0, 9, 16), ("base", 1, 0, 25), ("base", 2, 13, 12)]
    assert [each.critical for each in of(Strike, events)] == [False, False, True]
    play("area", [*d20(2, 2), *MISS * 2], "25,25", max_turns=1)  # nobody hit: no damage dice


def test_area_barrage_is_three_area_attacks():
    # +18 accuracy, dice + 11.
    wave = [*d20(2, 2), (6, 1), (6, 1), (6, 1)]
    _, events = play("area+barrage+charges_1", [*wave * 3, *MISS * 2], "100,100", max_turns=1)
    assert [each[3] for each in strikes(events)] == [86, 86, 72, 72, 58, 58]
    result, events = play("area+barrage+charges_1", wave * 2, "25,25")
    assert (result.turns, len(strikes(events))) == (1, 4)


def test_area_extra_attack_repeats_the_whole_area_once():
    # +22 accuracy, dice + 15.
    dice = [*d20(2, 2), (6, 1), (6, 1), (6, 1), *d20(2), (6, 1), (6, 1), (6, 1), *MISS]
    _, events = play("area+extra_attack+charges_1", dice, "10,50", max_turns=1)
    assert strikes(events) == [("base", 0, 18, 0), ("base", 1, 18, 32), ("extra_attack", 1, 18, 14)]


def test_direct_attacks_roll_nothing():
    _, events = play("direct_damage", MISS, max_turns=1)
    assert strikes(events) == [("base", 0, 7, 93)]
    _, events = play("direct_area_damage", [*MISS * 2], "25,25,25", max_turns=1)
    assert strikes(events) == [("base", 0, 3, 22), ("base", 1, 3, 22), ("base", 2, 3, 22)]
    assert of(Strike, events)[0].auto_hit


def test_channel_grows_turn_by_turn_with_its_attack():
    dice = [step for natural in (20, 14, 10) for step in (*hit(natural, 1, 1, 1), *MISS)]
    _, events = play("melee_dg+channeled", dice, max_turns=3)
    assert [(each.channel_turns, each.hit) for each in of(Strike, events)] == [
        (0, True),
        (1, True),
        (2, True),
    ]
    assert [each.fired for each in of(Strike, events)] == [(), ("channeled",), ("channeled",)]


def test_triggers_on_an_area_happen_once_after_all_targets_from_the_first_critical():
    # No edition that bans these on areas gets here; one that does not reads them so.
    dice = [*d20(2, 15, 15), (6, 1), (6, 1), (6, 1), *d20(2, 2, 2), *MISS * 2]
    _, events = play("area+double_tap", dice, "100,100,100", max_turns=1)
    assert [each[:2] for each in strikes(events)[3:]] == [
        ("double_tap", 0),
        ("double_tap", 1),
        ("double_tap", 2),
    ]
    dice = [*d20(2, 15, 16), (6, 4), (6, 4), (6, 4), *d20(2), *d20(2), *MISS * 2]
    _, events = play("area+ricochet", dice, "100,100,100", max_turns=1)
    assert [each[:2] for each in strikes(events)[3:]] == [("ricochet", 0), ("ricochet", 2)]
    dice = [*d20(2, 18, 2), (6, 4), (6, 4), (6, 4), *MISS * 2]
    _, events = play("area+explosive_critical", dice, "100,100,100", max_turns=1)
    assert strikes(events)[3:] == [("explosive_critical", 0, 11, 89), ("explosive_critical", 2, 11, 89)]

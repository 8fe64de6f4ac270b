"""What scenarios say: waves, areas, clusters, adjacency, length. And how a fight ends."""

from vitality_reference_support import HARMLESS, MISS, WOUND, d20, foe, hit, kinds, of, play, strikes

from buildsearch.systems.vitality.reference.events import (
    FightEnded,
    Retaliation,
    Strike,
    TurnStarted,
    WaveArrived,
)

ONES = (1, 1, 1)
KILL = hit(10, 4, 4, 4)  # 11 by a plain melee_dg


def test_a_wave_stands_there_from_the_next_turn_and_nobody_retaliates_in_between():
    result, events = play("melee_dg", [*KILL, *KILL], ("10", "10"))
    assert (result.turns, result.won) == (2, True)
    assert of(Retaliation, events) == []
    assert of(WaveArrived, events) == [WaveArrived(2, ((1, "foe10", 10, 10),))]
    assert [each.enemies for each in of(TurnStarted, events)] == [
        ((0, "foe10", 10, 10),),
        ((1, "foe10", 10, 10),),
    ]


def test_nothing_reaches_a_wave_that_is_not_there():
    dice = [*hit(15, 6, 1, 1, 1)]  # a critical that fells the only enemy of its wave
    for upgrade in ("ricochet", "explosive_critical", "double_tap"):
        _, events = play(f"melee_ac+{upgrade}", dice, ("8", "100"), max_turns=1)
        assert len(strikes(events)) == 1
    _, events = play("melee_dg+splinter+charges_1", hit(2, *ONES), ("10", "100"), max_turns=1)
    assert len(strikes(events)) == 1
    _, events = play("melee_dg+barrage+charges_1", hit(2, *ONES), ("10", "100"), max_turns=1)
    assert len(strikes(events)) == 1


def test_limits_between_waves():
    miss = [*d20(2), *MISS]
    # Careful holds, though there was no retaliation to be spared by.
    _, events = play("melee_dg+careful", [*KILL, *d20(1), *MISS], ("10", "100"), max_turns=2)
    assert kinds(events) == "A A"
    # Vengeful, revenge, unbreakable and untouchable do not hold after a turn without retaliation.
    for limit, reprisal in (("vengeful", HARMLESS), ("revenge", WOUND), ("unbreakable", HARMLESS)):
        dice = [*d20(2), *reprisal, *hit(10, 4, 4, 4), *miss]
        _, events = play(f"melee_dg+{limit}", dice, ("10", "100"), max_turns=3)
        assert kinds(events) == "B A B"
    _, events = play("melee_dg+untouchable", [*miss, *KILL, *miss], ("10", "100"), max_turns=3)
    assert kinds(events) == "B A B"
    # Slaughter and relentless carry over, combo_move has a new target.
    _, events = play("melee_dg+slaughter", [*KILL, *hit(2, *ONES), *MISS], ("10", "100"), max_turns=2)
    assert kinds(events) == "B A"
    _, events = play("melee_dg+relentless", [*KILL, *miss], ("10", "100"), max_turns=2)
    assert kinds(events) == "B A"
    _, events = play("melee_dg+combo_move", [*KILL, *miss], ("10", "100"), max_turns=2)
    assert kinds(events) == "B B"


def test_uses_cooldown_and_channel_run_through_waves():
    sure = hit(2, *ONES)
    miss = [*d20(2), *MISS]
    _, events = play("melee_dg+charges_1", [*sure, *miss], ("10", "100"), max_turns=2)
    assert kinds(events) == "A B"
    dice = [*hit(10, 4, 4, 4), *miss, *miss, *miss, *miss]
    _, events = play("melee_dg+cooldown", dice[:-2] + d20(1) + MISS, ("10", "100"), max_turns=5)
    assert kinds(events) == "A B B B A"
    dice = [*hit(20, 4, 4, 6, 6, 1), *d20(2), *MISS]
    _, events = play("melee_dg+channeled", dice, ("10", "100"), max_turns=2)
    assert [each.channel_turns for each in of(Strike, events)] == [0, 1]


def test_area_targets_by_shape_chosen_anew_for_each_area_attack():
    reach = {"burst": 2, "cone": 1}
    one = [(6, 1), (6, 1), (6, 1)]
    # +18 accuracy, dice + 11.
    dice = [*d20(2), *one, *d20(2), *one, *d20(2), *one]
    _, events = play("area[cone]+barrage+charges_1", dice, "10,10,10", area_targets=reach)
    assert [each[1] for each in strikes(events)] == [0, 1, 2]
    dice = [*d20(2, 2), *one, *d20(2), *one]
    _, events = play("area+barrage+charges_1", dice, "10,10,10", area_targets=reach)  # a burst
    assert [each[1] for each in strikes(events)] == [0, 1, 2]
    dice = [*d20(2, 2, 2), *one]
    _, events = play("area[line]+charges_1", dice, "10,10,10", area_targets=reach)  # not said: all
    assert len(strikes(events)) == 3


def test_area_targets_hold_for_the_basic_attack_too():
    dice = [*d20(2), *MISS * 2]
    _, events = play("area[cone]+finale", dice, "100,100", area_targets={"cone": 1}, max_turns=1)
    assert [each.label for each in of(Strike, events)] == ["area[cone]"]


def test_cluster_is_how_many_others_an_explosive_critical_reaches():
    # The first other cannot be hit: it counts all the same.
    enemies = (foe(100), foe(100, "2,2,90,2"), foe(100), foe(100))
    for cluster, targets in ((None, [0, 2, 3]), (0, [0]), (1, [0]), (2, [0, 2])):
        dice = [*hit(15, 4, 4, 4), *MISS * 2]
        _, events = play("melee_ac+explosive_critical", dice, (enemies,), cluster=cluster, max_turns=1)
        assert [each[1] for each in strikes(events)] == targets


def test_adjacent_enemies_hamper_the_attackers_ranged_attacks_not_their_own():
    dice = [*d20(13), *hit(10, *ONES), *hit(14, *ONES), *MISS]
    _, events = play("ranged", dice, adjacent=True, max_turns=2)
    assert [(each.accuracy_total, each.hit) for each in of(Strike, events)] == [(15, False), (16, True)]
    assert ("adjacent", -4) in of(Strike, events)[0].accuracy_modifiers
    assert of(Retaliation, events)[0].hit


def test_a_retaliation_is_a_plain_attack_with_the_enemys_stats():
    strong = foe(100, "5,7,2,2")
    dice = [*d20(2), *hit(20, 6, 3, 1, 1)]
    result, events = play("melee_dg+charges_1", [*hit(2, *ONES), *dice[1:]], ((strong,),), max_turns=1)
    (reprisal,) = of(Retaliation, events)
    assert (reprisal.total, reprisal.avoidance, reprisal.critical) == (29, 16, True)
    assert reprisal.damage == 11 + 4 + 7 + 4 - 11
    assert result.attacker_hp == reprisal.attacker_hp_after == 85


def test_a_fight_that_is_not_over_is_a_timeout_and_its_last_retaliation_counts():
    result, events = play("melee_dg", [*d20(2), *MISS, *d20(2), *WOUND], max_turns=2, hp=5)
    assert (result.turns, result.won, result.survived, result.timeout) == (2, False, False, True)
    assert result.attacker_hp == 0
    assert events[-1] == FightEnded(result)


def test_who_was_defeated_by_a_condition_or_a_bleed_does_not_strike_back():
    _, events = play("melee_dg", [*KILL, *MISS * 2], "10,10,10", max_turns=1)
    assert [each.enemy for each in of(Retaliation, events)] == [1, 2]

"""What version 1 has of its own, in scripted fights. Tier 4: a plain attack hits on 10; durability is 11."""

from vitality_reference_support import HARMLESS, MISS, WOUND, Script, d20, encounter, hit, kinds, of, strikes
from vitality_reference_support import attacker as attacker_of

from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.reference.events import BleedTick, Healed, HpPaid
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.narrate import narrate
from buildsearch.systems.vitality.reference.triggers import TriggerCounter
from tests import v1


def play(text, dice, *waves, hp=100, max_turns=100):
    script, events = Script(*dice), []
    ground = encounter(*waves, max_turns=max_turns)
    build = parse_build(text, v1.catalogue())
    counter = TriggerCounter(v1.rules(), build)

    def emit(event):
        events.append(event)
        counter(event)

    result = fight(v1.rules(), build, attacker_of(4, hp=hp), ground, script, emit)
    assert not script.rolls, f"rolls left over: {script.rolls}"
    assert list(narrate(events))
    return result, events, counter.rates()


def test_a_barrage_goes_on_while_it_does_damage():
    dice = [*hit(10, 5, 5, 1), *hit(10, 5, 5, 2), *hit(10, 3, 3, 3), *MISS]
    _, events, rates = play("melee_ac+barrage", dice, "100", max_turns=1)
    assert strikes(events) == [("base", 0, 2, 98), ("chain", 0, 3, 95), ("chain", 0, 0, 95)]
    assert rates["barrage"].fired == 1
    _, events, rates = play("melee_ac+barrage", [*hit(10, 2, 2, 2), *MISS], "100", max_turns=1)
    assert strikes(events) == [("base", 0, 0, 100)]
    assert rates["barrage"].fired == 0


def test_each_quick_strike_starts_a_chain_of_its_own():
    one = hit(14, 5, 5, 4)
    _, events, _ = play("melee_ac+quick_strikes+barrage", [*one * 4, *d20(2), *MISS], "100", max_turns=1)
    assert [cause for cause, *_ in strikes(events)] == ["base", "chain", "chain", "base", "chain"]
    # What is left when the target falls is lost.
    _, events, _ = play("melee_ac+quick_strikes+barrage", [*one, *MISS], "1,9", max_turns=1)
    assert strikes(events) == [("base", 0, 1, 0)]


def test_leech_heals_half_of_the_full_number_up_to_all_hp():
    strike = hit(14, 5, 5, 2)  # 12 + 4 + 2 + 4 - 4 - 11 = 7
    dice = [*d20(2), *WOUND, *MISS, *strike, *MISS, *strike, *MISS]
    result, events, rates = play("melee_dg+leech", dice, "1,100", max_turns=3)
    assert of(Healed, events) == [Healed(3, 98, ("leech",)), Healed(2, 100, ("leech",))]
    assert (result.attacker_hp, rates["leech"].fired) == (100, 1)


def test_leech_heals_below_0_and_a_lost_survival_stays_lost():
    dice = [*d20(2), *WOUND, *hit(14, 5, 5, 2), *MISS]
    result, events, _ = play("melee_dg+leech", dice, "100", hp=4, max_turns=2)
    assert of(Healed, events) == [Healed(3, 2, ("leech",))]
    assert not result.survived


def test_attrition_is_paid_before_any_roll_and_is_no_damage():
    dice = [*d20(3), *MISS, *d20(5), *hit(10, 6, 1, 1, 1), *HARMLESS]
    result, events, _ = play("ranged+attrition+unreliable_1+careful", dice, "100", max_turns=2, hp=60)
    assert of(HpPaid, events) == [HpPaid(20, 40), HpPaid(20, 20)]
    assert (kinds(events), result.attacker_hp) == ("A A", 20)


def test_attrition_needs_more_hp_than_it_costs_and_charging_is_free():
    assert kinds(play("ranged+attrition", [*d20(2), *MISS], "100", hp=20, max_turns=1)[1]) == "B"
    _, events, _ = play(
        "ranged+attrition+charge_up", [*MISS, *hit(2, 1, 1, 1), *MISS], "100", hp=21, max_turns=2
    )
    assert (kinds(events), of(HpPaid, events)) == ("C A", [HpPaid(20, 1)])


def test_passive_looks_at_the_enemies_and_does_not_wait():
    kill = hit(2, 6, 1, 5, 1)
    dice = [*d20(1), *MISS, *hit(10, 6, 1, 5, 1), *kill]
    _, events, _ = play("ranged+passive", dice, "1", "1")
    assert kinds(events) == "A B A"


def test_bleed_ticks_twice_at_the_start_and_a_smaller_one_replaces_it():
    dice = [*hit(10, 5, 5, 5), *MISS, *hit(10, 3, 3, 3), *MISS, *d20(2), *MISS, *d20(2), *MISS]
    _, events, _ = play("melee_dg+bleed", dice, "100", max_turns=4)
    assert strikes(events) == [
        ("base", 0, 14, 86),
        ("base", 0, 8, 64),
        ("base", 0, 0, 56),
        ("base", 0, 0, 48),
    ]
    assert [tick.damage for tick in of(BleedTick, events)] == [14, 8, 8]


def test_a_bleed_that_fells_the_last_enemy_ends_the_fight_on_its_turn():
    result, _, _ = play("melee_dg+bleed", [*hit(10, 5, 5, 5), *MISS], "20")
    assert (result.turns, result.won) == (2, True)


def test_high_impact_does_nothing_on_a_type_without_dice():
    for text in ("direct_damage", "direct_damage+high_impact"):
        _, events, _ = play(text, MISS, "100", max_turns=1)
        assert strikes(events) == [("base", 0, 15 - 4 + 4 + 2 - 11, 94)]
    _, events, _ = play("direct_damage+critical_effect+combo_move", [*MISS, *MISS], "100", max_turns=2)
    assert (kinds(events), strikes(events)) == ("B A", [("base", 0, 6, 94), ("base", 0, 8, 86)])


def test_slayers_by_threshold_add_up():
    dice = [*hit(10, 1, 1, 1), *MISS]
    _, events, _ = play(
        "ranged+minion_slayer_dmg+captain_slayer_dmg+elite_slayer_dmg", dice, "20", max_turns=1
    )
    assert strikes(events) == [("base", 0, 3 + 4 + 2 + 8 - 11, 14)]


def test_triggers_of_an_area_happen_once_after_all_targets():
    area = [*d20(15, 16), *[(6, 5)] * 3]  # 15 + 2, + 4 for a critical, - 11
    dice = [*area, *d20(15, 2), *[(6, 5)] * 3, *MISS, *MISS]
    _, events, _ = play("area+double_tap", dice, "50,50", max_turns=1)
    assert strikes(events) == [
        ("base", 0, 10, 40),
        ("base", 1, 10, 40),
        ("double_tap", 0, 10, 30),
        ("double_tap", 1, 0, 40),
    ]
    dice = [*d20(2, 16, 15), *[(6, 5)] * 3, *hit(14, 5, 5, 5), *MISS, *MISS]
    _, events, _ = play("area+ricochet", dice, "50,50,50", max_turns=1)
    assert strikes(events)[3:] == [("ricochet", 0, 6, 44)]
    dice = [*d20(2, 15, 14), *[(6, 5)] * 3, *MISS, *MISS]
    _, events, _ = play("area+explosive_critical", dice, "50,50,50", max_turns=1)
    assert strikes(events)[3:] == [("explosive_critical", 0, 10, 40), ("explosive_critical", 2, 10, 34)]

"""Every limit under greedy play. Enemies that cannot be hit keep the attacker's rolls out of the way."""

import pytest
from vitality_reference_support import HARMLESS, MISS, WOUND, d20, hit, kinds, of, play, strikes

from buildsearch.systems.vitality.reference.events import ActivationRolled, LimitChecked, Strike

UNREACHABLE = "2,2,90,2"


def choreography(expected: str, reprisals: list, enemies: str) -> list:
    """The dice of a fight in which every attack misses and retaliation goes as told, then misses."""
    dice = []
    for turn, kind in enumerate(expected.split()):
        dice += d20(2) if kind in "AB" else []
        dice += reprisals[turn] if turn < len(reprisals) else MISS * min(2, enemies.count(",") + 1)
    return dice


@pytest.mark.parametrize(
    ("limits", "expected", "reprisals"),
    [
        ("quickdraw", "A B B", []),
        ("patient", "B B B A A", []),
        ("finale", "B B B B B B A A", []),
        ("charge_up", "C A C A", []),
        ("charge_up_2", "C C A C C A", []),
        ("cooldown", "A B B B A B B B A", []),
        ("cooldown+charge_up", "C A B B B C A", []),
        ("charges_1", "A B B", []),
        ("charges_2", "A A B B", []),
        ("charges_1+charge_up", "C A B B", []),
        ("timid", "A A A B B", [MISS, HARMLESS, WOUND]),
        ("vengeful", "B B A A B", [MISS, HARMLESS, WOUND, MISS]),
        ("revenge", "B B B A B", [MISS, HARMLESS, WOUND, MISS]),
        ("unbreakable", "B B A B B", [MISS, HARMLESS, WOUND, MISS]),
        ("untouchable", "B A B B A", [MISS, HARMLESS, WOUND, MISS]),
        ("careful", "A A A B A", [MISS, HARMLESS, WOUND, MISS]),
        ("passive", "A W A W", []),
        ("passive+charge_up", "C A W C A W C A", []),
        ("passive+charges_1", "A B B B", []),
        ("passive+patient", "B B B W A W A", []),
        # A charge is lost on a turn on which a state limit fails, and begun again.
        ("careful+charge_up_2", "C B C C A", [WOUND]),
        ("careful+charge_up_2", "C C B C C A", [MISS, WOUND]),
        ("patient+charge_up", "B B B C A C A", []),
        ("combo_move", "B B B", []),
        ("relentless", "B B B", []),
        ("slaughter", "B B B", []),
    ],
)
def test_limits_turn_by_turn(limits, expected, reprisals):
    dice = choreography(expected, reprisals, "100")
    turns = len(expected.split())
    _, events = play(f"melee_dg+{limits}", dice, enemy=UNREACHABLE, max_turns=turns)
    assert kinds(events) == expected


@pytest.mark.parametrize(
    ("limit", "reprisal", "held"),
    [
        ("unbreakable", HARMLESS + MISS, True),
        ("unbreakable", HARMLESS + WOUND, False),
        ("untouchable", MISS + MISS, True),
        ("untouchable", MISS + HARMLESS, False),
        ("vengeful", MISS + HARMLESS, True),
        ("revenge", HARMLESS + WOUND, True),
        ("careful", WOUND + MISS, False),
    ],
)
def test_two_enemies_are_looked_at_together(limit, reprisal, held):
    first = "A" if limit == "careful" else "B"
    expected = f"{first} {'A' if held else 'B'}"
    dice = choreography(expected, [reprisal], "100,100")
    _, events = play(f"melee_dg+{limit}", dice, "100,100", enemy=UNREACHABLE, max_turns=2)
    assert kinds(events) == expected


@pytest.mark.parametrize(("limit", "threshold"), [("near_death", 25), ("bloodied", 50)])
def test_hp_limits_hold_at_the_threshold_and_below_zero(limit, threshold):
    for hp, expected in ((threshold + 5, "B A"), (threshold + 6, "B B"), (5, "A A")):
        dice = choreography(expected, [WOUND], "100")
        result, events = play(f"melee_dg+{limit}", dice, enemy=UNREACHABLE, max_turns=2, hp=hp)
        assert kinds(events) == expected
        assert result.survived == (hp > 5)


def test_unreliable_rolls_once_before_the_attack():
    for limit, needed in (("unreliable_1", 5), ("unreliable_2", 10), ("unreliable_3", 15)):
        dice = [*d20(needed - 1), *MISS, *d20(needed), *d20(2), *MISS]
        _, events = play(f"melee_dg+{limit}", dice, enemy=UNREACHABLE, max_turns=2)
        rolls = [(each.roll, each.needed, each.success) for each in of(ActivationRolled, events)]
        assert rolls == [(needed - 1, needed, False), (needed, needed, True)]
        assert len(of(Strike, events)) == 1


def test_a_failed_attempt_spends_uses_cooldown_and_charge():
    _, events = play(
        "melee_dg+unreliable_2+charges_1", [*d20(9), *MISS, *d20(2), *MISS], enemy=UNREACHABLE, max_turns=2
    )
    assert kinds(events) == "A B"
    dice = [*d20(9), *MISS, *(d20(2) + MISS) * 3, *d20(10, 2), *MISS]
    _, events = play("melee_dg+unreliable_2+cooldown", dice, enemy=UNREACHABLE, max_turns=5)
    assert kinds(events) == "A B B B A"
    dice = [*MISS, *d20(9), *MISS, *MISS, *d20(10, 2), *MISS]
    _, events = play("melee_dg+unreliable_2+charge_up", dice, enemy=UNREACHABLE, max_turns=4)
    assert kinds(events) == "C A C A"


def test_a_failed_attempt_is_no_attack_for_passive_and_breaks_a_channel():
    dice = [*d20(9), *MISS, *d20(10, 2), *MISS, *MISS]
    _, events = play("melee_dg+unreliable_2+passive", dice, enemy=UNREACHABLE, max_turns=3)
    assert kinds(events) == "A A W"
    made = [*d20(10, 2), *MISS]
    dice = [*made, *made, *d20(9), *MISS, *made, *made]
    _, events = play("melee_dg+unreliable_2+channeled", dice, enemy=UNREACHABLE, max_turns=5)
    assert [each.channel_turns for each in of(Strike, events)] == [0, 1, 0, 1]


def test_charging_breaks_a_channel():
    dice = [*MISS, *d20(2), *MISS, *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+channeled+charge_up", dice, enemy=UNREACHABLE, max_turns=4)
    assert [each.channel_turns for each in of(Strike, events)] == [0, 0]


def test_relentless_needs_damage_and_a_bleed_tick_is_damage():
    harmless = [*hit(10, 1, 1, 1), *MISS]  # a hit of a ranged basic attack that does nothing
    dice = [*harmless, *hit(10, 4, 4, 4), *MISS, *d20(2), *MISS, *d20(2), *MISS]
    _, events = play("ranged+relentless", dice, max_turns=4)
    assert kinds(events) == "B B A B"
    dice = [
        *hit(10, 4, 4, 4),
        *MISS,
        *hit(10, 4, 4, 4),
        *MISS,
        *d20(2),
        *MISS,
        *d20(2),
        *MISS,
        *d20(2),
        *MISS,
    ]
    _, events = play("melee_dg+relentless+bleed", dice, max_turns=5)
    assert kinds(events) == "B A A A B"


def test_slaughter_needs_a_defeat_and_a_bleed_tick_may_be_it():
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(2, 1, 1, 1), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+slaughter", dice, "10,100", max_turns=3)
    assert kinds(events) == "B A B"
    # Dice + 11: 14 of 28, the tick takes the rest.
    dice = [
        *hit(10, 4, 4, 4),
        *MISS * 2,
        *hit(2, 1, 1, 1),
        *MISS * 2,
        *d20(2),
        *MISS,
        *hit(2, 1, 1, 1),
        *MISS,
    ]
    _, events = play("melee_dg+slaughter+bleed", dice, "10,28,100", max_turns=4)
    assert kinds(events) == "B A B A"


def test_combo_move_needs_a_hit_on_this_turns_target():
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(10, 1, 1, 1), *MISS, *d20(2), *MISS, *d20(2), *MISS]
    _, events = play("ranged+combo_move", dice, "7,100", max_turns=4)
    # Turn 1 fells the first; turn 2 hits the second without damage; turn 3 misses.
    assert strikes(events)[:2] == [("base", 0, 7, 0), ("base", 1, 0, 100)]
    assert kinds(events) == "B B A B"


def test_combo_move_does_not_take_a_bleed_tick_for_a_hit():
    dice = [*hit(10, 4, 4, 4), *MISS, *hit(10, 4, 4, 4), *MISS, *d20(2), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+combo_move+bleed", dice, max_turns=4)
    assert kinds(events) == "B A A B"


def test_combo_move_of_an_area_needs_any_living_enemy_that_was_hit():
    dice = [*d20(2, 14), (6, 1), (6, 1), (6, 1), *MISS * 2, *d20(2, 2), *MISS * 2]
    _, events = play("area+combo_move", dice, "100,100", max_turns=2)
    assert kinds(events) == "B A"


def test_combo_move_with_passive_is_never_used():
    dice = [*hit(10, 1, 1, 1), *MISS, *MISS] * 3
    _, events = play("melee_dg+combo_move+passive", dice, enemy="2,2,2,90", max_turns=6)
    assert kinds(events) == "B W B W B W"


def test_action_limits_are_not_asked_while_a_charge_is_held():
    dice = [*hit(10, 4, 4, 4), *MISS, *MISS, *MISS, *hit(2, 1, 1, 1), *MISS, *d20(2), *MISS]
    _, events = play("melee_dg+slaughter+charge_up_2", dice, "10,100", max_turns=5)
    assert kinds(events) == "B C C A B"
    held = [each.held for each in of(LimitChecked, events) if each.enhancement == "slaughter"]
    assert held == [False, True, True, True, False]


def test_limit_events_tell_what_is_asked():
    _, events = play("melee_dg+patient+charge_up", [*d20(2), *MISS], enemy=UNREACHABLE, max_turns=1)
    told = [(each.enhancement, each.held, each.why) for each in of(LimitChecked, events)]
    assert told == [("patient", False, "usable from turn 4"), ("charge_up", False, "after 1 charged turns")]

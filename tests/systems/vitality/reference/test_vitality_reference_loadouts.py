"""Several attacks under greedy play."""

from vitality_reference_support import MISS, WOUND, d20, foe, hit, kinds, of, play

from buildsearch.systems.vitality.reference.events import ActionChosen, Strike

UNREACHABLE = "2,2,90,2"
MISSED = [*d20(2), *MISS]


def chosen(events) -> list[tuple[str, int | None]]:
    return [(event.kind, event.attack) for event in of(ActionChosen, events)]


def test_the_first_attack_that_can_be_used_is_and_the_basic_attack_is_of_the_first_type():
    text = "melee_dg+charges_1 | ranged+charges_2"
    _, events = play(text, MISSED * 4, enemy=UNREACHABLE, max_turns=4)
    assert chosen(events) == [("attack", 0), ("attack", 1), ("attack", 1), ("basic", None)]
    assert [each.attack for each in of(Strike, events)] == [0, 1, 1, None]
    assert of(Strike, events)[-1].label == "melee_dg"


def test_two_equal_attacks_keep_their_own_uses_and_cooldown():
    _, events = play("melee_dg+charges_1 | melee_dg+charges_1", MISSED * 3, enemy=UNREACHABLE, max_turns=3)
    assert chosen(events) == [("attack", 0), ("attack", 1), ("basic", None)]
    _, events = play("melee_dg+cooldown | melee_dg+cooldown", MISSED * 6, enemy=UNREACHABLE, max_turns=6)
    assert chosen(events) == [
        ("attack", 0),
        ("attack", 1),
        ("basic", None),
        ("basic", None),
        ("attack", 0),
        ("attack", 1),
    ]


def test_last_turns_facts_are_shared():
    dice = [*hit(2, 1, 1, 1), *MISS, *MISSED]
    for limit in ("relentless", "combo_move"):
        _, events = play(f"melee_dg+charges_1 | melee_dg+{limit}", dice, max_turns=2)
        assert chosen(events) == [("attack", 0), ("attack", 1)]
    _, events = play("direct_damage+charges_1 | melee_dg+combo_move", [*MISS, *MISSED], max_turns=2)
    assert chosen(events) == [("attack", 0), ("attack", 1)]  # a direct attack is a hit
    dice = [*hit(2, 1, 1, 1), *MISS, *hit(2, 1, 1, 1), *MISS]
    _, events = play("melee_dg+charges_1 | melee_dg+slaughter", dice, "10,100", max_turns=2)
    assert chosen(events) == [("attack", 0), ("attack", 1)]


def test_passive_looks_at_every_attack_and_is_waited_for_when_nothing_else_can_be_done():
    text = "melee_dg+passive | ranged+charges_1"
    dice = [*MISSED, *MISSED, *MISS, *MISSED]
    _, events = play(text, dice, enemy=UNREACHABLE, max_turns=4)
    assert chosen(events) == [("attack", 0), ("attack", 1), ("wait", None), ("attack", 0)]
    # Also when it is the second attack that lacks only Passive.
    text = "melee_dg+charges_1 | ranged+passive"
    _, events = play(text, [*MISSED, *MISS, *MISSED], enemy=UNREACHABLE, max_turns=3)
    assert chosen(events) == [("attack", 0), ("wait", None), ("attack", 1)]


def test_charging_one_attack_loses_the_charge_of_another():
    text = "melee_dg+charge_up_2+careful | ranged+charge_up"
    dice = [*WOUND, *MISS, *MISS, *MISS, *MISSED]
    _, events = play(text, dice, enemy=UNREACHABLE, max_turns=5)
    assert chosen(events) == [("charge", 0), ("charge", 1), ("charge", 0), ("charge", 0), ("attack", 0)]


def test_another_attack_loses_a_held_charge():
    # The second attack is used on the turn on which the first one's state limit fails.
    text = "melee_dg+charge_up+careful | ranged+charges_1"
    dice = [*WOUND, *MISSED, *MISS, *MISSED]
    _, events = play(text, dice, enemy=UNREACHABLE, max_turns=4)
    assert chosen(events) == [("charge", 0), ("attack", 1), ("charge", 0), ("attack", 0)]


def test_each_attack_has_its_own_channel_and_others_break_it():
    text = "melee_dg+channeled+careful | ranged+channeled"
    dice = [*MISSED, *d20(2), *WOUND, *MISSED, *MISSED]
    _, events = play(text, dice, enemy=UNREACHABLE, max_turns=4)
    told = [(each.attack, each.channel_turns) for each in of(Strike, events)]
    assert told == [(0, 0), (0, 1), (1, 0), (0, 0)]
    assert kinds(events) == "A A A A"


def test_combo_move_asks_for_each_attacks_own_target():
    # Turn 1 hits the second enemy only: enough for the area, not for the single target.
    text = "area+charges_1 | melee_dg+combo_move | area+combo_move"
    enemies = (foe(100, UNREACHABLE), foe(100))
    dice = [*d20(2, 2), (6, 1), (6, 1), (6, 1), *MISS * 2, *d20(2, 2), *MISS * 2]
    _, events = play(text, dice, (enemies,), max_turns=2)
    assert chosen(events) == [("attack", 0), ("attack", 2)]

"""Fights told in words, and events as JSON."""

import json

from vitality_reference_support import MISS, WOUND, attacker, build, d20, encounter, hit, play, v2

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.narrate import narrate


def test_a_fight_told():
    dice = [*d20(12), *hit(10, 4, 4, 6, 1), *WOUND, *d20(3)]
    _, events = play("melee_dg+unreliable_2+bleed", dice, "20", max_turns=2)
    assert list(narrate(events)) == [
        "Turn 1 — attacker 100 HP — foe20 #0 20/20",
        "  unreliable_2 holds: decided by a roll of 10 or more when attempted",
        "  attacks with melee_dg+bleed+unreliable_2: every limit holds",
        "  unreliable_2: 12, 10 needed: succeeds",
        "  melee_dg+bleed+unreliable_2 at foe20 #0: 10 (natural) +4 tier +2 focus +8 unreliable_2 = 24"
        " vs avoidance 16: hit",
        "    damage 4+4+6+1 +4 tier +2 power +4 melee_dg -4 bleed +8 unreliable_2 - durability 11 = 18"
        " -> foe20 #0 2/20",
        "    fired: unreliable_2",
        "  foe20 #0 strikes back: 10 (natural), 16 vs avoidance 16: hit, damage 5 (dice 4+4+2)"
        " -> attacker 95 HP",
        "Turn 2 — attacker 95 HP — foe20 #0 2/20",
        "  unreliable_2 holds: decided by a roll of 10 or more when attempted",
        "  attacks with melee_dg+bleed+unreliable_2: every limit holds",
        "  unreliable_2: 3, 10 needed: fails",
        "  bleed: 18 -> foe20 #0 0/20, defeated",
        "Fight won after 2 turns — attacker survived, 95 HP",
    ]


def test_conditions_waves_areas_and_flat_damage_have_words_too():
    dice = [*d20(20, 15), *d20(2), *MISS]
    _, events = play("area[cone]:condition", dice, ("10", "10"), max_turns=2)
    text = "\n".join(narrate(events))
    assert "  area(cone):condition at foe10 #0: 20 (natural) +4 tier +2 focus -4 area = 22" in text
    assert "    condition 15 +4 tier +2 power = 21 vs resistance 16: lands -> foe10 #0 10/10" in text
    assert "  wave 2 arrives: foe10 #1 10/10" in text
    assert "Fight not over after 2 turns" in text
    _, events = play("direct_damage", MISS, max_turns=1)
    assert "hits by itself" in "\n".join(narrate(events))
    assert "damage flat 12 +4 tier +2 power - durability 11 = 7" in "\n".join(narrate(events))


def test_every_event_has_words_and_a_json_form():
    builds = (
        "melee_dg+splinter+double_tap+overhit+charge_up | ranged+bleed+passive",
        "area+bleed+unreliable_3",
    )
    kinds = set()
    for text in builds:
        events: list[Event] = []
        for seed in range(20):
            fight(v2(), build(text), attacker(), encounter("50,10", "25"), SeededDice(seed), events.append)
        for event in events:
            row = json.loads(json.dumps(event.to_dict()))
            kinds.add(row["event"])
            for line in narrate([event]):
                assert "[" not in line
                assert line.strip()
    assert kinds == {
        "turn_started",
        "wave_arrived",
        "limit_checked",
        "action_chosen",
        "activation_rolled",
        "strike",
        "bleed_tick",
        "retaliation",
        "fight_ended",
    }

"""The reference, card by card and fight by fight."""

from __future__ import annotations

from collections import Counter

import pytest
from armitage_support import duel, fighter, rules

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.armitage.bouts import OURS, THEIRS
from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.cards import resolve_card
from buildsearch.systems.armitage.reference.events import (
    Attacked,
    FightEnded,
    OrderSet,
    StatusPlaced,
    TurnStarted,
)
from buildsearch.systems.armitage.reference.fight import fight, take_turn
from buildsearch.systems.armitage.reference.foresight import resolve_worth
from buildsearch.systems.armitage.reference.greedy import choose_greedily
from buildsearch.systems.armitage.reference.lookahead import choose_ahead
from buildsearch.systems.armitage.reference.narrate import narrate
from buildsearch.systems.armitage.reference.piles import fill_hand
from tests.scripted_dice import ScriptedDice

SAMPLE = rules().presets["sample"]


def battle_of(*fighters, rolls=(), found=None):
    bodies = [Body(i, each, each.stats.hth, []) for i, each in enumerate(fighters)]
    return Battle(found or rules(), bodies, ScriptedDice(*rolls), None)


def test_hit_and_miss():
    battle = battle_of(*duel({}, {}), rolls=(1, 4, 6, 5, 1, 4, 5))
    ours, theirs = battle.bodies
    resolve_card(battle, ours, "light_attack", theirs)
    assert (theirs.hp, theirs.hit_counter) == (17, 1)
    resolve_card(battle, ours, "light_attack", theirs)
    assert (theirs.hp, theirs.hit_counter) == (17, 1)


def test_heavy():
    battle = battle_of(*duel({}, {}), rolls=(4, 4, 4, 5, 4, 4, 5, 5))
    ours, theirs = battle.bodies
    resolve_card(battle, ours, "heavy_attack", theirs)
    assert theirs.hp == 20
    battle.dice.rolls.pop(0)
    resolve_card(battle, ours, "heavy_attack", theirs)
    assert theirs.hp == 20 - (5 + 2 - 2)


def test_criticals_add_after_res():
    found = rules("criticals.three_alike=3", "criticals.two_alike=1")
    battle = battle_of(*duel({}, {}), rolls=(4, 4, 4, 1, 5, 5, 1, 1), found=found)
    ours, theirs = battle.bodies
    resolve_card(battle, ours, "light_attack", theirs)
    assert theirs.hp == 17
    resolve_card(battle, ours, "light_attack", theirs)
    assert theirs.hp == 16


def test_heal_is_capped_and_resolve_stops_at_zero():
    battle = battle_of(*duel({}, {}), rolls=(6,))
    ours, theirs = battle.bodies
    ours.hp = 17
    resolve_card(battle, ours, "heal", theirs)
    assert ours.hp == 20
    resolve_card(battle, ours, "resolve", theirs)
    assert ours.hit_counter == 0


def test_statuses_last_to_the_end_of_the_bearers_next_turn():
    battle = battle_of(*duel({"quick": 1}, {}))
    ours, theirs = battle.bodies
    resolve_card(battle, ours, "quick", theirs)
    resolve_card(battle, ours, "slow", theirs)
    assert (battle.stat(ours, "eva"), battle.stat(theirs, "eva")) == (13, 9)
    for who, expected in ((ours, (13, 9)), (theirs, (13, 11)), (ours, (11, 11))):
        take_turn(battle, who)
        assert (battle.stat(ours, "eva"), battle.stat(theirs, "eva")) == expected


def test_the_same_status_does_not_add_up_and_stats_stop_at_zero():
    battle = battle_of(*duel({}, {}))
    ours, theirs = battle.bodies
    for _ in range(2):
        resolve_card(battle, ours, "confused", theirs)
    assert battle.stat(theirs, "ap") == 2
    weak = fighter({}, THEIRS, tuf=0)
    battle = battle_of(fighter({}), weak)
    resolve_card(battle, battle.bodies[0], "weak", battle.bodies[1])
    assert battle.stat(battle.bodies[1], "tuf") == 0


def test_draw_what_is_left_then_reshuffle():
    body = Body(0, fighter({}), 20, ["heal", "resolve"], ["heavy_attack"], ["light_attack"] * 3)
    assert fill_hand(body, 5, ScriptedDice(1, 1))
    assert Counter(body.hand) == Counter(heal=1, resolve=1, heavy_attack=1, light_attack=2)
    assert (body.draw_pile, body.discard) == (["light_attack"], [])
    few = Body(0, fighter({}), 20, ["heal"])
    assert not fill_hand(few, 5, ScriptedDice())
    assert few.hand == ["heal"]


def test_greedy_heals_when_hurt_and_stops_when_nothing_is_worth_it():
    battle = battle_of(*duel({}, {}))
    ours, _ = battle.bodies
    ours.hand = ["light_attack", "heal", "resolve"]
    assert choose_greedily(battle, ours, 3)[0] == "light_attack"
    ours.hp = 10
    assert choose_greedily(battle, ours, 3)[0] == "heal"
    ours.hp, ours.hand = 20, ["heal", "resolve"]
    assert choose_greedily(battle, ours, 3) is None
    ours.hit_counter = 4
    assert choose_greedily(battle, ours, 3)[0] == "resolve"
    assert choose_greedily(battle, ours, 1) is None


def test_a_resolve_is_worth_what_res_with_its_statuses_takes_off_a_hit():
    battle = battle_of(*duel({}, {}))
    ours, theirs = battle.bodies
    ours.hit_counter = 4
    for card, by, mean in ((None, ours, 11 / 6), ("protected", ours, 15 / 6), ("vulnerable", theirs, 11 / 6)):
        if card is not None:
            resolve_card(battle, by, card, ours)
        assert resolve_worth(battle, ours, 4, 1) == pytest.approx(mean)


def test_lookahead_sees_what_a_weakness_is_for():
    battle = battle_of(*duel({}, {}))
    ours, _ = battle.bodies
    ours.hand = ["light_attack", "light_attack", "slow"]
    assert choose_ahead(battle, ours, 3)[0] == "slow"
    assert choose_ahead(battle, ours, 1)[0] == "light_attack"


def test_the_weakest_is_the_target():
    battle = battle_of(
        fighter({}), fighter({}, THEIRS), fighter({}, THEIRS, hth=5), fighter({}, THEIRS, hth=5)
    )
    ours = battle.bodies[0]
    ours.hand = ["light_attack"]
    assert choose_greedily(battle, ours, 3)[1].index == 2


def test_who_begins():
    slow, quick = fighter({"light_attack": 5}), fighter({"light_attack": 5}, THEIRS, initiative=1)
    events = []
    fight(rules(), (slow, quick), 200, SeededDice(1), events.append)
    assert [index for index, _, _ in events[0].order] == [1, 0]
    firsts = Counter()
    for seed in range(200):
        events = []
        fight(rules(), duel({"light_attack": 5}, {"light_attack": 5}), 1, SeededDice(seed), events.append)
        firsts[events[0].order[0][0]] += 1
    assert min(firsts.values()) > 60


def test_all_heal_is_a_draw_after_so_many_turns():
    result = fight(rules(), duel({"heal": 12}, {"heal": 12}), 200, SeededDice(1))
    assert (result.value, result.turns, result.rounds, result.hp_left) == (0.5, 200, 100, 20)


@pytest.mark.parametrize("play", ["greedy", "lookahead"])
def test_a_fight_keeps_its_rules(play):
    party = [fighter(SAMPLE, OURS, play, "us"), fighter(SAMPLE, OURS, play, "friend")]
    others = [fighter(SAMPLE, THEIRS, play, "they"), fighter({"light_attack": 8, "quick": 4}, THEIRS, play)]
    events = []
    result = fight(rules(), (*party, *others), 60, SeededDice(5), events.append)
    assert isinstance(events[0], OrderSet)
    assert events[-1] == FightEnded(result)
    spent = ap = 0
    for event in events[1:-1]:
        if isinstance(event, TurnStarted):
            spent, ap = 0, event.ap
            assert len(event.hand) <= 5
        else:
            spent += rules().cards[event.card].ap
            assert spent <= ap
        if isinstance(event, Attacked):
            assert event.hit == (sum(event.dice) + event.to_hit >= event.eva)
    turns = [event.turn for event in events if isinstance(event, TurnStarted)]
    assert turns == list(range(1, len(turns) + 1))
    assert any(isinstance(event, StatusPlaced) for event in events)
    lines = list(narrate(events))
    assert lines[0].startswith("Order by initiative")
    assert lines[-1].startswith("Fight ")
    assert sum(not line.startswith(" ") for line in lines) == len(turns) + 2
    assert all(event.to_dict()["event"] == event.name for event in events)

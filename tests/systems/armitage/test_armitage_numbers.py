"""Spec, Numbers to reproduce."""

from __future__ import annotations

import csv
import math
from fractions import Fraction

import pytest
from armitage_support import REPOSITORY, duel, fighter, rules, space, text_rules

import buildsearch
from buildsearch.builds.multisets import count_multisets
from buildsearch.model.space import Wanted
from buildsearch.systems.armitage.kernel.outcomes import strike_outcomes
from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.cards import resolve_card
from buildsearch.systems.armitage.reference.foresight import expected_damage, expected_hit
from buildsearch.systems.armitage.rules.chances import damage_chances, hit_chance, sum_chances
from buildsearch.systems.armitage.rules.expectations import event_chances
from buildsearch.systems.armitage.rules.model import Strike
from tests.scripted_dice import ScriptedDice


def test_alike_dice():
    events = event_chances(rules())
    assert events["three_alike"] == Fraction(1, 36)
    assert events["exactly_two_alike"] == Fraction(5, 12)
    assert events["all_different"] == 1 - Fraction(1, 36) - Fraction(5, 12)


def test_hits():
    events = event_chances(rules())
    assert events["hit_light_attack"] == Fraction(1, 2)
    assert events["hit_heavy_attack"] == Fraction(7, 27)


@pytest.mark.parametrize(
    ("res", "mean"), [(0, Fraction(7, 2)), (1, Fraction(5, 2)), (2, Fraction(5, 3)), (3, Fraction(1))]
)
def test_mean_damage_after_res(res, mean):
    assert sum(max(0, roll - res) * chance for roll, chance in sum_chances(1, 6).items()) == mean


def test_a_light_attack_is_worth_five_sixths():
    light = rules().cards["light_attack"].attack
    chances = damage_chances(rules(), light, 11, 2)
    assert sum(damage * chance for damage, chance in chances.items() if damage) == Fraction(5, 6)
    assert expected_damage(rules(), light, 11, 2) == pytest.approx(5 / 6)
    assert strike_outcomes(rules().dice, rules().criticals, light, 11, 2)[2] == pytest.approx(5 / 6)


def test_counts():
    assert sum(space(spend="all").count(Wanted()).values()) == 60 * 35
    assert len(space(spend="all").count(Wanted())) == 60
    assert len(space(spend="any").count(Wanted())) == 150
    with_status = space(status_cards="on")
    assert count_multisets(with_status._decks) == 975_338
    assert set(with_status.count(Wanted()).values()) == {975_338}
    text = space(text_rules())
    assert set(text.count(Wanted()).values()) == {91}
    assert sum(text.count(Wanted()).values()) == 5_460


def test_the_sequence_of_the_spec():
    """TUF 1, RES 2, HTH 10, damage rolls 4, 4, resolve, 4: 8, 4, 4, 2."""
    attacker, target = duel({"light_attack": 12}, {"resolve": 12})
    target = fighter({"resolve": 12}, 1, hth=10, tuf=1, res=2)
    bodies = [Body(i, each, each.stats.hth, []) for i, each in enumerate((attacker, target))]
    hits = (6, 6, 6, 4)
    battle = Battle(rules(), bodies, ScriptedDice(*hits, *hits, *hits), None)
    ours, theirs = bodies
    seen = []
    for who, card in (
        (ours, "light_attack"),
        (ours, "light_attack"),
        (theirs, "resolve"),
        (ours, "light_attack"),
    ):
        resolve_card(battle, who, card, theirs if who is ours else ours)
        seen.append(theirs.hp)
    assert seen == [8, 4, 4, 2]


@pytest.mark.parametrize("to_hit", [-3, 0, 2])
@pytest.mark.parametrize("damage", [-2, 0, 3])
@pytest.mark.parametrize("sets", [(), ("criticals.three_alike=3", "criticals.two_alike=1")])
def test_three_ways_to_the_same_chances(to_hit, damage, sets):
    """Fractions, the kernel's arrays and the reference's means are three pieces of code."""
    found = rules(*sets)
    strike = Strike(to_hit=to_hit, damage=damage)
    for eva in (0, 3, 9, 11, 17, 25):
        for res in (0, 2, 7):
            chances = damage_chances(found, strike, eva, res)
            outcomes, hit, mean = strike_outcomes(found.dice, found.criticals, strike, eva, res)
            assert hit == pytest.approx(float(hit_chance(found, strike, eva)))
            assert outcomes[0] == pytest.approx(float(chances[None]))
            for amount, chance in chances.items():
                if amount is not None:
                    assert outcomes[1 + amount] == pytest.approx(float(chance))
            assert mean == pytest.approx(expected_damage(found, strike, eva, res))
            assert hit == pytest.approx(expected_hit(found, strike, eva))


def _goldens():
    with (REPOSITORY / "tests" / "golden" / "armitage.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("case", _goldens(), ids=lambda case: case["case"])
def test_goldens(case):
    """Another program's win rates and rounds, each within four combined standard errors."""
    set_name, fight = case["scenario"].split(":")
    game = buildsearch.load(case["rules"], scenarios=set_name, only=[fight])
    found = buildsearch.score(game, [case["build"]], fights=20_000).to_pandas().iloc[0]
    errors = dict(part.split("=") for part in case["se"].split(";"))
    wanted = {
        "win_rate": (float(case["win"]) + float(case["draw"]) / 2, float(errors["win"])),
        "rounds": (float(case["mean_rounds"]), float(errors["rounds"])),
    }
    for metric, (value, error) in wanted.items():
        high, low = (found[f"{fight}_{metric}_{end}"] for end in ("high", "low"))
        both = math.hypot(error, (high - low) / (2 * 1.96))
        assert abs(found[f"{fight}_{metric}"] - value) <= 4 * both


def test_resolve_is_weighed_by_res_as_it_stands():
    """Another program has 0.52156 for this deck without attacks (400,000 fights, standard error 0.00017).

    By the RES of the stat line alone, without its statuses, the win rate would be 0.5194.
    """
    game = buildsearch.load("armitage", status_cards="on", only=["pairs"])
    deck = "hth+2,res+1,tuf+2 / resolve,strong,quick*3,decisive*4,vulnerable*3"
    found = buildsearch.score(game, [deck], fights=100_000).to_pandas().iloc[0]
    error = math.hypot(0.00017, (found["score_high"] - found["score_low"]) / (2 * 1.96))
    assert abs(found["score"] - 0.52156) <= 4 * error

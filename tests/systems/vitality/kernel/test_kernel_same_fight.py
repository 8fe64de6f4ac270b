"""Given the same outcomes of strikes and retaliations, kernel and reference play the same fight."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.cli.loading import load_scenarios
from buildsearch.evaluate.dice import SeededDice
from buildsearch.systems.vitality.build import Build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker, make_encounters
from buildsearch.systems.vitality.grammar import parse_build
from buildsearch.systems.vitality.kernel import driver, fighting
from buildsearch.systems.vitality.kernel.compiling import Tables, compile_plan, seen
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT
from buildsearch.systems.vitality.rules import StatChanges
from tests.systems.vitality.kernel.scripting import Scripter, turns_of
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    encounters,
    legal_attacks,
    rulings,
    under,
)
from tests.v2 import catalogue, rules


def first_totals(game, attack, attacker):
    tables = Tables(game, attacker)
    plain = type(attack)(attack.type, effect=attack.effect)
    return [seen(*tables.effect_dice(Parts.of(game, each)))[1] for each in (plain, attack)]


def kernel_result(plan, words):
    """One fight of the kernel's Python source, with these words instead of random ones."""
    source = driver._KERNELS[int(plan.setup["kind"][0])]
    source = getattr(source, "py_func", source)
    remaining = iter(words)
    histogram = np.zeros(int(plan.setup["max_turns"][0]) + 1, np.int64)
    counts = np.zeros(COUNTS, np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fighting, "next_word", lambda *state: (np.uint64(next(remaining)), *state))
        source(
            plan.setup,
            plan.foes,
            plan.strikes,
            plan.grid,
            plan.naturals,
            plan.totals,
            plan.retaliation,
            np.zeros(4, np.uint64),
            1,
            histogram,
            counts,
        )
    assert next(remaining, None) is None, "the kernel ended before the script"
    return int(np.flatnonzero(histogram)[0]), Counter({i: int(counts[i]) for i in range(COUNTS)})


def assert_same_fight(game, attack, attacker, encounter, seed):
    build = Build((attack,))
    plan = compile_plan(game, build, attacker, encounter)
    events = []
    result = fight(game, build, attacker, encounter, SeededDice(seed), events.append)
    words = Scripter(plan, first_totals(game, attack, attacker)).script(turns_of(events))
    turns, counts = kernel_result(plan, words)
    assert turns == result.turns
    assert counts[SURVIVED] == result.survived
    assert counts[TIMED_OUT] == result.timeout
    assert counts[LOST] == (not result.won and not result.timeout)


# Without the JIT a plan takes half a second to compile; that run is for coverage, and its examples are fixed.
MANY = settings(
    max_examples=3 if config.DISABLE_JIT else 25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("enhancement", [None, *rules().enhancements])
@MANY
@given(data=st.data())
def test_same_fight_under_any_ruling(enhancement, data):
    """Each enhancement gets its share of examples, with whatever else goes with it."""
    assert_same_fight(
        under(data.draw(rulings())),
        data.draw(legal_attacks(with_=enhancement)),
        data.draw(attackers()),
        data.draw(encounters()),
        data.draw(st.integers(0, 10**9)),
    )


SWARM = (25, 25, 10, 10, 10, 10, 10)


@pytest.mark.parametrize(
    ("build", "changes", "hps"),
    [
        # What few drawn examples reach.
        ("area+bleed+extra_attack+charges_1", {"bleed_tick": "start"}, SWARM),
        ("area+barrage+bleed", {"bleed_tick": "start", "bleed_ticks": 3, "bleed_overlap": "replace"}, SWARM),
        ("area+barrage+extra_attack", {"area_extra_attack": "single"}, SWARM),
        ("area+combo_move", {}, SWARM),
        ("melee_dg+splinter", {"target": "lowest_hp"}, (10, 25, 10, 5, 10)),
        (
            "melee_ac+splinter+barrage",
            {"target": "highest_hp", "triggered_defeats": "none"},
            (10, 25, 10, 5, 10),
        ),
        ("melee_dg+bleed+barrage", {"bleed_overlap": "replace"}, (50, 25)),
        ("melee_dg+bleed+double_tap+extra_attack", {"bleed_tick": "start"}, (100, 25)),
        ("melee_ac+bleed+ricochet", {}, (50, 25, 25)),
        ("melee_ac+explosive_critical+splinter+bleed", {}, SWARM),
        ("melee_ac:condition+explosive_critical+splinter", {}, SWARM),
        ("direct_area_damage+bleed+barrage", {"area_strikes": "once"}, SWARM),
    ],
)
def test_same_fight_in_rare_cases(build, changes, hps):
    game = under(rules().rulings.model_copy(update=changes))
    (attack,) = parse_build(build, catalogue()).attacks
    hero = make_attacker(game, 5, StatChanges(focus=6, power=4))
    wave = tuple(Foe("foe", hp, game.character.stats) for hp in hps)
    for seed in range(4 if config.DISABLE_JIT else 40):
        assert_same_fight(game, attack, hero, Encounter("rare", (wave, wave[:2]), 30, {}), seed)


@pytest.mark.parametrize("scenario_set", ["default", "profiles", "long-day"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    attack=legal_attacks(),
    tier=st.sampled_from((3, 4, 5)),
    pick=st.integers(0, 15),
    seed=st.integers(0, 10**9),
)
def test_same_fight_in_every_scenario(scenario_set, attack, tier, pick, seed):
    fights = list(make_encounters(rules(), load_scenarios(scenario_set).model).values())
    assert_same_fight(rules(), attack, make_attacker(rules(), tier), fights[pick % len(fights)], seed)

"""Given the same outcomes of strikes and retaliations, kernel and reference play the same fight."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.library.input_files import load_scenarios
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker, make_encounters
from buildsearch.systems.vitality.kernel import fighting
from buildsearch.systems.vitality.kernel.compiling import Tables, compile_plan, seen
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.mechanics.limits import ACTIONS
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT
from buildsearch.systems.vitality.rules.model import StatChanges
from buildsearch.systems.vitality.rules.vocabulary import words_of
from tests import v1
from tests.systems.vitality.kernel.scripting import Scripter, turns_of
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    encounters,
    legal_attacks,
    rulings,
    under,
)
from tests.v2 import catalogue, rules


def words_differ(name, entry):
    """Whether v2 has no option of this name, or one with other words."""
    other = rules().enhancements.get(name)
    return other is None or words_of(entry.mechanics, entry.conditions) != words_of(
        other.mechanics, other.conditions
    )


def first_totals(game, attack, attacker):
    tables = Tables(game, attacker)
    plain = type(attack)(attack.type, effect=attack.effect)
    return [seen(*tables.effect_dice(Parts.of(game, each)))[1] for each in (plain, attack)]


def kernel_result(plan, words):
    """One fight of the kernel's Python source, with these words instead of random ones."""
    source = fighting.FIGHT_BLOCKS[int(plan.setup["kind"][0])]
    source = getattr(source, "py_func", source)
    remaining = iter(words)
    histogram = np.zeros(int(plan.setup["max_turns"][0]) + 1, np.int64)
    counts = np.zeros(COUNTS, np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fighting, "next_word", lambda *state: (np.uint64(next(remaining)), *state))
        state, actions = np.zeros(4, np.uint64), np.zeros((ACTIONS, 1), np.int64)
        source(plan.arsenal, np.zeros(1, np.int64), GREEDY, state, 1, histogram, counts, actions)
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


# The options of v1 that v2 does not have, or that v1 allows in other company.
OLDER_WORDS = {
    *(name for name, entry in v1.rules().enhancements.items() if words_differ(name, entry)),
    *("double_tap", "explosive_critical", "ricochet", "splinter", "extra_attack"),
}


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


@pytest.mark.parametrize("enhancement", sorted(OLDER_WORDS))
@settings(MANY, max_examples=3 if config.DISABLE_JIT else 12)
@given(data=st.data())
def test_same_fight_of_v1_under_any_ruling(enhancement, data):
    """What only v1 has, and what it has on areas; also on types where its text does not allow it."""
    of = data.draw(st.sampled_from((v1.catalogue(), v1.unrestricted())))
    assert_same_fight(
        under(data.draw(rulings()), v1.rules()),
        data.draw(legal_attacks(with_=enhancement, of=of)),
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
        ("area+barrage+unreliable_2", {"limit_scope": "strike", "area_strikes": "single"}, SWARM),
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
        ("direct_area_damage+bleed+barrage", {"area_strikes": "single", "target": "lowest_hp"}, SWARM),
        ("area+barrage+extra_attack+combo_move", {"area_strikes": "single", "limit_scope": "strike"}, SWARM),
        ("area+barrage+extra_attack", {"area_strikes": "single", "target": "highest_hp"}, SWARM),
        ("area+barrage+extra_attack", {"area_extra_attack": "single", "area_strikes": "single"}, SWARM),
        ("area+barrage+extra_attack+charges_2", {"limit_scope": "strike"}, SWARM),
        ("area:condition+barrage+unreliable_2", {"limit_scope": "strike"}, SWARM),
        ("melee_dg+barrage+double_tap+unreliable_2+channeled", {"limit_scope": "strike"}, (50, 25)),
        (
            "melee_dg+barrage+double_tap+unreliable_2+channeled",
            {"limit_scope": "strike", "failed_activation": "attack"},
            (50, 25),
        ),
        ("melee_ac+barrage+ricochet+splinter+charges_2", {"limit_scope": "strike"}, SWARM),
        ("melee_ac+barrage+explosive_critical+charges_2", {"limit_scope": "strike"}, SWARM),
        ("melee_ac+barrage+extra_attack+splinter+cooldown+unreliable_1", {"limit_scope": "strike"}, SWARM),
        ("melee_ac+barrage+explosive_critical+splinter", {"barrage_triggers": "first"}, SWARM),
        ("melee_ac+barrage+double_tap+extra_attack", {"barrage_triggers": "first"}, (50, 25)),
        ("area+barrage+extra_attack", {"barrage_triggers": "first"}, SWARM),
        ("melee_dg+passive+unreliable_2", {"failed_activation": "attack"}, (50, 25)),
        ("melee_dg+channeled+unreliable_2", {"failed_activation": "attack"}, (50, 25)),
        ("melee_dg+quickdraw", {"unmet_limit": "archetype"}, (50, 25)),
    ],
)
def test_same_fight_in_rare_cases(build, changes, hps):
    game = under(rules().rulings.model_copy(update=changes))
    (attack,) = parse_build(build, catalogue()).attacks
    hero = make_attacker(game, 5, StatChanges(focus=6, power=4))
    wave = tuple(Foe("foe", hp, game.character.stats) for hp in hps)
    for seed in range(4 if config.DISABLE_JIT else 40):
        assert_same_fight(game, attack, hero, Encounter("rare", (wave, wave[:2]), 30, {}), seed)


@pytest.mark.parametrize(
    ("build", "changes"),
    [
        ("area+double_tap+extra_attack+splinter+leech", {}),
        ("area+double_tap+extra_attack+bleed", {"area_extra_attack": "single"}),
        ("area+ricochet+splinter+leech", {"target": "lowest_hp"}),
        ("area+explosive_critical+double_tap+splinter+bleed+leech", {}),
        ("area+explosive_critical+splinter", {"target": "highest_hp", "triggered_defeats": "none"}),
        ("area:condition+explosive_critical+splinter+double_tap", {}),
        ("area:condition+ricochet+splinter+attrition", {}),
        ("area+barrage+quick_strikes+extra_attack+splinter", {}),
        ("direct_area_damage+extra_attack+splinter+leech+barrage", {}),
        ("melee_dg+quick_strikes+barrage+leech+timid+attrition", {}),
        ("melee_ac+quick_strikes+barrage+double_tap+explosive_critical+splinter+bleed", {}),
        ("melee_ac:condition+barrage+quick_strikes+explosive_critical", {}),
        ("direct_damage+barrage+high_impact+attrition+unreliable_1+leech", {"attacker_defeat": "loss"}),
        ("ranged+leech+bloodied+critical_effect+brutal", {"bleed_tick": "end"}),
        ("ranged+passive+charge_up+charge_up_2", {"retaliation_cap": 0}),
        ("area+barrage+quick_strikes+double_tap+extra_attack", {"area_strikes": "single"}),
        (
            "area+barrage+quick_strikes+ricochet+splinter+attrition+leech",
            {"limit_scope": "strike", "area_strikes": "single"},
        ),
        ("area+barrage+quick_strikes+explosive_critical+splinter", {"barrage_triggers": "first"}),
        ("melee_dg+quick_strikes+barrage+leech+bloodied+attrition", {"limit_scope": "strike"}),
        ("melee_dg+barrage+quick_strikes+unreliable_1+unreliable_2+splinter", {"limit_scope": "strike"}),
    ],
)
def test_same_fight_of_v1_in_rare_cases(build, changes):
    game = under(v1.rules().rulings.model_copy(update=changes), v1.unrestricted().rules)
    (attack,) = parse_build(build, v1.unrestricted()).attacks
    wave = tuple(Foe("foe", hp, game.character.stats) for hp in SWARM)
    for seed in range(4 if config.DISABLE_JIT else 40):
        # One who is hurt often and lives long, so that HP below 0 is healed too.
        hero = replace(make_attacker(game, 5, StatChanges(focus=6, power=4)), hp=(8, 40, 100)[seed % 3])
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

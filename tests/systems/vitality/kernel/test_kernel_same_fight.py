"""Given the same outcomes of strikes and retaliations, kernel and reference play the same fight."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from buildsearch.cli.loading import load_scenarios
from buildsearch.systems.vitality.build import Build
from buildsearch.systems.vitality.encounter import make_attacker, make_encounters
from buildsearch.systems.vitality.kernel import driver, fighting
from buildsearch.systems.vitality.kernel.compiling import _seen, _Tables, compile_plan
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.reference.dice import SeededDice
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT
from tests.systems.vitality.kernel.scripting import Scripter, turns_of
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    encounters,
    legal_attacks,
    rulings,
    under,
)
from tests.v2 import rules


def first_totals(game, attack, attacker):
    tables = _Tables(game, attacker)
    plain = type(attack)(attack.type, effect=attack.effect)
    return [_seen(*tables.effect_dice(Parts.of(game, each)))[1] for each in (plain, attack)]


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
    # There the kernel rolls checks for enemies that the critical would miss, too, and the reference does not.
    assume(not (plan.setup["explosive"][0] and plan.setup["condition"][0]))
    events = []
    result = fight(game, build, attacker, encounter, SeededDice(seed), events.append)
    words = Scripter(plan, first_totals(game, attack, attacker)).script(turns_of(events))
    turns, counts = kernel_result(plan, words)
    event(f"kind {int(plan.setup['kind'][0])}, {'won' if result.won else 'not won'}")
    assert turns == result.turns
    assert counts[SURVIVED] == result.survived
    assert counts[TIMED_OUT] == result.timeout
    assert counts[LOST] == (not result.won and not result.timeout)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulings(), legal_attacks(), attackers(), encounters(), st.integers(0, 10**9))
def test_same_fight_under_any_ruling(ruled, attack, attacker, encounter, seed):
    assert_same_fight(under(ruled), attack, attacker, encounter, seed)


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

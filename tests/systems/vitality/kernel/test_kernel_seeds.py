"""The same seed gives the same numbers, whoever computes them; only content moves them."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.evaluators import KernelEvaluator, ReferenceEvaluator
from tests.v2 import RULES_FILE, catalogue, rules

FIGHTS = 8 if config.DISABLE_JIT else 3 * BLOCK + 17
BUILDS = ("melee_dg+charge_up", "melee_ac+ricochet+channeled", "area+bleed", "ranged+barrage+near_death")


def bouts(game=None, options=None, tier=4):
    return make_bouts(game or rules(), load_scenarios("default").model, tier, options or {})


def numbers(build, bout, game=None, **sampling):
    found = KernelEvaluator(game or rules()).evaluate(
        parse_build(build, catalogue()), bout, Sampling(FIGHTS, **sampling)
    )
    return found.distribution.tolist(), dict(found.estimates)


@pytest.mark.parametrize("build", BUILDS)
def test_any_number_of_workers_gives_the_same_bits(build):
    for bout in bouts().values():
        alone = numbers(build, bout, seed=3, jobs=1)
        assert alone == numbers(build, bout, seed=3, jobs=2)
        assert alone == numbers(build, bout, seed=3, jobs=8)


def test_order_does_not_matter():
    forward = [numbers(build, bout) for build in BUILDS for bout in bouts().values()]
    backward = [numbers(build, bout) for build in reversed(BUILDS) for bout in reversed(bouts().values())]
    assert forward == backward[::-1]


def test_another_seed_gives_other_fights():
    boss = bouts()["boss"]
    assert numbers("melee_dg", boss, seed=1)[0] != numbers("melee_dg", boss, seed=2)[0]


def test_equal_content_ties_exactly():
    boss = bouts()["boss"]
    # Net modifiers are the same; a slayer of enemies that are not there, and a ricochet with nobody else.
    assert numbers("melee_ac+power_attack", boss) == numbers("melee_dg", boss)
    assert numbers("melee_dg+minion_slayer_acc", boss) == numbers("melee_dg", boss)
    assert numbers("melee_dg+ricochet", boss) != numbers("melee_dg", boss)
    assert numbers("area+power_attack", boss) != numbers("melee_dg", boss)


def test_renaming_and_repricing_change_nothing():
    game = load_rules(
        str(RULES_FILE),
        ["bleed.cost=1", "bleed.name=Haemorrhage", "melee_dg.name=Fist", "area.cost_factor=5"],
    ).model
    for build in BUILDS:
        for name, bout in bouts().items():
            assert numbers(build, bouts(game)[name], game) == numbers(build, bout)


def test_a_changed_number_changes_content():
    game = load_rules(str(RULES_FILE), ["charge_up.modifiers.damage.tier=3"]).model
    boss = bouts()["boss"]
    assert numbers("melee_dg+charge_up", boss, game)[0] != numbers("melee_dg+charge_up", boss)[0]
    assert numbers("melee_dg+cooldown", boss, game) == numbers("melee_dg+cooldown", boss)


def test_the_reference_keeps_its_seeds_too():
    evaluator = ReferenceEvaluator(rules())
    build = parse_build("melee_dg+bleed | melee_ac", catalogue())
    boss = bouts()["boss"]
    first, second, other = (
        evaluator.evaluate(build, boss, Sampling(60, seed=seed, jobs=jobs)).distribution
        for seed, jobs in ((1, 1), (1, 2), (2, 1))
    )
    assert first.tolist() == second.tolist()
    assert not np.array_equal(first, other)

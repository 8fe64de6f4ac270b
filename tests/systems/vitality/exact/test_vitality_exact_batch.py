"""Batches against the general engine, and their numbers against those of the kernel's compiler."""

import numpy as np
import pytest
from vitality_exact_support import scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.builds.masks import mask_of
from buildsearch.builds.subsets import sample_subsets
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.rules.settings import read_settings

CLOSE = TOLERANCE / 2


def masks_of(rules, attack_type, number, seed, effect="damage", budget=8, with_=()):
    settings = read_settings(rules, {"budget": str(budget), "effect": effect})
    space = VitalitySpace(rules, settings)
    problem = space.subset_problem(attack_type, Wanted(with_features=with_))
    return space, sample_subsets(problem, number, np.random.default_rng(seed))


def check(rules, attacker, encounter, attack_type, number, seed, effect="damage", budget=8, with_=()):
    """Every mean that the batch gives equals the general engine's; how many there were, by way."""
    space, masks = masks_of(rules, attack_type, number, seed, effect, budget, with_)
    found = batch_means(rules, attacker, encounter, attack_type, masks, effect)
    assert np.array_equal(np.isnan(found.means), found.ways == LEFT)
    for i in np.flatnonzero(found.ways != LEFT):
        build = Build((space._attack(attack_type, masks[i], effect),))
        mean = solve(exact_ground(rules, build, attacker, encounter), survival=False).mean
        assert found.means[i] == pytest.approx(mean, abs=CLOSE), space.name(build)
    return np.bincount(found.ways, minlength=4)


@pytest.mark.parametrize("enemies", ["100", "50,25,25", "25,25,10,10,10,10,10", "50,10,10,10,10,10"])
@pytest.mark.parametrize("attack_type", ["melee_ac", "melee_dg", "ranged", "direct_damage"])
def test_random_builds(enemies, attack_type):
    ways = check(v2_rules(), *scene(4, enemies), attack_type, 40, seed=len(enemies))
    assert ways[BY_VALUE] + ways[BY_WALK] >= 10


@pytest.mark.parametrize("enemies", ["100", "50,10,10,10,10,10"])
def test_conditions(enemies):
    ways = check(v2_rules(), *scene(3, enemies), "melee_dg", 40, seed=5, effect="condition")
    assert ways[BY_VALUE] + ways[BY_WALK] >= 5


@pytest.mark.parametrize("enemies", ["60", "30,25", "10,25,10,10"])
@pytest.mark.parametrize("attack_type", ["melee_dg", "direct_damage"])
def test_bleed(enemies, attack_type):
    ways = check(v2_rules(), *scene(4, enemies), attack_type, 60, seed=9, budget=9, with_=("bleed",))
    assert ways[BY_VALUE] >= 10


@pytest.mark.parametrize("others", [("barrage",), ("double_tap",), ("extra_attack",), ("relentless",)])
def test_bleed_with_several_strikes(others):
    attacker, encounter = scene(4, "", waves=[[25], [40, 10]])
    ways = check(v2_rules(), attacker, encounter, "melee_ac", 40, 3, budget=10, with_=("bleed", *others))
    assert ways[BY_VALUE] >= 5


def test_waves_and_other_enemies():
    attacker, encounter = scene(5, "", enemy="2,2,3,1", waves=[[25, 10], [50], [10, 10, 10]])
    ways = check(v2_rules(), attacker, encounter, "ranged", 60, seed=6, budget=10)
    assert ways[BY_VALUE] + ways[BY_WALK] >= 10


@pytest.mark.parametrize("enemies", ["100", "50,25,25"])
def test_the_turn_limit_is_kept(enemies):
    """A limit so near that no proof can say it is far: everything goes the long way."""
    attacker, encounter = scene(4, enemies, max_turns=12)
    ways = check(v2_rules(), attacker, encounter, "melee_dg", 60, seed=7)
    assert ways[BY_WALK] >= 20


@pytest.mark.parametrize("enemies", ["60", "30,10,10", "25,25,10"])
@pytest.mark.parametrize("max_turns", [14, 15, 40])
@pytest.mark.parametrize("names", [(), ("charge_up",), ("charge_up_2",), ("unreliable_2",)])
def test_attacks_every_so_many_turns(enemies, max_turns, names):
    """Plain and charged attacks, which may fail, where the limit is near; also what culls."""
    rules = v2_rules()
    attacker, encounter = scene(4, enemies, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))
    attacks = [Attack("ranged", (*more, *names)) for more in ((), ("culling_strike",), ("barrage",))]
    masks = np.concatenate([space.encode(Build((attack,))).codes for attack in attacks])
    found = batch_means(rules, attacker, encounter, "ranged", masks)
    assert (found.ways == BY_WALK).sum() >= 2
    for i, attack in enumerate(attacks):
        mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
        assert found.means[i] == pytest.approx(mean, abs=CLOSE), attack


@pytest.mark.parametrize("unmet", ["wait", "basic"])
@pytest.mark.parametrize("with_", [("unreliable_2",), ("charge_up",), ("timid",), ("finishing_blow",)])
def test_limits_that_look_at_no_outcome(unmet, with_):
    """One enemy: failed activations, charging, waiting, a threshold."""
    rules = tiny_rules(unmet_limit=unmet)
    encounter = tiny_encounter(rules, (9,), max_turns=9)
    ways = check(rules, tiny_attacker(rules), encounter, "melee_dg", 20, seed=3, with_=with_)
    assert ways[BY_WALK] >= 5


@pytest.mark.parametrize(
    "rulings",
    [
        {"retaliation_cap": 0, "unmet_limit": "wait"},
        {"target": "lowest_hp", "channel_cap": "bonus", "brutal": "excess"},
        {"flat_damage": "roll", "natural_max_hits": True, "natural_min_misses": True},
        {"limit_scope": "strike", "unmet_limit": "archetype"},
        {"barrage_triggers": "first", "area_strikes": "single"},
        {"failed_activation": "attack"},
    ],
    ids=lambda rulings: next(iter(rulings)),
)
def test_rulings(rulings):
    rules = tiny_rules(**rulings)
    encounter = tiny_encounter(rules, (4, 3, 5), (7, 3), max_turns=40, strong=True)
    for attack_type in ("melee_dg", "direct_damage"):
        check(rules, tiny_attacker(rules), encounter, attack_type, 60, seed=8)


def test_every_option_alone():
    """Every option reaches the batch's table of numbers."""
    rules = v2_rules()
    ids = list(rules.enhancements)
    masks = np.array([mask_of([i], 1) for i in range(len(ids))])
    for enemies in ("100", "25,10"):
        attacker, encounter = scene(4, enemies)
        found = batch_means(rules, attacker, encounter, "melee_dg", masks)
        left = {ids[i] for i in np.flatnonzero(found.ways == LEFT)}
        assert left == ({"ricochet"} if "," in enemies else set())
        for i in np.flatnonzero(found.ways != LEFT):
            build = Build((Attack("melee_dg", (ids[i],)),))
            mean = solve(exact_ground(rules, build, attacker, encounter), survival=False).mean
            assert found.means[i] == pytest.approx(mean, abs=CLOSE), ids[i]


def test_what_a_batch_leaves():
    rules, masks = v2_rules(), np.zeros((3, 1), np.uint64)
    attacker, encounter = scene(4, "25,25")
    assert (batch_means(rules, attacker, encounter, "area", masks).ways == LEFT).all()
    only = masks_of(rules, "melee_dg", 0, 1)[1]
    assert len(batch_means(rules, attacker, encounter, "melee_dg", only).means) == 0

"""Batches against the general engine."""

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


SCENES = ("100", "50,25,25", "25,25,10,10,10,10,10", "50,10,10,10,10,10")
# By value, turn by turn, or either.
VALUE, WALK, SOLVED = (BY_VALUE,), (BY_WALK,), (BY_VALUE, BY_WALK)


def random_cases():
    """Attacker and encounter, type, which builds are drawn, the ways counted, and at least how many."""
    for enemies in SCENES:
        for attack_type in ("melee_ac", "melee_dg", "ranged", "direct_damage"):
            yield scene(4, enemies), attack_type, (40, len(enemies)), SOLVED, 10
    for enemies in (SCENES[0], SCENES[3]):
        yield scene(3, enemies), "melee_dg", (40, 5, "condition"), SOLVED, 5
    for enemies in ("60", "30,25", "10,25,10,10"):
        for attack_type in ("melee_dg", "direct_damage"):
            yield scene(4, enemies), attack_type, (60, 9, "damage", 9, ("bleed",)), VALUE, 10
    for other in ("barrage", "double_tap", "extra_attack", "relentless"):
        waves = scene(4, "", waves=[[25], [40, 10]])
        yield waves, "melee_ac", (40, 3, "damage", 10, ("bleed", other)), VALUE, 5
    waves = scene(5, "", enemy="2,2,3,1", waves=[[25, 10], [50], [10, 10, 10]])
    yield waves, "ranged", (60, 6, "damage", 10), SOLVED, 10
    # A limit so near that no proof can say it is far: everything goes the long way.
    for enemies in SCENES[:2]:
        yield scene(4, enemies, max_turns=12), "melee_dg", (60, 7), WALK, 20
    for with_ in (("bloodied",), ("splinter",), ("bleed",), ("bleed", "bloodied")):
        yield scene(4, "30,10,10", max_turns=12), "melee_dg", (12, 7, "damage", 8, with_), WALK, 5
    # Limits on the attacker's HP, and Splinter.
    for enemies in SCENES:
        for limit in ("near_death", "bloodied"):
            for attack_type in ("melee_dg", "direct_damage"):
                yield scene(4, enemies), attack_type, (12, len(enemies), "damage", 8, (limit,)), VALUE, 5
    for enemies in SCENES[1:]:
        for others in ((), ("double_tap",), ("barrage",), ("combo_move",), ("bloodied",)):
            yield scene(5, enemies), "ranged", (8, 2, "damage", 10, ("splinter", *others)), SOLVED, 3
    waves = scene(4, "", waves=[[25, 10], [30]])
    yield waves, "melee_ac", (12, 3, "damage", 9, ("bleed", "bloodied")), VALUE, 5
    yield scene(3, SCENES[3]), "melee_dg", (12, 5, "condition", 8, ("bloodied",)), VALUE, 3


@pytest.mark.parametrize(("fight", "attack_type", "drawn", "ways", "least"), list(random_cases()))
def test_random_builds(fight, attack_type, drawn, ways, least):
    found = check(v2_rules(), *fight, attack_type, *drawn)
    assert sum(found[way] for way in ways) >= least


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

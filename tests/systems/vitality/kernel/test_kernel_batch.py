"""Batches give each build the fights that it gets alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config
from vitality_kernel_support import attackers, encounters, rulings, stats, under

from buildsearch.builds.masks import mask_of
from buildsearch.builds.subsets import sample_subsets
from buildsearch.evaluate.sampling import BLOCK
from buildsearch.library.input_files import load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.evaluators import KernelEvaluator
from buildsearch.systems.vitality.kernel import known_words
from buildsearch.systems.vitality.kernel.batch import columns
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from tests import v1, v2
from tests.v2 import catalogue, rules, space

needs_jit = pytest.mark.skipif(config.DISABLE_JIT, reason="too slow without compiled code")
TYPES = tuple(rules().attack_types)
IDS = list(rules().enhancements)
SUMS = ("fights", "turns", "squares", "survived", "timed_out", "lost")


def masks_of(attack_type, number, seed, effect="damage", with_=(), edition=v2):
    among = edition.space(tier=4, budget=10, effect=effect)
    problem = among.subset_problem(attack_type, Wanted(with_features=with_))
    return sample_subsets(problem, number, np.random.default_rng(seed))


def alone(game, attacker, encounter, attack, seed, fights, block=0):
    plan = compile_plan(game, Build((attack,)), attacker, encounter)
    tally = run_block(plan, seed, block, fights)
    turns = np.arange(len(tally.histogram))
    sums = [int((turns**power * tally.histogram).sum()) for power in range(3)]
    return (*sums, *tally.counts.tolist()), tally.histogram.tolist(), plan.content


def check(game, attacker, encounter, attack_type, masks, effect="damage", fights=20, **more):
    """Every row that is supported equals its build alone; how many there were."""
    found = sample_batch(
        game, attacker, encounter, attack_type, masks, effect, seed=7, fights=fights, histograms=True, **more
    )
    shape = more.get("shape") or catalogue().default_shape(attack_type)
    ids = list(game.enhancements)
    for i in np.flatnonzero(found.supported):
        names = tuple(name for j, name in enumerate(ids) if int(masks[i, j // 64]) >> (j % 64) & 1)
        attack = Attack(attack_type, names, effect, shape)
        sums, histogram, content = alone(game, attacker, encounter, attack, 7, fights)
        assert content == found.contents[i].tobytes(), names
        assert tuple(int(getattr(found, name)[i]) for name in SUMS) == sums, names
        assert histogram == found.histograms[i].tolist(), names
    return int(found.supported.sum())


def bouts():
    return make_bouts(rules(), load_scenarios("default").model, 4, {})


@needs_jit
@pytest.mark.parametrize("scenario", ["boss", "mixed", "swarm", "guard"])
@pytest.mark.parametrize("attack_type", TYPES)
def test_random_builds(attack_type, scenario):
    bout = bouts()[scenario]
    masks = masks_of(attack_type, 30, seed=len(scenario))
    assert check(rules(), bout.attacker, bout.encounter, attack_type, masks) == 30


@needs_jit
@pytest.mark.parametrize("effect", ["damage", "condition"])
@pytest.mark.parametrize("attack_type", ["melee_ac", "area", "direct_damage"])
def test_every_option_alone(attack_type, effect):
    if effect not in rules().attack_types[attack_type].effects:
        pytest.skip("not an effect of this type")
    bout = bouts()["guard"]
    masks = masks_named(*IDS)
    assert check(rules(), bout.attacker, bout.encounter, attack_type, masks, effect) == len(IDS)


@needs_jit
@pytest.mark.parametrize("attack_type", ["melee_dg", "ranged", "area"])
def test_conditions(attack_type):
    bout = bouts()["swarm"]
    masks = masks_of(attack_type, 30, 5, effect="condition")
    assert check(rules(), bout.attacker, bout.encounter, attack_type, masks, "condition") == 30


@needs_jit
@settings(max_examples=40, deadline=None)
@given(
    rulings(),
    encounters(),
    attackers(),
    st.sampled_from(TYPES),
    st.sampled_from(["damage", "condition"]),
    st.sampled_from([(), ("ricochet",), ("explosive_critical",), ("channeled",), ("bleed",), ("splinter",)]),
    st.integers(0, 1000),
)
def test_any_rulings_and_encounter(made, encounter, attacker, attack_type, effect, with_, seed):
    game = under(made)
    attack = game.attack_types[attack_type]
    if effect not in attack.effects or (with_ == ("bleed",) and effect == "condition"):
        effect, with_ = "damage", ()
    if not sampled(attack_type, effect, with_):
        with_ = ()
    masks = masks_of(attack_type, 8, seed, effect, with_)
    shape = attack.shapes[-1] if attack.shapes else None
    assert check(game, attacker, encounter, attack_type, masks, effect, fights=9, shape=shape) == 8


@needs_jit
def test_rulings_that_change_a_single_number():
    game = under(rules().rulings.model_copy(update={"brutal": "excess", "flat_damage": "roll"}))
    bout = bouts()["mixed"]
    masks = masks_named("brutal", "brutal+power_attack", "high_impact", "high_impact+power_attack")
    assert check(game, bout.attacker, bout.encounter, "melee_dg", masks) == 4


def sampled(attack_type, effect, with_):
    """Whether the options go on the type."""
    attack = Attack(attack_type, with_, effect, catalogue().default_shape(attack_type))
    return not space(tier=4, budget=10, effect=effect).reasons_against(Build((attack,)))


@needs_jit
def test_splits_order_and_threads_do_not_matter():
    bout = bouts()["mixed"]
    masks = masks_of("melee_dg", 90, 3)
    masks = np.concatenate([masks, masks[:7]])

    def sums(chosen, **more):
        found = sample_batch(
            rules(), bout.attacker, bout.encounter, "melee_dg", chosen, seed=2, fights=30, **more
        )
        return np.stack([getattr(found, name) for name in SUMS], axis=1)

    whole = sums(masks)
    assert np.array_equal(whole, sums(masks, jobs=3))
    assert np.array_equal(whole, np.concatenate([sums(masks[:40]), sums(masks[40:], jobs=2)]))
    assert np.array_equal(whole[::-1], sums(masks[::-1]))
    assert np.array_equal(whole[5:6], sums(masks[5:6]))
    assert len(sums(masks[:0])) == 0
    assert not np.array_equal(
        whole[:, 1],
        sample_batch(rules(), bout.attacker, bout.encounter, "melee_dg", masks, seed=3, fights=30).turns,
    )


@needs_jit
def test_blocks_are_those_of_the_evaluator():
    bout = bouts()["swarm"]
    masks = masks_of("ranged", 3, 8, with_=("ricochet",))
    first, rest = BLOCK, BLOCK + 50
    one, two = (
        sample_batch(
            rules(), bout.attacker, bout.encounter, "ranged", masks, seed=4, fights=fights, first_block=block
        )
        for fights, block in ((first, 0), (rest, 1))
    )
    for i, mask in enumerate(masks):
        attack = space(tier=4, budget=10)._attack("ranged", mask)
        found = KernelEvaluator(rules()).evaluate(Build((attack,)), bout, Sampling(first + rest, seed=4))
        turns = np.arange(len(found.distribution))
        assert one.turns[i] + two.turns[i] == int((found.distribution * turns).sum())
        survival = (one.survived[i] + two.survived[i]) / (first + rest)
        assert found.estimates["survival"].value == pytest.approx(survival, abs=1e-12)


def small_rules():
    """Dice small enough to be compiled without compiled code."""
    rolls = rules().rolls
    damage = rolls.damage.model_copy(update={"count": 1, "sides": 3, "explode_on": 9})
    accuracy = rolls.accuracy.model_copy(update={"sides": 12})
    return rules().model_copy(
        update={"rolls": rolls.model_copy(update={"damage": damage, "accuracy": accuracy})}
    )


def small():
    """A short fight."""
    attacker = Attacker(tier=3, stats=stats(), hp=8)
    foes = (Foe("one", 3, stats()), Foe("two", 2, stats(mobility=1)))
    return attacker, Encounter("small", (foes, foes[:1]), 4, {})


@pytest.mark.parametrize(
    ("attack_type", "effect", "options"),
    [
        ("melee_dg", "damage", ["explosive_critical", "explosive_critical+channeled+patient", "bleed"]),
        ("direct_area_damage", "damage", ["", "unreliable_1", "finishing_blow+cooldown"]),
        ("melee_ac", "condition", ["barrage", "double_tap+timid", "overhit+charge_up"]),
    ],
)
def test_small_fights(attack_type, effect, options):
    masks = masks_named(*options)
    assert check(small_rules(), *small(), attack_type, masks, effect, fights=3) == 3


def masks_named(*builds, ids=IDS):
    words = -(-len(ids) // 64)
    places = [[ids.index(name) for name in build.split("+") if name] for build in builds]
    return np.array([mask_of(each, words) for each in places])


LATER = ("barrage", "leech", "attrition", "leech+barrage", "leech+attrition", "quick_strikes+barrage")


@needs_jit
@pytest.mark.parametrize("attack_type", TYPES)
def test_every_option_of_v1(attack_type):
    """On every type, whatever the text allows: chains, leeches, costs in HP, triggers of areas."""
    ids = list(v1.rules().enhancements)
    others = ("ricochet", "explosive_critical", "splinter", "timid")
    more = [f"{one}+{two}" for one in LATER for two in others]
    masks = masks_named(*ids, *LATER, *more, ids=ids)
    bout = make_bouts(v1.rules(), load_scenarios("default").model, 4, {})["guard"]
    assert check(v1.rules(), bout.attacker, bout.encounter, attack_type, masks) == len(masks)


@needs_jit
@settings(max_examples=25, deadline=None)
@given(
    rulings(),
    encounters(),
    attackers(),
    st.sampled_from(TYPES),
    st.sampled_from(["damage", "condition"]),
    st.sampled_from([("leech",), ("attrition",), ("splinter",), ("ricochet",), ("explosive_critical",), ()]),
    st.integers(0, 1000),
)
def test_v1_under_any_rulings(made, encounter, attacker, attack_type, effect, with_, seed):
    game = under(made, v1.rules())
    if effect not in game.attack_types[attack_type].effects:
        effect = "damage"
    masks = masks_of(attack_type, 8, seed, effect, with_, edition=v1)
    shape = (game.attack_types[attack_type].shapes or (None,))[-1]
    assert check(game, attacker, encounter, attack_type, masks, effect, fights=9, shape=shape) == 8


def test_unknown_words_are_left_to_the_caller(monkeypatch):
    """As if the vocabulary had grown a word that batches have not heard of."""
    masks = masks_named("boss_slayer_acc", "finale", "bleed")

    def supported(attack_type="melee_dg"):
        attacker, encounter = small()
        found = sample_batch(small_rules(), attacker, encounter, attack_type, masks, seed=1, fights=1)
        assert found.fights.tolist() == found.supported.tolist()
        return found.supported.tolist()

    assert supported() == [True, True, True]
    with monkeypatch.context() as patch:
        patch.setattr(known_words, "BATCHED_WORDS", known_words.BATCHED_WORDS - {"slayer"})
        assert supported() == [False, True, True]
    with monkeypatch.context() as patch:
        patch.setattr(known_words, "BATCHED_WORDS", known_words.BATCHED_WORDS - {"turn"})
        assert supported() == [True, False, True]
    with monkeypatch.context() as patch:
        patch.setattr(known_words, "ENHANCEMENT_FIELDS", known_words.ENHANCEMENT_FIELDS - {"conditions"})
        assert supported() == [True, False, True]
    with monkeypatch.context() as patch:
        patch.setattr(known_words, "RULINGS", known_words.RULINGS - {"brutal"})
        assert supported() == [False, False, False]


def test_an_option_that_moves_a_column_without_a_rule_is_not_known(monkeypatch):
    masks = masks_named("double_tap", "cooldown", "power_attack")

    def supported():
        attacker, encounter = small()
        found = sample_batch(small_rules(), attacker, encounter, "melee_dg", masks, seed=1, fights=1)
        return found.supported.tolist()

    with monkeypatch.context() as patch:
        patch.delitem(columns._STRIKE_RULES, "critical_from")
        assert supported() == [False, True, True]
    with monkeypatch.context() as patch:
        patch.delitem(columns._GATING_RULES, "cooldown")
        assert supported() == [True, False, True]


def test_of_some_mechanics_a_build_has_one():
    twice = rules().upgrades["overhit"].mechanics
    changed = rules().upgrades["brutal"].model_copy(update={"mechanics": twice})
    game = rules().model_copy(update={"upgrades": {**rules().upgrades, "brutal": changed}})
    masks = masks_named("brutal", "overhit", "brutal+overhit")
    found = sample_batch(game, *small(), "melee_dg", masks, seed=1, fights=1)
    assert found.supported.tolist() == [True, True, False]


def test_a_negative_number_of_fights_is_refused():
    with pytest.raises(ValueError, match="-1 fights"):
        sample_batch(rules(), *small(), "melee_dg", masks_named("bleed"), seed=1, fights=-1)

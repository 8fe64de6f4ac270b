"""No engine passes over a word that it does not know: it says so, or leaves the build to others."""

import numpy as np
import pytest
from numba import config

from buildsearch.builds.masks import mask_of
from buildsearch.builds.subsets import sample_subsets
from buildsearch.library.input_files import load_scenarios
from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.exact import solving as exact_solving
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.batch.solving import LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.kernel import known_words
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from buildsearch.systems.vitality.rules.settings import read_settings
from buildsearch.systems.vitality.rules.vocabulary import Conditions, Mechanics, words_of
from tests import v1

needs_jit = pytest.mark.skipif(config.DISABLE_JIT, reason="too slow without compiled code")
NEW = {"barrage", "leech", "attrition"}


def bout(name):
    return make_bouts(v1.rules(), load_scenarios("default").model, 4, {})[name]


def space(budget=8):
    return VitalitySpace(v1.rules(), read_settings(v1.rules(), {"tier": "4", "budget": str(budget)}))


def test_the_kernel_knows_every_word_there_is():
    assert {*Mechanics.model_fields, *Conditions.model_fields} == known_words.KNOWN_WORDS
    assert known_words.SOLVED_WORDS < known_words.KNOWN_WORDS


def test_every_word_is_found():
    words = [words_of(each.mechanics, each.conditions) for each in v1.rules().enhancements.values()]
    assert {"chain", "leech", "hp_cost", "slayer", "turn"} <= frozenset().union(*words)
    assert words_of(Mechanics(), Conditions()) == set()


def test_a_word_that_is_not_listed_is_refused(monkeypatch):
    monkeypatch.setattr(known_words, "KNOWN_WORDS", known_words.KNOWN_WORDS - {"brutal"})
    build, plain = (parse_build(text, v1.catalogue()) for text in ("melee_dg+brutal", "melee_dg"))
    for evaluator in (ExactEvaluator(v1.rules()), KernelEvaluator(v1.rules())):
        assert "brutal" in evaluator.why_not(build, bout("boss"))
        assert evaluator.why_not(plain, bout("boss")) is None


def test_the_exact_engine_refuses_what_it_does_not_follow(monkeypatch):
    exact = ExactEvaluator(v1.rules())
    assert "leech" in exact.why_not(parse_build("melee_dg+leech", v1.catalogue()), bout("boss"))
    monkeypatch.setattr(exact_solving, "SOLVED", ())
    for name in ("barrage", "attrition"):
        assert exact.why_not(parse_build(f"melee_dg+{name}", v1.catalogue()), bout("boss")) is not None


@needs_jit
@pytest.mark.parametrize("scenario", ["boss", "mixed"])
def test_batches_of_the_exact_engine(scenario):
    """Every option of v1 alone: the general engine's mean, or left to it."""
    fight, ids = bout(scenario), list(v1.rules().enhancements)
    masks = np.array([mask_of([i], 1) for i in range(len(ids))])
    for attack_type in ("melee_dg", "direct_damage", "direct_area_damage"):
        found = batch_means(v1.rules(), fight.attacker, fight.encounter, attack_type, masks)
        assert {ids[i] for i in np.flatnonzero(found.ways == LEFT)} >= NEW
        solved = np.flatnonzero(found.ways != LEFT)
        assert len(solved) > 30
        for i in solved[::2]:
            build = parse_build(f"{attack_type}+{ids[i]}", v1.catalogue())
            ground = exact_ground(v1.rules(), build, fight.attacker, fight.encounter)
            assert found.means[i] == pytest.approx(solve(ground, survival=False).mean, abs=TOLERANCE / 2), (
                ids[i]
            )


@needs_jit
@pytest.mark.parametrize("scenario", ["boss", "mixed"])
def test_random_builds_in_batches_of_the_exact_engine(scenario):
    """Limits that v2 keeps apart go together in v1."""
    fight, room = bout(scenario), space(10)
    problem = room.subset_problem("melee_dg")
    masks = sample_subsets(problem, 150, np.random.default_rng(4))
    found = batch_means(v1.rules(), fight.attacker, fight.encounter, "melee_dg", masks)
    solved = np.flatnonzero(found.ways != LEFT)[:30]
    assert len(solved) == 30
    for i, build in zip(solved, room.builds(Chunk("melee_dg", masks[solved])), strict=True):
        ground = exact_ground(v1.rules(), build, fight.attacker, fight.encounter)
        mean = solve(ground, survival=False).mean
        assert found.means[i] == pytest.approx(mean, abs=TOLERANCE / 2), room.name(build)


@needs_jit
@pytest.mark.parametrize("group", ["melee_ac", "area", "direct_area_damage"])
def test_batches_of_the_kernel(group):
    """A build plays the fights that it gets alone, also with the words that only v1 has."""
    fight, room = bout("guard"), space()
    chunk = Chunk(group, sample_subsets(room.subset_problem(group), 60, np.random.default_rng(3)))
    found = sample_batch(v1.rules(), fight.attacker, fight.encounter, group, chunk.codes, seed=2, fights=30)
    samples = VitalityBulk(v1.rules(), room).sample(chunk, fight, 2, 30)
    assert found.supported.all()
    builds = list(room.builds(chunk))
    assert any(NEW & set(build.attacks[0].enhancements) for build in builds)
    for i, build in enumerate(builds):
        plan = compile_plan(v1.rules(), Build(build.attacks), fight.attacker, fight.encounter)
        tally = run_block(plan, 2, 0, 30)
        turns = np.arange(len(tally.histogram))
        assert samples.totals[0, i] == tally.histogram @ turns
        assert samples.totals[1, i] == tally.counts[0]

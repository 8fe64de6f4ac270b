"""The loadout kernel: the same fights and choices as the reference, the same numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.library.input_files import load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.best_play.loadout_evaluators import (
    GreedyLoadoutEvaluator,
    LookaheadEvaluator,
)
from buildsearch.systems.vitality.best_play.optimum import solve_best_play
from buildsearch.systems.vitality.best_play.policies import LookaheadPolicy
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.encounter import Encounter, Foe, make_attacker
from buildsearch.systems.vitality.evaluators import KernelEvaluator
from buildsearch.systems.vitality.kernel import fighting
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.content import stream_states
from buildsearch.systems.vitality.kernel.driver import play_loadouts, run_block, run_loadout_block
from buildsearch.systems.vitality.kernel.loadouts.lookahead import (
    GREEDY,
    LOOKAHEAD,
    compile_attack,
    compile_attacks,
    mean_removed,
)
from buildsearch.systems.vitality.kernel.plan import LOADOUT
from buildsearch.systems.vitality.mechanics.limits import ACTIONS
from buildsearch.systems.vitality.reference.battle import Battle
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT, evaluation_of
from buildsearch.systems.vitality.rules.model import StatChanges
from buildsearch.systems.vitality.sampled_fights import play_out
from tests import v1
from tests.systems.vitality.kernel.loadout_scripting import LoadoutScripter, chosen
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    encounters,
    legal_attacks,
    rulings,
    under,
)
from tests.v2 import catalogue, rules, space

compiled_only = pytest.mark.skipif(config.DISABLE_JIT, reason="thousands of fights need compiled code")
MANY = settings(
    max_examples=5 if config.DISABLE_JIT else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
SWARM = (25, 25, 10, 10, 10, 10, 10)


def kernel_result(arsenal, play, words):
    """One fight of the kernel's Python source, with these words instead of random ones."""
    source = fighting.FIGHT_BLOCKS[LOADOUT]
    source = getattr(source, "py_func", source)
    remaining = iter(words)
    size = len(arsenal.setups)
    histogram = np.zeros(int(arsenal.setups["max_turns"][0]) + 1, np.int64)
    counts, actions = np.zeros(COUNTS, np.int64), np.zeros((ACTIONS, size), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fighting, "next_word", lambda *state: (np.uint64(next(remaining)), *state))
        source(arsenal, np.arange(size), play, np.zeros(4, np.uint64), 1, histogram, counts, actions)
    assert next(remaining, None) is None, "the kernel ended before the script"
    return int(np.flatnonzero(histogram)[0]), counts, actions


def assert_same_fight(game, build, attacker, encounter, seed, play):
    policy = LookaheadPolicy(game, build, attacker, encounter) if play == LOOKAHEAD else None
    events = []
    result = fight(game, build, attacker, encounter, SeededDice(seed), events.append, policy)
    words = LoadoutScripter(game, build, attacker, encounter).script_of(build, events)
    arsenal = compile_attacks(game, build.attacks, attacker, encounter)
    turns, counts, actions = kernel_result(arsenal, play, words)
    expected = np.zeros_like(actions)
    for kind, attack in chosen(build, events):
        expected[kind, attack] += 1
    np.testing.assert_array_equal(actions, expected)
    assert turns == result.turns
    assert counts[SURVIVED] == result.survived
    assert counts[TIMED_OUT] == result.timeout
    assert counts[LOST] == (not result.won and not result.timeout)


@pytest.mark.parametrize("play", [GREEDY, LOOKAHEAD])
@MANY
@given(data=st.data())
def test_same_fight_under_any_ruling(play, data):
    assert_same_fight(
        under(data.draw(rulings())),
        Build(tuple(data.draw(st.lists(legal_attacks(), min_size=1, max_size=3)))),
        data.draw(attackers()),
        data.draw(encounters()),
        data.draw(st.integers(0, 10**9)),
        play,
    )


@settings(MANY, max_examples=3 if config.DISABLE_JIT else 30)
@given(data=st.data())
def test_same_fight_of_v1_under_any_ruling(data):
    """Chains, leeches and HP that is paid; also on types where the text does not allow it."""
    of = data.draw(st.sampled_from((v1.catalogue(), v1.unrestricted())))
    assert_same_fight(
        under(data.draw(rulings()), v1.rules()),
        Build(tuple(data.draw(st.lists(legal_attacks(of=of), min_size=2, max_size=3)))),
        data.draw(attackers()),
        data.draw(encounters()),
        data.draw(st.integers(0, 10**9)),
        GREEDY,
    )


@pytest.mark.parametrize("play", [GREEDY, LOOKAHEAD])
@pytest.mark.parametrize(
    ("build", "changes"),
    [
        ("area+bleed+charge_up | melee_dg+cooldown", {}),
        ("area+barrage+extra_attack | melee_ac+ricochet+combo_move", {"area_extra_attack": "single"}),
        ("area+passive+charge_up_2 | melee_dg+bleed+double_tap | melee_dg+passive", {"bleed_tick": "start"}),
        ("melee_ac+explosive_critical+splinter | area+slaughter | ranged+relentless+charges_1", {}),
        ("melee_ac:condition+explosive_critical | direct_area_damage+cooldown", {}),
        ("melee_ac+splinter+barrage | area+channeled", {"target": "lowest_hp", "bleed_overlap": "replace"}),
        ("ranged+ricochet+channeled | ranged+channeled+extra_attack", {"target": "highest_hp"}),
        ("melee_dg+passive | melee_dg+passive+combo_move", {"unmet_limit": "wait"}),
        ("melee_dg+quickdraw | melee_dg+charges_1", {"unmet_limit": "archetype"}),
        ("melee_dg+unreliable_2+barrage | melee_dg+passive", {"failed_activation": "attack"}),
        ("area+barrage+charges_2 | melee_ac+ricochet+unreliable_1+barrage", {"limit_scope": "strike"}),
        (
            "area+barrage+extra_attack+charges_2 | melee_ac+splinter+barrage+double_tap",
            {"area_strikes": "single", "barrage_triggers": "first", "limit_scope": "strike"},
        ),
        ("melee_dg+bloodied | area+near_death | melee_dg+revenge+unreliable_2", {"attacker_defeat": "loss"}),
    ],
)
def test_same_fight_in_rare_cases(build, changes, play):
    game = under(rules().rulings.model_copy(update=changes))
    loadout = parse_build(build, catalogue())
    hero = make_attacker(game, 5, StatChanges(focus=6, power=4))
    wave = tuple(Foe("foe", hp, game.character.stats) for hp in SWARM)
    for seed in range(2 if config.DISABLE_JIT else 5):
        assert_same_fight(game, loadout, hero, Encounter("rare", (wave, wave[:2]), 30, {}), seed, play)


@compiled_only
@settings(MANY, max_examples=40)
@given(data=st.data())
def test_one_attack_is_played_as_by_its_own_kernel(data):
    """From the same stream, thousands of fights, compiled: every count is the same."""
    of = data.draw(st.sampled_from((catalogue(), v1.unrestricted())))
    game = under(data.draw(rulings()), of.rules)
    build = Build((data.draw(legal_attacks(of=of)),))
    attacker, encounter = data.draw(attackers()), data.draw(encounters())
    plan = compile_plan(game, build, attacker, encounter)
    expected = run_block(plan, 5, 0, 2_000)
    arsenal = compile_attacks(game, build.attacks, attacker, encounter)
    states = stream_states(5, np.frombuffer(plan.content, np.uint64)[None], np.zeros(1, np.int64))
    histogram, counts = np.zeros_like(expected.histogram)[None], np.zeros((1, COUNTS), np.int64)
    actions, row = np.zeros((1, ACTIONS, 1), np.int64), np.zeros((1, 1), np.int64)
    which, fights = np.zeros(1, np.int64), np.array([2_000])
    fight_loadouts = fighting.KERNELS[LOADOUT]
    fight_loadouts(arsenal, row, which, GREEDY, states, fights, histogram, counts, actions)
    np.testing.assert_array_equal(histogram[0], expected.histogram)
    np.testing.assert_array_equal(counts[0], expected.counts)


class Standing:
    """A battle as far as the policy looks at it."""

    def __init__(self, game, living):
        self.setting = SimpleNamespace(rules=game)
        self.living = living

    chosen_target = Battle.chosen_target


@settings(MANY, max_examples=3 if config.DISABLE_JIT else 60)
@given(data=st.data())
def test_what_an_attack_removes_is_what_the_policy_says(data):
    game = under(data.draw(rulings()))
    attack, attacker, encounter = data.draw(legal_attacks()), data.draw(attackers()), data.draw(encounters())
    strength = LookaheadPolicy(game, Build((attack,)), attacker, encounter)._attacks[0]
    arsenal = compile_attacks(game, (attack,), attacker, encounter)
    foes = encounter.waves[0]
    hp = np.array([data.draw(st.integers(0, foe.max_hp)) for foe in foes], np.int64)
    hp[data.draw(st.integers(0, len(foes) - 1))] = 1
    living = np.flatnonzero(hp)
    battle = Standing(game, [SimpleNamespace(index=int(i), hp=int(hp[i])) for i in living])
    channel = data.draw(st.integers(0, 9))
    setup = arsenal.setups[0]
    level = 1 + min(channel, int(setup["levels"]) - 1)
    plain_source = getattr(mean_removed, "py_func", mean_removed)
    for basic in (True, False):
        found = plain_source(
            setup, not basic, arsenal.removal, arsenal.criticals, 0 if basic else level,
            battle.chosen_target().index, len(living), living, hp, arsenal.foes["strike_class"],
        )  # fmt: skip
        removed = strength.removed(battle, channel, basic=basic)
        chance = 1.0 if basic else float(arsenal.activation[0])
        assert found * chance == pytest.approx(removed, rel=1e-12, abs=1e-15)


@settings(MANY, max_examples=5 if config.DISABLE_JIT else 50)
@given(data=st.data())
def test_who_fells_all_at_once_does(data):
    """Strong attacks, so that some do; whoever is said to wins on turn 1 in the reference."""
    game = under(data.draw(rulings()))
    attack = data.draw(legal_attacks(with_=data.draw(st.sampled_from(("charges_1", "timid", "quickdraw")))))
    strong = StatChanges(focus=data.draw(st.integers(5, 30)), power=data.draw(st.integers(5, 60)))
    hero, drawn = make_attacker(game, data.draw(st.integers(3, 5)), strong), data.draw(encounters())
    encounter = replace(drawn, waves=drawn.waves[: data.draw(st.integers(1, 2))])
    if compile_attack(game, attack, hero, encounter).fells_all_at_once:
        event(f"fells all, {min(len(encounter.waves[0]), 2)} enemies")
        for seed in range(3):
            assert fight(game, Build((attack,)), hero, encounter, SeededDice(seed)).turns == 1


@pytest.mark.parametrize(
    ("text", "scenario", "expected"),
    [
        ("area+barrage+timid+charges_1", "swarm", True),
        ("area+barrage+timid+charges_1", "boss", False),  # damage may fall short
        ("direct_damage+barrage+timid+charges_1+brutal", "mixed", False),  # one enemy only
        ("area+barrage+timid+charges_1+unreliable_1", "swarm", False),
        ("area+barrage+charges_1+charge_up", "swarm", False),
        ("area", "swarm", False),  # may miss
    ],
)
def test_who_fells_all_at_once_for_sure(text, scenario, expected):
    bout = bouts("greedy")[scenario]
    (attack,) = parse_build(text, catalogue()).attacks
    assert compile_attack(rules(), attack, bout.attacker, bout.encounter).fells_all_at_once is expected


def loadouts(number, size, seed, groups=(), without=()):
    builds = space(tier=4, budget=6).sample(Wanted(groups=groups), number * size, np.random.default_rng(seed))
    return [
        Build(tuple(build.attacks[0] for build in builds[i : i + size])) for i in range(0, len(builds), size)
    ]


def bouts(play):
    return make_bouts(rules(), load_scenarios("default").model, 4, {"play": play})


def z_of(one, other, floor):
    return abs(one.value - other.value) / math.hypot(one.se, other.se, floor)


@compiled_only
@pytest.mark.parametrize("play", ["greedy", "optimal"])
def test_means_agree_with_the_reference(play):
    scores = []
    picks = list(bouts(play).values())
    for i, build in enumerate([*loadouts(4, 2, 3), *loadouts(3, 3, 4), *loadouts(4, 2, 6, ("area",))]):
        bout = picks[i % len(picks)]
        evaluator = KernelEvaluator(rules()) if play == "greedy" else LookaheadEvaluator(rules())
        policy = LookaheadPolicy(rules(), build, bout.attacker, bout.encounter) if play == "optimal" else None
        fast = evaluator.evaluate(build, bout, Sampling(20_000, seed=5))
        tally = play_out(rules(), build, bout, policy, Sampling(100, seed=5))
        slow = evaluation_of(tally, bout.encounter, "reference", 5)
        for metric in ("mean_turns", "survival"):
            scores.append(z_of(fast.estimates[metric], slow.estimates[metric], 1 / 100))
    assert max(scores) < 4
    assert np.mean(np.square(scores)) < 2


# What is not exact among several enemies, or exact and slow.
OTHER = ("ricochet", "explosive_critical", "bleed", "near_death", "bloodied", "channeled", "splinter")
ONE_ENEMY = ("melee_ac", "melee_dg", "ranged", "direct_damage")


@compiled_only
def test_greedy_means_agree_with_exact_ones():
    """And looking ahead is no better than best play."""
    checked = 0
    for i, build in enumerate([*loadouts(5, 2, 11, ONE_ENEMY, OTHER), *loadouts(2, 3, 12, ONE_ENEMY, OTHER)]):
        name = ("mixed", "guard")[i % 2]
        greedy, optimal = bouts("greedy")[name], bouts("optimal")[name]
        exact = GreedyLoadoutEvaluator(rules())
        if exact.why_not(build, greedy) is not None:
            continue
        fast = KernelEvaluator(rules()).evaluate(build, greedy, Sampling(30_000, seed=7))
        solved = exact.evaluate(build, greedy, Sampling(1))
        for metric in ("mean_turns", "survival"):
            assert z_of(fast.estimates[metric], solved.estimates[metric], 1e-4) < 4, metric
        ahead = LookaheadEvaluator(rules()).evaluate(build, optimal, Sampling(30_000, seed=7))
        if ahead.estimates["timeout_share"].value == 0:
            found = ahead.estimates["mean_turns"]
            least = solve_best_play(rules(), build, optimal.attacker, optimal.encounter).mean
            assert found.value >= least - 4 * max(found.se, 1e-4)
        checked += 1
    assert checked >= 4


@compiled_only
def test_rows_do_not_depend_on_one_another_or_on_workers():
    build = loadouts(1, 3, 2)[0]
    bout = bouts("optimal")["swarm"]
    arsenal = compile_attacks(rules(), build.attacks, bout.attacker, bout.encounter)
    rows = np.array([(i, j, k) for i in range(3) for j in range(3) for k in range(3)] * 3)
    together = play_loadouts(arsenal, rows, LOOKAHEAD, seed=4, fights=300, jobs=1)
    threads = play_loadouts(arsenal, rows[::-1], LOOKAHEAD, seed=4, fights=300, jobs=2)
    np.testing.assert_array_equal(together.histograms, threads.histograms[::-1])
    np.testing.assert_array_equal(together.actions, threads.actions[::-1])
    row = np.array([(0, 1, 2)])
    at = int(np.flatnonzero((rows == row).all(axis=1))[0])
    alone = play_loadouts(arsenal, row, LOOKAHEAD, seed=4, fights=300)
    np.testing.assert_array_equal(alone.histograms[0], together.histograms[at])
    blocks = [run_loadout_block(arsenal, LOOKAHEAD, 4, block, n) for block, n in ((0, 8192), (1, 808))]
    whole = blocks[0].histogram + blocks[1].histogram
    longer = play_loadouts(arsenal, row, LOOKAHEAD, seed=4, fights=9_000)
    np.testing.assert_array_equal(longer.histograms[0], whole)
    assert longer.turns[0] == whole @ np.arange(len(whole))
    assert longer.squares[0] == whole @ np.arange(len(whole)) ** 2
    later = play_loadouts(arsenal, row, LOOKAHEAD, seed=4, fights=808, first_block=1)
    np.testing.assert_array_equal(later.histograms[0], blocks[1].histogram)
    for jobs in (1, 2):
        found = LookaheadEvaluator(rules()).evaluate(build, bout, Sampling(9_000, seed=4, jobs=jobs))
        assert found.distribution.tolist() == whole.tolist()
        assert found.method == "lookahead"


@compiled_only
def test_a_leech_in_another_row_changes_nothing():
    """Who leeches needs retaliation counted in full, and brings other tables along for itself alone."""
    bout = make_bouts(v1.rules(), load_scenarios("default").model, 4, {})["mixed"]
    attacks = parse_build("melee_dg | ranged+barrage | melee_ac+leech", v1.catalogue()).attacks
    fighters = (bout.attacker, bout.encounter)
    both, all_three = (compile_attacks(v1.rules(), some, *fighters) for some in (attacks[:2], attacks))
    alone = play_loadouts(both, np.array([[0, 1]]), GREEDY, seed=4, fights=300)
    beside = play_loadouts(all_three, np.array([[0, 2], [0, 1]]), GREEDY, seed=4, fights=300)
    np.testing.assert_array_equal(alone.histograms[0], beside.histograms[1])
    np.testing.assert_array_equal(alone.counts[0], beside.counts[1])


def test_what_makes_no_sense_is_refused():
    (bout, *_) = bouts("greedy").values()
    arsenal = compile_attacks(
        rules(), parse_build("melee_dg", catalogue()).attacks, bout.attacker, bout.encounter
    )
    row = np.zeros((1, 1), np.int64)
    for loadout, play, fights, words in (
        (row, GREEDY, -1, "cannot play"),
        (row + 1, GREEDY, 1, "below 1"),
        (row - 1, GREEDY, 1, "below 1"),
        (row[0], GREEDY, 1, "rows of one attack"),
        (row, 7, 1, "no play"),
    ):
        with pytest.raises(ValueError, match=words):
            play_loadouts(arsenal, loadout, play, seed=0, fights=fights)
    with pytest.raises(ValueError, match="at least one fight"):
        run_loadout_block(arsenal, GREEDY, 0, 0, 0)
    # An area among several enemies: nobody works greedy play out, so the kernel plays.
    swarm = bouts("greedy")["swarm"]
    build = parse_build("area | melee_dg", catalogue())
    assert isinstance(swarm, Bout)
    assert KernelEvaluator(rules()).why_not(build, swarm) is None

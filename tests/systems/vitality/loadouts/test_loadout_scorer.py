"""Vitality's loadouts: values, bound, and the search against full enumeration at budget 2."""

from dataclasses import replace
from itertools import combinations_with_replacement

import numba
import numpy as np
import pytest
import v2

from buildsearch.library.input_files import load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.search.loadouts.search import OPTIMAL, SWAP_OPTIMAL, LoadoutSearch, explore, start_loadouts
from buildsearch.systems.vitality.best_play.loadout_evaluators import LookaheadEvaluator
from buildsearch.systems.vitality.best_play.optimum import solve_best_play
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.loadouts.scorer import WEAK_ALONE, VitalityLoadouts
from buildsearch.systems.vitality.system import VitalitySystem

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow without compiled code")


def scorer_of(scenarios, archetype="dual_natured", wanted=None, most=None, budget=2):
    rules = v2.rules()
    space = v2.space(tier=4, archetype=archetype, budget=budget)
    bouts = make_bouts(rules, load_scenarios("default").model, 4, {})
    chosen = {name: bouts[name] for name in scenarios}
    return VitalityLoadouts(rules, space, chosen, wanted or Wanted(groups=("direct_damage",)), most)


@pytest.mark.parametrize("archetype", ["dual_natured", "versatile_master"])
def test_best_responses_reach_the_best_of_all(archetype):
    wanted = Wanted(groups=("direct_damage",), without_features=("near_death", "bloodied"))
    scorer = scorer_of(["boss"], archetype, wanted)
    if archetype == "versatile_master":
        scorer = scorer_of(["boss"], archetype, wanted, most=30)
    everything = LoadoutSearch(scorer, [1.0])
    everything.enumerate()
    best = everything.ranked(1)[0]
    assert best.status == OPTIMAL
    search = LoadoutSearch(scorer, [1.0])
    singles = scorer.values(np.arange(scorer.candidates)[:, None])
    for start in start_loadouts(singles, np.ones(1), scorer.size, 2):
        search.respond(start)
    assert search.valued < everything.valued
    assert search.ranked(1)[0].score == pytest.approx(best.score, abs=1e-9)
    assert scorer.floor()[0] <= best.score + 1e-9


KEPT = (
    *("power_attack", "brutal", "high_impact", "captain_slayer_dmg", "charge_up", "cooldown"),
    *("unreliable_2", "vengeful", "passive", "combo_move"),
)


@pytest.mark.parametrize("scenarios", [["mixed"], ["boss", "guard"]])
def test_the_search_finds_the_best_of_a_cut_down_space(scenarios):
    gone = tuple(name for name in v2.rules().enhancements if name not in KEPT)
    wanted = Wanted(groups=("melee_dg",), without_features=gone)
    scorer = scorer_of(scenarios, wanted=wanted, budget=4)
    weights = np.ones(len(scenarios))
    everything = LoadoutSearch(scorer, weights.tolist())
    everything.enumerate()
    best = everything.ranked(1)[0]
    search = LoadoutSearch(scorer, weights.tolist())
    explore(search, scorer, weights, starts=3, top=10, most_to_enumerate=0)
    found = search.ranked(1)[0]
    assert found.score == pytest.approx(best.score, abs=1e-9)
    assert found.status in (OPTIMAL, SWAP_OPTIMAL)
    assert search.valued < everything.valued / 2
    assert search.floor <= best.score + 1e-9


KEPT_BESIDE_BLEED = ("power_attack", "bleed", "finishing_blow", "cooldown", "charges_2", "relentless")


@pytest.mark.parametrize("scenario", ["boss", "mixed"])
def test_the_search_finds_the_best_of_a_space_with_bleeds(scenario):
    gone = tuple(name for name in v2.rules().enhancements if name not in KEPT_BESIDE_BLEED)
    scorer = scorer_of([scenario], wanted=Wanted(groups=("melee_dg",), without_features=gone), budget=4)
    pairs = np.array(list(combinations_with_replacement(range(scorer.candidates), 2)))
    values = scorer.values(pairs)[:, 0]
    has = [{name for one in pair for name in scorer.attack(int(one)).enhancements} for pair in pairs.tolist()]
    beside = np.array([{"bleed", "finishing_blow"} <= each for each in has])
    assert (np.isnan(values) == beside).all()
    assert 0 < beside.sum() < len(beside) / 2
    best = int(np.nanargmin(values))
    search = LoadoutSearch(scorer, [1.0])
    explore(search, scorer, np.ones(1), starts=3, top=5, most_to_enumerate=0)
    found = search.ranked(1)[0]
    assert found.score == pytest.approx(values[best], abs=1e-9)
    assert found.status in (OPTIMAL, SWAP_OPTIMAL)
    assert search.floor <= values[best] + 1e-9
    assert "bleed" in has[best]


def test_values_are_those_of_best_play():
    scorer = scorer_of(["boss", "mixed"], wanted=Wanted(groups=("melee_dg",), with_features=("cooldown",)))
    rng = np.random.default_rng(3)
    loadouts = rng.integers(scorer.candidates, size=(4, 2))
    for loadout, values in zip(loadouts, scorer.values(loadouts), strict=True):
        build = scorer.build(tuple(int(one) for one in loadout))
        for bout, value in zip(scorer.bouts, values, strict=True):
            slow = solve_best_play(scorer.rules, build, bout.attacker, bout.encounter).mean
            assert value == pytest.approx(slow, abs=1e-9)
    used = scorer.uses([(0, 1), (0, 0)])
    assert [[sum(use.share for use in its) for its in fights] for fights in used] == pytest.approx(
        np.ones((2, 2))
    )


def test_splinter_stands_behind_the_candidates():
    wanted = Wanted(groups=("melee_dg",), without_features=("near_death", "bloodied", "channeled"))
    scorer = scorer_of(["mixed"], wanted=wanted, budget=3)
    assert scorer.extra == 1
    loadout = (scorer.candidates, 5)
    build = scorer.build(loadout)
    assert build.attacks[0].enhancements == ("splinter",)
    bout = scorer.bouts[0]
    slow = solve_best_play(scorer.rules, build, bout.attacker, bout.encounter).mean
    values = scorer.values(np.array([loadout, (4, 5), (4, scorer.candidates)]))
    assert values[0, 0] == pytest.approx(slow, abs=1e-9)
    assert values[1, 0] == scorer.values(np.array([(4, 5)]))[0, 0]
    # By counting: a strike and two splinters a turn, and one turn at least.
    assert scorer.floor_with_extra()[0] == 1.0
    assert (values >= 1.0).all()


def test_what_must_fight_stands_behind_all():
    wanted = Wanted(groups=("melee_dg", "area"), without_features=("near_death", "bloodied", "channeled"))
    scorer = scorer_of(["boss", "mixed"], wanted=wanted, most=40)
    first = scorer.candidates + scorer.extra
    own = [scorer.attack(first + i) for i in range(scorer.sampled)]
    assert {"area"} < {attack.type for attack in own}
    jumps = {"ricochet", "explosive_critical"}
    assert all(attack.type == "area" or jumps & set(attack.enhancements) for attack in own)
    assert len(set(own)) == len(own)
    rows = np.array([(3, first), (first, first + 1), (first + scorer.sampled - 1, 5)])
    boss, mixed = scorer.exact_values(0, rows), scorer.exact_values(1, rows)
    assert np.isnan(mixed).all()
    turns, squares = scorer.fight_on(1, rows, 500)
    later, _ = scorer.fight_on(1, rows, 100, first_block=1)
    values = scorer.values(rows)
    for i, row in enumerate(rows.tolist()):
        build = scorer.build(tuple(row))
        bout = replace(scorer.bouts[1], play="optimal")
        slow = solve_best_play(scorer.rules, build, scorer.bouts[0].attacker, scorer.bouts[0].encounter).mean
        assert values[i, 0] == boss[i] == pytest.approx(slow, abs=1e-9)
        # The fights of the command line, whatever stands beside it.
        alone = LookaheadEvaluator(scorer.rules).evaluate(build, bout, Sampling(500, seed=0))
        assert turns[i] == alone.distribution @ np.arange(len(alone.distribution))
        assert squares[i] == alone.distribution @ np.arange(len(alone.distribution)) ** 2
        estimate = LookaheadEvaluator(scorer.rules).evaluate(build, bout, Sampling(8192, seed=0))
        assert values[i, 1] == estimate.estimates["mean_turns"].value
    assert (later > 0).all()
    used = scorer.uses([tuple(row) for row in rows.tolist()])
    assert [[sum(use.share for use in its) for its in fights] for fights in used] == pytest.approx(
        np.ones((3, 2))
    )
    assert scorer.floor_with_extra()[1] == 1.0


def test_an_area_that_fells_everybody_is_all_there_is_to_do():
    """One turn for sure is exact, and the share of turns says so too, not what one enemy would be worth."""
    wanted = Wanted(groups=("direct_damage", "area"), with_features=("barrage", "timid"))
    scorer = scorer_of(["boss", "mixed"], wanted=wanted, most=20, budget=6)
    first = scorer.candidates + scorer.extra
    sure = next(
        i for i in range(scorer.sampled) if scorer.exact_values(1, np.array([(0, first + i)]))[0] == 1.0
    )
    (boss, mixed), = scorer.uses([(0, first + sure)])  # fmt: skip
    assert [(use.part, use.action, use.share) for use in mixed] == [(1, "B", 1.0)]
    assert sum(use.share for use in boss) == pytest.approx(1)


def test_where_nobody_fights_several_nothing_must_fight():
    assert scorer_of(["boss"], wanted=Wanted(groups=("area",)), most=10).sampled == 0


def test_what_is_left_out_is_counted():
    scorer = scorer_of(["boss"], most=20)
    total = sum(v2.space(tier=4, budget=2).count(Wanted(groups=("direct_damage",))).values())
    assert scorer.left_out[WEAK_ALONE] == total - 20
    assert scorer.candidates + sum(scorer.left_out.values()) == total


def test_loadouts_without_a_value_are_said():
    """A bleed beside a threshold: no value, no hope, and words about it; without bleeds no such words."""
    groups = Wanted(groups=("melee_dg",), without_features=("near_death", "bloodied", "channeled"))
    scorer = scorer_of(["boss"], wanted=groups, budget=3)
    names = [scorer.attack(i).enhancements for i in range(scorer.candidates)]
    bleed = next(i for i, name in enumerate(names) if "bleed" in name)
    threshold = next(i for i, name in enumerate(names) if "culling_strike" in name)
    assert np.isnan(scorer.values(np.array([(bleed, threshold)]))).all()
    assert np.isinf(scorer.bounds((bleed,))[threshold]).all()
    assert np.isfinite(scorer.values(np.array([(bleed, bleed), (threshold, threshold)]))).all()
    assert "a bleed beside" in (scorer.without_value or "")
    assert scorer_of(["boss"]).without_value is None


def test_one_attack_is_no_loadout():
    rules = v2.rules()
    assert VitalitySystem().loadouts(rules, v2.space(tier=4), {}, Wanted(), 10) is None

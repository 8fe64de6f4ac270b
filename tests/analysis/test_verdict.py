"""The verdict against plain definitions, and planted games: each fault is named, a healthy one left alone."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from buildsearch.analysis.analyses import AnalysisInput, judge
from buildsearch.analysis.causes import find_causes, grouped, having
from buildsearch.analysis.choices import choices_of
from buildsearch.analysis.findings import Certainty, FindingCode, FindingSeverity, Status, class_of, status
from buildsearch.analysis.population import populate
from buildsearch.analysis.score_order import ScoreScale, contest_of
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.model.evaluation import Metric, Scale
from buildsearch.search.objectives import read_objectives
from tests.analysis.tables import accused, deck_space, made_up, options_of, small_space

LIMITS = read_thresholds()
CLONES = ("power", "feeble")
TURNS = Metric(
    "turns", "turns", higher_is_better=False, low=1, counts_steps=True, unit="turns", verb="wins in"
)
CHANCE = Metric("win_rate", "win rate", higher_is_better=True, low=0, high=1, scale=Scale.PROBABILITY)
POINTS = Metric("points", "points", higher_is_better=True, scale=Scale.OTHER, span=100.0)


def game(
    change=lambda logs, has: logs, *, budget=4, metric=TURNS, error=0.0, beyond=None, second=None, **more
):
    """A fair game: an option does as much as it costs, give or take. Changed as told, then judged."""
    table, space = scored(change, budget, metric, error)
    if second is not None:
        means = np.stack([table.fight_means[0], second(table.fight_means[1])])
        table = replace(table, fight_means=means)
    subject = AnalysisInput(
        table,
        space,
        options_of(),
        dict.fromkeys(table.fights),
        None,
        objective=read_objectives((), (metric,))[0],
        primary=metric,
        beyond=None if beyond is None else scored(change, beyond, metric, error),
        **more,
    )
    return judge(subject, populate(table, space), LIMITS)


def scored(change, budget, metric, error):
    space = small_space(budget)
    table = made_up(space)
    levels = np.concatenate([space.levels(chunk) for _, chunk in table.chunks()]).astype(float)
    has = {name: levels[:, i] for i, name in enumerate(space.feature_names)}
    rng = np.random.default_rng(3)
    costs = {option.id: option.cost or 0 for option in options_of()}
    logs = sum(-has[name] * costs.get(name, 0) * (0.05 + rng.normal(0, 0.004)) for name in has)
    logs = change(logs, has)
    # The same strength on three scales.
    values = {
        Scale.POSITIVE: np.exp(2.5 + logs),
        Scale.PROBABILITY: 1 / (1 + np.exp(2 * logs + 0.3)),
        Scale.OTHER: 50 - 100 * logs,
    }[metric.scale]
    values = values + error * values * rng.normal(size=len(values))
    errors = np.full((2, len(values)), error) * values
    means = np.stack([values, values])
    table = replace(
        table,
        score=values,
        error=errors[0],
        fight_means=means,
        fight_errors=errors,
        higher_is_better=metric.higher_is_better,
        primary_higher_is_better=metric.higher_is_better,
    )
    return table, space


METRICS = pytest.mark.parametrize("metric", [TURNS, CHANCE, POINTS], ids=lambda metric: metric.name)


@METRICS
def test_a_healthy_game_accuses_nobody(metric):
    judged = game(metric=metric)
    assert accused(judged) == set()
    assert status(judged.findings, judged.verdict) is Status.HEALTHY
    assert judged.verdict.too_small is None
    assert judged.verdict.flat is None


@METRICS
def test_a_must_have(metric):
    judged = game(lambda logs, has: logs - 0.35 * has["careful_aim"], metric=metric)
    assert accused(judged) == {(FindingCode.MUST_HAVE, ("careful_aim",))}
    assert class_of("careful_aim", judged.findings) == "must-have"
    assert class_of("aim", judged.findings) == "fine"
    assert class_of("aim", judged.findings, is_passenger=True) == "passenger"
    (finding,) = judged.findings
    assert finding.severity is FindingSeverity.ERROR
    assert finding.text.startswith("Without Careful Aim the best build ")
    assert finding.fix.startswith("Raise Careful Aim from 1 to ")
    best, left = finding.numbers["best"], finding.numbers["best_without"]
    assert best == judged.verdict.best
    assert (left > best) is not metric.higher_is_better


@METRICS
def test_an_overpowered_triple_on_one_type(metric):
    """Four of four points, so nothing stands beside it, and the reference level does not know of it."""

    def plant(logs, has):
        return logs - 0.6 * has["melee_dg"] * has["aim"] * has["trade"] * has["gamble"]

    judged = game(plant, metric=metric)
    assert accused(judged) == {(FindingCode.OVERPOWERED, ("aim", "trade", "gamble", "melee_dg"))}
    (finding,) = judged.findings
    assert "on Melee Attack (Damage)" in finding.text
    assert judged.verdict.causes.is_proved
    assert "Don't allow Aim together with Trade together with Gamble on Melee Attack (Damage)" in finding.fix
    before, after = (step.health for step in judged.verdict.bans)
    assert judged.verdict.contest.yardstick.loss(after.score) > judged.verdict.contest.yardstick.loss(
        before.score
    )
    assert class_of("trade", judged.findings) == "overpowered"


def test_interchangeable_must_haves_do_not_hide_one_another():
    judged = game(lambda logs, has: logs - 0.35 * np.maximum(has["careful_aim"], has["trade"]))
    assert accused(judged) == {(FindingCode.MUST_HAVE, ("trade", "careful_aim"))}
    (finding,) = judged.findings
    assert "Trade and Careful Aim replace each other" in finding.text


def test_what_something_stronger_hides_is_revealed():
    def plant(logs, has):
        return logs - 1.0 * has["wide_eye"] * has["cruel_luck"] - 0.4 * has["careful_aim"]

    assert accused(game(plant)) == {
        (FindingCode.OVERPOWERED, ("wide_eye", "cruel_luck")),
        (FindingCode.MUST_HAVE, ("careful_aim",)),
    }


def test_combinations_that_share_an_option_are_one_cause():
    """It shines beside two expensive partners that leave no points for more."""

    def plant(logs, has):
        pairs = has["trade"] * has["second_chance"], has["trade"] * has["finisher"] * has["gamble"]
        return logs - 0.5 * pairs[0] - 0.45 * pairs[1]

    judged = game(plant)
    causes = grouped(judged.verdict.causes.family)
    flagged = {name for _, subjects in accused(judged) for name in subjects}
    assert "trade" in flagged
    assert len([each for each in judged.findings if each.code is FindingCode.OVERPOWERED]) == len(causes) == 1
    (shared, combinations_), *_ = causes
    assert shared is not None
    assert all(shared in each.choices for each in combinations_)


def test_health_without_the_first_cause_and_by_group():
    def plant(logs, has):
        return logs - 0.6 * has["melee_dg"] * has["aim"] * has["trade"] * has["gamble"]

    judged = game(plant)
    verdict = judged.verdict
    first = verdict.without_first_cause
    assert first.banned == ("aim", "trade", "gamble", "melee_dg")
    banned = [each.choice for each in verdict.reaches if each.choice.name in first.banned]
    keep = ~having(verdict.contest.population, banned)
    assert first.health.score == verdict.contest.population.scores.score[keep].min()
    assert [level.name for level in verdict.levels if level.kind == "group"] == list(
        verdict.contest.population.scores.groups
    )


def test_weak_options_are_listed_by_how_far_off_they_are():
    judged = game(lambda logs, has: logs + 0.25 * has["aim"] + 0.5 * has["trade"] + 1.2 * has["power"])
    told = [(each.severity, each.subjects) for each in judged.findings]
    assert told == [
        (FindingSeverity.WARNING, ("power",)),
        (FindingSeverity.WARNING, ("trade",)),
        (FindingSeverity.NOTE, ("aim",)),
    ]
    # Trade costs one point: there is no lower cost.
    codes = [each.code for each in judged.findings]
    assert codes == [FindingCode.OVERCOSTED, FindingCode.TOO_WEAK, FindingCode.OVERCOSTED]
    below = game(lambda logs, has: logs + 1.2 * has["power"], below_rules={"budget": (4, 6)})
    assert [each.severity for each in below.findings] == [FindingSeverity.NOTE]


def test_too_weak_is_what_no_lower_cost_helps():
    judged = game(lambda logs, has: logs + 1.2 * has["power"], beyond=6)
    assert accused(judged) == {(FindingCode.TOO_WEAK, ("power",))}
    # Good beside an option that it leaves no points for.
    judged = game(
        lambda logs, has: logs + 0.3 * has["finisher"] - 0.6 * has["finisher"] * has["second_chance"],
        beyond=6,
    )
    assert judged.verdict.prices["finisher"].indifferent is not None
    assert accused(judged) == {(FindingCode.OVERCOSTED, ("finisher",))}
    assert judged.findings[0].fix.startswith("Lower Finisher to ")


def test_undercosted_is_what_beats_the_benchmark_at_a_higher_cost():
    """Only alone, so that no other option profits from it, and the benchmark stays."""

    def plant(logs, has):
        parts = sum(has.values())
        alone = parts == parts[has["second_chance"] > 0].min()
        return logs - 0.13 * has["second_chance"] * alone

    judged = game(plant)
    assert accused(judged) == {(FindingCode.UNDERCOSTED, ("second_chance",))}
    (finding,) = judged.findings
    assert finding.severity is FindingSeverity.WARNING
    assert finding.text == "1 option is undercosted by 1 point: Second Chance."
    assert finding.numbers["fair_cost"] == {"second_chance": 4}


def test_near_a_limit_is_a_note():
    judged = game(lambda logs, has: logs - 0.125 * has["careful_aim"])
    (finding,) = judged.findings
    assert (finding.code, finding.severity) == (FindingCode.NEAR_LIMIT, FindingSeverity.NOTE)
    assert status(judged.findings, judged.verdict) is Status.HEALTHY


def test_what_an_option_is_worth_by_definition():
    verdict = game().verdict
    population = verdict.contest.population
    scores = population.scores.score
    for name, worth in verdict.worths.items():
        mine = np.flatnonzero(population.levels[population.names.index(name)] > 0)
        assert worth.mean_of_best == pytest.approx(np.sort(scores[mine])[:10].mean())
        best = mine[np.argmin(scores[mine])]
        parts = population.levels[:, best].copy()
        parts[population.names.index(name)] = 0
        without = np.flatnonzero((population.levels == parts[:, None]).all(axis=0))
        if worth.saves is not None:
            assert worth.saves == pytest.approx(scores[without[0]] - scores[best])
            assert worth.is_passenger == (np.log(scores[without[0]] / scores[best]) < -np.log(1 - 0.02))


def test_prices_below_todays_need_builds_above_the_budget():
    plant = lambda logs, has: logs + 0.05 * has["finisher"]  # noqa: E731 - a plant is a formula
    without, with_it = game(plant).verdict, game(plant, beyond=6).verdict
    assert without.prices["finisher"].indifferent is None
    assert "not scored" in without.prices["finisher"].why
    assert with_it.prices["finisher"].indifferent == 1
    for name, price in without.prices.items():
        assert price.indifferent is None or with_it.prices[name] == price


def test_the_indifference_price_is_the_highest_that_still_reaches_the_reference():
    """By definition, build by build."""

    def plant(logs, has):
        # Only alone, so that nobody else's best build, and with it the reference level, moves.
        parts = sum(has.values())
        alone = parts == parts[has["second_chance"] > 0].min()
        return logs - 0.25 * has["second_chance"] * alone

    judged = game(plant)
    verdict = judged.verdict
    population, contest = verdict.contest.population, verdict.contest
    rows = np.flatnonzero(population.has(population.names.index("second_chance")))
    rows = rows[contest.losses[rows] <= verdict.reference.loss + 1e-12]
    reached = [
        price for price in range(3, 9) if any(population.scores.cost[row] + (price - 3) <= 4 for row in rows)
    ]
    assert verdict.prices["second_chance"].indifferent == max(reached) > 3


def test_best_with_viability_freedom_and_reference_by_definition():
    verdict = game().verdict
    scores = verdict.contest.population.scores.score
    population = verdict.contest.population
    names = {reach.choice.name: reach for reach in verdict.reaches}
    best_with = {
        name: scores[population.levels[i] > 0].min()
        for i, name in enumerate(population.names)
        if 0 < (population.levels[i] > 0).sum() < len(population)
    }
    assert {name: reach.score for name, reach in names.items()} == pytest.approx(best_with)
    options = [best_with[option.id] for option in options_of() if option.cost is not None]
    assert verdict.reference.score == pytest.approx(np.median(options))
    for free in verdict.freedom:
        assert free.options == sum(scores.min() / best >= free.least for best in best_with.values())
    for loss in verdict.losses:
        left = scores[population.levels[population.names.index(loss.names[0])] == 0].min()
        assert loss.factor == pytest.approx(left / scores.min())


@pytest.mark.parametrize("seed", range(6))
def test_causes_lose_the_fewest_builds_of_all_families_of_bans(seed):
    """Brute force over every family of at most three bans."""
    rng = np.random.default_rng(seed)
    space = small_space(3)
    table = made_up(space, seed=seed)
    population = populate(table, space)
    contest = contest_of(population, ScoreScale(Scale.POSITIVE, False, 1.0, LIMITS.verdict))
    choices = choices_of(population, {})
    rows = np.sort(rng.choice(contest.order[:60], 4, replace=False))
    found = find_causes(contest, rows, choices, 20.0)
    assert found.is_proved
    bans = set()
    for row in rows:
        mine = [choice for choice in choices if choice.has(population, np.array([row]))[0]]
        chosen = [choice for choice in mine if choice.part.is_chosen]
        group = [choice for choice in mine if not choice.part.is_chosen]
        for size in (1, 2, 3):
            for some in combinations(chosen, size):
                bans |= {some} | ({(*some, *group)} if size < 3 else set())
    masks = {ban: having(population, ban) for ban in bans}
    least = min(
        int(np.logical_or.reduce([masks[ban] for ban in family]).sum())
        for size in (1, 2, 3, 4)
        for family in combinations(masks, size)
        if size < 4 or len(masks) < 40
        if np.logical_or.reduce([masks[ban][rows] for ban in family]).all()
    )
    gone = np.logical_or.reduce([having(population, cause.choices) for cause in found.family])
    assert gone[rows].all()
    assert found.lost == gone.sum() <= least


def test_clones_count_once_and_do_not_move_the_reference():
    def clone(logs, has):
        parts = sum(has.values())
        alone = {name: logs[(has[name] > 0) & (parts == parts[has[name] > 0].min())][0] for name in CLONES}
        return logs + has["feeble"] * (alone["power"] - alone["feeble"])

    plain, cloned = game().verdict, game(clone).verdict
    assert {reach.choice.name: reach.choice.like for reach in cloned.reaches if reach.choice.like} == {
        "feeble": "power"
    }
    assert not any(reach.choice.like for reach in plain.reaches)
    assert cloned.freedom[0].of == plain.freedom[0].of - 1
    others = [reach.score for reach in cloned.reaches if reach.choice.price and reach.choice.name != "feeble"]
    assert cloned.reference.score == pytest.approx(np.median(others))


def test_a_space_that_is_too_small_accuses_nobody():
    judged = game(lambda logs, has: logs - 0.8 * has["trade"], budget=2)
    assert accused(judged) == set()
    assert "judging needs 100" in judged.verdict.too_small
    assert status(judged.findings, judged.verdict) is Status.TOO_SMALL


def test_fights_that_everybody_wins_tell_nothing():
    judged = game(lambda logs, has: logs - 9.0, metric=CHANCE)
    assert {code for code, _ in accused(judged)} == {FindingCode.FLAT_SCENARIO}
    assert status(judged.findings, judged.verdict) is Status.INCONCLUSIVE
    judged = game(lambda logs, has: 0.0 * logs)
    assert "all builds score the same" in judged.findings[0].text
    # A must-have shows all the same: without it the fights are not won any more.
    judged = game(lambda logs, has: np.where(has["careful_aim"] > 0, -9.0, logs), metric=CHANCE)
    assert (FindingCode.MUST_HAVE, ("careful_aim",)) in accused(judged)


def test_one_trivial_scenario_is_named():
    judged = game(second=lambda values: np.full_like(values, 1.0))
    assert accused(judged) == {(FindingCode.FLAT_SCENARIO, ("second",))}
    assert [each.severity for each in judged.findings] == [FindingSeverity.WARNING]


def test_sampled_scores_leave_a_verdict_open():
    sure = game(lambda logs, has: logs - 0.35 * has["careful_aim"], error=0.001)
    assert [each.certainty for each in sure.findings if each.code is FindingCode.MUST_HAVE] == [
        Certainty.SAMPLED
    ]
    unsure = game(lambda logs, has: logs - 0.35 * has["careful_aim"], error=0.08)
    needed = [each for each in unsure.findings if each.subjects == ("careful_aim",)]
    assert [each.is_open for each in needed] == [True]
    assert status(unsure.findings, unsure.verdict) is Status.INCONCLUSIVE


def test_fights_decided_at_once_accuse_by_weight():
    """A mean of turns near the least possible proves it; one of two equal fights is half of the weight."""

    def fast(logs, has):
        hit = has["wide_eye"] * has["cruel_luck"]
        return np.where(hit > 0, np.log(1.01) - 2.5, logs)

    judged = game(fast, least=[1.0, 1.0])
    assert FindingCode.INSTANT_WIN in {code for code, _ in accused(judged)}
    (found,) = [each for each in judged.findings if each.code is FindingCode.INSTANT_WIN]
    assert found.numbers["chances"] == pytest.approx({"first": 0.99, "second": 0.99})
    assert game(fast).verdict.decided == []


def test_a_group_with_nearly_all_of_the_top_is_named():
    judged = game(lambda logs, has: logs - 0.1 * has["ranged"])
    found = judged.verdict.dominant
    assert found.group == "ranged"
    assert (FindingCode.DOMINANT_TYPE, ("ranged",)) in accused(judged)
    assert found.builds == sum(
        judged.verdict.contest.population.scores.group[row]
        == judged.verdict.contest.population.scores.groups.index("ranged")
        for row in judged.verdict.contest.order[: found.top]
    )


def test_decks_are_judged_by_how_many_of_a_card_they_hold():
    space = deck_space(8)
    table = made_up(space, higher=True)
    population = populate(table, space)
    choices = choices_of(population, {})
    assert any(choice.part.at_least > 1 for choice in choices)
    # A number that most decks reach sets none apart; a whole card can be banned all the same.
    for choice in choices:
        if population.most[choice.part.feature] > 1:
            assert choice.is_common == (2 * choice.builds > len(table))
            assert choice.counts or (choice.part.at_least == 1 and not choice.part.is_stat)
    cards = {choice.name for choice in choices if not choice.part.is_stat}
    assert {"light_attack", "heal"} <= cards
    assert {choice.name for choice in choices if choice.part.is_stat} >= {"eva", "res"}
    judged = judge(AnalysisInput(table, space, (), {}, None), population, LIMITS)
    assert len(judged.verdict.reaches) == len(choices)
    assert all(price.indifferent is None for price in judged.verdict.prices.values())


def test_scales_agree_about_order():
    scores = np.array([0.1, 0.5, 0.9, 0.999])
    for scale in Scale:
        for higher in (True, False):
            stick = ScoreScale(scale, higher, 1.0, LIMITS.verdict)
            losses = stick.losses(scores)
            assert (np.diff(losses) <= 0).all() if higher else (np.diff(losses) >= 0).all()
            best, worst = losses.min(), losses.max()
            assert stick.viability(best, best) == 1
            assert 0 <= stick.viability(best, worst) < 1
            assert stick.factor(best, best) == (1 if scale is not Scale.OTHER else 0)
    assert ScoreScale(Scale.PROBABILITY, True, 1.0, LIMITS.verdict).is_clipped(
        ScoreScale(Scale.PROBABILITY, True, 1.0, LIMITS.verdict).loss(0.999)
    )


@pytest.mark.posix
def test_ctrl_c_stays_ours_after_a_proof():
    """CP-SAT would take the signal, and leave the process to be ended by it without a word."""
    program = """
import os, signal, numpy as np
from buildsearch.analysis.causes import smallest_family
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in jobs of a shell
smallest_family(np.ones((2, 3), bool), np.ones((1, 2), bool), np.array([5]), 1.0)
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    print("heard")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, "heard"), ended.stderr

"""One build among all of a run: where it stands, and why."""

from __future__ import annotations

import math
from typing import Any

from buildsearch.analysis.explanation import Contribution, Explanation, explain, row_of
from buildsearch.analysis.population import Population, populate
from buildsearch.library.runs import LoadedRun
from buildsearch.library.tables import Answer
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import ScoreWords
from buildsearch.options.balance import ExplainFields
from buildsearch.options.search import ScoreFields
from buildsearch.report.command_lines import trace_command
from buildsearch.report.leaderboard import score_words
from buildsearch.search.objectives import MEAN, WORST, read_objectives
from buildsearch.search.ranks import RankRange
from buildsearch.views.explain import explain_document
from buildsearch.views.scores import combined

# What came out of a fight, and the seed to trace it by.
Fought = dict[str, float]


def explain_build(run: LoadedRun, text: str, how: ExplainFields, *, age: str = "") -> Answer:
    """Its rank, what each part adds, its worst scenario and why, and what lies near; raises UsageError.

    A build that the run did not score is scored now, and where it would stand is said. `age` says which run
    is meant where that is not clear.
    """
    metrics = run.setup.loaded.system.metrics
    words = score_words(read_objectives(run.record.request.objectives, metrics)[0])
    return Answer(explain_document(_explained(run, text, how), words, ScoreWords(metrics[0]), age))


def _explained(run: LoadedRun, text: str, how: ExplainFields) -> dict[str, Any]:
    (build,) = run.setup.read_builds([text])
    population = populate(run.scores, run.setup.space)
    row = row_of(population, run.setup.space, build)
    if row is None:
        return _outsider(run, build, how.seed)
    found = explain(population, row)
    notable = _notable_fights(run, build, how.fights, how.seed)
    data = _as_data(run, population, found, notable, _rates(run, build, found, how.fights, how.seed))
    for name, numbers in data["scenarios"].items():
        is_sampled = numbers["error"] > 0
        numbers["why_sampled"] = run.setup.why_sampled(build, run.setup.fights[name]) if is_sampled else None
    return data


def _outsider(run: LoadedRun, build: Any, seed: int) -> dict[str, Any]:
    """A build that is none of the run's: scored by itself, and the ranks that it would have."""
    setup, objective = run.setup, run.objective
    (as_read,) = setup.space.builds(setup.space.encode(build))
    # An effect or a shape may be the whole run's: others are not to be compared.
    if objective not in (None, MEAN, WORST) or setup.space.name(as_read) != setup.space.name(build):
        raise UsageError(
            f"{setup.space.name(build)} is not among the builds of this run, and cannot be placed among "
            "them. Score it with `buildsearch score`, or run optimize over a space that has it."
        )
    (found,) = setup.evaluate([build], ScoreFields(seed=seed))
    primaries = {name: each.estimates[each.primary] for name, each in found.items()}
    up = run.scores.primary_higher_is_better
    if objective != WORST:
        score = combined(found, {name: fight.weight for name, fight in setup.fights.items()})
    else:
        score = (min if up else max)(primaries.values(), key=lambda each: each.value)
    ends = (-score.value, -score.high, -score.low) if up else (score.value, score.low, score.high)
    ranks = run.rank_ranges.between(*ends, outside=True)
    return {
        "in_run": False,
        "build": setup.space.name(build),
        "cost": setup.space.cost(build),
        "score": score.value,
        "run": str(run.folder),
        "incomplete": run.record.incomplete,
        "builds": len(run.scores),
        **_ranks(ranks),
        "scenarios": {
            name: {
                "value": each.value,
                "low": each.low,
                "high": each.high,
                "method": found[name].method,
                "why_sampled": found[name].why_sampled,
            }
            for name, each in primaries.items()
        },
    }


def _ranks(ranks: RankRange) -> dict[str, Any]:
    """As leaderboard.csv has it."""
    return {
        # JSON has no word for a bound that there is not.
        "score_low": ranks.low if math.isfinite(ranks.low) else None,
        "score_high": ranks.high if math.isfinite(ranks.high) else None,
        "rank": ranks.rank,
        "rank_low": ranks.best,
        "rank_high": ranks.worst,
        "rank_text": ranks.rank_text,
        "is_rank_range": ranks.is_open,
        "tied_with": ranks.tied - 1,
    }


def _notable_fights(run: LoadedRun, build: Any, fights: int, seed: int) -> dict[str, dict[str, Fought]]:
    """The worst, the median and the best of some fights, by scenario."""
    system = run.setup.loaded.system
    replayer = system.replayer(run.setup.loaded.model)
    sign = -1.0 if system.metrics[0].higher_is_better else 1.0
    found: dict[str, dict[str, Fought]] = {}
    for name, fight in run.setup.fights.items():
        values = [(sign * replayer.value(build, fight, each), each) for each in range(seed, seed + fights)]
        ordered = sorted(values)
        worst = min((each for each in values if each[0] == ordered[-1][0]), key=lambda each: each[1])
        picked = {"worst": worst, "median": ordered[(fights - 1) // 2], "best": ordered[0]}
        found[name] = {
            f"{which}_fight": {"value": sign * value, "seed": number}
            for which, (value, number) in picked.items()
        }
    return found


def _rates(
    run: LoadedRun, build: Any, found: Explanation, fights: int, seed: int
) -> dict[str, dict[str, Any]]:
    """How often options mattered in the worst scenario."""
    replayer = run.setup.loaded.system.replayer(run.setup.loaded.model)
    fight = run.setup.fights[found.worst.fight]
    rates = replayer.triggers(build, fight, fights, seed)
    return {name: {"usable": rate.usable, "fired": rate.fired} for name, rate in rates.items()}


def _as_data(
    run: LoadedRun,
    population: Population,
    found: Explanation,
    notable: dict[str, dict[str, Fought]],
    rates: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    scores, space = run.scores, run.setup.space

    def near(row: int | None) -> dict[str, Any] | None:
        if row is None:
            return None
        return {
            "build": population.name(row, space),
            "cost": int(scores.cost[row]),
            "score": float(scores.score[row]),
        }

    metric = run.setup.loaded.system.metrics[0]
    intervals = [
        scores.fight_interval(i, found.row, metric.low, metric.high) for i in range(len(scores.fights))
    ]
    worst = found.worst
    place = scores.fights.index(worst.fight)
    return {
        **(near(found.row) or {}),
        "error": float(scores.error[found.row]),
        "run": str(run.folder),
        "incomplete": run.record.incomplete,
        "builds": len(scores),
        "in_run": True,
        **_ranks(run.rank_ranges.of(found.row)),
        "percentile": 100 * found.better_than,
        "scenarios": {
            each.fight: {
                "value": each.value,
                "error": each.error,
                "low": intervals[i].low,
                "high": intervals[i].high,
                "percentile": 100 * each.better_than,
                **notable[each.fight],
            }
            for i, each in enumerate(found.standings)
        },
        "parts": [_part(population, each, near) for each in found.contributions],
        "worst_scenario": {
            "scenario": worst.fight,
            "percentile": 100 * worst.better_than,
            "why": _why(population, found, place, rates),
            "triggers": rates,
        },
        "worst_fight": trace_command(
            run.record.request,
            population.name(found.row, space),
            worst.fight,
            int(notable[worst.fight]["worst_fight"]["seed"]),
        ),
        "nearest_better": near(found.nearest_better),
        "nearest_cheaper": near(found.nearest_cheaper),
        "cheapest_as_good": near(found.cheapest_as_good),
    }


def _part(population: Population, each: Contribution, near: Any) -> dict[str, Any]:
    fights = population.scores.fights
    gains = None if each.fight_gains is None else dict(zip(fights, each.fight_gains, strict=True))
    return {
        "part": population.names[each.part],
        "gain": each.gain,
        "gains": gains,
        "best_swap": None if each.swap_for is None else population.names[each.swap_for],
        "swapped": near(each.swap),
        "gain_over_swap": each.swap_gain,
    }


def _why(
    population: Population, found: Explanation, place: int, rates: dict[str, dict[str, Any]]
) -> list[str]:
    """What the build has that helps less there than elsewhere, or does not fire."""
    reasons = []
    for each in found.contributions:
        name = population.names[each.part]
        rate = rates.get(name)
        if rate is not None and rate["fired"] == 0:
            reasons.append(f"{name} never fires there")
        elif rate is not None and rate["usable"] is not None and rate["usable"] < 0.5:
            reasons.append(f"{name} is usable only {rate['usable']:.0%} of the time")
        if each.fight_gains is None:
            continue
        here = each.fight_gains[place]
        others = [gain for i, gain in enumerate(each.fight_gains) if i != place]
        if here <= 0 < max(others, default=0.0):
            reasons.append(f"{name} gains {here:.3g} there and up to {max(others):.3g} elsewhere")
        elif here < 0:
            reasons.append(f"{name} makes it worse by {-here:.3g}")
    return reasons or ["every part helps there; other builds are better suited"]

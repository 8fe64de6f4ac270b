"""The numbers behind the picture and each chart. The page draws them, and shows each as a table too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.assessment import Assessment
from buildsearch.analysis.causes import grouped
from buildsearch.analysis.choices import Choice
from buildsearch.analysis.findings import CLASSES, class_of
from buildsearch.analysis.population import Population
from buildsearch.analysis.reach import Reference
from buildsearch.analysis.saturation import CLASSES as SHARES
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.document.numbers import short, shorts
from buildsearch.model.evaluation import Scale
from buildsearch.report.html.source import ReportSource


def picture_data(source: ReportSource) -> dict[str, Any]:
    """The rows of the picture: the game now, and under the fix where there is one."""
    verdict, fix = source.analysis.verdict, source.fix
    cause, scale = first_cause(verdict), verdict.contest.yardstick.scale
    names = [choice.name for choice in cause]
    rows = [_row("now", verdict, source.analysis.population, cause, source)]
    if fix is not None:
        court = fix.state.court
        same = [choice for choice in court.choices if choice.name in names]
        rows.append(_row("fixed", fix.state, court.table.population, same, source))
    return {
        "rows": rows,
        "isLog": scale is Scale.POSITIVE,
        "isShare": scale is Scale.PROBABILITY,
        "up": source.scores.higher_is_better,
        "unit": source.analysis.words.unit,
        "cause": " + ".join(source.say(name) for name in names),
    }


def first_cause(verdict: Assessment) -> tuple[Choice, ...]:
    """What the first finding about overpowered builds names; nothing where there is none."""
    for shared, combinations in grouped(verdict.causes.family):
        return combinations[0].choices if shared is None else (shared,)
    return ()


def _row(
    label: str,
    game: Assessment | EditedGame,
    population: Population,
    cause: Sequence[Choice],
    source: ReportSource,
) -> dict[str, Any]:
    benchmark, yardstick = game.reference, game.contest.yardstick
    dots = [
        {
            "name": source.say(reach.choice.name),
            "score": short(reach.score),
            "build": population.name(reach.row, source.space),
            "hasCause": bool(cause) and all(each.has(population, np.array([reach.row]))[0] for each in cause),
        }
        for reach in game.reaches
        if reach.counts
    ]
    return {
        "label": label,
        "benchmark": None if benchmark is None else short(benchmark.score),
        "band": None if benchmark is None else [short(end) for end in band(yardstick, benchmark)],
        "dots": sorted(dots, key=lambda dot: yardstick.loss(dot["score"] or 0.0)),
    }


def band(yardstick: ScoreScale, benchmark: Reference) -> tuple[float, float]:
    """The scores that are as far from the benchmark as an error is, on both sides; the lower one first."""
    ends = [_score(yardstick, benchmark.loss + sign * yardstick.margin) for sign in (-1, 1)]
    return min(ends), max(ends)


def _score(yardstick: ScoreScale, loss: float) -> float:
    value = -loss if yardstick.higher_is_better else loss
    if yardstick.scale is Scale.POSITIVE:
        return math.exp(value)
    return 1 / (1 + math.exp(-value)) if yardstick.scale is Scale.PROBABILITY else value * yardstick.span


_MOST_ON_FRONT = 300
_CLOUD = 1_200
_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def saturation_data(source: ReportSource) -> dict[str, Any]:
    """Options by cuts: share and lift, the most common at the top first."""
    found = source.analysis.saturation
    curves = sorted(found.curves, key=lambda curve: curve.shares, reverse=True)
    return {
        "cuts": [cut.label for cut in found.cuts],
        "curves": [
            {
                "part": source.title_of(curve.part.feature, curve.part.at_least),
                "base": short(curve.base),
                "shares": shorts(curve.shares),
                "lifts": shorts(curve.lifts),
                "kind": curve.kind,
            }
            for curve in curves
        ],
    }


def front_data(source: ReportSource) -> dict[str, Any]:
    """The Pareto front over scenarios and cost, and some of all other builds behind it."""
    found, scores, analysis = source.analysis.dominance, source.scores, source.analysis
    assert found is not None  # noqa: S101 - a report asks for certificates
    step = max(1, len(scores) // _CLOUD)
    cloud = analysis.population.best_first[::step]
    front = found.front[:_MOST_ON_FRONT]
    return {
        "size": len(found.front),
        "front": [
            {
                "build": analysis.population.name(int(row), source.space),
                "values": _values(source, int(row)),
                "dominates": short(float(share)),
            }
            for row, share in zip(front, found.shares, strict=False)
        ],
        "cloud": [_values(source, int(row)) for row in cloud],
    }


def _values(source: ReportSource, row: int) -> list[float | None]:
    """Cost, score, then every fight: what the plot's axes can show."""
    scores = source.scores
    return [
        float(scores.cost[row]),
        short(float(scores.score[row])),
        *shorts(scores.fight_means[:, row]),
    ]


def spread_data(source: ReportSource) -> list[dict[str, Any]]:
    """How scores are spread among the builds of each cost."""
    scores = source.scores
    by_cost = {int(cost): scores.score[scores.cost == cost] for cost in np.unique(scores.cost)}
    return [
        {"cost": cost, "builds": len(its), "quantiles": shorts(np.quantile(its, _QUANTILES))}
        for cost, its in by_cost.items()
    ]


def option_data(source: ReportSource) -> dict[str, Any]:
    """What each option is worth to a player who chooses well: the verdict's table."""
    analysis, verdict = source.analysis, source.analysis.verdict
    contest = verdict.contest
    losses = {loss.choices[0].name: loss.row for loss in verdict.losses}
    saturation = {curve.part.name: curve.kind for curve in analysis.saturation.curves}
    rows = []
    for reach in verdict.reaches:
        choice, price = reach.choice, verdict.prices[reach.choice.name]
        worth, without = verdict.worths[choice.name], losses[choice.name]
        rows.append(
            {
                "part": source.title_of(choice.part.feature, choice.part.at_least),
                "viability": short(reach.viability),
                "best": short(reach.score),
                "mean": short(worth.mean_of_best),
                "without": None if without is None else short(float(contest.scores[without])),
                "price": price.price,
                "indifferent": price.indifferent,
                "why": price.why,
                "kind": class_of(choice.name, analysis.findings, is_passenger=worth.is_passenger),
                "saturation": saturation.get(choice.name, ""),
            }
        )
    sign = -1.0 if contest.yardstick.higher_is_better else 1.0
    seen = {row["kind"] for row in rows} | {row["saturation"] for row in rows}
    return {
        "rows": sorted(rows, key=lambda row: sign * (row["mean"] or 0.0)),
        "reference": None if verdict.reference is None else short(verdict.reference.score),
        "classes": {name: said for name, said in {**SHARES, **CLASSES}.items() if name in seen},
    }

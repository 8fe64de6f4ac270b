"""The one picture of a game: every option a dot at its best build, the benchmark as a band, now and fixed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.assessment import Assessment
from buildsearch.analysis.causes import grouped
from buildsearch.analysis.choices import Choice
from buildsearch.analysis.population import Population
from buildsearch.analysis.reach import Reach, Reference
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.model.evaluation import Scale
from buildsearch.report.html.number_format import short
from buildsearch.report.html.source import ReportSource


def picture_data(source: ReportSource) -> dict[str, Any]:
    """The rows of the picture: the game now, and under the fix where there is one."""
    verdict = source.analysis.verdict
    cause = first_cause(verdict)
    names = [choice.name for choice in cause]
    rows = [_row("now", verdict.reaches, verdict.reference, verdict.contest.yardstick, cause, source, None)]
    fix = source.fix
    if fix is not None:
        state = fix.state
        same = [choice for choice in state.court.choices if choice.name in names]
        yardstick = state.contest.yardstick
        rows.append(_row("fixed", state.reaches, state.reference, yardstick, same, source, state))
    return {
        "rows": rows,
        "isLog": verdict.contest.yardstick.scale is Scale.POSITIVE,
        "isShare": verdict.contest.yardstick.scale is Scale.PROBABILITY,
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
    reaches: Sequence[Reach],
    benchmark: Reference | None,
    yardstick: ScoreScale,
    cause: Sequence[Choice],
    source: ReportSource,
    state: EditedGame | None,
) -> dict[str, Any]:
    population = source.analysis.population if state is None else state.court.table.population
    dots = [
        {
            "name": source.say(reach.choice.name),
            "score": short(reach.score),
            "build": population.name(reach.row, source.space),
            "hasCause": bool(cause) and _has(population, reach.row, cause),
        }
        for reach in reaches
        if reach.counts
    ]
    return {
        "label": label,
        "benchmark": None if benchmark is None else short(benchmark.score),
        "band": None if benchmark is None else [short(end) for end in band(yardstick, benchmark)],
        "dots": sorted(dots, key=lambda dot: yardstick.loss(dot["score"] or 0.0)),
    }


def _has(population: Population, row: int, cause: Sequence[Choice]) -> bool:
    rows = np.array([row])
    return all(bool(choice.has(population, rows)[0]) for choice in cause)


def band(yardstick: ScoreScale, benchmark: Reference) -> tuple[float, float]:
    """The scores that are as far from the benchmark as an error is, on both sides; the lower one first."""
    ends = [_score(yardstick, benchmark.loss + sign * yardstick.margin) for sign in (-1, 1)]
    return min(ends), max(ends)


def _score(yardstick: ScoreScale, loss: float) -> float:
    """The score that has a loss."""
    value = -loss if yardstick.higher_is_better else loss
    if yardstick.scale is Scale.POSITIVE:
        return math.exp(value)
    return 1 / (1 + math.exp(-value)) if yardstick.scale is Scale.PROBABILITY else value * yardstick.span

"""The ranked table of a run. Its columns are documented in docs/leaderboard.md and stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from buildsearch.model.evaluation import Estimate, Metric
from buildsearch.model.space import BuildSpace
from buildsearch.report.command_lines import score_command
from buildsearch.search.details import Detail
from buildsearch.search.objectives import Objective
from buildsearch.search.optimization import Answer
from buildsearch.search.rank_ranges import is_open_rank


def leaderboard(
    answer: Answer,
    space: BuildSpace,
    metrics: Sequence[Metric],
    own_columns: Sequence[str],
    titles: Mapping[str, str],
    command: Sequence[str],
) -> dict[str, list[Any]]:
    """Columns of the builds in order. `titles` are the names that people read; `command` scores a build."""
    rows = [
        _row(answer, place, space, metrics, own_columns, titles, command)
        for place in range(len(answer.builds))
    ]
    names = list(rows[0]) if rows else []
    return {name: [row[name] for row in rows] for name in names}


def _row(
    answer: Answer,
    place: int,
    space: BuildSpace,
    metrics: Sequence[Metric],
    own_columns: Sequence[str],
    titles: Mapping[str, str],
    command: Sequence[str],
) -> dict[str, Any]:
    ordered, ledger = answer.ordered, answer.ledger
    row, build, detail = int(ordered.rows[place]), answer.builds[place], answer.details[place]
    objectives = answer.question.objectives
    score = score_estimate(answer, place)
    own = {name: column[0].as_py() for name, column in space.table(space.encode(build)).items()}
    name = space.name(build)
    cells: dict[str, Any] = {
        "rank": int(ordered.rank[place]),
        "rank_low": int(answer.ranks[0][place]),
        "rank_high": int(answer.ranks[1][place]),
        "tie_group": int(ordered.group[place]),
        "tied_builds": int(ordered.size[place]),
        "build": name,
        "name": display_name(space, build, titles),
        **{column: own[column] for column in own_columns},
        "score": score.value,
        "score_low": score.low,
        "score_high": score.high,
        "method": detail.method,
        **{
            f"objective_{objective.name}": float(objective.shown(answer.costs[i, row]))
            for i, objective in enumerate(objectives)
            if len(objectives) > 1
        },
    }
    for fight, its in zip(ledger.names, detail.fights, strict=True):
        cells[f"{fight}_{metrics[0].name}"] = its.primary.value
        cells[f"{fight}_low"], cells[f"{fight}_high"] = its.primary.low, its.primary.high
        cells[f"{fight}_stdev"] = its.stdev
        cells |= {f"{fight}_{metric.name}": its.metrics.get(metric.name) for metric in metrics[1:]}
        cells[f"{fight}_method"], cells[f"{fight}_fights"] = its.method, its.fights
    cells["flags"] = " ".join(_flags(answer, place, metrics))
    cells["command"] = reproducing(command, name, detail, answer.question.seed)
    return cells


def score_estimate(answer: Answer, place: int) -> Estimate:
    """The first objective with the bounds that its rank follows from: they hold for all builds at once.

    An interval for this build alone would ignore that it was chosen for looking good.
    """
    objective = answer.question.objectives[0]
    row = int(answer.ordered.rows[place])
    value = float(objective.shown(answer.costs[0, row]))
    low, high = _bounds(objective, answer, row)
    return Estimate(value, 0.0 if low == high else float("nan"), low, high)


def _bounds(objective: Objective, answer: Answer, row: int) -> tuple[float, float]:
    low, high = sorted(objective.shown(np.array([bound[row] for bound in answer.bounds])))
    return float(low), float(high)


def display_name(space: BuildSpace, build: Any, titles: Mapping[str, str]) -> str:
    """A build in the rules' own words."""
    parts = [
        titles.get(feature.name, feature.name) + (f" x{feature.level}" if feature.level > 1 else "")
        for feature in space.features(build)
    ]
    return " + ".join(parts)


def is_undecided(answer: Answer, place: int) -> bool:
    """Whether the rank is a range for another reason than an exact tie: it, or one beside it, is sampled."""
    best, worst = int(answer.ranks[0][place]), int(answer.ranks[1][place])
    score = score_estimate(answer, place)
    is_exact = score.low == score.high
    return is_open_rank(best, worst, int(answer.ordered.size[place]), is_exact=is_exact)


def _flags(answer: Answer, place: int, metrics: Sequence[Metric]) -> list[str]:
    flags = []
    if is_undecided(answer, place):
        flags.append("undecided")
    if answer.ordered.size[place] > 1:
        flags.append("tied")
    for metric in metrics:
        most = metric.remarkable_above
        values = [fight.metrics.get(metric.name, 0.0) for fight in answer.details[place].fights]
        if most is not None and max(values) > most:
            flags.append(metric.name)
    if answer.is_partial:
        flags.append("incomplete")
    return flags


def reproducing(command: Sequence[str], name: str, detail: Detail, seed: int) -> str:
    """The command line that gives the row's numbers again."""
    fights = [fight.fights for fight in detail.fights if fight.fights is not None]
    return score_command(command, name, max(fights, default=None), seed)

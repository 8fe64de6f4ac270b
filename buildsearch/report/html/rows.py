"""The builds of the report's leaderboard: the best, and the best of every kind that one may filter for."""

from __future__ import annotations

from typing import Any

import numpy as np

from buildsearch.model.arrays import Ints
from buildsearch.report.html.number_format import short, shorts
from buildsearch.report.html.source import ReportSource

# So many of each group, with each part and without it: a filter never ends in an empty table.
_OF_EACH_GROUP = 8
_OF_EACH_PART = 4


def chosen_rows(source: ReportSource, most: int) -> Ints:
    """The rows of the score table that are shown, the best first."""
    population = source.analysis.population
    order = population.best_first
    places = [np.arange(min(most, len(order)))]
    group = source.scores.group[order]
    places += [
        np.flatnonzero(group == number)[:_OF_EACH_GROUP] for number in range(len(source.scores.groups))
    ]
    for part in population.free:
        has = population.levels[part][order] > 0
        places += [np.flatnonzero(has)[:_OF_EACH_PART], np.flatnonzero(~has)[:_OF_EACH_PART]]
    if source.reference is not None:
        places.append(np.flatnonzero(order == source.reference))
    rows: Ints = order[np.unique(np.concatenate(places))]
    return rows


def row_data(source: ReportSource, rows: Ints) -> list[dict[str, Any]]:
    """Each build's rank, parts and numbers."""
    population, scores = source.analysis.population, source.scores
    # A run for several objectives ranks its Pareto front only; ranks here are among all builds.
    ranges = scores.rank_ranges(on_board=len(source.record.objectives) <= 1)
    metric = source.metrics[0]
    data: list[dict[str, Any]] = []
    for row in rows:
        name = population.name(int(row), source.space)
        board = source.board.get(name, {})
        ranks = ranges.of(int(row))
        fights = [
            scores.fight_interval(i, int(row), metric.low, metric.high) for i in range(len(scores.fights))
        ]
        levels = population.levels[:, row]
        data.append(
            {
                "build": name,
                "rank": ranks.rank,
                "ranks": [ranks.best, ranks.worst],
                "rankText": ranks.rank_text,
                "tied": ranks.tied,
                "group": int(scores.group[row]),
                "parts": [[int(part), int(levels[part])] for part in np.flatnonzero(levels)],
                "cost": int(scores.cost[row]),
                "score": short(float(scores.score[row])),
                "bounds": None if ranks.is_exact else [short(ranks.low), short(ranks.high)],
                "means": shorts(scores.fight_means[:, row]),
                "intervals": [
                    [short(each.low), short(each.high)] if each.high > each.low else None for each in fights
                ],
                "flags": board.get("flags", ""),
                "variantOf": board.get("variant_of"),
                "ahead": _ahead(source, int(row)),
            }
        )
    # Ties are in the order of the leaderboard.
    order = sorted(range(len(data)), key=lambda i: (data[i]["rank"], _board_rank(source, data[i]["build"])))
    return [data[i] for i in order]


def _ahead(source: ReportSource, row: int) -> float | None:
    """How many times better a build is than the reference level; below 1 it is worse."""
    verdict = source.analysis.verdict
    if verdict.reference is None:
        return None
    loss = float(verdict.contest.losses[row])
    return short(verdict.contest.yardstick.factor(loss, verdict.reference.loss))


def _board_rank(source: ReportSource, build: str) -> int:
    try:
        return int(source.board[build]["rank"])
    except (KeyError, ValueError):
        return len(source.scores) + 1

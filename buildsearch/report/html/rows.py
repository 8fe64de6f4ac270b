"""The builds of the report's leaderboard: the best, and the best of every kind that one may filter for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import Z95
from buildsearch.report.html.numbers import short, shorts
from buildsearch.report.html.source import Source
from buildsearch.search.race import TIE

# So many of each group, with each part and without it: a filter never ends in an empty table.
_OF_EACH_GROUP = 8
_OF_EACH_PART = 4

Ints = NDArray[np.int64]


def chosen_rows(source: Source, most: int) -> Ints:
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
    rows: Ints = order[np.unique(np.concatenate(places))]
    return rows


def row_data(source: Source, rows: Ints) -> list[dict[str, Any]]:
    """Each build's place, parts and numbers."""
    population, scores = source.analysis.population, source.scores
    loss = np.sort(population.loss)
    # A run for several objectives ranks its Pareto front only; places here are among all builds.
    has_ranges = len(source.record.objectives) <= 1
    data: list[dict[str, Any]] = []
    for row in rows:
        name = population.name(int(row), source.space)
        board = source.board.get(name, {})
        place = int(np.searchsorted(loss, population.loss[row] - TIE)) + 1
        tied = int(np.searchsorted(loss, population.loss[row] + TIE, side="right")) + 1 - place
        levels = population.levels[:, row]
        data.append(
            {
                "build": name,
                "rank": place,
                "ranks": (_range(board) if has_ranges else None) or [place, place],
                "tied": tied,
                "group": int(scores.group[row]),
                "parts": [[int(part), int(levels[part])] for part in np.flatnonzero(levels)],
                "cost": int(scores.cost[row]),
                "score": short(float(scores.score[row])),
                "half": short(Z95 * float(scores.error[row])),
                "means": shorts(scores.fight_means[:, row]),
                "halves": shorts(Z95 * scores.fight_errors[:, row]),
                "flags": board.get("flags", ""),
                "ahead": _ahead(source, int(row)),
            }
        )
    # Ties stand as they do in leaderboard.csv.
    order = sorted(range(len(data)), key=lambda i: (data[i]["rank"], _board_rank(source, data[i]["build"])))
    return [data[i] for i in order]


def _ahead(source: Source, row: int) -> float | None:
    """How many times better a build is than the reference level; below 1 it is worse."""
    verdict = source.analysis.verdict
    if verdict.reference is None:
        return None
    loss = float(verdict.contest.losses[row])
    return short(verdict.contest.yardstick.factor(loss, verdict.reference.loss))


def _range(board: Any) -> list[int] | None:
    try:
        return [int(board["rank_best"]), int(board["rank_worst"])]
    except (KeyError, ValueError):
        return None


def _board_rank(source: Source, build: str) -> int:
    try:
        return int(source.board[build]["rank"])
    except (KeyError, ValueError):
        return len(source.scores) + 1

"""Everything on the page of a run as data: what is rendered at once, and what scripts draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.explanation import row_of
from buildsearch.analysis.population import Population, populate
from buildsearch.document.numbers import short, shorts
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import BuildsearchError
from buildsearch.model.evaluation import TIE
from buildsearch.report.html import charts
from buildsearch.report.html.cards import card, contributions
from buildsearch.report.html.charts import picture_data
from buildsearch.report.html.source import Earlier, Extent, ReportSource
from buildsearch.report.html.summary import facts, head, vocabulary

Say = Callable[[str], None]


def page_content(source: ReportSource, extent: Extent, say: Say) -> dict[str, Any]:
    """All of it. Keys that are not `data` are text that the template shows."""
    say("choosing builds")
    chosen = chosen_rows(source, extent.rows)
    by_name = {source.analysis.population.name(int(row), source.space): int(row) for row in chosen}
    rows = row_data(source, chosen)
    for row in rows:
        row["gains"] = contributions(source, by_name[row["build"]])
    reference = [i for i, row in enumerate(rows) if by_name[row["build"]] == source.reference]
    for row in [*rows[: extent.cards], *(rows[i] for i in reference if i >= extent.cards)]:
        say(f"fights of rank {row['rank']}")
        row["card"] = card(source, by_name[row["build"]], extent)
    say("charts")
    return {
        "kicker": "Balance report",
        "title": source.title,
        "facts": facts(source),
        "head": head(source),
        "has_board": True,
        "is_partial": source.record.incomplete,
        "workbench": source.workbench,
        "data": {
            **_vocabulary(source, extent),
            "rows": rows,
            "picture": picture_data(source),
            "compared": reference[0] if reference else None,
            "saturation": charts.saturation_data(source),
            "front": charts.front_data(source),
            "spread": charts.spread_data(source),
            "options": charts.option_data(source),
            "earlier": earlier_data(source, rows),
        },
    }


def _vocabulary(source: ReportSource, extent: Extent) -> dict[str, Any]:
    population, scores = source.analysis.population, source.scores
    weights = dict(zip(scores.fights, scores.weights.tolist(), strict=True))
    return {
        **vocabulary(source.options, population.names, scores.groups, weights, source.metrics),
        "kind": "run",
        "noun": "build",
        "free": population.free.tolist(),
        "groupedBy": source.space.grouped_by,
        "score": {"label": source.record.objectives[0].label, "up": scores.higher_is_better},
        "triggerFights": source.trigger_fights(extent),
        "hasCosts": bool(np.ptp(scores.cost) > 0),
        "builds": len(scores),
    }


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
    population, scores = source.analysis.population, source.scores
    # A run for several objectives ranks its Pareto front only; ranks here are among all builds.
    ranges = scores.rank_ranges(on_board=len(source.record.objectives) <= 1)
    metric = source.metrics[0]
    contest, benchmark = source.analysis.verdict.contest, source.analysis.verdict.reference
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
                # How many times better it is than the benchmark; below 1 it is worse.
                "ahead": None
                if benchmark is None
                else short(contest.yardstick.factor(float(contest.losses[row]), benchmark.loss)),
            }
        )

    def on_board(row: dict[str, Any]) -> int:
        return int(source.board.get(row["build"], {}).get("rank", len(scores) + 1))

    # Ties are in the order of the leaderboard.
    return sorted(data, key=lambda row: (row["rank"], on_board(row)))


_MOST_BUILDS = 40
_BEST = 100


def earlier_data(source: ReportSource, rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Ranks and scores of the best builds of both runs, and shares of parts among the best hundred."""
    if source.earlier is None:
        return None
    now, before = source.analysis.population, populate(source.earlier.scores, source.earlier.space)
    names = [row["build"] for row in rows[:_MOST_BUILDS]]
    names += [before.name(int(row), source.earlier.space) for row in before.best_first[:_MOST_BUILDS]]
    return {
        "name": source.earlier.name,
        "builds": [
            {
                "build": name,
                "before": _standing(before, source.earlier.space, name),
                "after": _standing(now, source.space, name),
            }
            for name in dict.fromkeys(names)
        ],
        "shares": _shares(source, now, source.earlier, before),
        "best": min(_BEST, len(now), len(before)),
    }


def _standing(population: Population, space: Any, name: str) -> list[float | None] | None:
    """[rank, score] of a build; None where it is not legal or was not asked for."""
    try:
        build = space.parse(name)
        row = None if space.reasons_against(build) else row_of(population, space, build)
    except BuildsearchError:
        return None
    if row is None:
        return None
    better = int((population.loss < population.loss[row] - TIE).sum())
    return [better + 1, short(float(population.scores.score[row]))]


def _shares(
    source: ReportSource, now: Population, earlier: Earlier, before: Population
) -> list[dict[str, Any]]:
    """How common each part is among the best, before and after; the largest changes first."""
    found = []
    for name in dict.fromkeys((*now.names, *before.names)):
        pair = [_share(population, name) for population in (before, now)]
        if any(pair):
            found.append({"part": source.titles.get(name, name), "before": pair[0], "after": pair[1]})
    return sorted(found, key=lambda row: -abs((row["after"] or 0) - (row["before"] or 0)))


def _share(population: Population, name: str) -> float | None:
    if name not in population.names:
        return None
    best = population.best_first[:_BEST]
    return short(float((population.levels[population.names.index(name)][best] > 0).mean()))

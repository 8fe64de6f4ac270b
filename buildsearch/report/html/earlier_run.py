"""Before and after: the same builds in another run, and what the best of both are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from buildsearch.analysis.population import Population, populate
from buildsearch.model.errors import BuildsearchError
from buildsearch.model.evaluation import TIE
from buildsearch.report.html.number_format import short
from buildsearch.report.html.source import Earlier, ReportSource

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
        if space.reasons_against(build):
            return None
        chunk = space.encode(build)
    except BuildsearchError:
        return None
    if chunk.group not in population.scores.groups:
        return None
    group = population.scores.groups.index(chunk.group)
    same = (population.scores.group == group) & (population.scores.codes == chunk.codes[0]).all(axis=1)
    found = np.flatnonzero(same)
    if len(found) == 0:
        return None
    row = int(found[0])
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

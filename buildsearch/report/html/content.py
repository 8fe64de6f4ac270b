"""Everything on the page as data: what is rendered at once, and what scripts draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from buildsearch.report.html import charts
from buildsearch.report.html.cards import card, contributions
from buildsearch.report.html.earlier_run import earlier_data
from buildsearch.report.html.picture import picture_data
from buildsearch.report.html.rows import chosen_rows, row_data
from buildsearch.report.html.source import Extent, ReportSource
from buildsearch.report.html.summary import facts, head
from buildsearch.report.html.vocabulary import vocabulary

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
    """The words of this run."""
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

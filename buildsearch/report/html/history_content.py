"""A history of rules as a page: best build, benchmark and viable options over the revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from buildsearch.analysis.findings import VIABLE
from buildsearch.balancing.history import History, Point, Trend
from buildsearch.document.numbers import short
from buildsearch.report.html.summary import Sentence
from buildsearch.version import __version__
from buildsearch.views.history import history_headline, remarks


def history_content(history: History, objective: str, facts: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """All of it. The template escapes what it shows; the rest is JSON that scripts show as text."""
    return {
        "kicker": "Balance over revisions",
        "title": history.rules,
        "facts": [
            ("Rules", history.rules),
            *facts,
            ("Scenarios", ", ".join(history.scenarios)),
            ("Revisions", str(len(history.points))),
            ("buildsearch", __version__),
        ],
        "summary": list(_summary(history)),
        "findings": [],
        "has_board": False,
        "is_partial": history.is_partial,
        "data": {
            "kind": "history",
            "score": {"label": objective, "up": history.higher_is_better},
            "viable": VIABLE,
            "points": [_data(number, point) for number, point in enumerate(history.points, start=1)],
        },
    }


def _data(number: int, point: Point) -> dict[str, Any]:
    state, measure = point.state, point.measure
    data: dict[str, Any] = {
        "number": number,
        "revision": state.short,
        "date": state.date[:10],
        "subject": state.subject,
        "why": point.why_not,
    }
    if measure is None:
        return data
    free = measure.free(VIABLE)
    return data | {
        "best": short(measure.best),
        "build": measure.best_build,
        "benchmark": short(measure.reference),
        "ahead": short(point.ahead),
        "viable": free.options,
        "options": free.of,
        "mustHaves": list(measure.must_haves),
        "overpowered": measure.overpowered,
        "instantWins": measure.decided,
        "builds": measure.builds,
        "method": "sampled" if point.is_sampled else "exact",
    }


def _summary(history: History) -> Iterator[Sentence]:
    is_bad = history.trend is Trend.WORSE or bool(history.broken) or not history.measured
    # Where a game is too small to judge, nothing is known to be right.
    is_unsure = any(point.unjudged or point.why_not for point in history.points) or history.is_partial
    yield Sentence("Did the game get better?", history_headline(history), is_bad=is_bad, is_warning=is_unsure)
    for note in remarks(history):
        yield Sentence("Note", note, is_bad=False, is_warning=True)

"""A made-up history of rules whose subjects are markup."""

from __future__ import annotations

from dataclasses import replace

from buildsearch.balancing.history import History, Point
from buildsearch.report.html.history_content import history_content
from buildsearch.ruleset.git import FileState
from tests.balancing.test_history import GOOD
from tests.report.html.sources import HOSTILE


def hostile_history_content():
    """Four revisions, the second of which could not be read."""
    states = [FileState(f"v{number}", "2026-01-01T00:00:00", HOSTILE, "r.yaml") for number in range(1, 5)]
    measures = [GOOD, None, replace(GOOD, best=5.0, overpowered=12, best_build=HOSTILE), GOOD]
    points = tuple(
        Point(state, why_not=HOSTILE) if measure is None else Point(state, measure, ahead=7 / measure.best)
        for state, measure in zip(states, measures, strict=True)
    )
    history = History(HOSTILE, points, higher_is_better=False, scenarios=("boss",))
    return history_content(history, "mean turns", [("tier", "3")])

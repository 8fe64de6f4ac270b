"""Which findings hold under other readings, judged by the builds that matter."""

from __future__ import annotations

import numpy as np

from buildsearch.analysis.robustness import rows_that_matter, with_readings
from buildsearch.model.rules_file import Variation
from buildsearch.search.readings import Reading, Readings
from tests.analysis.test_verdict import game


def reading(label, scores, problem=None):
    change = None if label is None else Variation("ruling", label, (label,))
    return Reading(change, scores, np.zeros(len(scores)), scores, problem)


def test_a_must_have_that_a_reading_takes_away():
    judged = game(lambda logs, has: logs - 0.35 * has["careful_aim"])
    verdict = judged.verdict
    rows = rows_that_matter(verdict)
    population = verdict.contest.population
    usual = population.scores.score[rows]
    has = population.levels[population.names.index("careful_aim"), rows] > 0
    # Under the second reading it does nothing special; the third cannot be scored.
    weaker = np.where(has, usual * np.exp(0.35), usual)
    readings = Readings(
        tuple(map(str, rows)),
        reading(None, usual),
        (reading("same", usual), reading("weaker", weaker), reading("no", usual * np.nan, problem="no")),
    )
    (finding,) = with_readings(judged.findings, verdict, rows, readings)
    assert finding.holds == "It holds under 1 of 2 other readings, not under weaker."
    alone = Readings(readings.names, readings.usual, readings.others[:1])
    (finding,) = with_readings(judged.findings, verdict, rows, alone)
    assert finding.holds == "It holds under all 1 other readings that were looked at."
    nothing = Readings(readings.names, readings.usual, ())
    assert with_readings(judged.findings, verdict, rows, nothing)[0].holds == ""


def test_the_builds_that_matter_hold_the_best_with_and_without_each_choice():
    verdict = game().verdict
    rows = set(rows_that_matter(verdict))
    assert verdict.contest.winner in rows
    assert {reach.row for reach in verdict.reaches} <= rows
    assert len(rows) < 120

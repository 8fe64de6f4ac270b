"""Under which other readings of the rules does a finding hold? Asked of the few builds that matter.

Each reading scores these builds again. The best of them with an option stands for the best of all, so what is
said is about these builds: another one may have become better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from buildsearch.analysis.assessment import Assessment
from buildsearch.analysis.choices import Choice
from buildsearch.analysis.findings import Finding, FindingCode
from buildsearch.analysis.reach import priced
from buildsearch.model.arrays import Bools, Floats
from buildsearch.search.readings import Reading, Readings

_BEST = 40
_MOST_NAMED = 4


def rows_that_matter(verdict: Assessment) -> list[int]:
    """The best builds, the best with each choice and without each, and those that findings name."""
    contest = verdict.contest
    rows = contest.order[:_BEST].tolist()
    rows += [reach.row for reach in verdict.reaches]
    rows += [loss.row for loss in (*verdict.losses, *verdict.must_haves, *verdict.revealed)]
    for cause in verdict.causes.family:
        rows += cause.rows[:3].tolist()
    return list(dict.fromkeys(int(row) for row in rows if row is not None))


def with_readings(
    findings: Sequence[Finding], verdict: Assessment, rows: Sequence[int], readings: Readings
) -> list[Finding]:
    """The findings, each with the readings that it holds under."""
    population = verdict.contest.population
    some = np.array(rows, dtype=np.int64)
    choices = {reach.choice.name: reach.choice for reach in verdict.reaches}
    has = {name: choice.has(population, some) for name, choice in choices.items()}
    looked = [each for each in readings.others if each.problem is None]
    return [replace(finding, holds=_holds(finding, verdict, choices, has, looked)) for finding in findings]


def _holds(
    finding: Finding,
    verdict: Assessment,
    choices: dict[str, Choice],
    has: dict[str, Bools],
    looked: Sequence[Reading],
) -> str:
    if not looked or not finding.subjects or any(name not in choices for name in finding.subjects):
        return ""
    answers = [(each.label, _holds_under(finding, verdict, has, each)) for each in looked]
    if any(answer is None for _, answer in answers):
        return ""
    lost = [label for label, answer in answers if not answer]
    if not lost:
        return f"It holds under all {len(looked)} other readings that were looked at."
    named = ", ".join(lost[:_MOST_NAMED])
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    return (
        f"It holds under {len(looked) - len(lost)} of {len(looked)} other readings, not under {named}{more}."
    )


def _holds_under(
    finding: Finding, verdict: Assessment, has: dict[str, Bools], reading: Reading
) -> bool | None:
    """None where the question makes no sense of this kind of finding."""
    yardstick = verdict.contest.yardstick
    losses = yardstick.losses(reading.scores)
    mine = np.logical_and.reduce([has[name] for name in finding.subjects])
    best_with = _least(losses, mine)
    if finding.code is FindingCode.MUST_HAVE:
        if "substitutes" in finding.numbers:
            return None
        return _least(losses, ~mine) - best_with > yardstick.margin
    if finding.code not in (
        FindingCode.OVERPOWERED,
        FindingCode.UNDERCOSTED,
        FindingCode.OVERCOSTED,
        FindingCode.TOO_WEAK,
    ):
        return None
    reached = [_least(losses, has[reach.choice.name]) for reach in priced(verdict.reaches)]
    reference = float(np.median(reached))
    if finding.code is FindingCode.OVERPOWERED:
        return best_with < reference - yardstick.margin
    # Lists hold where each of their options does.
    best = [_least(losses, has[name]) for name in finding.subjects]
    if finding.code is FindingCode.UNDERCOSTED:
        return max(best) < reference
    return min(best) > reference + yardstick.margin


def _least(losses: Floats, chosen: Bools) -> float:
    return float(losses[chosen].min()) if chosen.any() else float("inf")

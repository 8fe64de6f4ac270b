"""The cheapest single edits that end each finding of an analysis, by the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from buildsearch.analysis.analyses import Analysis, Subject, case_of
from buildsearch.analysis.assessment import Verdict
from buildsearch.analysis.findings import Code, Finding
from buildsearch.analysis.score_order import contest_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.model.arrays import Ints
from buildsearch.model.levers import PAIRS, RAISES, Account, Edit, Lever
from buildsearch.proposals.lever_choice import MAX_CHANGE
from buildsearch.proposals.state import Court, State
from buildsearch.proposals.table import Table, population_of

_SHOWN = 2
_MOST_CANDIDATES = 80


def with_cures(
    analysis: Analysis,
    subject: Subject,
    accounts: tuple[Account, ...],
    levers: Sequence[Lever],
    limits: Thresholds,
) -> Analysis:
    """The analysis, its gravest findings with their cheapest single cures."""
    graves = {Code.OVERPOWERED, Code.MUST_HAVE, Code.INSTANT_WIN}
    if not any(each.code in graves for each in analysis.findings):
        return analysis
    court, back = _court(analysis, subject, accounts, limits)
    if int(court.state(()).legal.sum()) != len(court.table.population):
        return analysis  # costs do not follow from prices
    edits = [
        edit
        for lever in levers
        for edit in lever.edits
        if edit.kind in (RAISES, PAIRS)
        and not edit.lets_in
        and (edit.kind == PAIRS or edit.steps <= MAX_CHANGE)
        and court.table.knows(edit)
    ]
    found = []
    for finding in analysis.findings:
        if finding.code not in graves:
            found.append(finding)
            continue
        fix = _cheapest(_ending(court, analysis.verdict, finding, edits, back), court)
        found.append(replace(finding, fix=fix) if fix else finding)
    return replace(analysis, findings=found)


def _court(
    analysis: Analysis, subject: Subject, accounts: tuple[Account, ...], limits: Thresholds
) -> tuple[Court, Ints]:
    """A court over the analysed builds, and where each of their rows is in it."""
    population = analysis.population
    order = population.best_first
    sorted_ = population_of(Table(subject, population, accounts, 0), order)
    table = Table(replace(subject, scores=sorted_.scores, beyond=None), sorted_, accounts, 0)
    case = case_of(table.subject, table.population, limits)
    contest = contest_of(table.population, case.yardstick)
    choices = tuple(reach.choice for reach in analysis.verdict.reaches)
    back = np.empty(len(order), dtype=np.int64)
    back[order] = np.arange(len(order))
    return Court(table, case, limits, contest, choices), back


def _ending(
    court: Court, verdict: Verdict, finding: Finding, edits: Sequence[Edit], back: Ints
) -> Iterable[Edit]:
    """Edits of what a finding names, and of what its builds have, that end it."""
    limits = court.limits.verdict
    if finding.code is Code.OVERPOWERED:
        named = [tuple(names) for names in finding.numbers["combinations"]]
        causes = [each for each in verdict.causes.family if each.names in named]
        rows = back[np.unique(np.concatenate([each.rows for each in causes]))]
        for edit in _about(edits, {name for names in named for name in names}):
            state = court.state((edit,))
            if not set(rows[state.legal[rows]].tolist()) & set(state.overpowered(limits).rows.tolist()):
                yield edit
    elif finding.code is Code.MUST_HAVE:
        names = set(finding.subjects)
        for edit in _touching(court, edits, [int(back[row]) for row in finding.builds[:1]], names):
            heavy = court.state((edit,)).must_haves(limits)
            if not any(names & set(loss.names) for loss in heavy):
                yield edit
    else:
        rows = back[np.array([each.row for each in verdict.decided if each.accuses], dtype=np.int64)]
        for edit in _touching(court, edits, rows.tolist(), None):
            # Whoever was accused must be gone, and an engine is asked only about who comes up then.
            state = court.state((edit,))
            if not state.legal[rows].any() and not state.decided:
                yield edit


def _about(edits: Sequence[Edit], names: Iterable[str]) -> list[Edit]:
    return [edit for edit in edits if set(edit.about) <= set(names)]


def _touching(court: Court, edits: Sequence[Edit], rows: Sequence[int], names: set[str] | None) -> list[Edit]:
    """Edits that all of some builds feel; with names, only those about one of them."""
    levels = court.table.population.levels
    has = {name for name, place in court.table.places.items() if all(levels[place, row] for row in rows)}
    return [edit for edit in edits if set(edit.about) <= has and (names is None or names & set(edit.about))][
        :_MOST_CANDIDATES
    ]


def _cheapest(ending: Iterable[Edit], court: Court) -> str:
    by_lever: dict[str, tuple[int, float, State, Edit]] = {}
    for edit in ending:
        state = court.state((edit,))
        known = by_lever.get(edit.lever)
        if known is None or edit.steps < known[0]:
            by_lever[edit.lever] = (edit.steps, 1 - state.kept, state, edit)
    if not by_lever:
        return ""
    best = sorted(by_lever.values(), key=lambda each: (each[0], each[1]))[:_SHOWN]
    return " Or: ".join(f"{edit.words} (keeps {1 - lost:.0%} of the builds)." for _, lost, _, edit in best)

"""Builds above the budget, scored for the fair costs of the options that are flagged as overcosted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import ceil

import numpy as np

from buildsearch.analysis.analyses import AnalysisInput, RunAnalysis
from buildsearch.analysis.fair_costs import LOWEST, OPEN, purse_of
from buildsearch.analysis.findings import FindingCode
from buildsearch.balancing.edit_table import distinct, scored
from buildsearch.files.user_cache import default_cache_path
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.rescoring import effort_of
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import make_scorer
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.executor import Jobs
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import CHUNK, ScoringSetup

# Builds times scenarios that are scored without asking, within a minute on a quiet machine: counted, so that
# the same is scored on a busy one.
_MOST_SCORES = 1_000_000


def score_flagged(
    run: LoadedRun, analysis: RunAnalysis, subject: AnalysisInput, jobs: Jobs, watch: Watch = SILENT
) -> tuple[ScoreTable, BuildSpace, frozenset[str]] | None:
    """Builds with flagged options that lower costs of these would make legal, their space, and the options.

    The furthest from the benchmark come first, as many as take little work; None where there are none.
    """
    budgets = [each.name for each in run.setup.loaded.system.parameters if each.is_budget]
    prices = analysis.verdict.prices
    flagged = [
        (name, cost)
        for finding in analysis.findings
        if finding.code is FindingCode.OVERCOSTED
        for name in finding.subjects
        if prices[name].why == OPEN and (cost := prices[name].price) is not None
    ]
    budget = int(run.scores.cost.max())
    purse = purse_of(analysis.population, subject.prices, budget)
    if not budgets or not flagged or purse is None:
        return None
    watch.stage("builds above the budget")
    given = int(run.setup.space.parameters[budgets[0]])

    @cache
    def setup(more: int) -> FightSetup:
        return setup_of(run.record.request.with_parameter(budgets[0], given + more))

    def above(name: str, price: int) -> Iterator[Chunk]:
        """Builds with an option that would be legal if it cost as little as can be."""
        for group, factor in zip(run.scores.groups, purse.factors, strict=True):
            more = ceil(factor * (price - LOWEST))
            wanted = run.record.request.wanted
            some = replace(wanted, groups=(group,), with_features=(*wanted.with_features, name))
            for chunk in setup(more).space.chunks(some, CHUNK):
                cost = np.asarray(setup(more).space.costs(chunk))
                is_above = (cost > budget) & (cost <= budget + more)
                if is_above.any():
                    yield Chunk(chunk.group, np.ascontiguousarray(chunk.codes[is_above]))

    chunks: list[Chunk] = []
    covered: list[str] = []
    for name, price in flagged:
        more = list(above(name, price))
        if sum(map(len, (*chunks, *more))) * len(run.setup.fights) <= _MOST_SCORES:
            chunks, covered = [*chunks, *more], [*covered, name]
    if not chunks:
        return None
    widest = setup(max(ceil(factor * (price - LOWEST)) for factor in purse.factors for _, price in flagged))
    scorer = make_scorer(widest, default_cache_path(), watch, jobs)
    arena = ScoringSetup(widest.space, widest.fights, scorer, run.record.request.wanted)
    what = "builds above the budget"
    found = scored(arena, distinct(chunks), effort_of(run), run.scores, what, races=False)
    return found, widest.space, frozenset(covered)

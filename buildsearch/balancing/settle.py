"""Sampled builds that an answer hangs on: solved where an engine can, else fought on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.balancing.edit_table import EditTable, population_of
from buildsearch.model.arrays import Ints
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import MEAN
from buildsearch.search.race import ALONE
from buildsearch.search.score_table import ScoreTable, combined_error
from buildsearch.search.scoring import Effort, ScoringSetup, sample_rows, solve_all, solve_alone

# So many fights a build and scenario: the error is a third of a thousandth of most scores then.
_FIGHTS = 200_000
_MOST_BUILDS = 40
# So many at a time, and what is left of the fights is looked at in between: never the clock, or a fast
# machine would give another answer.
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class SettledTable:
    """The table with better scores of some builds; how many were solved, how many fought on."""

    table: EditTable
    solved: int
    fought: int


def settle(
    table: EditTable, rows: Sequence[int], arena: ScoringSetup, effort: Effort, fights: int
) -> SettledTable:
    """Look at some builds again, in order, until about so many fights are spent. Only means add up."""
    if effort.objective.name != MEAN:
        return SettledTable(table, 0, 0)
    better, solved, fought = settled_scores(table.population.scores, rows, arena, effort, fights)
    return SettledTable(_with(table, better) if solved or fought else table, solved, fought)


def settled_scores(
    scores: ScoreTable, rows: Sequence[int], arena: ScoringSetup, effort: Effort, fights: int
) -> tuple[ScoreTable, int, int]:
    """The scores with those of some builds known better, and how many of these were solved and fought on."""
    # As in the run: every bound of a sampled build holds at once with those of all others.
    sampled = max(1, int((scores.error > 0).sum()))
    share = effort.alpha / (2 * sampled * len(scores.fights))
    solved = fought = spent = 0
    wanted = np.array(list(rows)[:_MOST_BUILDS], dtype=np.int64)
    for begin in range(0, len(wanted), _AT_ONCE):
        if spent >= fights:
            break
        some = wanted[begin : begin + _AT_ONCE]
        scores, was_solved, was_fought, fights_of_these = _looked_at(scores, some, arena, effort, share)
        solved, fought, spent = solved + was_solved, fought + was_fought, spent + fights_of_these
    return scores, solved, fought


def _looked_at(
    scores: ScoreTable, rows: Ints, arena: ScoringSetup, effort: Effort, share: float
) -> tuple[ScoreTable, int, int, int]:
    """The scores with those of some builds known better; how many of these were solved and fought on, and how
    many fights that took."""
    parts = scores.chunks(rows)
    rows = np.concatenate([mine for mine, _ in parts])
    scorer = arena.scorer
    ledger = Ledger.empty(arena.fights, [chunk for _, chunk in parts], scorer.scorer.outcomes)
    solve_all(scorer, ledger)
    ledger.begin_sampling(everywhere=False)
    columns = np.arange(len(ledger.sampled))
    solve_alone(scorer, ledger, columns, ALONE)
    is_open = np.isnan(ledger.exact[:, ledger.sampled]).any(axis=0)
    sample_rows(scorer, ledger, columns[is_open], _FIGHTS, effort.seed)
    means = np.stack([ledger.mean(fight, 0) for fight in range(len(ledger.fights))])
    errors = np.stack([ledger.standard_error(fight) for fight in range(len(ledger.fights))])
    error = combined_error(ledger, errors)
    low, high = effort.objective.bounds(ledger, scorer.scorer, share)
    if scores.higher_is_better:
        low, high = -high, -low
    shown = effort.objective.shown(effort.objective.costs(ledger, scorer.scorer))
    fought = np.zeros(len(ledger), np.int64)
    fought[ledger.sampled] = ledger.fought
    # By how much was seen: of few fights that look alike the error only seems to be small.
    before = np.zeros(len(rows), np.int64) if scores.fought is None else scores.fought[rows]
    now = (scores.error[rows] > 0) & ((error == 0) | (fought > before))
    mine = rows[now]
    better = replace(
        scores,
        score=_put(scores.score, mine, shown[now]),
        error=_put(scores.error, mine, error[now]),
        fight_means=_put(scores.fight_means, mine, means[:, now]),
        fight_errors=_put(scores.fight_errors, mine, errors[:, now]),
        low=None if scores.low is None else _put(scores.low, mine, low[now]),
        high=None if scores.high is None else _put(scores.high, mine, high[now]),
        fought=None if scores.fought is None else _put(scores.fought, mine, fought[now]),
        rank=None,  # those of before hold for the scores of before
    )
    spent = int(np.isnan(ledger.exact[:, ledger.sampled]).sum()) * _FIGHTS
    return better, int((now & (error == 0)).sum()), int((now & (error > 0)).sum()), spent


def _put(old: NDArray[Any], rows: Ints, values: NDArray[Any]) -> NDArray[Any]:
    new = old.copy()
    new[..., rows] = values
    return new


def _with(table: EditTable, better: ScoreTable) -> EditTable:
    """The table with other scores of its builds, the best first again."""
    loss = -better.score if better.higher_is_better else better.score
    population = replace(table.population, scores=better)
    if not bool((np.diff(loss) >= 0).all()):
        order = np.argsort(loss, kind="stable")
        population = population_of(replace(table, population=population), order)
    return replace(table, subject=replace(table.subject, scores=population.scores), population=population)

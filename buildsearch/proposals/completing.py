"""Builds that edits let in and nobody has scored: found, scored, and put into the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import populate
from buildsearch.changes.ground import Effort, Ground, score
from buildsearch.model.space import Chunk
from buildsearch.proposals.table import Table, joined, taken
from buildsearch.search.score_table import ScoreTable, score_table


def missing(table: Table, ground: Ground) -> list[Chunk]:
    """The builds of edited rules that the table does not have."""
    scores = table.population.scores
    known = {name: _keys(scores.codes[scores.group == i]) for i, name in enumerate(scores.groups)}
    found = []
    for chunk in ground.chunks():
        old = known.get(chunk.group)
        new = np.ones(len(chunk), dtype=bool) if old is None else ~np.isin(_keys(chunk.codes), old)
        if new.any():
            found.append(Chunk(chunk.group, np.ascontiguousarray(chunk.codes[new])))
    return found


def completed(table: Table, ground: Ground, chunks: Sequence[Chunk], effort: Effort) -> Table:
    """The table with these builds scored; `ground` is that of the edited rules, which scores the same."""
    if not chunks:
        return table
    scores = table.population.scores
    both = joined(scores, scored(ground, chunks, effort, scores))
    loss = -both.score if both.higher_is_better else both.score
    both = taken(both, np.argsort(loss, kind="stable"))
    subject = replace(table.subject, scores=both, space=ground.space)
    return Table(subject, populate(both, ground.space), table.accounts, table.headroom)


def scored(ground: Ground, chunks: Sequence[Chunk], effort: Effort, like: ScoreTable) -> ScoreTable:
    """Builds of a ground as a table like another."""
    ledger = score(ground, chunks, effort, "builds that are let in")
    return score_table(
        ledger,
        ground.space,
        effort.objective.shown(effort.objective.costs(ledger, ground.scorer.scorer)),
        higher_is_better=like.higher_is_better,
        primary_higher_is_better=like.primary_higher_is_better,
    )


def _keys(codes: NDArray[np.uint64]) -> NDArray[Any]:
    """A row of codes as one value that can be compared."""
    plain = np.ascontiguousarray(codes)
    return plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()

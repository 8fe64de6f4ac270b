"""Builds that edits let in and nobody has scored: found, scored, and put into the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import populate
from buildsearch.balancing.table import Table, joined, taken
from buildsearch.diffs.side import Effort, score
from buildsearch.model.levers import Edit
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.arena import Arena
from buildsearch.search.race import share_of_alpha
from buildsearch.search.score_table import ScoreTable, score_table


def missing(table: Table, chunks: Iterable[Chunk], most: int | None = None) -> list[Chunk]:
    """Those of some builds that the table does not have; once they are over `most`, not all of them."""
    scores = table.population.scores
    known: dict[str, NDArray[Any]] = {}
    found: list[Chunk] = []
    for chunk in chunks:
        if chunk.group not in known:
            mine = [number for number, name in enumerate(scores.groups) if name == chunk.group]
            known[chunk.group] = _keys(scores.codes[np.isin(scores.group, mine)])
        new = ~np.isin(_keys(chunk.codes), known[chunk.group])
        if new.any():
            found.append(Chunk(chunk.group, np.ascontiguousarray(chunk.codes[new])))
        if most is not None and sum(map(len, found)) > most:
            break
    return found


def distinct(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The same builds, each once."""
    groups = dict.fromkeys(chunk.group for chunk in chunks)
    return [
        Chunk(group, np.unique(np.concatenate([c.codes for c in chunks if c.group == group]), axis=0))
        for group in groups
    ]


def enlarged(
    table: Table, more: ScoreTable | None, space: BuildSpace, covered: Sequence[Sequence[Edit]]
) -> Table:
    """The table with more builds, which `space` can read. They are all that each of the `covered` sets of
    edits lets in."""
    sets = (*table.covered, *(tuple(edit for edit in some if edit.lets_in) for some in covered))
    if more is None:
        return replace(table, covered=sets)
    both = joined(table.population.scores, more)
    loss = -both.score if both.higher_is_better else both.score
    both = taken(both, np.argsort(loss, kind="stable"))
    subject = replace(table.subject, scores=both, space=space)
    return Table(subject, populate(both, space), table.accounts, table.headroom, sets)


def scored(
    arena: Arena,
    chunks: Sequence[Chunk],
    effort: Effort,
    like: ScoreTable,
    what: str = "builds made legal",
    *,
    races: bool = True,
) -> ScoreTable:
    """Builds of a arena as a table like another, with the bounds that ranks follow from."""
    ledger = score(arena, chunks, effort, what, races=races)
    scorer, objective = arena.scorer.scorer, effort.objective
    costs = objective.costs(ledger, scorer)
    low, high = objective.bounds(ledger, scorer, share_of_alpha(ledger, effort.rules.alpha))
    fought = np.zeros(len(ledger), np.int64)
    fought[ledger.sampled] = ledger.fought
    known = ~np.isnan(costs)
    found = score_table(
        ledger,
        arena.space,
        objective.shown(costs),
        higher_is_better=like.higher_is_better,
        primary_higher_is_better=like.primary_higher_is_better,
    )
    low, high = (-high, -low) if objective.higher_is_better else (low, high)
    return replace(found, low=low[known], high=high[known], fought=fought[known])


def _keys(codes: NDArray[np.uint64]) -> NDArray[Any]:
    """A row of codes as one value that can be compared."""
    plain = np.ascontiguousarray(codes)
    if plain.shape[1] == 1:
        return plain.ravel()  # numbers are compared faster than bytes
    return plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()

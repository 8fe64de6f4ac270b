"""Pairs of process and profile against one enemy: those that `alone` solves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.alone import (
    fill_tables,
    most_attacks,
    read_tables,
    shrinks_of,
    sort_processes,
)
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages

# Rows of tables that are kept at a time: 64 MB with 100 HP.
_MOST_ROWS = 80_000


def alone_means(
    packed: Packed,
    damages: Damages,
    process_of: NDArray[np.int64],
    rows: NDArray[np.int64],
    kill_at: NDArray[np.int64],
    limit: int,
) -> NDArray[np.float64]:
    """Mean turns of pairs, in the order of processes; NaN where this is not the way.

    `rows`: by pair the damage of an attack. `kill_at`: damage that leaves so many HP defeats.
    """
    means = np.full(len(process_of), np.nan)
    if len(packed.max_hp) != 1 or len(damages.echoes) > 0:
        return means
    activations, basics = np.zeros(len(packed.states)), np.zeros(len(packed.states), bool)
    sort_processes(packed, activations, basics)
    # With a threshold it matters which attack was the last.
    fits = (activations[process_of] >= 0.0) & ((kill_at == 0) | ~basics[process_of])
    chosen = np.flatnonzero(fits)
    if len(chosen) == 0:
        return means
    process_of, rows, kill_at = process_of[chosen], rows[chosen], kill_at[chosen]
    chances = activations[process_of]
    max_hp = int(packed.max_hp[0])
    kinds, kind_of = distinct_rows(rows[:, None])
    shrinks = shrinks_of(damages, rows[kinds], max_hp)[kind_of]
    needs = 1 + most_attacks(damages.chances[rows, 0], chances, shrinks, max_hp, limit)
    firsts = np.flatnonzero(np.diff(process_of, prepend=-1))
    number_of = np.cumsum(np.diff(process_of, prepend=-1) != 0) - 1
    sizes = np.maximum.reduceat(needs, firsts)
    ends = np.cumsum(sizes)
    blocks = (ends - sizes) // _MOST_ROWS
    found = np.zeros(len(chosen))
    for block in np.unique(blocks):
        own = np.flatnonzero(blocks == block)
        starts = ends - sizes - (ends - sizes)[own[0]]
        tables = np.zeros((int(sizes[own].sum()), max_hp))
        fill_tables(packed, process_of[firsts[own]], sizes[own], starts[own], damages, limit, tables)
        pairs = np.flatnonzero(blocks[number_of] == block)
        pairs = pairs[np.lexsort((chances[pairs], kill_at[pairs], rows[pairs]))]
        part = np.zeros(len(pairs))
        where = starts[number_of[pairs]]
        read_tables(tables, where, needs[pairs], rows[pairs], kill_at[pairs], chances[pairs], damages, part)
        found[pairs] = part
    means[chosen] = found
    return means

"""Which builds of a large run go into a page: every one that could be the best under any prices and bans.

A build can be left out if for each of its parts some smaller build of its group, with that part, is no worse:
whatever prices and bans allow the build allows the smaller one too, so the build is never needed to say how
far one gets with a part, or without one. Where that is not enough, the worst scores are left out, and the
page is told down to which score it knows everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.population import NO_PART, Population
from buildsearch.balancing.edit_table import EditTable
from buildsearch.model.arrays import Bools, Ints


@dataclass(frozen=True, slots=True, eq=False)
class KeptBuilds:
    """`rows` of the table, the best first, and how many are missing.

    Builds better than `complete` are all there. What one reaches with an option is right as long as it is
    better than `sure`. Both are scores; None where nothing is missing that could matter.
    """

    rows: Ints
    left_out: int
    complete: float | None
    sure: float | None


def kept(table: EditTable, most: int) -> KeptBuilds:
    """The builds of a table, or at most so many of them."""
    population = table.population
    everything = np.arange(len(population))
    if len(population) <= most:
        return KeptBuilds(everything, 0, None, None)
    # Where all points must be spent a smaller build is not legal whenever a larger one is.
    spent = any(account.is_spent for account in table.accounts)
    needed = np.ones(len(population), dtype=np.bool_) if spent else ~never_best(population)
    first = np.flatnonzero(needed)[:most]
    spare = np.flatnonzero(~needed)[: most - len(first)]
    chosen = np.zeros(len(population), dtype=np.bool_)
    chosen[first] = True
    chosen[spare] = True
    missing = np.flatnonzero(~chosen)
    lacking = np.flatnonzero(needed & ~chosen)
    scores = population.scores.score
    return KeptBuilds(
        np.flatnonzero(chosen),
        len(missing),
        float(scores[missing[0]]),
        float(scores[lacking[0]]) if len(lacking) else None,
    )


def never_best(population: Population) -> Bools:
    """Builds that are the best with no part of theirs, whatever is raised or banned."""
    items, down, loss = population.items, population.down, population.loss
    group = population.scores.group
    sizes = population.size
    # The best loss of any build within this one that still has the part at this place.
    within = np.broadcast_to(loss[:, None], items.shape).copy()
    found = np.zeros(len(population), dtype=np.bool_)
    for size in range(1, int(sizes.max(initial=0)) + 1):
        rows = np.flatnonzero(sizes == size)
        inside = np.full((len(rows), size), np.inf)
        for dropped in range(size):
            smaller = down[rows, dropped]
            there = (smaller >= 0) & (group[smaller] == group[rows])
            for place in range(size):
                if place == dropped:
                    continue
                # Items are in order, so what stands behind the dropped one moves up.
                its = within[smaller, place - (place > dropped)]
                inside[:, place] = np.where(there, np.minimum(inside[:, place], its), inside[:, place])
        found[rows] = (inside <= loss[rows, None]).all(axis=1)
        within[rows, :size] = np.minimum(within[rows, :size], inside)
    found[items[:, 0] == NO_PART] = False
    return found

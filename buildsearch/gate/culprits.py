"""Why are these builds conspicuous? The smallest sets of parts that are so by themselves.

A conspicuous build is minimal if no other has only some of its parts. Every conspicuous build holds a
minimal one, so those are the causes, and a hundred builds with the same cause are one finding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """A smallest set of features, and the rows of the builds that have it (in the order they were given)."""

    features: tuple[str, ...]
    rows: NDArray[np.int64]


def causes(levels: NDArray[np.uint8], names: tuple[str, ...], ignored: frozenset[str]) -> list[Cause]:
    """The causes of some builds, given by their features' levels; `ignored` features are never among them.

    Where builds cannot lose parts (decks of a size), what all of them have in common is the cause.
    """
    if len(levels) == 0:
        return []
    counted = np.array([name not in ignored for name in names])
    has = (levels > 0) & counted
    minimal = _minimal(has)
    if len(minimal) == len(np.unique(has, axis=0)) > 1 and (levels > 1).any():
        shared = tuple(np.array(names)[has.all(axis=0)].tolist())
        return [Cause(shared, np.arange(len(levels)))]
    found, left = [], np.ones(len(levels), bool)
    for row in minimal:
        mine = np.flatnonzero(left & has[:, row].all(axis=1))
        if len(mine):
            left[mine] = False
            found.append(Cause(tuple(np.array(names)[row].tolist()), mine))
    return sorted(found, key=lambda cause: (-len(cause.rows), cause.features))


def _minimal(has: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The distinct rows that hold no other row, the smallest first."""
    distinct = np.unique(has, axis=0)
    order = np.argsort(distinct.sum(axis=1), kind="stable")
    kept: list[NDArray[np.bool_]] = []
    left = distinct[order]
    while len(left):
        smallest = left[0]
        kept.append(smallest)
        left = left[~left[:, smallest].all(axis=1)]
    return kept

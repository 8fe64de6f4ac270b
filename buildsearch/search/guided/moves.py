"""Local moves: new neighbours of the best builds so far, the best builds first."""

from __future__ import annotations

import numpy as np

from buildsearch.search.front import pareto_front
from buildsearch.search.guided.coding import BuildCoder, Key
from buildsearch.search.guided.records import Records

# So many of the best share a round of moves; the next in line take over when a neighbourhood is used up, so
# the search never ends in a local best.
_LEADERS = 4


class LocalMoves:
    """Keeps the neighbourhoods of builds that once led."""

    def __init__(self, coder: BuildCoder, records: Records) -> None:
        self._coder = coder
        self._records = records
        self._near: dict[Key, list[Key]] = {}

    def propose(self, size: int, rng: np.random.Generator) -> list[Key]:
        """At most so many builds that nobody has tried, each once."""
        found: list[Key] = []
        share = -(-size // _LEADERS)
        for leader in self._leaders():
            near = self._neighbours(leader, rng)
            taken = 0
            while near and taken < share and len(found) < size:
                key = near.pop()
                if not self._records.is_known(key):
                    self._records.take(key)
                    found.append(key)
                    taken += 1
            if len(found) >= size:
                break
        return found

    def _leaders(self) -> list[Key]:
        """Builds in the order of their cost; with several objectives the front comes first."""
        keys, costs = self._records.table()
        if not keys:
            return []
        order = np.argsort(costs[:, 0], kind="stable")
        if costs.shape[1] > 1:
            front = set(pareto_front(costs).tolist())
            order = np.array(sorted(order, key=lambda row: row not in front))
        return [keys[row] for row in order]

    def _neighbours(self, key: Key, rng: np.random.Generator) -> list[Key]:
        if key not in self._near:
            near = self._coder.neighbours(key)
            self._near[key] = [near[i] for i in rng.permutation(len(near)).tolist()]
        return self._near[key]

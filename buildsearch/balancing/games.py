"""A game of several that are balanced together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.hitting_set import Judge
from buildsearch.model.levers import Edit

if TYPE_CHECKING:
    from buildsearch.balancing.search import Search


@dataclass(eq=False)
class Game:
    """The rules under some parameters. `pool`: only these builds of it are known."""

    label: str
    search: Search
    builds: int
    pool: Pool | None = None

    @property
    def judge(self) -> Judge:
        """What shall hold in it; nothing where nobody can be accused and nothing else is asked."""
        return Judge(self.search.court, () if self.search.unjudged else self.search.goals)

    def grow(self, edits: Sequence[Edit]) -> int:
        """Look for builds that matter under some edits; how many were new."""
        if self.pool is None:
            return 0
        self.pool.take(self.search.court.table)
        found = self.pool.grow(edits)
        if found:
            self.search.court = self.search.reopened(self.pool.table)
        return found

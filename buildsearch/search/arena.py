"""Where builds are scored: a space, its fights and who scores them, under one reading of one ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.cached import CachedScorer
from buildsearch.search.scoring import CHUNK


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """`wanted` is the part of the space that is looked at."""

    space: BuildSpace
    fights: Mapping[str, Any]
    scorer: CachedScorer
    wanted: Wanted = field(default_factory=Wanted)

    def chunks(self) -> list[Chunk]:
        """Every build that is wanted."""
        return list(self.space.chunks(self.wanted, CHUNK))

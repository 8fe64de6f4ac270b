"""What assertions look at in one run, worked out when the first of them asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from buildsearch.analysis.broken import Interaction, interactions
from buildsearch.analysis.corners import corners
from buildsearch.analysis.dead import SURE, DeadRule, dead_rules
from buildsearch.analysis.drops import drops
from buildsearch.analysis.outclassed import Outclassed, outclassed
from buildsearch.analysis.population import Population, populate
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.triggers import TriggerWatch
from buildsearch.model.metric import Metric
from buildsearch.model.replay import Replayer
from buildsearch.model.space import BuildSpace
from buildsearch.search.cached import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.score_table import ScoreTable


@dataclass(frozen=True, eq=False)
class Facts:
    """One run: all builds with their scores, and what follows from them. `place` is its name in findings."""

    place: str
    tier: Any
    archetype: Any
    scorer: CachedScorer
    ledger: Ledger
    scores: ScoreTable
    space: BuildSpace
    primary: Metric
    replayer: Replayer
    limits: Thresholds
    seed: int
    jobs: int
    alpha: float

    @cached_property
    def population(self) -> Population:
        """The builds, ready for questions."""
        return populate(self.scores, self.space)

    @cached_property
    def dead(self) -> Sequence[DeadRule]:
        """Options that do nothing."""
        people, limits = self.population, self.limits.dead
        dropped = drops(people, limits.tolerance, SURE) if people.has_drops else None
        watch = TriggerWatch(people, self.space, self.replayer, self.ledger.fights)
        seen = {int(part): watch.look(int(part), limits.fights) for part in people.free}
        return dead_rules(people, dropped, seen, watch, limits)

    @cached_property
    def outclassed(self) -> Sequence[Outclassed]:
        """Options that another does as well as, everywhere, for no more points."""
        return outclassed(self.population, self.limits.dead.tolerance, SURE)

    @cached_property
    def interactions(self) -> Sequence[Interaction]:
        """What pairs and triples do beyond their parts."""
        found = corners(self.population, self.jobs)
        fewest = self.limits.broken.contexts
        return [
            *interactions(self.population, found.pairs, fewest),
            *interactions(self.population, found.triples, fewest),
        ]

    def name(self, row: int) -> str:
        """What a build of the table is called."""
        return self.population.name(row, self.space)

    def features(self, parts: Sequence[int]) -> tuple[str, ...]:
        """Parts by name."""
        return tuple(self.population.names[part] for part in parts)

"""What assertions look at in one run, worked out when the first of them asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from buildsearch.analysis.analysing import Analysis, Subject, analyse
from buildsearch.analysis.population import Population, populate
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.evaluate.streams import content_digest
from buildsearch.model.metric import Metric
from buildsearch.model.option import Option
from buildsearch.model.replay import Replayer
from buildsearch.model.space import BuildSpace
from buildsearch.search.cached import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.score_table import ScoreTable


@dataclass(frozen=True, eq=False)
class Facts:
    """One run: all builds with their scores, and what follows from them. `place` is its name in findings."""

    place: str
    scorer: CachedScorer
    ledger: Ledger
    scores: ScoreTable
    space: BuildSpace
    options: Sequence[Option]
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
    def analysis(self) -> Analysis:
        """Everything that analysis says; takes its time."""
        subject = Subject(self.scores, self.space, self.options, self.ledger.fights, self.replayer)
        return analyse(subject, self.limits, lambda _stage: None, self.jobs)

    @cached_property
    def content(self) -> bytes:
        """A digest of all that judgements rest on: equal content, equal findings."""
        table = self.scores
        arrays = (table.group, table.codes, table.cost, table.score, table.error, table.fight_means)
        texts = [
            self.place,
            repr((table.groups, table.fights, self.space.feature_names, self.seed, self.alpha)),
            json.dumps([asdict(option) for option in self.options], sort_keys=True),
            self.limits.model_dump_json(),
        ]
        return content_digest(*(array.tobytes() for array in arrays), *(text.encode() for text in texts))

    @property
    def is_sampled(self) -> bool:
        """Whether any score has an error."""
        return bool(self.scores.error.max(initial=0.0) > 0)

    def name(self, row: int) -> str:
        """What a build of the table is called."""
        return self.population.name(row, self.space)

    def features(self, parts: Sequence[int]) -> tuple[str, ...]:
        """Parts by name."""
        return tuple(self.space.feature_names[part] for part in parts)

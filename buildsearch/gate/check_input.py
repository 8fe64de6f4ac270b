"""What assertions are checked on: one run with its scores, and what follows from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from buildsearch.analysis.analyses import AnalysisInput, Judged, RunAnalysis, analyse, judge
from buildsearch.analysis.population import Population, populate
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.evaluate.randomness import content_digest
from buildsearch.gate.assertions import Assertion
from buildsearch.gate.results import Violation
from buildsearch.meta.double_oracle import Meta
from buildsearch.model.evaluation import Metric
from buildsearch.model.space import BuildSpace
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.score_table import ScoreTable

Scored = tuple[CachedScorer, Ledger]


@dataclass(frozen=True, eq=False)
class CheckInput:
    """One run: all builds with their scores, and what follows from them. `where` is its name in findings.

    `score_again` scores its builds once more, through the cache: near a limit builds fight on.
    """

    where: str
    subject: AnalysisInput
    primary: Metric
    limits: Thresholds
    seed: int
    jobs: int
    alpha: float
    score_again: Callable[[], Scored]
    verdicts: dict[str, Judged] = field(default_factory=dict)
    play_meta: Callable[[], Meta] | None = None  # None: builds of this game do not meet

    @property
    def scores(self) -> ScoreTable:
        return self.subject.scores

    @property
    def space(self) -> BuildSpace:
        return self.subject.space

    @cached_property
    def scored(self) -> Scored:
        """What scores its builds, and what is known of each."""
        return self.score_again()

    @cached_property
    def population(self) -> Population:
        return populate(self.scores, self.space)

    @cached_property
    def analysis(self) -> RunAnalysis:
        """Everything that analysis says; takes its time."""
        return analyse(self.subject, self.limits, lambda _stage: None, self.jobs, certificates=False)

    @cached_property
    def meta(self) -> Meta | None:
        """Who beats whom; takes minutes, so only who asks for it waits. None where builds do not meet."""
        return None if self.play_meta is None else self.play_meta()

    def judged(self, limits: Thresholds | None = None) -> Judged:
        """The verdict, which takes a moment and not a whole analysis; reached once by the same thresholds."""
        limits = limits or self.limits
        key = limits.model_dump_json()
        if key not in self.verdicts:
            self.verdicts[key] = judge(self.subject, self.population, limits)
        return self.verdicts[key]

    @cached_property
    def content(self) -> bytes:
        """A digest of all that judgements rest on: equal content, equal findings."""
        table = self.scores
        arrays = (table.group, table.codes, table.cost, table.score, table.error, table.fight_means)
        texts = [
            self.where,
            repr((table.groups, table.fights, self.space.feature_names, self.seed, self.alpha)),
            json.dumps([asdict(option) for option in self.subject.options], sort_keys=True),
            self.limits.model_dump_json(),
        ]
        return content_digest(*(array.tobytes() for array in arrays), *(text.encode() for text in texts))

    @property
    def is_sampled(self) -> bool:
        return bool(self.scores.error.max(initial=0.0) > 0)

    def name(self, row: int) -> str:
        return self.population.name(row, self.space)

    def violation(
        self, name: str, assertion: Assertion, value: float, limit: float, **others: Any
    ) -> Violation:
        """What an assertion found; beyond the limit by the difference, and about this run, unless told."""
        told: dict[str, Any] = {"where": self.where, "excess": value - limit, "code": assertion.kind}
        return Violation(name, assertion.kind, assertion.level, value=value, limit=limit, **told | others)

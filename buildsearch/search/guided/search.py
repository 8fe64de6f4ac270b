"""The guided search: rounds of proposals, scored in bulk, told to the study."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from optuna.study import Study
from optuna.trial import Trial, TrialState

from buildsearch.model.arrays import Floats
from buildsearch.model.errors import Cancelled
from buildsearch.model.space import Chunk
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.guided.local_moves import Neighbours
from buildsearch.search.guided.sampler import NSGA2, STARTUP, LegalSampler
from buildsearch.search.guided.space import BuildCoder, Key
from buildsearch.search.guided.study import Records, open_study, storage_trouble
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.race import score
from buildsearch.search.scoring import Advance, Effort, no_bar

# Builds that are scored together, and how many of them are the sampler's; the rest are local moves.
_ROUND = 64
_SAMPLED = 8
# So many rounds without a new build, and the space has no more to give.
_MOST_STALE = 3


@dataclass(frozen=True, slots=True)
class Guidance:
    """How to search: `trials` counts different builds of the whole study, `seconds` is for this process."""

    sampler: str
    trials: int | None
    seconds: float | None
    seed: int
    storage: str | None
    study: str


@dataclass(frozen=True, slots=True)
class Guided:
    """What a study has scored, by this process and others, and the builds that this process scored itself."""

    chunks: list[Chunk]
    builds: int
    scored_here: int
    is_partial: bool


Score = Callable[[Sequence[Chunk]], Floats]


def guide(
    coder: BuildCoder,
    total: int,
    objectives: Sequence[Objective],
    guidance: Guidance,
    score: Score,
    advance: Advance,
) -> Guided:
    """Search until the study has enough builds, the time is up or the space is. Ctrl-C ends it early.

    `score` gives the costs (objectives, builds) of chunks.
    """
    search = _Rounds(coder, objectives, guidance, score)
    ends = None if guidance.seconds is None else time.monotonic() + guidance.seconds
    most = total if guidance.trials is None else min(total, guidance.trials)
    is_partial, stale = False, 0
    try:
        search.refresh()
        while (
            len(search.records) < most and stale < _MOST_STALE and (ends is None or time.monotonic() < ends)
        ):
            before = len(search.records)
            search.round(min(_ROUND, most - before))
            fresh = len(search.records) - before
            stale = 0 if fresh else stale + 1
            advance(fresh)
    except (KeyboardInterrupt, Cancelled):
        is_partial = True
    keys = list(search.records.costs)
    return Guided(coder.chunks(keys)[0], len(keys), search.scored, is_partial)


class _Rounds:
    """One process's part in a study."""

    def __init__(
        self, coder: BuildCoder, objectives: Sequence[Objective], guidance: Guidance, score: Score
    ) -> None:
        self._coder = coder
        self._score = score
        self._signs = tuple(-1.0 if each.higher_is_better else 1.0 for each in objectives)
        self.records = Records(coder, self._signs)
        self._sampler = LegalSampler(coder, guidance.sampler, guidance.seed, self.records.is_known)
        self._is_genetic = guidance.sampler == NSGA2
        self._moves = Neighbours(coder, self.records)
        self._storage = guidance.storage
        self.study: Study = open_study(guidance.storage, guidance.study, self._sampler, self._signs)
        self.scored = 0

    def round(self, size: int) -> None:
        moves = (
            self._moves.propose(max(0, size - _SAMPLED), self._sampler.rng)
            if len(self.records) >= STARTUP
            else []
        )
        with storage_trouble(self._storage):
            for key in moves:
                self.study.enqueue_trial(self._coder.params(key))
            asked = [self._ask() for _ in range(size)]
        fresh = list(dict.fromkeys(key for _, key in asked if key not in self.records.costs))
        costs = dict(self.records.costs)
        if fresh:
            chunks, places = self._coder.chunks(fresh)
            for place, row in zip(places, self._score(chunks).T, strict=True):
                costs[fresh[place]] = tuple(float(cost) for cost in row)
        with storage_trouble(self._storage):
            for trial, key in asked:
                found = costs[key]
                if any(np.isnan(cost) for cost in found):
                    self.study.tell(trial, state=TrialState.FAIL)
                else:
                    values = [sign * cost for sign, cost in zip(self._signs, found, strict=True)]
                    self.study.tell(trial, values)
        self.scored += len(fresh)
        self.refresh()

    def refresh(self) -> None:
        with storage_trouble(self._storage):
            self.records.refresh(self.study)

    def _ask(self) -> tuple[Trial, Key]:
        trial = self.study.ask()
        if self._is_genetic:
            # Queued builds too get a generation by this, and so a part in heredity.
            _ = trial.relative_params
        for name, choices in self._coder.choices.items():
            trial.suggest_categorical(name, choices)
        key = self._coder.key_of(trial.params)
        assert key is not None  # noqa: S101 - all were suggested
        self.records.take(key)
        return trial, key


def bulk_score(scorer: CachedScorer, fights: Mapping[str, Any], effort: Effort) -> Score:
    """Costs as a ranking's first stages find them: exact where it can be, else of a floor of fights."""

    def scores(chunks: Sequence[Chunk]) -> Floats:
        ledger = Ledger.empty(fights, chunks, scorer.scorer.outcomes)
        score(ledger, scorer, replace(effort, bar=no_bar), races=False)
        return np.stack([each.costs(ledger, scorer.scorer) for each in effort.objectives])

    return scores

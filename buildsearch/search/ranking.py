"""The whole search: solve, sample a floor, race, put in order. A killed run goes on from the cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.errors import Cancelled
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.details import Describer, Detail
from buildsearch.search.executor import hired, in_threads
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import MEAN, WORST, Objective
from buildsearch.search.pareto import pareto_front
from buildsearch.search.race import RaceReport, RaceRules, race, rank_ranges, share_of_alpha
from buildsearch.search.ranks import Ordered, order_top
from buildsearch.search.scoring import Advance, Bar, sample_rows, solve_all
from buildsearch.search.warm_up import compiling_ahead

NOTHING_SCORED = "Stopped before any build was scored. Nothing was saved."
# Rows of the leaderboard of an interrupted run.
_HURRIED = 10

# Builds that are described elsewhere travel in at most so many pieces: enough for everybody.
_DESCRIBED_AWAY = 256


def nobody() -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. With several objectives, the front of all of them; the first one is raced for."""

    objectives: tuple[Objective, ...]
    rules: RaceRules
    jobs: int
    # Told when Ctrl-C ends the work, before what is known is put in order.
    on_interrupt: Callable[[], None] = nobody
    # So many of the top are put in order and described; None: all of it.
    shown: int | None = None

    @property
    def seed(self) -> int:
        """The seed of all fights."""
        return self.rules.seed


@dataclass(eq=False)
class Answer:
    """What was found. `costs` has a row for each objective, smaller is better.

    `legal_builds` is the number of builds of the space where only some of them were tried.
    """

    question: Question
    ledger: Ledger
    costs: NDArray[np.float64]
    ordered: Ordered
    builds: list[Any]
    details: list[Detail]
    bounds: tuple[NDArray[np.float64], NDArray[np.float64]]
    ranks: tuple[NDArray[np.int64], NDArray[np.int64]]
    front: NDArray[np.int64] | None
    race: RaceReport | None
    seconds: dict[str, float] = field(default_factory=dict)
    is_partial: bool = False
    legal_builds: int | None = None

    @property
    def scored(self) -> int:
        """How many builds have a score."""
        return int((~np.isnan(self.costs[0])).sum())


def optimize(
    space: BuildSpace,
    chunks: Sequence[Chunk],
    fights: Mapping[str, Any],
    scorer: CachedScorer,
    describer: Callable[[Ledger], Describer],
    question: Question,
    bar: Bar,
) -> Answer:
    """Score everything and rank it. Ctrl-C leads to an answer about what was scored until then."""
    ledger = Ledger.empty(fights, chunks, scorer.scorer.outcomes)
    seconds: dict[str, float] = {}
    report: RaceReport | None = None
    is_partial = False
    everywhere = not all(each.is_solved(scorer.scorer) for each in question.objectives)
    with compiling_ahead(
        scorer.scorer, chunks, list(fights.values()), question.jobs, len(ledger), everywhere=everywhere
    ) as ahead:
        scorer.on_miss = ahead.begin
        try:
            with _timed(seconds, "solve"), bar("solving", len(ledger) * len(fights)) as advance:
                solve_all(scorer, ledger, question.jobs, advance)
            scorer.on_miss = None
            ledger.begin_sampling(everywhere=everywhere)
            report = _sample(scorer, ledger, question, seconds, bar)
        except (KeyboardInterrupt, Cancelled):
            is_partial = True
            question = _hurried(question, ledger)
        if question.shown is not None:
            top = min(question.shown, question.rules.top)
            question = replace(question, rules=replace(question.rules, top=top))
        with _timed(seconds, "order"):
            try:
                answer = _answer(space, scorer, describer(ledger), question, bar, in_a_hurry=is_partial)
            except (KeyboardInterrupt, Cancelled):
                if is_partial:
                    raise
                is_partial = True
                question = _hurried(question, ledger)
                answer = _answer(space, scorer, describer(ledger), question, bar, in_a_hurry=True)
    answer.race, answer.seconds, answer.is_partial = report, seconds, is_partial
    return answer


def _hurried(question: Question, ledger: Ledger) -> Question:
    """What is left to do after Ctrl-C: a few builds described. Raises Cancelled if none is scored."""
    if not len(ledger.fought) and np.isnan(ledger.exact).any(axis=0).all():
        raise Cancelled(NOTHING_SCORED)
    question.on_interrupt()
    top = min(_HURRIED, question.shown or question.rules.top)
    return replace(question, shown=top, rules=replace(question.rules, top=min(top, question.rules.top)))


def _sample(
    scorer: CachedScorer, ledger: Ledger, question: Question, seconds: dict[str, float], bar: Bar
) -> RaceReport | None:
    everyone = np.arange(len(ledger.sampled))
    if len(everyone) == 0:
        return None
    rules = question.rules
    pieces = ledger.fights_for(everyone, 1)
    with _timed(seconds, "floor"), bar(f"sampling {rules.floor} fights each", pieces) as advance:
        sample_rows(scorer, ledger, everyone, rules.floor, rules.seed, question.jobs, advance)
    with _timed(seconds, "race"), bar("racing (fights)", rules.budget) as advance:
        return race(scorer, ledger, question.objectives[0], rules, question.jobs, advance, bar)


def _answer(
    space: BuildSpace,
    scorer: CachedScorer,
    describer: Describer,
    question: Question,
    bar: Bar,
    *,
    in_a_hurry: bool,
) -> Answer:
    ledger, first = describer.ledger, question.objectives[0]
    costs = np.stack([each.costs(ledger, scorer.scorer) for each in question.objectives])
    front = pareto_front(costs.T) if len(costs) > 1 else None
    ranked = costs[0]
    if front is not None:
        ranked = np.full(len(ledger), np.nan)
        ranked[front] = costs[0][front]
    found: dict[int, tuple[Any, Detail]] = {}

    def details_of(rows: NDArray[np.int64], advance: Advance) -> list[tuple[Any, Detail]]:
        """The details of some builds, each worked out once, on all threads."""
        missing = [int(row) for row in rows if int(row) not in found]
        advance(len(rows) - len(missing))

        def describe(some: Sequence[int]) -> list[tuple[int, tuple[Any, Detail]]]:
            builds = [build for row in some for build in space.builds(_one(ledger, row))]
            return list(zip(some, zip(builds, describer.describe(some, builds), strict=True), strict=True))

        # Some of them take a hundred times as long as others: threads take one at a time.
        size = 1 if hired() is None else -(-len(missing) // _DESCRIBED_AWAY)
        pieces = (missing[first : first + size] for first in range(0, len(missing), size or 1))
        for some in in_threads(describe, pieces, question.jobs):
            found.update(some)
            advance(len(some))
        return [found[int(row)] for row in rows]

    is_exact = np.logical_and.reduce([ledger.is_exact(i) for i in range(len(ledger.fights))])
    if not first.is_solved(scorer.scorer):
        is_exact = np.zeros(len(ledger), bool)
    breaker = _TieBreaker(space, scorer, ledger, question.objectives[0], None if in_a_hurry else details_of)
    ordered = order_top(ranked, is_exact, question.rules.top, breaker)
    with bar("details", len(ordered.rows)) as advance:
        told = details_of(ordered.rows, advance)
    alpha = share_of_alpha(ledger, question.rules.alpha)
    low, high = first.bounds(ledger, scorer.scorer, alpha)
    unknown = np.isnan(costs[0])
    low[unknown], high[unknown] = np.inf, np.inf
    # Ranks are places in the table: on a front, only its members count.
    ends = (low, high)
    if front is not None:
        ends = (np.where(np.isnan(ranked), np.inf, low), np.where(np.isnan(ranked), np.inf, high))
    ranks = rank_ranges(*ends, ordered.rows)
    return Answer(
        question=question,
        ledger=ledger,
        costs=costs,
        ordered=ordered,
        builds=[build for build, _ in told],
        details=[detail for _, detail in told],
        bounds=(low, high),
        ranks=ranks,
        front=front,
        race=None,
    )


@dataclass(frozen=True, slots=True)
class _TieBreaker:
    """Worst scenario, then variance (not in a hurry), then points to spare, then the canonical name."""

    space: BuildSpace
    scorer: CachedScorer
    ledger: Ledger
    objective: Objective
    details_of: Callable[[NDArray[np.int64], Advance], list[tuple[Any, Detail]]] | None

    def __call__(self, rows: NDArray[np.int64]) -> list[tuple[object, ...]]:
        part = self.ledger.part(np.sort(rows))
        place = np.argsort(np.argsort(rows))
        metric = self.objective.metric
        primary = Objective(WORST, metric, metric.higher_is_better) if self.objective.name == MEAN else None
        worst = primary.costs(part, self.scorer.scorer)[place] if primary else np.zeros(len(rows))
        keys: list[tuple[object, ...]] = []
        told = self._told(rows)
        for (build, variance), its_worst in zip(told, worst, strict=True):
            # Rounded to what counts as a tie, so that the last bits do not decide.
            close = (round(float(its_worst), 5), round(variance, 7))
            keys.append((*close, self.space.cost(build), self.space.name(build)))
        return keys

    def _told(self, rows: NDArray[np.int64]) -> list[tuple[Any, float]]:
        """Each build, and its variance in the worst scenario; in a hurry nobody works that out."""
        if self.details_of is None:
            return [(build, 0.0) for row in rows for build in self.space.builds(_one(self.ledger, int(row)))]
        told = self.details_of(rows, lambda _done: None)
        return [(build, detail.worst_variance) for build, detail in told]


def _one(ledger: Ledger, row: int) -> Chunk:
    starts = ledger.starts
    number = int(np.searchsorted(starts, row, side="right")) - 1
    chunk = ledger.chunks[number]
    at = row - int(starts[number])
    return Chunk(chunk.group, chunk.codes[at : at + 1])


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    begun = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = time.perf_counter() - begun

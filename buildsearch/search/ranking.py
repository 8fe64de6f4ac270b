"""The whole search: builds scored and put in order. A killed run goes on from the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.errors import Cancelled
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.details import Describer, Detail
from buildsearch.search.leaders import Leaders, leaders_of, telling
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import MEAN, WORST, Objective
from buildsearch.search.pareto import pareto_front
from buildsearch.search.race import RaceReport, rank_ranges, score, share_of_alpha
from buildsearch.search.ranks import Ordered, order_top
from buildsearch.search.scoring import Advance, Bar, Effort, no_progress
from buildsearch.search.timing import timed
from buildsearch.search.warm_up import compiling_ahead

NOTHING_SCORED = "Stopped before any build was scored. Nothing was saved."
# Rows of the leaderboard of an interrupted run.
_HURRIED = 10
# Stages of run.json, by the first word of their bar.
_STAGES = {"solving": "solve", "sampling": "floor", "racing": "race"}

# Builds that a cluster describes travel in at most so many tasks: enough for all workers.
_REMOTE_TASKS = 256


@dataclass(eq=False)
class Ranking:
    """What was found. `costs` has a row for each objective, smaller is better.

    `legal_builds` is the number of builds of the space where only some of them were tried.
    """

    effort: Effort
    ledger: Ledger
    costs: Floats
    ordered: Ordered
    builds: list[Any]
    details: list[Detail]
    bounds: tuple[Floats, Floats]
    ranks: tuple[Ints, Ints]
    front: Ints | None
    race: RaceReport | None
    seconds: dict[str, float] = field(default_factory=dict)
    is_partial: bool = False
    legal_builds: int | None = None

    @property
    def scored(self) -> int:
        return int((~np.isnan(self.costs[0])).sum())


def optimize(
    space: BuildSpace,
    chunks: Sequence[Chunk],
    fights: Mapping[str, Any],
    scorer: CachedScorer,
    describer: Callable[[Ledger], Describer],
    effort: Effort,
    on_interrupt: Callable[[], None] = lambda: None,
    on_leaders: Callable[[Leaders], None] | None = None,
) -> Ranking:
    """Score everything and rank it. Ctrl-C leads to a ranking of what was scored until then; `on_interrupt`
    is called before that is put in order. `on_leaders` is told the best builds found so far."""
    ledger = Ledger.empty(fights, chunks, scorer.scorer.outcomes)
    seconds: dict[str, float] = {}
    report: RaceReport | None = None
    is_partial = False

    def hurried() -> Effort:
        """What is left to do after Ctrl-C: a few builds described. Raises Cancelled if none is scored."""
        if not len(ledger.fought) and np.isnan(ledger.exact).any(axis=0).all():
            raise Cancelled(NOTHING_SCORED)
        on_interrupt()
        top = min(_HURRIED, effort.top if effort.shown is None else effort.shown)
        return replace(effort, top=min(top, effort.top), shown=top)

    bar = _timing(effort.bar, seconds)
    if on_leaders is not None and len(effort.objectives) == 1:
        bar = telling(bar, lambda: leaders_of(space, ledger, scorer.scorer, effort.objective), on_leaders)
    everywhere = not effort.is_solved(scorer)
    with compiling_ahead(scorer, chunks, list(fights.values()), len(ledger), everywhere=everywhere) as ahead:
        scorer.on_miss = ahead.begin
        try:
            report = score(ledger, scorer, replace(effort, bar=bar))
        except (KeyboardInterrupt, Cancelled):
            is_partial = True
            effort = hurried()
        finally:
            scorer.on_miss = None
        if effort.shown is not None:
            effort = replace(effort, top=min(effort.shown, effort.top))
        with timed(seconds, "order"):
            try:
                ranking = _ranking(space, scorer, describer(ledger), effort, in_a_hurry=is_partial)
            except (KeyboardInterrupt, Cancelled):
                if is_partial:
                    raise
                is_partial = True
                effort = hurried()
                ranking = _ranking(space, scorer, describer(ledger), effort, in_a_hurry=True)
    ranking.race, ranking.seconds, ranking.is_partial = report, seconds, is_partial
    return ranking


def _ranking(
    space: BuildSpace, scorer: CachedScorer, describer: Describer, effort: Effort, *, in_a_hurry: bool
) -> Ranking:
    ledger, first = describer.ledger, effort.objective
    costs = np.stack([each.costs(ledger, scorer.scorer) for each in effort.objectives])
    front = pareto_front(costs.T) if len(costs) > 1 else None
    ranked = costs[0]
    if front is not None:
        ranked = np.full(len(ledger), np.nan)
        ranked[front] = costs[0][front]
    found: dict[int, tuple[Any, Detail]] = {}

    def details_of(rows: Ints, advance: Advance) -> list[tuple[Any, Detail]]:
        """The details of some builds, each worked out once, on all threads."""
        missing = [int(row) for row in rows if int(row) not in found]
        advance(len(rows) - len(missing))

        def describe(some: Sequence[int]) -> list[tuple[int, tuple[Any, Detail]]]:
            builds = [build for row in some for build in space.builds(ledger.one(row))]
            return list(zip(some, zip(builds, describer.describe(some, builds), strict=True), strict=True))

        # Some of them take a hundred times as long as others: threads take one at a time.
        size = -(-len(missing) // _REMOTE_TASKS) if scorer.executor.is_remote else 1
        parts = (missing[first : first + size] for first in range(0, len(missing), size or 1))
        for some in scorer.executor.map(describe, parts):
            found.update(some)
            advance(len(some))
        return [found[int(row)] for row in rows]

    is_exact = np.logical_and.reduce([ledger.is_exact(i) for i in range(len(ledger.fights))])
    if not first.is_solved(scorer.scorer):
        is_exact = np.zeros(len(ledger), bool)
    breaker = _TieBreaker(space, scorer, ledger, first, None if in_a_hurry else details_of)
    ordered = order_top(ranked, is_exact, effort.top, breaker)
    with effort.bar("details", len(ordered.rows)) as advance:
        told = details_of(ordered.rows, advance)
    alpha = share_of_alpha(ledger, effort.alpha)
    low, high = first.bounds(ledger, scorer.scorer, alpha)
    unknown = np.isnan(costs[0])
    low[unknown], high[unknown] = np.inf, np.inf
    # Ranks are places in the table: on a front, only its members count.
    ends = (low, high)
    if front is not None:
        ends = (np.where(np.isnan(ranked), np.inf, low), np.where(np.isnan(ranked), np.inf, high))
    ranks = rank_ranges(*ends, ordered.rows)
    return Ranking(
        effort=effort,
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
    details_of: Callable[[Ints, Advance], list[tuple[Any, Detail]]] | None

    def __call__(self, rows: Ints) -> list[tuple[object, ...]]:
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

    def _told(self, rows: Ints) -> list[tuple[Any, float]]:
        """Each build, and its variance in the worst scenario, which is left out in a hurry."""
        if self.details_of is None:
            return [(build, 0.0) for row in rows for build in self.space.builds(self.ledger.one(int(row)))]
        told = self.details_of(rows, no_progress)
        return [(build, detail.worst_variance) for build, detail in told]


def _timing(bar: Bar, seconds: dict[str, float]) -> Bar:
    """The same bars, and how long the work took that they show."""

    @contextmanager
    def in_stages(what: str, total: int) -> Iterator[Advance]:
        stage = _STAGES.get(what.split(maxsplit=1)[0])
        with nullcontext() if stage is None else timed(seconds, stage), bar(what, total) as advance:
            yield advance

    return in_stages

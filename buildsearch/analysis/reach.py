"""How far one gets with each choice, the benchmark, and the builds far above it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.choices import Choice, with_choice
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.model.arrays import Ints


@dataclass(frozen=True, slots=True)
class Reach:
    """The best build with a choice: its row and its score. `viability` is what of the best is left."""

    choice: Choice
    row: int
    score: float
    loss: float
    error: float
    viability: float

    @property
    def counts(self) -> bool:
        return self.choice.counts


@dataclass(frozen=True, slots=True)
class Worth:
    """What a choice is worth to a player who chooses well: the mean score of the best few builds with it, and
    how much worse its best build is without it (None where it cannot be left out). A passenger saves next to
    nothing."""

    mean_of_best: float
    saves: float | None
    is_passenger: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """What the median choice reaches: a score, its loss and the standard error of that."""

    score: float
    loss: float
    error: float


@dataclass(frozen=True, slots=True)
class Freedom:
    """How many of the options have at least some viability."""

    least: float
    options: int
    of: int


@dataclass(frozen=True, slots=True)
class ReachLevel:
    """One group or one fight: its best build, its benchmark, its viable options, its median build's loss."""

    name: str
    kind: str
    builds: int
    best: int
    score: float
    reference: Reference | None
    freedom: tuple[Freedom, ...]
    median_loss: float


def reaches(contest: ScoreOrder, choices: Sequence[Choice]) -> list[Reach]:
    top = float(contest.losses[contest.winner])
    found = []
    for choice in choices:
        row = contest.best(with_choice(contest.population, choice))
        if row is None:
            continue
        loss = float(contest.losses[row])
        found.append(
            Reach(
                choice,
                row,
                float(contest.scores[row]),
                loss,
                float(contest.errors[row]),
                contest.yardstick.viability(top, loss),
            )
        )
    return found


def worths(contest: ScoreOrder, found: Sequence[Reach], limits: VerdictThresholds) -> dict[str, Worth]:
    """What each choice is worth, by name."""
    population, yardstick = contest.population, contest.yardstick
    known = {}
    for reach in found:
        rows = contest.best_few(with_choice(population, reach.choice), limits.best_builds)
        saves, is_passenger = None, False
        without = population.without(reach.row, reach.choice.part.feature)
        if without is not None:
            saves = float(contest.scores[without] - contest.scores[reach.row])
            saves = -saves if yardstick.higher_is_better else saves
            saved = float(contest.losses[without] - contest.losses[reach.row])
            is_passenger = saved < yardstick.distance(limits.passenger)
        known[reach.choice.name] = Worth(float(contest.scores[rows].mean()), saves, is_passenger)
    return known


def priced(found: Sequence[Reach]) -> list[Reach]:
    """The reaches that make the benchmark: options that are paid for. Where only stats have a cost, on which
    every build spends its points, or nothing has, all that a build chooses."""
    chosen = [reach for reach in found if reach.choice.part.is_chosen and reach.counts]
    paid = [reach for reach in chosen if reach.choice.price is not None and not reach.choice.part.is_stat]
    return paid or chosen


def reference(contest: ScoreOrder, found: Sequence[Reach]) -> Reference | None:
    """The median over the priced options of what one reaches with each; None where there is none."""
    ordered = sorted(priced(found), key=lambda reach: reach.loss)
    if not ordered:
        return None
    middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
    score = float(np.mean([reach.score for reach in middle]))
    error = math.sqrt(sum(reach.error**2 for reach in middle)) / len(middle)
    return Reference(score, contest.yardstick.loss(score), error)


def freedom(found: Sequence[Reach], least: Sequence[float]) -> tuple[Freedom, ...]:
    """How many options are viable, by how viable they must be."""
    counted = [reach for reach in found if reach.counts]
    return tuple(
        Freedom(each, sum(reach.viability >= each - 1e-9 for reach in counted), len(counted))
        for each in least
    )


def level(
    contest: ScoreOrder, choices: Sequence[Choice], least: Sequence[float], name: str, kind: str
) -> ReachLevel:
    """One group's or one fight's level."""
    found = reaches(contest, choices)
    return ReachLevel(
        name,
        kind,
        len(contest.order),
        contest.winner,
        float(contest.scores[contest.winner]),
        reference(contest, found),
        freedom(found, least),
        float(contest.losses[contest.order[len(contest.order) // 2]]),
    )


# A sampled score was picked for looking good: so many standard errors must lie between it and the limit.
SURE = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class OverpoweredBuilds:
    """The rows of builds that are overpowered for sure, and of those that may be; the best first."""

    limit: float
    sure: Ints
    open: Ints

    @property
    def rows(self) -> Ints:
        return np.concatenate([self.sure, self.open])


def overpowered(contest: ScoreOrder, reference: Reference | None) -> OverpoweredBuilds:
    """Who beats the reference level by more than the margin, sampling errors minded."""
    if reference is None:
        return OverpoweredBuilds(-np.inf, np.zeros(0, np.int64), np.zeros(0, np.int64))
    limit = reference.loss - contest.yardstick.margin
    rows = contest.better_than(limit)
    doubt = SURE * np.hypot(contest.errors[rows], reference.error)
    is_sure = contest.losses[rows] + doubt < limit
    return OverpoweredBuilds(limit, rows[is_sure], rows[~is_sure])

"""One build among all: where it stands, what its parts are worth, and what lies near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import Population, find_rows
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import BuildSpace


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a part adds: the build without it, and the best build with another of the same cost in its place.

    `gain` is how much better the score is with the part, `fight_gains` the same by fight; None where the
    build without it is not legal. `swap` is a row, `swap_gain` how much better the build is than that one.
    """

    part: int
    gain: float | None
    fight_gains: tuple[float, ...] | None
    swap: int | None
    swap_for: int | None
    swap_gain: float | None


@dataclass(frozen=True, slots=True)
class FightStanding:
    """How a build does in one fight: its value, its error, and the share of all builds that are worse."""

    fight: str
    value: float
    error: float
    better_than: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one build."""

    row: int
    better_than: float
    standings: tuple[FightStanding, ...]
    contributions: tuple[Contribution, ...]
    nearest_better: int | None
    nearest_cheaper: int | None
    cheapest_as_good: int | None

    @property
    def worst(self) -> FightStanding:
        """The fight in which it does worst, compared with other builds."""
        return min(self.standings, key=lambda standing: standing.better_than)


def row_of(population: Population, space: BuildSpace, build: Any) -> int | None:
    """The row of a build; None where the run did not score it."""
    levels = space.levels(space.encode(build))[0].astype(np.int64)
    # A level that no build of the run has would carry over into another part's digit.
    known = (levels <= population.most).all()
    key = np.array([(levels * population.strides).sum()])
    row = int(find_rows(population.keys, population.slots, key)[0]) if known else -1
    # A code does not say everything: an effect or a shape may be the whole run's.
    return None if row < 0 or population.name(row, space) != space.name(build) else row


def explain(population: Population, row: int) -> Explanation:
    loss = population.loss
    scores = population.scores
    standings = tuple(
        FightStanding(
            name,
            float(scores.fight_means[i, row]),
            float(scores.fight_errors[i, row]),
            float((population.means[:, i] > population.means[row, i] + TIE).mean()),
        )
        for i, name in enumerate(scores.fights)
    )
    distance = _distances(population, row)
    others = np.arange(len(population)) != row
    better = loss < loss[row] - TIE
    cheaper = scores.cost < scores.cost[row]
    as_good = cheaper & (loss <= loss[row] + TIE)
    return Explanation(
        row=row,
        better_than=float((loss > loss[row] + TIE).mean()),
        standings=standings,
        contributions=tuple(_contributions(population, row)),
        nearest_better=_first(better & others, (loss, distance)),
        nearest_cheaper=_first(cheaper & others, (loss, distance)),
        cheapest_as_good=_first(as_good & others, (loss, scores.cost)),
    )


def _first(chosen: Bools, keys: tuple[NDArray[Any], ...]) -> int | None:
    """The chosen row that comes first: by the last key, then by the one before."""
    rows = np.flatnonzero(chosen)
    if len(rows) == 0:
        return None
    # Only the rows that tie in the first criterion need sorting by the second.
    main = keys[-1][rows]
    rows = rows[main == main.min()]
    return int(rows[np.argmin(keys[0][rows])])


def _distances(population: Population, row: int) -> Ints:
    """How many parts must change to come from each build to this one; a swap is one change."""
    added = np.zeros(len(population), dtype=np.int64)
    removed = np.zeros(len(population), dtype=np.int64)
    for levels in population.levels:
        difference = levels.astype(np.int64) - int(levels[row])
        added += np.maximum(difference, 0)
        removed += np.maximum(-difference, 0)
    return np.maximum(added, removed)


def _contributions(population: Population, row: int) -> list[Contribution]:
    found = []
    parts = [int(part) for part in population.free if population.levels[part, row]]
    for part in parts:
        key = population.keys[row] - population.strides[part]
        without = int(find_rows(population.keys, population.slots, np.array([key]))[0])
        swap, into = _best_swap(population, row, part)
        found.append(
            Contribution(
                part=part,
                gain=_gain(population, row, without),
                fight_gains=_fight_gains(population, row, without),
                swap=swap,
                swap_for=into,
                swap_gain=None if swap is None else _gain(population, row, swap),
            )
        )
    return found


def _gain(population: Population, row: int, other: int) -> float | None:
    return None if other < 0 else float(population.loss[other] - population.loss[row])


def _fight_gains(population: Population, row: int, other: int) -> tuple[float, ...] | None:
    if other < 0:
        return None
    return tuple((population.means[other] - population.means[row]).tolist())


def _best_swap(population: Population, row: int, part: int) -> tuple[int | None, int | None]:
    """The best build of the same cost with another part in this one's place."""
    free = [
        int(other)
        for other in population.free
        if other != part and population.levels[other, row] < population.most[other]
    ]
    keys = population.keys[row] - population.strides[part] + population.strides[free]
    rows = find_rows(population.keys, population.slots, keys)
    legal = [
        (float(population.loss[other]), int(other), into)
        for other, into in zip(rows, free, strict=True)
        if other >= 0 and population.scores.cost[other] == population.scores.cost[row]
    ]
    if not legal:
        return None, None
    _, best, into = min(legal)
    return best, into

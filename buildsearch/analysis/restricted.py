"""Restricted play: what an optimiser loses when an option, or two together, are banned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from buildsearch.analysis.population import Population


@dataclass(frozen=True, slots=True)
class Ban:
    """The best build under a ban: builds with all of `parts` are out. `loss`, 0 or more, is what it costs."""

    parts: tuple[int, ...]
    best: int | None
    loss: float | None
    error: float


def ban(population: Population, parts: Sequence[int]) -> Ban:
    """The best score with some parts banned (together) minus the best score overall, worse counts up."""
    order = population.best_first
    top = int(order[0])
    allowed = ~population.has_all(tuple(parts))
    # Most bans leave one of the best builds: look at few before looking at all.
    for reach in (1_000, len(order)):
        found = np.flatnonzero(allowed[order[:reach]])
        if len(found):
            best = int(order[found[0]])
            errors = population.scores.error
            return Ban(
                tuple(parts),
                best,
                float(population.loss[best] - population.loss[top]),
                0.0 if best == top else math.hypot(errors[best], errors[top]),
            )
    return Ban(tuple(parts), None, None, 0.0)


def bans(population: Population) -> list[Ban]:
    """Every option banned alone."""
    return [ban(population, (int(part),)) for part in population.free]


def pair_bans(population: Population) -> list[Ban]:
    """Pairs whose ban costs something: only pairs of the best build can."""
    top = int(population.best_first[0])
    mine = [int(part) for part in population.free if population.levels[part, top] > 0]
    found = [ban(population, pair) for pair in combinations(mine, 2)]
    return [each for each in found if each.loss is None or each.loss > 0]

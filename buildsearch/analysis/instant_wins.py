"""Fights that a build ends in the least possible number of turns, nearly always."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from buildsearch.analysis.population import Population
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.evaluate.statistics import share_estimate
from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.model.space import BuildSpace

# The chance that a build (by row) wins a fight (by number) in its least possible number of turns.
Chance = Callable[[int, int], float | None]

# Further from the least number than this in the mean, no fight is looked at more closely.
_NEAR = 2.0
# The best builds are looked at one by one.
BEST = 50


@dataclass(frozen=True, slots=True)
class Decided:
    """A build and the fights that it decides at once, with the chance of each; `weight` is their share."""

    row: int
    chances: Mapping[str, float]
    weight: float
    accuses: bool


def decided_at_once(
    contest: ScoreOrder,
    least: Sequence[float] | None,
    chance: Chance,
    limits: VerdictThresholds,
    *,
    accused_only: bool = False,
) -> list[Decided]:
    """Among the best builds, those that decide some fight at once, the best first.

    The mean alone may prove it: turns are whole, so the chance of needing more than the least number is at
    most what the mean lies above it. Else an engine is asked for the distribution; with `accused_only`, only
    while a build may still decide so many fights that it is accused.
    """
    if least is None:
        return []
    scores = contest.population.scores
    weights = scores.weights / scores.weights.sum()
    found = []
    for row in contest.order[:BEST].tolist():
        chances: dict[str, float] = {}
        apart = scores.fight_means[:, row] - np.asarray(least)
        # What of the weight is decided, or may be.
        possible = float(weights[apart < _NEAR].sum())
        for fight, name in enumerate(scores.fights):
            if accused_only and possible < limits.instant_weight - 1e-9:
                break
            above = float(apart[fight])
            sampled = float(scores.fight_errors[fight, row]) > 0
            if above < 1 - limits.instant_chance and not sampled:
                chances[name] = 1 - max(0.0, above)
            elif above < _NEAR:
                exact = chance(row, fight)
                if exact is not None and exact > limits.instant_chance:
                    chances[name] = exact
                else:
                    possible -= float(weights[fight])
        weight = float(sum(weights[scores.fights.index(name)] for name in chances))
        if chances:
            found.append(Decided(row, chances, weight, weight >= limits.instant_weight - 1e-9))
    return found


# Enough to tell 95% from 96% for sure.
_FIGHTS = 20_000
# A quick look comes first: what a sample shows so many standard errors below needs no exact engine.
_FEW_FIGHTS, _CLEARLY = 4_000, 6.0

SAMPLED = "sampled"

# By group, code and fight of a build.
Known = MutableMapping[tuple[str, bytes, str], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Asks the first evaluator that takes a build; of a sample the lower end of the interval counts.

    Chances clearly below `enough` are only bounded: a small sample says so in milliseconds, where an exact
    engine may take seconds. `known` remembers what was said.
    """

    population: Population
    space: BuildSpace
    evaluators: Sequence[Evaluator]
    fights: Mapping[str, Any]
    least: Sequence[float]
    known: Known
    enough: float = 0.0
    _bounds: dict[tuple[str, bytes, str], float] = field(default_factory=dict)

    def __call__(self, row: int, fight: int) -> float | None:
        """The chance, at least; None where nobody can say."""
        chunk, name = self.population.chunk(row), self.population.scores.fights[fight]
        key = (chunk.group, chunk.codes.tobytes(), name)
        if key in self._bounds:
            return self._bounds[key]
        if key not in self.known:
            (build,) = self.space.builds(chunk)
            bound = self._clearly_below(build, fight, self.fights[name])
            if bound is not None:
                # Not for other searches: they may ask for less.
                self._bounds[key] = bound
                return bound
            self.known[key] = self._asked(build, fight, self.fights[name])
        return self.known[key]

    def _clearly_below(self, build: Any, fight: int, its: Any) -> float | None:
        """The share of a small sample, where it is clearly below `enough`."""
        engine = next((each for each in self.evaluators if each.method == SAMPLED), None)
        if engine is None or engine.why_not(build, its) is not None:
            return None
        share = _share(engine.evaluate(build, its, Sampling(_FEW_FIGHTS)), self.least[fight]) / _FEW_FIGHTS
        doubt = _CLEARLY * sqrt((share * (1 - share) + 1 / _FEW_FIGHTS) / _FEW_FIGHTS)
        return share if share + doubt < self.enough else None

    def _asked(self, build: Any, fight: int, its: Any) -> float | None:
        engine = next((each for each in self.evaluators if each.why_not(build, its) is None), None)
        if engine is None:
            return None
        found = engine.evaluate(build, its, Sampling(_FIGHTS))
        share = _share(found, self.least[fight])
        if found.fights is None:
            return share / float(found.distribution.sum())
        return share_estimate(round(share), found.fights).low


def _share(found: Evaluation, least: float) -> float:
    """What of a distribution is at the least number."""
    place = round(least / found.step)
    return float(found.distribution[place]) if place < len(found.distribution) else 0.0

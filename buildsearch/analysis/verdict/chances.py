"""How likely a build is to win in the least possible number of turns, by the engine that knows best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis.population import Population
from buildsearch.evaluate.statistics import share_estimate
from buildsearch.model.evaluation import Evaluator, Sampling
from buildsearch.model.space import BuildSpace

# Enough to tell 95 % from 96 % for sure.
_FIGHTS = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Asks the first evaluator that takes a build; of a sample the lower end of the interval counts."""

    population: Population
    space: BuildSpace
    evaluators: Sequence[Evaluator]
    fights: Mapping[str, Any]
    least: Sequence[float]

    def __call__(self, row: int, fight: int) -> float | None:
        """The chance, at least; None where nobody can say."""
        (build,) = self.space.builds(self.population.chunk(row))
        its = self.fights[self.population.scores.fights[fight]]
        engine = next((each for each in self.evaluators if each.why_not(build, its) is None), None)
        if engine is None:
            return None
        found = engine.evaluate(build, its, Sampling(_FIGHTS))
        place = round(self.least[fight] / found.step)
        if place >= len(found.distribution):
            return 0.0
        its_share = float(found.distribution[place])
        if found.fights is None:
            return its_share / float(found.distribution.sum())
        return share_estimate(round(its_share), found.fights).low

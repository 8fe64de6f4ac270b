"""How likely a build is to win in the least possible number of turns, by the engine that knows best."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis.population import Population
from buildsearch.evaluate.statistics import share_estimate
from buildsearch.model.evaluation import Evaluator, Sampling
from buildsearch.model.space import BuildSpace, Chunk

# Enough to tell 95 % from 96 % for sure.
_FIGHTS = 20_000

# By group, code and fight of a build.
Known = MutableMapping[tuple[str, bytes, str], float | None]


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Asks the first evaluator that takes a build; of a sample the lower end of the interval counts.

    `known` remembers what was said: an engine may take a moment.
    """

    population: Population
    space: BuildSpace
    evaluators: Sequence[Evaluator]
    fights: Mapping[str, Any]
    least: Sequence[float]
    known: Known

    def __call__(self, row: int, fight: int) -> float | None:
        """The chance, at least; None where nobody can say."""
        chunk, name = self.population.chunk(row), self.population.scores.fights[fight]
        key = (chunk.group, chunk.codes.tobytes(), name)
        if key not in self.known:
            self.known[key] = self._asked(chunk, fight, self.fights[name])
        return self.known[key]

    def _asked(self, chunk: Chunk, fight: int, its: Any) -> float | None:
        (build,) = self.space.builds(chunk)
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

"""Bulk scores for a system that has no batches: its evaluators, build by build."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from buildsearch.evaluate.threads import tell
from buildsearch.model.arrays import Floats
from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.model.scorer import Samples, Solver
from buildsearch.model.space import BuildSpace, Chunk


class OneByOne:
    """A bulk scorer's answers where builds have nothing in common; a game overrides what it does better."""

    space: Any
    outcomes: tuple[str, ...]
    evaluators: tuple[Evaluator, ...]

    def derived(self, fight: Any, primary: Floats) -> dict[str, Floats]:
        """Nothing follows from the primary metric."""
        return {}

    def solve(self, chunk: Chunk, fight: Any) -> Floats:
        return solve_one_by_one(self.space, self.evaluators, chunk, fight)

    def solver(self, chunk: Chunk, fights: Sequence[Any]) -> Solver:
        """Fights have nothing in common that would be worth keeping."""
        return lambda number: self.solve(chunk, fights[number])

    def solve_alone(self, chunk: Chunk, fight: Any) -> Floats:
        """There is no slower engine that solves more."""
        return np.full(len(chunk), np.nan)

    def compile_apart(self, groups: Collection[str]) -> None:
        """Nothing takes long enough to be compiled apart."""

    def sample(self, chunk: Chunk, fight: Any, seed: int, fights: int) -> Samples:
        """Fights of the first evaluator that samples and can."""
        totals, squares = np.full((len(self.outcomes), len(chunk)), np.nan), np.full(len(chunk), np.nan)
        sampling = Sampling(fights, seed)
        for i, build in enumerate(self.space.builds(chunk)):
            for evaluator in self.evaluators:
                if evaluator.method != "exact" and evaluator.why_not(build, fight) is None:
                    found = evaluator.evaluate(build, fight, sampling)
                    totals[:, i], squares[i] = _sums(found, self.outcomes, fights)
                    break
        return Samples(fights, totals, squares)


def solve_one_by_one(space: BuildSpace, evaluators: Sequence[Evaluator], chunk: Chunk, fight: Any) -> Floats:
    """The exact mean of the primary metric where an evaluator is exact and can; else NaN."""
    means = np.full(len(chunk), np.nan)
    exact = [evaluator for evaluator in evaluators if evaluator.method == "exact"]
    for i, build in enumerate(space.builds(chunk)):
        for evaluator in exact:
            if evaluator.why_not(build, fight) is None:
                found = evaluator.evaluate(build, fight, Sampling(0))
                means[i] = found.estimates[found.primary].value
                break
        tell(1)
    return means


def _sums(found: Evaluation, outcomes: Sequence[str], fights: int) -> tuple[list[float], float]:
    # From the distribution, which is whole numbers of fights: a mean times n would not be exact.
    values = np.arange(len(found.distribution)) * found.step
    others = [found.estimates[name].value * fights for name in outcomes[1:]]
    return [float(found.distribution @ values), *others], float(found.distribution @ values**2)

"""What solving a build gives: the whole distribution of its fights, and Vitality's metrics of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import quantile
from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.results import PRIMARY, QUANTILES


@dataclass(frozen=True, eq=False)
class Solution:
    """`ends[t]`: the chance that a fight counts t turns. Survival is None where HP was not followed."""

    ends: NDArray[np.float64]
    timeouts: float
    lost: float
    cut: float
    survival: float | None

    @property
    def mean(self) -> float:
        return float(self.ends @ np.arange(len(self.ends)))

    @property
    def stdev(self) -> float:
        turns = np.arange(len(self.ends)) - self.mean
        return float(np.sqrt(self.ends @ turns**2))


def evaluation_of_exact(solution: Solution, encounter: Encounter, method: str) -> Evaluation:
    """Turns, damage per turn, survival and timeouts, without errors and without a seed."""
    assert solution.survival is not None  # noqa: S101 - solved with survival
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={
            PRIMARY: _exactly(solution.mean),
            "damage_per_turn": _exactly(encounter.total_hp / solution.mean),
            "survival": _exactly(min(solution.survival, 1.0)),
            "timeout_share": _exactly(solution.timeouts),
        },
        stdev=solution.stdev,
        quantiles={name: quantile(solution.ends, share) for name, share in QUANTILES.items()},
        distribution=solution.ends,
        fights=None,
        seed=None,
    )


def _exactly(value: float) -> Estimate:
    return Estimate(value, 0.0, value, value)

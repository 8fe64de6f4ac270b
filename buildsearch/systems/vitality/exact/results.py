"""From a solution to Vitality's metrics."""

from __future__ import annotations

from buildsearch.evaluate.statistics import quantile
from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.results import PRIMARY, QUANTILES


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

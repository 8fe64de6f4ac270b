"""From counted fights to Armitage's metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import mean_estimate, share_estimate, stdev
from buildsearch.evaluate.tally import Tally
from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.systems.armitage.bouts import OURS, Bout, Fighter
from buildsearch.systems.armitage.metrics import PRIMARY

# Outcomes of the primary metric: its histogram has a place for each, worth half a win a step.
LOST, DREW, WON = range(3)
OUTCOMES = 3
STEP = 0.5


def hp_places(fighters: tuple[Fighter, ...]) -> int:
    """How many values the HP that are left to our side can have."""
    return 1 + sum(fighter.stats.hth for fighter in fighters if fighter.side == OURS)


def count_places(bout: Bout, fighters: tuple[Fighter, ...]) -> int:
    """The length of a tally's counts: a histogram of rounds, then one of the HP left."""
    return bout.max_turns + 1 + hp_places(fighters)


def evaluation_of(tally: Tally, bout: Bout, method: str, seed: int) -> Evaluation:
    """Win rate, rounds, HP left and draws of sampled fights."""
    rounds, hp_left = np.split(tally.counts, [bout.max_turns + 1])
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={
            PRIMARY: _win_rate(tally.histogram),
            "rounds": mean_estimate(rounds),
            "hp_left": _not_below_zero(mean_estimate(hp_left)),
            "draws": share_estimate(int(tally.histogram[DREW]), tally.fights),
        },
        stdev=stdev(tally.histogram) * STEP,
        quantiles={},
        distribution=tally.histogram.astype(np.float64),
        fights=tally.fights,
        seed=seed,
        step=STEP,
    )


def exact_evaluation(
    outcomes: NDArray[np.float64], rounds: float, hp_left: float, method: str = "exact"
) -> Evaluation:
    """The same from probabilities: no error, no fights, no seed."""
    values = np.arange(OUTCOMES) * STEP
    mean = float(outcomes @ values)
    numbers = {PRIMARY: mean, "rounds": rounds, "hp_left": hp_left, "draws": float(outcomes[DREW])}
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={name: Estimate(number, 0.0, number, number) for name, number in numbers.items()},
        stdev=math.sqrt(max(0.0, float(outcomes @ values**2) - mean**2)),
        quantiles={},
        distribution=outcomes,
        fights=None,
        seed=None,
        step=STEP,
    )


def _win_rate(histogram: NDArray[np.int64]) -> Estimate:
    twice = mean_estimate(histogram)
    low, high = max(0.0, twice.low * STEP), min(1.0, twice.high * STEP)
    return Estimate(twice.value * STEP, twice.se * STEP, low, high)


def _not_below_zero(estimate: Estimate) -> Estimate:
    return replace(estimate, low=max(0.0, estimate.low))

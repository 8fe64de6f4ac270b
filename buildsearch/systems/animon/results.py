"""From ends of fights to Animon Story's metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import mean_estimate, share_estimate, stdev
from buildsearch.evaluate.tally import Tally
from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.systems.animon.exact.solving import Ended
from buildsearch.systems.animon.rules.metrics import PRIMARY

# Outcomes of the primary metric: its histogram has a place for each, worth half a win a step.
LOST, DREW, WON = range(3)
OUTCOMES = 3
STEP = 0.5
# Histograms of rounds, HP left and the gauge; what does not fit counts as the last.
WIDTH = 2048
KINDS = 3


def exact_evaluation(found: Ended) -> Evaluation:
    """Probabilities: no error, no fights, no seed."""
    outcomes = np.clip(np.array([found.lost, found.drawn, found.won]), 0.0, 1.0)
    values = np.arange(OUTCOMES) * STEP
    mean = min(1.0, float(outcomes @ values))
    numbers = {
        PRIMARY: mean,
        # A fight has a round, and sums of chances may fall short of 1 in the last place.
        "rounds": max(1.0, found.rounds),
        "hp_left": max(0.0, found.hp_left),
        "gauge": max(0.0, found.gauge),
        "draws": float(outcomes[DREW]),
    }
    return Evaluation(
        method="exact",
        primary=PRIMARY,
        estimates={name: Estimate(number, 0.0, number, number) for name, number in numbers.items()},
        stdev=math.sqrt(max(0.0, float(outcomes @ values**2) - mean**2)),
        quantiles={},
        distribution=outcomes,
        fights=None,
        seed=None,
        step=STEP,
    )


def empty_counts() -> NDArray[np.int64]:
    """Room for the histograms."""
    return np.zeros((KINDS, WIDTH), np.int64)


def evaluation_of(tally: Tally, method: str, seed: int) -> Evaluation:
    """The same from counted fights."""
    rounds, hp_left, gauge = (mean_estimate(each) for each in tally.counts.reshape(KINDS, WIDTH))
    twice = mean_estimate(tally.histogram)
    low, high = max(0.0, twice.low * STEP), min(1.0, twice.high * STEP)
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={
            PRIMARY: Estimate(twice.value * STEP, twice.se * STEP, low, high),
            "rounds": rounds,
            "hp_left": replace(hp_left, low=max(0.0, hp_left.low)),
            "gauge": replace(gauge, low=max(0.0, gauge.low)),
            "draws": share_estimate(int(tally.histogram[DREW]), tally.fights),
        },
        stdev=stdev(tally.histogram) * STEP,
        quantiles={},
        distribution=tally.histogram.astype(np.float64),
        fights=tally.fights,
        seed=seed,
        step=STEP,
    )

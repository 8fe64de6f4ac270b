"""Fights that are won, drawn or lost: from chances or counts to an evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.sampling import Tally
from buildsearch.evaluate.statistics import mean_estimate, stdev
from buildsearch.model.evaluation import Estimate, Evaluation, Metric, Scale

# Outcomes of the primary metric: its histogram has a place for each, worth half a win a step.
LOST, DREW, WON = range(3)
OUTCOMES = 3
STEP = 0.5


def exact_wins(
    primary: str,
    outcomes: NDArray[np.float64],
    others: Mapping[str, float],
    *,
    method: str = "exact",
    mean: float | None = None,
) -> Evaluation:
    """From the chances of the outcomes: no error, no fights, no seed. `mean` is their worth, if known."""
    values = np.arange(OUTCOMES) * STEP
    worth = float(outcomes @ values) if mean is None else mean
    numbers = {primary: worth, **others}
    return Evaluation(
        method=method,
        primary=primary,
        estimates={name: Estimate(number, 0.0, number, number) for name, number in numbers.items()},
        stdev=math.sqrt(max(0.0, float(outcomes @ values**2) - worth**2)),
        quantiles={},
        distribution=outcomes,
        fights=None,
        seed=None,
        step=STEP,
    )


def sampled_wins(
    primary: str, tally: Tally, others: Mapping[str, Estimate], method: str, seed: int
) -> Evaluation:
    """The same from counted fights; `others` are estimates of what else was counted."""
    twice = mean_estimate(tally.histogram)
    low, high = max(0.0, twice.low * STEP), min(1.0, twice.high * STEP)
    return Evaluation(
        method=method,
        primary=primary,
        estimates={primary: Estimate(twice.value * STEP, twice.se * STEP, low, high), **others},
        stdev=stdev(tally.histogram) * STEP,
        quantiles={},
        distribution=tally.histogram.astype(np.float64),
        fights=tally.fights,
        seed=seed,
        step=STEP,
    )


def not_below_zero(estimate: Estimate) -> Estimate:
    """An interval of what cannot be negative."""
    return replace(estimate, low=max(0.0, estimate.low))


def win_metrics(win: str, left: tuple[str, str], draw: str) -> tuple[Metric, ...]:
    """Win rate, rounds, what is left of the build (name and label), draws."""
    return (
        Metric(win, "win rate", higher_is_better=True, low=0, high=1, scale=Scale.PROBABILITY, verb="wins"),
        Metric("rounds", "rounds", higher_is_better=False, low=1, counts_steps=True),
        Metric(*left, higher_is_better=True, low=0, scale=Scale.OTHER),
        Metric(
            draw,
            "draws",
            higher_is_better=False,
            low=0,
            high=1,
            remarkable_above=0.05,
            scale=Scale.PROBABILITY,
        ),
    )

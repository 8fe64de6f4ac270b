"""From ends of fights to Dungeoneers' metrics."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.statistics import mean_estimate, share_estimate, stdev
from buildsearch.evaluate.tally import Tally
from buildsearch.model.evaluation import Estimate, Evaluation
from buildsearch.systems.dungeoneers.rules.metrics import PRIMARY

# Outcomes of the primary metric: its histogram has a place for each, worth half a win a step.
NOTHING, HALF, WHOLE = range(3)
OUTCOMES = 3
STEP = 0.5


def exact_evaluation(
    won: float, drawn: float, lost: float, life: float, rounds: float, draw_value: float
) -> Evaluation:
    """Probabilities: no error, no fights, no seed."""
    won, drawn, lost = min(1.0, won), min(1.0, drawn), min(1.0, lost)
    outcomes = np.array([lost, drawn, won]) if draw_value else np.array([lost + drawn, 0.0, won])
    mean = won + draw_value * drawn
    values = np.arange(OUTCOMES) * STEP
    # A fight has a round, and sums of chances may fall short of 1 in the last place.
    numbers = {PRIMARY: mean, "rounds": max(1.0, rounds), "life": life, "draw": drawn, "loss": lost}
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


def tally_of(
    won: NDArray[np.int64], drawn: NDArray[np.int64], lost: int, rounds: NDArray[np.int64], draw_value: float
) -> Tally:
    """Counted fights: by life for those won and drawn. Counts: draws, losses, rounds, then life."""
    worth_half = int(drawn.sum()) if draw_value else 0
    histogram = np.array([lost + int(drawn.sum()) - worth_half, worth_half, won.sum()], np.int64)
    lives = won + drawn
    lives[0] += lost
    return Tally(histogram, np.concatenate([[drawn.sum(), lost], rounds, lives]).astype(np.int64))


def evaluation_of(tally: Tally, most_rounds: int, method: str, seed: int) -> Evaluation:
    """The same from counted fights."""
    (drawn, lost), rounds, lives = np.split(tally.counts, [2, most_rounds + 3])
    life = mean_estimate(lives)
    twice = mean_estimate(tally.histogram)
    win = Estimate(
        twice.value * STEP, twice.se * STEP, max(0.0, twice.low * STEP), min(1.0, twice.high * STEP)
    )
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={
            PRIMARY: win,
            "rounds": mean_estimate(rounds),
            "life": replace(life, low=max(0.0, life.low)),
            "draw": share_estimate(int(drawn), tally.fights),
            "loss": share_estimate(int(lost), tally.fights),
        },
        stdev=stdev(tally.histogram) * STEP,
        quantiles={},
        distribution=tally.histogram.astype(np.float64),
        fights=tally.fights,
        seed=seed,
        step=STEP,
    )

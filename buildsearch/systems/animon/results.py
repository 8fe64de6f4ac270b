"""From ends of fights to Animon Story's metrics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.wins import DREW, exact_wins, not_below_zero, sampled_wins
from buildsearch.evaluate.sampling import Tally
from buildsearch.evaluate.statistics import mean_estimate, share_estimate
from buildsearch.model.evaluation import Evaluation
from buildsearch.systems.animon.exact.solver import Ended
from buildsearch.systems.animon.rules.metrics import PRIMARY

# Histograms of rounds, HP left and the gauge; what does not fit counts as the last.
WIDTH = 2048
KINDS = 3


def exact_evaluation(found: Ended) -> Evaluation:
    """Probabilities: no error, no fights, no seed."""
    outcomes = np.clip(np.array([found.lost, found.drawn, found.won]), 0.0, 1.0)
    others = {
        # A fight has a round, and sums of chances may fall short of 1 in the last place.
        "rounds": max(1.0, found.rounds),
        "hp_left": max(0.0, found.hp_left),
        "gauge": max(0.0, found.gauge),
        "draws": float(outcomes[DREW]),
    }
    return exact_wins(PRIMARY, outcomes, others, mean=min(1.0, float(outcomes @ np.array([0.0, 0.5, 1.0]))))


def empty_counts() -> NDArray[np.int64]:
    """Room for the histograms."""
    return np.zeros((KINDS, WIDTH), np.int64)


def evaluation_of(tally: Tally, method: str, seed: int) -> Evaluation:
    """The same from counted fights."""
    rounds, hp_left, gauge = (mean_estimate(each) for each in tally.counts.reshape(KINDS, WIDTH))
    others = {
        "rounds": rounds,
        "hp_left": not_below_zero(hp_left),
        "gauge": not_below_zero(gauge),
        "draws": share_estimate(int(tally.histogram[DREW]), tally.fights),
    }
    return sampled_wins(PRIMARY, tally, others, method, seed)

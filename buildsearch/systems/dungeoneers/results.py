"""From ends of fights to Dungeoneers' metrics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.wins import exact_wins, not_below_zero, sampled_wins
from buildsearch.evaluate.sampling import Tally
from buildsearch.evaluate.statistics import mean_estimate, share_estimate
from buildsearch.model.evaluation import Evaluation
from buildsearch.systems.dungeoneers.rules.metrics import PRIMARY


def exact_evaluation(
    won: float, drawn: float, lost: float, life: float, rounds: float, draw_value: float
) -> Evaluation:
    """Probabilities: no error, no fights, no seed."""
    won, drawn, lost = min(1.0, won), min(1.0, drawn), min(1.0, lost)
    # A draw that is worth nothing counts as lost.
    outcomes = np.array([lost, drawn, won]) if draw_value else np.array([lost + drawn, 0.0, won])
    # A fight has a round, and sums of chances may fall short of 1 in the last place.
    others = {"rounds": max(1.0, rounds), "life": life, "draw": drawn, "loss": lost}
    return exact_wins(PRIMARY, outcomes, others, mean=won + draw_value * drawn)


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
    others = {
        "rounds": mean_estimate(rounds),
        "life": not_below_zero(mean_estimate(lives)),
        "draw": share_estimate(int(drawn), tally.fights),
        "loss": share_estimate(int(lost), tally.fights),
    }
    return sampled_wins(PRIMARY, tally, others, method, seed)

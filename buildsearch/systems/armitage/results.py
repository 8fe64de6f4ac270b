"""From counted fights to Armitage's metrics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.wins import DREW, exact_wins, not_below_zero, sampled_wins
from buildsearch.evaluate.sampling import Tally
from buildsearch.evaluate.statistics import mean_estimate, share_estimate
from buildsearch.model.evaluation import Evaluation
from buildsearch.systems.armitage.bouts import OURS, Bout, Fighter
from buildsearch.systems.armitage.rules.metrics import PRIMARY


def hp_places(fighters: tuple[Fighter, ...]) -> int:
    """How many values the HP that are left to our side can have."""
    return 1 + sum(fighter.stats.hth for fighter in fighters if fighter.side == OURS)


def count_places(bout: Bout, fighters: tuple[Fighter, ...]) -> int:
    """The length of a tally's counts: a histogram of rounds, then one of the HP left."""
    return bout.max_turns + 1 + hp_places(fighters)


def evaluation_of(tally: Tally, bout: Bout, method: str, seed: int) -> Evaluation:
    """Win rate, rounds, HP left and draws of sampled fights."""
    rounds, hp_left = np.split(tally.counts, [bout.max_turns + 1])
    others = {
        "rounds": mean_estimate(rounds),
        "hp_left": not_below_zero(mean_estimate(hp_left)),
        "draws": share_estimate(int(tally.histogram[DREW]), tally.fights),
    }
    return sampled_wins(PRIMARY, tally, others, method, seed)


def exact_evaluation(outcomes: NDArray[np.float64], rounds: float, hp_left: float) -> Evaluation:
    """The same from probabilities: no error, no fights, no seed."""
    others = {"rounds": rounds, "hp_left": hp_left, "draws": float(outcomes[DREW])}
    return exact_wins(PRIMARY, outcomes, others)

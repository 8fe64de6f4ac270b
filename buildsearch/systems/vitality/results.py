"""From counted fights to Vitality's metrics."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.sampling import Tally
from buildsearch.evaluate.statistics import mean_estimate, quantile, ratio_estimate, share_estimate, stdev
from buildsearch.model.evaluation import Evaluation
from buildsearch.systems.vitality.encounter import Encounter

# What engines count besides the histogram of turns.
SURVIVED, TIMED_OUT, LOST = range(3)
COUNTS = 3
PRIMARY = "mean_turns"
QUANTILES = {"p10": 0.1, "p50": 0.5, "p90": 0.9}


def evaluation_of(tally: Tally, encounter: Encounter, method: str, seed: int) -> Evaluation:
    """Turns, damage per turn, survival and timeouts of sampled fights."""
    fights = tally.fights
    turns = mean_estimate(tally.histogram)
    return Evaluation(
        method=method,
        primary=PRIMARY,
        estimates={
            PRIMARY: turns,
            "damage_per_turn": ratio_estimate(encounter.total_hp, turns),
            "survival": share_estimate(int(tally.counts[SURVIVED]), fights),
            "timeout_share": share_estimate(int(tally.counts[TIMED_OUT]), fights),
        },
        stdev=stdev(tally.histogram),
        quantiles={name: quantile(tally.histogram, share) for name, share in QUANTILES.items()},
        distribution=tally.histogram.astype(np.float64),
        fights=fights,
        seed=seed,
    )

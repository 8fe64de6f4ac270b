"""What Animon Story measures, the primary metric first."""

from __future__ import annotations

from buildsearch.model.metric import Metric, Scale

METRICS = (
    Metric("win_rate", "win rate", higher_is_better=True, low=0, high=1, scale=Scale.PROBABILITY),
    Metric("rounds", "rounds", higher_is_better=False, low=1, counts_steps=True),
    Metric("hp_left", "HP left", higher_is_better=True, low=0, scale=Scale.OTHER),
    # The gamemaster spends it against the players.
    Metric("gauge", "critical gauge", higher_is_better=False, low=0, scale=Scale.OTHER),
    Metric(
        "draws",
        "draws",
        higher_is_better=False,
        low=0,
        high=1,
        remarkable_above=0.05,
        scale=Scale.PROBABILITY,
    ),
)
PRIMARY = METRICS[0].name

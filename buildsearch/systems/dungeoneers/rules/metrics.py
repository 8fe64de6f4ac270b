"""What Dungeoneers measures, the primary metric first."""

from __future__ import annotations

from buildsearch.model.metric import Metric, Scale

METRICS = (
    Metric("win", "win rate", higher_is_better=True, low=0, high=1, scale=Scale.PROBABILITY),
    Metric("rounds", "rounds", higher_is_better=False, low=1, counts_steps=True),
    Metric("life", "life left", higher_is_better=True, low=0, scale=Scale.OTHER),
    Metric(
        "draw",
        "draws",
        higher_is_better=False,
        low=0,
        high=1,
        remarkable_above=0.05,
        scale=Scale.PROBABILITY,
    ),
    Metric("loss", "losses", higher_is_better=False, low=0, high=1, scale=Scale.PROBABILITY),
)
PRIMARY = METRICS[0].name

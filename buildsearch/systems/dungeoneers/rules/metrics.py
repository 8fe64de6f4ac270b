"""What Dungeoneers measures, the primary metric first."""

from __future__ import annotations

from buildsearch.model.metric import Metric

METRICS = (
    Metric("win", "win rate", higher_is_better=True, low=0, high=1),
    Metric("rounds", "rounds", higher_is_better=False, low=1),
    Metric("life", "life left", higher_is_better=True, low=0),
    Metric("draw", "draws", higher_is_better=False, low=0, high=1, remarkable_above=0.05),
    Metric("loss", "losses", higher_is_better=False, low=0, high=1),
)
PRIMARY = METRICS[0].name

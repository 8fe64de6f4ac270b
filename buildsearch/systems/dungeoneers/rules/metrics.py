"""What Dungeoneers measures, the primary metric first."""

from __future__ import annotations

from buildsearch.engines.wins import win_metrics
from buildsearch.model.evaluation import Metric, Scale

METRICS = (
    *win_metrics("win", ("life", "life left"), "draw"),
    Metric("loss", "losses", higher_is_better=False, low=0, high=1, scale=Scale.PROBABILITY),
)
PRIMARY = METRICS[0].name

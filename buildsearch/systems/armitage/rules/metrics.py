"""What Armitage measures, the primary metric first."""

from __future__ import annotations

from buildsearch.engines.wins import win_metrics

METRICS = win_metrics("win_rate", ("hp_left", "HP left"), "draws")
PRIMARY = METRICS[0].name

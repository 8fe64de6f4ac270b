"""What Armitage measures, the primary metric first."""

from __future__ import annotations

from buildsearch.engines.wins import duel_metrics

METRICS = duel_metrics("win_rate", ("hp_left", "HP left"), "draws")
PRIMARY = METRICS[0].name

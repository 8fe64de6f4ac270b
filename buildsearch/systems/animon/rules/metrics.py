"""What Animon Story measures, the primary metric first."""

from __future__ import annotations

from buildsearch.engines.wins import win_metrics
from buildsearch.model.evaluation import Metric, Scale

_WINS, _ROUNDS, _LEFT, _DRAWS = win_metrics("win_rate", ("hp_left", "HP left"), "draws")
# The gamemaster spends it against the players.
_GAUGE = Metric("gauge", "critical gauge", higher_is_better=False, low=0, scale=Scale.OTHER)
METRICS = (_WINS, _ROUNDS, _LEFT, _GAUGE, _DRAWS)
PRIMARY = METRICS[0].name

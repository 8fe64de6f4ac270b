"""Which of many fights to look at."""

from __future__ import annotations

from typing import Any

from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.watch import Watch
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Fight

_PICKS = ("worst", "median", "best")
_MOST = 1_000_000


def picked_seed(
    setup: FightSetup, build: Any, fight: Fight, pick: str, seed: int, of: int, watch: Watch
) -> int:
    """The seed of the worst, median or best of so many fights from a seed on; raises UsageError."""
    if pick not in _PICKS:
        raise UsageError(f"‹pick› must be worst, median or best, not {pick!r}.")
    if not 1 <= of <= _MOST:
        raise UsageError(f"‹of› must be from 1 to {_MOST:,}, not {of:,}.")
    system = setup.loaded.system
    replayer = system.replayer(setup.loaded.model)
    values = []
    with watch.bar("fights", of) as advance:
        for candidate in range(seed, seed + of):
            values.append((replayer.value(build, fight, candidate), candidate))
            advance(1)
    # The primary metric says which end is the good one; ties go to the first seed.
    best_first = sorted(
        values, key=lambda value: (-value[0] if system.metrics[0].higher_is_better else value[0], value[1])
    )
    if pick == "worst":
        worst = best_first[-1][0]
        return min(candidate for value, candidate in values if value == worst)
    return best_first[0 if pick == "best" else (of - 1) // 2][1]

"""What solving an area would cost, before it is solved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from buildsearch.systems.vitality.exact.nodes.areas.planning import AreaPlan, area_plan
from buildsearch.systems.vitality.exact.nodes.areas.solving import NEGLIGIBLE, follow


def work_of(plan: AreaPlan, stories: int) -> float:
    """About how many products it takes to follow the open fields.

    Most of the work is done while everybody of the class of the rows may live. How long that is, one of them
    alone tells: that n of them last as long is about the n-th power of its chance to.
    """
    terrain = plan.terrain
    if not terrain.is_open:
        return 0.0
    (wave,) = terrain.waves
    spreads = [
        len(roll.row_targets) * wave.columns + len(roll.column_targets) * wave.rows for roll in plan.rolls[0]
    ]
    # A turn is a basic attack, or one of the attacks with all that follows.
    longest = max(plan.swing.strikes + plan.swing.extras, 1)
    levels = set(plan.play.rolls.tolist())
    turn = max((spreads[level] * (longest if level else 1) for level in levels), default=0)
    return float(turn * stories * _turns_together(plan, wave.places[-1]))


def _turns_together(plan: AreaPlan, places: tuple[int, ...]) -> int:
    """In so many turns enemies at these places may all be alive."""
    ground = plan.ground
    foes = ground.foes[list(places[:1])].copy()
    foes["wave_end"] = 1
    alone = area_plan(
        replace(ground, foes=foes, order=[0], retaliation=[ground.retaliation[ground.order[places[0]]]])
    )
    if alone is None:
        return int(ground.setup["max_turns"])
    standing = 1.0 - np.cumsum(follow(alone).ends)
    return int((np.maximum(standing, 0.0) ** len(places) > NEGLIGIBLE).sum())

"""Blocks of fights from a compiled plan: checks what it is given, then calls the kernel."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.streams import stream_state
from buildsearch.evaluate.tally import Tally
from buildsearch.systems.armitage.kernel.fighting import fight_plainly, fight_with_statuses
from buildsearch.systems.armitage.kernel.plan import Plan
from buildsearch.systems.armitage.results import OUTCOMES


def run_block(plan: Plan, seed: int, block: int, fights: int) -> Tally:
    """One block of fights, from the stream of (seed, content of the plan, block)."""
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    ours = plan.fighters[plan.fighters["side"] == 0]
    histogram = np.zeros(OUTCOMES, np.int64)
    counts = np.zeros(int(plan.setup["max_turns"][0]) + 2 + int(ours["max_hp"].sum()), np.int64)
    state = stream_state(seed, plan.content, block)
    # Only without the JIT (for coverage) would numpy warn that the generator wraps around, as it must.
    with np.errstate(over="ignore"):
        fight_block = fight_with_statuses if plan.setup["statuses"][0] else fight_plainly
        fight_block(
            plan.setup,
            plan.fighters,
            plan.cards,
            plan.decks,
            plan.strikes,
            plan.hits,
            plan.means,
            plan.heals,
            plan.heal_means,
            plan.prevented,
            plan.keys,
            plan.shifts,
            state,
            fights,
            histogram,
            counts,
        )
    return Tally(histogram, counts)

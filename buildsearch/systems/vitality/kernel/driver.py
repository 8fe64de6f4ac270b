"""Blocks of fights from a compiled plan: checks what it is given, then calls the kernel."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.tally import Tally
from buildsearch.systems.vitality.kernel.arms import arms_of
from buildsearch.systems.vitality.kernel.content import WORDS, seed_words, stream_into
from buildsearch.systems.vitality.kernel.fighting import fight_area, fight_plain, fight_rich, fight_triggered
from buildsearch.systems.vitality.kernel.loadouts.choosing import GREEDY
from buildsearch.systems.vitality.kernel.plan import Plan
from buildsearch.systems.vitality.mechanics.actions import ACTIONS
from buildsearch.systems.vitality.results import COUNTS

KERNELS = (fight_plain, fight_triggered, fight_area, fight_rich)


def run_block(plan: Plan, seed: int, block: int, fights: int) -> Tally:
    """One block of fights, from the stream of (seed, content of the plan, block)."""
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    arms, alone = arms_of(plan), np.zeros(1, np.int64)
    histogram = np.zeros(int(plan.setup["max_turns"][0]) + 1, np.int64)
    counts, actions = np.zeros(COUNTS, np.int64), np.zeros((ACTIONS, 1), np.int64)
    state = np.zeros(WORDS, np.uint64)
    # Only without the JIT (for coverage) would numpy warn that the generator wraps around, as it must.
    with np.errstate(over="ignore"):
        stream_into(seed_words(seed), arms.contents[0], block, state)
        KERNELS[int(plan.setup["kind"][0])](arms, alone, GREEDY, state, fights, histogram, counts, actions)
    return Tally(histogram, counts)

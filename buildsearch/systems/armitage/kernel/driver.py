"""Blocks of fights from a compiled plan: checks what it is given, then calls the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.wins import OUTCOMES
from buildsearch.evaluate.randomness import stream_state
from buildsearch.evaluate.sampling import Tally
from buildsearch.systems.armitage.kernel.duels import LARGEST_HAND, duel_plainly, duel_with_statuses
from buildsearch.systems.armitage.kernel.fights import fight_block
from buildsearch.systems.armitage.kernel.plan import GREEDY, Plan


def run_block(plan: Plan, seed: int, block: int, fights: int) -> Tally:
    """One block of fights, from the stream of (seed, content of the plan, block)."""
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    ours = plan.arrays.fighters[plan.arrays.fighters["side"] == 0]
    histogram = np.zeros(OUTCOMES, np.int64)
    counts = np.zeros(int(plan.arrays.setup["max_turns"][0]) + 2 + int(ours["max_hp"].sum()), np.int64)
    state = stream_state(seed, plan.content, block)
    # Only without the JIT (for coverage) would numpy warn that the generator wraps around, as it must.
    with np.errstate(over="ignore"):
        _play(plan, state, fights, histogram, counts)
    return Tally(histogram, counts)


def is_plain_duel(plan: Plan) -> bool:
    """Whether the duel kernel plays this: one against one, both greedy, hands that it has room for."""
    return (
        len(plan.arrays.fighters) == 2
        and bool((plan.arrays.fighters["play"] == GREEDY).all())
        and int(plan.arrays.setup["hand"][0]) <= LARGEST_HAND
    )


def _play(
    plan: Plan,
    state: NDArray[np.uint64],
    fights: int,
    histogram: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    # Any: to mypy numba's functions are called with one type of argument.
    play: Any = fight_block
    if is_plain_duel(plan):
        play = duel_with_statuses if plan.arrays.setup["statuses"][0] else duel_plainly
    play(plan.arrays, state, fights, histogram, counts)

"""The counters of an attack from turn to turn, as chains and best play keep them.

Uses left (0 where there is no limit), charged turns held, turns of rest, turns of the channel. `setup` has
the numbers of the attack's limits, by the names of `kernel.plan.SETUP`.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit

from buildsearch.systems.vitality.mechanics.actions import ATTACK, CHARGE, channel_after, held_after
from buildsearch.systems.vitality.mechanics.limits import (
    last_turn_allows,
    ready_after,
    state_allows,
    timing_allows,
    uses_after,
)


@njit(inline="always")
def counters_allow(
    setup: np.void, turn: int, uses: int, held: int, rest: int, damaged: int, defeated: int, was_hit: int
) -> bool:
    """Limits on turns, counters and the last turn. What the enemies did, and HP, are followed elsewhere."""
    return (
        timing_allows(turn, setup["first_turn"], setup["last_turn"], turn + rest, 1, 0)
        and state_allows(uses if setup["uses"] > 0 else -1, 1, 1, 1, 0, 0)
        and (
            held > 0
            or last_turn_allows(
                setup["last_damage"] != 0, damaged, setup["last_defeat"] != 0, defeated,
                setup["last_hit"] != 0, was_hit != 0,
            )
        )
    )  # fmt: skip


@njit(inline="always")
def counters_after(
    setup: np.void, turn: int, uses: int, held: int, rest: int, channel: int, action: int, made: bool
) -> tuple[int, int, int, int]:
    """Uses, charge, rest and channel after a turn; `action` is this attack's, `made` whether it was made."""
    ready = ready_after(turn, setup["cooldown"]) if action == ATTACK else turn + rest
    return (
        uses_after(uses) if action == ATTACK else uses,
        held_after(held, action == CHARGE),
        max(ready - turn - 1, 0),
        channel_after(channel, made),
    )

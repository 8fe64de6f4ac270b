"""When an attack may be used, what is done with a turn, and what follows. Spec, The attacker's action.

Counters: uses left (0 where there is no limit), charged turns held, turns of rest, turns of the channel.
`setup` has the numbers of the attack's limits, by the names of `kernel.plan.SETUP`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# What the enemies did just before this turn: retaliation states, in the order in which they add up.
ALL_MISSED, HIT_UNHARMED, DAMAGED, NOT_ATTACKED = range(4)


@njit(inline="always")
def state_allows(
    uses_left: int, hp: int, full_hp: int, hp_at_most: int, needs_full: int, hp_cost: int
) -> bool:
    """Limits that strikes can change in mid-action, so that ruling limit_scope asks them for each strike.

    Spec v1, Attrition: "usable above" the HP that it costs. `uses_left` below 0: no limit.
    """
    return (
        uses_left != 0
        and hp <= hp_at_most
        and (needs_full == 0 or hp == full_hp)
        and (hp_cost == 0 or hp > hp_cost)
    )


@njit(inline="always")
def timing_allows(
    turn: int, first_turn: int, last_turn: int, ready: int, since_mask: int, since: int
) -> bool:
    """Limits on the turn, the cooldown, and what the enemies did since the last turn."""
    return turn >= first_turn and turn <= last_turn and turn >= ready and (since_mask >> since) & 1 != 0


@njit(inline="always")
def last_turn_allows(
    needs_damage: bool, damaged: int, needs_defeat: bool, defeated: int, needs_hit: bool, was_hit: bool
) -> bool:
    """Action limits: what the attacker did on its last turn. "Checked only while no charge is held"."""
    return (
        not (needs_damage and damaged == 0)
        and not (needs_defeat and defeated == 0)
        and not (needs_hit and not was_hit)
    )


@njit(inline="always")
def ready_after(turn: int, cooldown: int) -> int:
    """The first turn on which an attack may be attempted again: "attempted on turn t, next on t+4"."""
    return turn + cooldown + 1


@njit(inline="always")
def uses_after(uses_left: int) -> int:
    """An attempt spends a use, "even when the Unreliable roll fails"; below 0 there is no limit."""
    return uses_left - 1 if uses_left > 0 else uses_left


WAIT, BASIC, CHARGE, ATTACK = range(4)
ACTIONS = 4


@njit(inline="always")
def greedy_action(usable: bool, passive_fails: bool, held: int, charge: int, unmet_waits: bool) -> int:
    """What greedy play does with one attack: "all limits hold and no charge-up turn is owed: attack".

    `usable`: all limits hold but Passive, for which it waits.
    """
    if not usable:
        return WAIT if unmet_waits else BASIC
    if passive_fails:
        return WAIT
    return CHARGE if held < charge else ATTACK


@njit(inline="always")
def held_after(held: int, charges: bool) -> int:
    """The charged turns that an attack holds: every attempt spends them, anything else loses them."""
    return held + 1 if charges else 0


@njit(inline="always")
def channel_after(channel: int, made: bool) -> int:
    """Consecutive turns on which this attack was made; any other turn breaks the channel."""
    return channel + 1 if made else 0


@njit(inline="always")
def is_made(activated: bool, failed: bool, failed_counts: bool) -> bool:
    """Whether an attempt is an attack made. A failed roll makes none (ruling failed_activation)."""
    return (activated or failed) and (failed_counts or not failed)


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

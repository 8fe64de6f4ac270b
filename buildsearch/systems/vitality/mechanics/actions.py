"""What is done with a turn, and what that means for charge and channel. Spec, The attacker's action."""

from __future__ import annotations

from numba import njit

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

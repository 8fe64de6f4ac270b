"""When an attack may be used. Spec, The attacker's action."""

from __future__ import annotations

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

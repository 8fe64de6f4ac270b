"""A strike: whom it goes at, what it does, what it sets off, and when a bleed begins and ticks.

Spec, Who fights (ruling target), An attack, More than one strike. A bleed deals the damage just dealt
again on later turns; a tick triggers nothing.
"""


# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="return-value"

from __future__ import annotations

import numpy as np
from numba import njit


@njit(inline="always")
def strike(kill_at: int, hp: int, damage: int) -> tuple[int, bool]:
    """The HP that are left, and whether the enemy is defeated.

    "Damage > 0: apply, then Finishing Blow, Culling Strike": both are in `kill_at`, so many HP or fewer are
    none.

    How this is worded is worth 15 % of the kernel's speed, since damage 0 is as likely as not and no
    processor foresees it: a product in place of a branch (`scripts/bench fights`).
    """
    left = (hp - damage) * np.int64(hp - damage > kill_at or damage == 0)
    return left, left == 0


@njit(inline="always")
def exposed_to(hit: bool, damage: int, exposed: int, vulnerable: int) -> tuple[int, int]:
    """The damage of a strike at an enemy that is exposed to so much more, and what it is exposed to after it.

    Word `vulnerable`: an enemy that was hit takes so much more damage from the next strike that hits it, by
    whichever attack. A hit that does no damage by itself exposes, and takes the rest along.
    """
    return (damage + exposed, vulnerable) if hit else (damage, exposed)


@njit(inline="always")
def healed(hp: int, full_hp: int, damage: int, per: int) -> int:
    """The attacker's HP after a strike that leeches. Spec v1, Leech: rounded down, up to the maximum."""
    return min(full_hp, hp + damage // per)


@njit(inline="always")
def begins(bleed_ticks: int, damage: int, ticks: int, bleed_over: int) -> bool:
    """Whether a strike makes an enemy bleed that lives: "if the enemy lives and has no bleed pending".

    A bleed lasts `bleed_ticks`, 0 where the attack begins none, and may begin while `bleed_over` ticks of
    another are to come (ruling bleed_overlap).
    """
    return bleed_ticks > 0 and damage > 0 and ticks <= bleed_over


@njit(inline="always")
def is_due(hp: int, ticks: int, began: int, turn: int) -> bool:
    """Whether a bleed ticks this turn: on an enemy that stands, on the turns after the one it began on."""
    return hp > 0 and ticks > 0 and began < turn


@njit(inline="always")
def tick(hp: int, damage: int) -> int:
    """The HP that a tick leaves. Neither Finishing Blow nor Culling Strike follows."""
    return max(hp - damage, 0)


FIRST, LOWEST_HP, HIGHEST_HP = range(3)


@njit(inline="always")
def goes_before(rule: int, rival_hp: int, hp: int) -> bool:
    """Whether an enemy that stands behind another is attacked before it."""
    return (rule == LOWEST_HP and 0 < rival_hp < hp) or (rule == HIGHEST_HP and rival_hp > hp)


# A base strike and all that it triggers are resolved in this order. Ricochet and Explosive Critical strike
# other enemies than the target; Splinter comes last.
BASE, DOUBLE_TAP, EXTRA, RICOCHET, EXPLOSION, SPLINTER = range(6)


@njit(inline="always")
def follow_up(
    stage: int,
    double_tap: bool,
    critical: bool,
    extras_left: int,
    harmed: bool,
    target_stands: bool,
) -> int:
    """The next strike at the same target after one of `stage`, or `RICOCHET`: on to the others.

    "On the same target while it lives: Double Tap (on a critical), Extra Attack (the base strike hit and did
    damage)": `critical` and `harmed` are the base strike's. For an area the target is whoever stands there.
    """
    if target_stands and stage < EXTRA:
        if stage == BASE and double_tap and critical:
            return DOUBLE_TAP
        if harmed and extras_left > 0:
            return EXTRA
    return max(stage, RICOCHET)


@njit(inline="always")
def feeds_splinter(stage: int, triggered_feed: bool) -> bool:
    """Whether a defeat by a strike of this stage allows a Splinter (ruling on triggered strikes)."""
    return stage == BASE or triggered_feed

"""What a strike does to the enemy that it is rolled against. Spec, An attack."""

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

"""Whom an attack at one enemy goes at. Spec, Who fights, ruling target."""

from __future__ import annotations

from numba import njit

FIRST, LOWEST_HP, HIGHEST_HP = range(3)


@njit(inline="always")
def goes_before(rule: int, rival_hp: int, hp: int) -> bool:
    """Whether an enemy that stands behind another is attacked before it."""
    return (rule == LOWEST_HP and 0 < rival_hp < hp) or (rule == HIGHEST_HP and rival_hp > hp)

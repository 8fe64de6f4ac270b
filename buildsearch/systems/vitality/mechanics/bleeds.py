"""Bleeds. Spec, An attack: the damage just dealt is dealt again on later turns; a tick triggers nothing."""

from __future__ import annotations

from numba import njit


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

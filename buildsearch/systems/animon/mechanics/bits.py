"""Parts of a unit's word, read and written."""

from __future__ import annotations

from numba import njit

from buildsearch.systems.animon.mechanics.layout import BOND, BOND_MASK, FORM, FORM_MASK, HP, HP_MASK, Ints


@njit(inline="always")
def get(state: Ints, unit: int, at: int, mask: int) -> int:
    """A part."""
    return (state[unit] >> at) & mask


@njit(inline="always")
def put(state: Ints, unit: int, at: int, mask: int, value: int) -> None:
    """Write a part."""
    state[unit] = (state[unit] & ~(mask << at)) | (value << at)


@njit(inline="always")
def has(state: Ints, unit: int, at: int) -> bool:
    """A part of one bit."""
    return (state[unit] >> at) & 1 == 1


@njit(inline="always")
def turn_on(state: Ints, unit: int, at: int) -> None:
    """A bit is one."""
    state[unit] |= 1 << at


@njit(inline="always")
def turn_off(state: Ints, unit: int, at: int) -> None:
    """A bit is zero."""
    state[unit] &= ~(1 << at)


@njit(inline="always")
def hp_of(state: Ints, unit: int) -> int:
    """HP; 0 is down."""
    return (state[unit] >> HP) & HP_MASK


@njit(inline="always")
def form_of(state: Ints, unit: int) -> int:
    """The stage now."""
    return (state[unit] >> FORM) & FORM_MASK


@njit(inline="always")
def bond_of(state: Ints, unit: int) -> int:
    """Bond points left."""
    return (state[unit] >> BOND) & BOND_MASK

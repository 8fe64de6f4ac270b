"""Where the numbers of a fight stand. A plan is one array of whole numbers, its odds one of chances.

One array each, and not a record of arrays: kernels count references to every array that they take out of a
record, and that took half of their time. A plan has the law first, then units, forms, attacks, and what the
element of each attack adds at each target. Odds have D of the reading first (mean damage by unit and form,
target and form, and one change), then the chances of margins and of successes, which all builds share.
"""

from __future__ import annotations

from numba import njit

from buildsearch.systems.animon.mechanics.layout import (
    ATTACK_WIDTH,
    D_WIDTH,
    FORM_WIDTH,
    FORMS,
    LAW,
    MOST_ATTACKS,
    MOST_CHOICES,
    UNIT,
    Floats,
    Ints,
)
from buildsearch.systems.animon.mechanics.tables import DODGE_DICE, NETS
from buildsearch.systems.animon.rules.model import MOST_DICE, MOST_NET, MOST_UNITS

_FORM = LAW + MOST_UNITS * UNIT
_ATTACK = _FORM + MOST_UNITS * FORMS * FORM_WIDTH
_EDGE = _ATTACK + MOST_UNITS * MOST_ATTACKS * ATTACK_WIDTH
PLAN = _EDGE + MOST_UNITS * (MOST_ATTACKS + 1) * MOST_CHOICES * MOST_UNITS
MARGINS = MOST_UNITS * FORMS * MOST_UNITS * FORMS * D_WIDTH
_SUCCESSES = MARGINS + (MOST_DICE + 1) * NETS * (DODGE_DICE + 1) * NETS * (MOST_DICE + 1)
ODDS = _SUCCESSES + (MOST_DICE + 1) * NETS * (MOST_DICE + 1)


@njit(inline="always")
def unit_place(unit: int, column: int) -> int:
    """Of a number of a unit."""
    return LAW + unit * UNIT + column


@njit(inline="always")
def form_place(unit: int, form: int, column: int) -> int:
    """Of a number of a form."""
    return _FORM + (unit * FORMS + form) * FORM_WIDTH + column


@njit(inline="always")
def attack_place(unit: int, attack: int, column: int) -> int:
    """Of a number of a signature attack, the first is 0."""
    return _ATTACK + (unit * MOST_ATTACKS + attack) * ATTACK_WIDTH + column


@njit(inline="always")
def edge_place(unit: int, attack: int, choice: int, target: int) -> int:
    """Of what an element adds to a net boost; attack 0 is the plain one."""
    return _EDGE + ((unit * (MOST_ATTACKS + 1) + attack) * MOST_CHOICES + choice) * MOST_UNITS + target


@njit(inline="always")
def mean_place(unit: int, form: int, target: int, other: int) -> int:
    """Of D, where its changes begin."""
    return (((unit * FORMS + form) * MOST_UNITS + target) * FORMS + other) * D_WIDTH


@njit(inline="always")
def unit_at(plan: Ints, unit: int, column: int) -> int:
    """A number of a unit."""
    return plan[LAW + unit * UNIT + column]


@njit(inline="always")
def form_at(plan: Ints, unit: int, form: int, column: int) -> int:
    """A number of a form."""
    return plan[_FORM + (unit * FORMS + form) * FORM_WIDTH + column]


@njit(inline="always")
def attack_at(plan: Ints, unit: int, attack: int, column: int) -> int:
    """A number of a signature attack, the first is 0."""
    return plan[_ATTACK + (unit * MOST_ATTACKS + attack) * ATTACK_WIDTH + column]


@njit(inline="always")
def edge_at(plan: Ints, unit: int, attack: int, choice: int, target: int) -> int:
    """What an element adds to a net boost; attack 0 is the plain one."""
    return plan[_EDGE + ((unit * (MOST_ATTACKS + 1) + attack) * MOST_CHOICES + choice) * MOST_UNITS + target]


@njit(inline="always")
def mean_at(odds: Floats, unit: int, form: int, target: int, other: int, change: int) -> float:
    """D of the reading."""
    return odds[(((unit * FORMS + form) * MOST_UNITS + target) * FORMS + other) * D_WIDTH + change]


@njit(inline="always")
def margin_row(dice: int, net: int, dodge: int, dodge_net: int) -> int:
    """Where the chances of margins begin, 0 a miss."""
    ours = (dice * NETS + net + MOST_NET) * (DODGE_DICE + 1)
    return MARGINS + ((ours + dodge) * NETS + dodge_net + MOST_NET) * (MOST_DICE + 1)


@njit(inline="always")
def success_at(odds: Floats, dice: int, net: int, hits: int) -> float:
    """The chance of so many successes."""
    return odds[_SUCCESSES + (dice * NETS + net + MOST_NET) * (MOST_DICE + 1) + hits]

"""How engines see a fight: a plan that does not change, and a state that is a word for each unit.

A state has a word for each unit and two more: the order of slots (a unit in four bits), and where in it the
fight is. A unit that is down has no other state than its stage and its bond points.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.animon.rules.model import EFFECTS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

# (shift, mask) of each part of a unit's word.
HP, HP_MASK = 0, 2047
FORM, FORM_MASK = 11, 7
SPENT, SPENT_MASK = 14, 63
BOND, BOND_MASK = 20, 63
EVOLVED = 26
DEVOLVED = 27
DEFENDING = 28
ACTED = 29
VULNERABLE, VULNERABLE_MASK = 30, 3  # 0 no, 1 caused in this slot of its causer, 2 before
VULNERABLE_BY, BY_MASK = 32, 15
WAS_VULNERABLE = 36
DISORIENTED = 37
DISORIENTED_BY = 38
WAS_DISORIENTED = 42
WEAKENED = 43
WAS_WEAKENED = 44
STUNNED = 45
WAS_STUNNED = 46
INCAPACITATED = 47
BOOSTED = 48
POISON, POISON_MASK = 49, 63  # 0 none, else the power and one more
HAS_POISONED = 55
USED_EFFICIENT, EFFICIENT_MASK = 56, 15  # a bit for each signature attack

# Of the last word: the place in the order, how many slots it has, the wave.
PLACE, SLOTS, WAVE = 0, 4, 8
NIBBLE = 15

# Bits of the effects, in the order of the rules.
_BIT = {name: 1 << i for i, name in enumerate(EFFECTS)}
BLOCK_BREAK: Final = _BIT["block_break"]
EFFICIENT: Final = _BIT["efficient"]
ENERGY_DRAIN: Final = _BIT["energy_drain"]
EXPLOSIVE: Final = _BIT["explosive"]
HEAVY_STRIKE: Final = _BIT["heavy_strike"]
MISDIRECT: Final = _BIT["misdirect"]
MULTI_HIT: Final = _BIT["multi_hit"]
POISON_STRIKE: Final = _BIT["poison_strike"]
OVERCHARGE: Final = _BIT["overcharge"]
POWER_TRANSFER: Final = _BIT["power_transfer"]
QUICK_STRIKE: Final = _BIT["quick_strike"]
SAP: Final = _BIT["sap"]
STUNNING_STRIKE: Final = _BIT["stunning_strike"]
TOUGH_BREAK: Final = _BIT["tough_break"]
HARMLESS: Final = POISON_STRIKE | STUNNING_STRIKE
HALVING: Final = BLOCK_BREAK | SAP | EXPLOSIVE
SPREADING: Final = OVERCHARGE | MULTI_HIT

# Columns of `law`.
(
    MAX_ROUNDS,
    WAVES,
    BREATH,
    DEVOLVES,
    FIRST_EVOLUTION,
    TIES_AGAIN,
    EVOLVING_ACTS,
    TOUGH_HALVES,
    VULNERABLE_LASTS,
    ADJACENT,
    LEAST_EXHAUSTING,
    TRANSFER_BY_RANK,
    BOND_DICE,
    HEAVY_EXTRA,
    SIDES,
    SUCCESS,
    MOST_BOOST,
    DEVOLVING_FROM,
    DEVOLVING,
    STAYING_BASIC,
    BREATH_HP,
    FIGHT_ON,
    KEPT,
    EVOLVING_COST,
    EXTRA_USE,
    EXTRA_DIE,
    SURPRISED,
    WATCHES_ACTED,
    UNITS,
    LAW,
) = range(30)
UNTIL_CAUSER, UNTIL_END, UNTIL_TARGET = range(3)

# Columns of `unit`.
SIDE, IS_PC, IS_BUILD, COMES_IN, LEVEL, TOP, START, BOND_AT_FIRST, ATTACKS, KIND, UNIT = range(11)

# Columns of `form`.
F_HP, F_DAMAGE, F_ATTACK, F_POWER, F_DODGE, F_INITIATIVE, F_USES, F_HEART, FORM_WIDTH = range(9)
FORMS = 5

# Columns of `attack`.
A_EFFECTS, A_RANK, A_STAGE, A_CHOICES, ATTACK_WIDTH = range(5)
MOST_ATTACKS = 4
MOST_CHOICES = 10

# The last index of `mean`: D as it is, and with one change.
D_PLAIN, D_ATTACK_LESS, D_HALVED, D_DODGE_LESS, D_ATTACK_MORE, D_DODGE_MORE, D_WIDTH = range(7)

# Kinds of actions.
NOTHING, STRIKE, TRANSFER, DEFEND, PASS = range(5)

# Columns of the row of a build: the numbers of five forms, then these, then four for each signature attack.
_AFTER = FORMS * FORM_WIDTH
R_INNATE, R_LEVEL, R_TOP, R_START, R_BOND, R_ATTACKS = range(_AFTER, _AFTER + 6)
R_FIRST = _AFTER + 6
R_EFFECTS, R_RANK, R_STAGE, R_ELEMENTS, R_WIDTH = range(5)
ROW = R_FIRST + MOST_ATTACKS * R_WIDTH


class Template(NamedTuple):
    """All but the build; `versus[element, element]`, `innate[unit]`, `elements[unit, attack, choice]`."""

    law: Ints
    unit: Ints
    form: Ints
    attack: Ints
    versus: Ints
    innate: Ints
    elements: Ints
    margins: Floats
    chances: Floats

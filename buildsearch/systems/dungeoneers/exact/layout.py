"""A fight compiled to numbers: who fights, the chance of each roll, and how states are packed into bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Rows of `law`: what holds for everybody.
WOUNDS_FACTOR, GAIN_FACTOR, LIMIT, BREAKING, PER_ATTACK, AMBIENT, WEAKEST, BITS = range(8)
LAWS = 8
# Rows of `prices`.
STRESS_PRICE, DESPERATE_PRICE, MAGICA_PRICE, DEFEND_BELOW = range(4)
# Columns of `who`. CHANGE: of wounds when this foe strikes the hero; TAKES: when the hero strikes it.
MOST, CAPACITY, ACTIONS, BUYS, WOUNDS, CHANGE, TAKES, MAGICA, MAGICA_TOP, STRESS_TOP, SPELLS = range(11)
# Where each part of a creature's state stands, and its mask.
AT_WOUNDS, AT_STRESS, AT_MAGICA, AT_ARMOR, AT_DEFENDING = 11, 13, 15, 17, 19
WIDTH = 21
# Columns of `spells[creature, slot]`; deeds from ARMOR on are done to the caster.
DEED, AMOUNT, BASE = range(3)
SPELL_WIDTH = 3
HARM, STRESS, ARMOR, MEND, CALM = range(5)
# Directions of `strike` and `cast`: the hero at a foe, a foe at the hero.
OURS, THEIRS = 0, 1

# A node's key: place in the order of turns, action points left, then the state.
PLACE_BITS, ACTION_BITS = 4, 3
STATE_SHIFT = PLACE_BITS + ACTION_BITS
MOST_BITS = 62 - STATE_SHIFT
LEVELS = (1 << PLACE_BITS) << ACTION_BITS

# Words of an option: kind, target, and the stress bought or the extra magica spent.
ATTACK, CAST, DEFEND, END = range(4)


class Plan(NamedTuple):
    """A hero in a fight, for the kernel that explores it.

    `strike[direction, foe, stress bought, defending, over, armored]` and `cast[direction, foe, slot,
    defending, extra]` are chances; `spell_change[foe, slot]` is what a foe makes of the hero's spells.
    """

    law: Ints
    prices: Floats
    who: Ints
    spells: Ints
    spell_change: Ints
    strike: Floats
    cast: Floats


class Room(NamedTuple):
    """The arrays that `explore` fills."""

    keys: Ints
    table: Ints
    slots: Ints
    levels: Ints
    standing: Ints
    first: Ints
    chance: Floats
    yes: NDArray[np.int32]
    no: NDArray[np.int32]
    what: Ints
    listed: Ints

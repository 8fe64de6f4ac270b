"""What a turn's action can do to the enemies: a table of transitions between fields.

A field is all there is to know about the enemies between two turns. How fields are numbered is the business
of who fills the table; the pass through time (`forward`) only needs the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# What happened on the way. CALM: nobody retaliates, because a new wave is only just coming.
DAMAGED, DEFEATED, HIT, CALM = 1, 2, 4, 8
BIT_SETS = 16
OVER = -1

# Actions: nothing (waiting, charging, a failed activation), a basic attack, then the attack by level.
NOTHING, BASIC, SPECIAL = range(3)


@dataclass(frozen=True, eq=False)
class Transitions:
    """The transitions of action a from field f are entries `starts[a, f]` up to `starts[a, f + 1]`."""

    first_field: int
    starts: NDArray[np.int64]
    fields: NDArray[np.int64]
    bits: NDArray[np.int64]
    chances: NDArray[np.float64]
    # Which of `retaliations` (miss, hit without damage, each damage) the enemies of a field make.
    retaliation_of: NDArray[np.int64]
    retaliations: NDArray[np.float64]
    # Fields whose last enemies fall before the attacker's action: there is nobody to act against.
    idle: NDArray[np.bool_]

    @property
    def size(self) -> int:
        """How many fields there are."""
        return len(self.retaliation_of)

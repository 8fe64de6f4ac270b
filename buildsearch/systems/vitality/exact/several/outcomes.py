"""What one strike can do to its target and, when it is a critical that explodes, to everybody else.

Where all classes of enemies are struck alike, an outcome is known from one number: a miss, a hit of so much
damage, a critical of so much damage to everybody. Else it is a row of damages by class, worked out die by
die.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, DAMAGE, HIT, outcome_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """`front`: damage to the target. `others`: by class to the others. `hit`, `others_hit`: who was hit, as
    bits.

    All damage is cut at `cap`, the most HP that anybody has.
    """

    front: Ints
    others: Ints
    hit: Ints
    others_hit: Ints

    @cached_property
    def key(self) -> bytes:
        """What tells lists of outcomes apart."""
        return b"|".join(each.tobytes() for each in (self.front, self.others, self.hit, self.others_hit))


@lru_cache(maxsize=256)
def single_outcomes(cap: int, classes: int) -> Outcomes:
    """A strike at the target alone: a miss, then a hit of each damage."""
    damage = np.concatenate([[0], np.arange(cap + 1)]).astype(np.int64)
    nobody = np.zeros(len(damage), np.int64)
    hit = np.ones(len(damage), np.int64)
    hit[0] = 0
    return Outcomes(damage, np.zeros((len(damage), classes), np.int64), hit, nobody)


@lru_cache(maxsize=256)
def alike_outcomes(cap: int, classes: int) -> Outcomes:
    """Everybody is struck alike: a miss, a hit of each damage, a critical of each damage to all."""
    one = single_outcomes(cap, classes)
    damage = np.arange(cap + 1)
    everybody = np.full(cap + 1, (1 << classes) - 1)
    return Outcomes(
        np.concatenate([one.front, damage]),
        np.concatenate([one.others, np.repeat(damage[:, None], classes, axis=1)]),
        np.concatenate([one.hit, np.ones(cap + 1, np.int64)]),
        np.concatenate([one.others_hit, everybody]),
    )


def apart_outcomes(
    strikes: NDArray[np.void], front: int, naturals: Floats, dice: Floats, cap: int
) -> tuple[Outcomes, Floats]:
    """Classes are struck differently: every row of damages that some roll leads to, and its chance.

    `strikes`: by class the strike record. `naturals[i]` is the chance of face i + 1, `dice[i]` of the total
    i.
    """
    counted = strikes.copy()
    counted["max_hp"] = cap
    rows, chances = _apart(counted, front, naturals, dice)
    # Rows as one number each, as sorting these is fast.
    sizes = rows.max(axis=0) + 1
    _, first, which = np.unique(
        np.ravel_multi_index(tuple(rows.T), tuple(sizes)), return_index=True, return_inverse=True
    )
    kinds = rows[first]
    outcomes = Outcomes(
        kinds[:, 0].copy(), np.ascontiguousarray(kinds[:, 3:]), kinds[:, 1].copy(), kinds[:, 2].copy()
    )
    return outcomes, np.bincount(which.ravel(), weights=chances, minlength=len(kinds))


@njit(cache=True, nogil=True)
def _apart(strikes: NDArray[np.void], front: int, naturals: Floats, dice: Floats) -> tuple[Ints, Floats]:
    """Rows: damage to the front, whether it was hit, which classes of others were hit, damage by class."""
    classes = len(strikes)
    rows = np.zeros((len(naturals) * len(dice), 3 + classes), np.int64)
    chances = np.zeros(len(naturals) * len(dice))
    count = 0
    for i in range(len(naturals)):
        if naturals[i] == 0.0:
            continue
        for total in range(len(dice)):
            if dice[total] == 0.0:
                continue
            code = outcome_of(strikes[front], i + 1, total)
            row = rows[count]
            chances[count] = naturals[i] * dice[total]
            count += 1
            if code & HIT == 0:
                continue
            row[0] = code & DAMAGE
            row[1] = 1
            if code & CRITICAL == 0:
                continue
            for one in range(classes):
                code = outcome_of(strikes[one], i + 1, total)
                if code & HIT != 0:
                    row[2] |= 1 << one
                    row[3 + one] = code & DAMAGE
    return rows[:count], chances[:count]

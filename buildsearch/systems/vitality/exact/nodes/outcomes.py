"""What one strike can do to its target and, when it is a critical that explodes, to everybody else.

Where a critical does the same to all classes of enemies, or as much more to some as is added against them, an
outcome is known from one number: a miss, a hit of so much damage, a critical of so much. Else it is a row of
damages by class, worked out die by die.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

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
        arrays = (self.front, self.others, self.hit, self.others_hit)
        return blake2b(b"|".join(each.tobytes() for each in arrays), digest_size=16).digest()


@lru_cache(maxsize=256)
def single_outcomes(cap: int, classes: int) -> Outcomes:
    """A strike at the target alone: a miss, then a hit of each damage."""
    damage = np.concatenate([[0], np.arange(cap + 1)]).astype(np.int64)
    nobody = np.zeros(len(damage), np.int64)
    hit = np.ones(len(damage), np.int64)
    hit[0] = 0
    return Outcomes(damage, np.zeros((len(damage), classes), np.int64), hit, nobody)


@lru_cache(maxsize=256)
def shifted_outcomes(cap: int, front: int, shifts: tuple[int, ...]) -> Outcomes:
    """A critical does as much to every class but for what is added against it: one number tells all damages.

    A miss, a hit of each damage, then criticals from those that hurt nobody to those that defeat everybody.
    """
    classes = len(shifts)
    one = single_outcomes(cap, classes)
    numbers = np.arange(-max(shifts), cap + 1 - min(shifts))
    damages = np.clip(numbers[:, None] + np.array(shifts), 0, cap)
    everybody = np.full(len(numbers), (1 << classes) - 1)
    return Outcomes(
        np.concatenate([one.front, damages[:, front]]),
        np.concatenate([one.others, damages]),
        np.concatenate([one.hit, np.ones(len(numbers), np.int64)]),
        np.concatenate([one.others_hit, everybody]),
    )


@lru_cache(maxsize=256)
def _places_of(outcomes: Outcomes) -> dict[bytes, int]:
    """Where each row of a list of outcomes stands."""
    rows = np.concatenate(
        [outcomes.front[:, None], outcomes.hit[:, None], outcomes.others_hit[:, None], outcomes.others],
        axis=1,
    )
    return {row.tobytes(): place for place, row in reversed(list(enumerate(rows)))}


def placed(found: Outcomes, chances: Floats, outcomes: Outcomes) -> Floats | None:
    """The chances of what was found as those of another list; None: something is not in it."""
    places = _places_of(outcomes)
    rows = np.concatenate(
        [found.front[:, None], found.hit[:, None], found.others_hit[:, None], found.others], axis=1
    )
    result = np.zeros(len(outcomes.front))
    for row, chance in zip(rows, chances.tolist(), strict=True):
        place = places.get(row.tobytes())
        if place is None:
            return None
        result[place] += chance
    return result


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

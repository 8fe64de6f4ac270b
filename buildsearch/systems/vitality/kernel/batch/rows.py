"""Rows of tables: each distinct strike of a chunk of plans is worked out once."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.alias_tables import fill_alias, integer_weights
from buildsearch.systems.vitality.kernel.content import digest_into
from buildsearch.systems.vitality.kernel.outcomes import (
    DAMAGE,
    MOST_HP,
    fill_codes,
    fill_grid,
    fill_outcomes,
    outcome_of,
)
from buildsearch.systems.vitality.kernel.profile import STRIKE

_FIELDS = len(STRIKE.names or ())
_ACCURACY, _EFFECT = (STRIKE.names or ()).index("accuracy"), (STRIKE.names or ()).index("effect")
MAX_HP = (STRIKE.names or ()).index("max_hp")
# What a row of tables depends on: a strike record, its accuracy dice, its effect dice, the sizes of its
# grid and of its table of strikes.
NATURAL, TOTAL, TOTAL_BITS, STRIKE_BITS = range(_FIELDS, _FIELDS + 4)
KEY = _FIELDS + 4


@njit(cache=True, nogil=True)
def list_rows(  # noqa: PLR0917 - arrays of compiled code
    numbers: NDArray[np.int64],
    strike_class: NDArray[np.int64],
    field: NDArray[np.int64],
    basic: NDArray[np.int64],
    structure: NDArray[np.int64],
    ungated: NDArray[np.int64],
    total_bits: NDArray[np.int64],
    gains: NDArray[np.int64],
    first_gain: NDArray[np.int64],
    first_row: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> None:
    """The key of every row of every plan: the basic attack by class, then level by class.

    A plan that is never without its attack has no basic attack: keys of zeros, tables of zeros.
    `structure` has for each plan its accuracy dice, effect dice and gains by channelling.
    """
    classes = len(basic)
    special = np.zeros((classes, _FIELDS), np.int64)
    for plan in range(len(numbers)):
        # Loops: numba takes two seconds to compile one array set to another.
        for i in range(classes):
            for k in range(_FIELDS):
                special[i, k] = basic[i, k]
        for j in range(len(field)):
            if strike_class[j] >= 0:
                special[strike_class[j], field[j]] = numbers[plan, j]
        at = first_row[plan]
        for i in range(classes):
            if ungated[plan] == 0:
                for k in range(_FIELDS):
                    keys[at, k] = basic[i, k]
            keys[at, TOTAL_BITS] = total_bits[plan]
            at += 1
        gain = first_gain[structure[plan, 2]]
        while at < first_row[plan + 1]:
            for i in range(classes):
                key = keys[at]
                for k in range(_FIELDS):
                    key[k] = special[i, k]
                key[_ACCURACY] += gains[gain, 0]
                key[_EFFECT] += gains[gain, 1]
                key[NATURAL] = structure[plan, 0]
                key[TOTAL] = structure[plan, 1]
                key[TOTAL_BITS] = total_bits[plan]
                at += 1
            gain += 1


@njit(cache=True, nogil=True)
def group_equal(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each kind, and the kind of every row."""
    size = 16
    while size < 2 * len(rows):
        size *= 2
    slots = np.full(size, -1, np.int64)
    kinds = np.zeros(len(rows), np.int64)
    firsts = np.zeros(len(rows), np.int64)
    digest = np.zeros(4, np.uint64)
    count = 0
    for row in range(len(rows)):
        digest_into(rows[row].view(np.uint64), digest)
        slot = np.int64(digest[0] & np.uint64(size - 1))
        while True:
            kind = slots[slot]
            if kind < 0:
                slots[slot] = count
                firsts[count] = row
                kinds[row] = count
                count += 1
                break
            same = True
            for j in range(rows.shape[1]):
                if rows[row, j] != rows[firsts[kind], j]:
                    same = False
                    break
            if same:
                kinds[row] = kind
                break
            slot = (slot + 1) & (size - 1)
    return firsts[:count].copy(), kinds


@njit(cache=True, nogil=True)
def fill_most(
    keys: NDArray[np.int64],
    records: NDArray[np.void],
    natural_size: NDArray[np.int64],
    effect_span: NDArray[np.int64],
    most: NDArray[np.int64],
) -> None:
    """The most damage that the strike of each key can do, and 1 at least, as `Tables.in_full` counts it."""
    for row in range(len(keys)):
        strike = records[row : row + 1].copy()
        strike[0]["max_hp"] = MOST_HP
        total = keys[row, TOTAL]
        highest = effect_span[total, 0] + effect_span[total, 1] - 1
        most[row] = 1
        for face in range(1, natural_size[keys[row, NATURAL]] + 1):
            most[row] = max(most[row], outcome_of(strike[0], face, highest) & DAMAGE)


@njit(cache=True, nogil=True)
def fill_strikes(
    keys: NDArray[np.int64],
    records: NDArray[np.void],
    naturals: NDArray[np.float64],
    natural_size: NDArray[np.int64],
    effects: NDArray[np.float64],
    effect_span: NDArray[np.int64],
    tables: NDArray[np.int64],
    digests: NDArray[np.uint64],
) -> None:
    """An alias table of outcomes for each key that has one. `effect_span`: first total, number of totals."""
    for row in range(len(keys)):
        bits = keys[row, STRIKE_BITS]
        if bits == 0:
            continue
        strike = records[row]
        max_hp = strike["max_hp"]
        if max_hp > 0:
            size = 2 * max_hp + 3
            chances = np.zeros(size)
            codes = np.zeros(size, np.int64)
            weights = np.zeros(size, np.int64)
            natural = keys[row, NATURAL]
            total = keys[row, TOTAL]
            fill_outcomes(
                strike,
                naturals[natural, : natural_size[natural]],
                effects[total, : effect_span[total, 1]],
                effect_span[total, 0],
                chances,
            )
            fill_codes(max_hp, codes)
            integer_weights(chances, weights)
            fill_alias(weights, codes, bits, tables[row])
        digest_into(tables[row, : 1 << bits].view(np.uint64), digests[row])


@njit(cache=True, nogil=True)
def fill_grids(
    keys: NDArray[np.int64],
    records: NDArray[np.void],
    natural_size: NDArray[np.int64],
    seen_span: NDArray[np.int64],
    natural_bits: int,
    grid_at: NDArray[np.int64],
    grids: NDArray[np.uint16],
    digests: NDArray[np.uint64],
) -> None:
    """The grid of each key that has one."""
    across = 1 << natural_bits
    for row in range(len(keys)):
        if keys[row, TOTAL_BITS] == 0:
            continue
        down = 1 << keys[row, TOTAL_BITS]
        flat = grids[grid_at[row] : grid_at[row] + down * across]
        if records[row]["max_hp"] > 0:
            grid = flat.reshape((down, across))
            total = keys[row, TOTAL]
            used = grid[: seen_span[total, 1], : natural_size[keys[row, NATURAL]]]
            fill_grid(records[row], seen_span[total, 0], used)
        digest_into(flat.view(np.uint64), digests[row])

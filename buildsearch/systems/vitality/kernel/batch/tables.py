"""Tables of strikes: each distinct one of a chunk of plans is worked out once.

A table is what an attack, or its basic attack, may do to each class of enemy on one level of channelling.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.alias_tables import fill_alias, integer_weights
from buildsearch.systems.vitality.kernel.batch.structures import Structures
from buildsearch.systems.vitality.kernel.content import WORDS, digest_into
from buildsearch.systems.vitality.kernel.outcomes import (
    DAMAGE,
    MOST_HP,
    fill_codes,
    fill_grid,
    fill_outcomes,
    outcome_of,
)
from buildsearch.systems.vitality.kernel.profile import STRIKE

FIELDS = len(STRIKE.names or ())
ACCURACY, EFFECT, MAX_HP = ((STRIKE.names or ()).index(name) for name in ("accuracy", "effect", "max_hp"))
# What a row of a table depends on: a strike record, its accuracy dice, its effect dice, the sizes of its grid
# and of its table of strikes.
NATURAL, TOTAL, TOTAL_BITS, STRIKE_BITS = range(FIELDS, FIELDS + 4)
KEY = FIELDS + 4


@dataclass(frozen=True, eq=False)
class Tables:
    """Tables one after another, and by table where it begins and the digests of its rows."""

    strikes_at: NDArray[np.int64]
    strikes: NDArray[np.int64]
    strike_digests: NDArray[np.uint64]
    grids_at: NDArray[np.int64]
    grids: NDArray[np.uint16]
    grid_digests: NDArray[np.uint64]


def fill_tables(keys: NDArray[np.int64], structures: Structures) -> Tables:
    number, classes = keys.shape[:2]
    strike_bits = keys[:, :, STRIKE_BITS]
    grid_bits = np.where(keys[:, :, TOTAL_BITS] > 0, keys[:, :, TOTAL_BITS] + structures.natural_bits, 0)
    strikes_at, strike_words = _places(strike_bits)
    grids_at, grid_words = _places(grid_bits)
    strikes, grids = np.zeros(max(1, strike_words), np.int64), np.zeros(max(4, grid_words), np.uint16)
    strike_digests, grid_digests = (np.zeros((number * classes, WORDS), np.uint64) for _ in range(2))
    rows = keys.reshape(-1, KEY)
    records, size = records_of(rows), structures.natural_size
    _fill_strikes(
        rows,
        records,
        structures.naturals,
        size,
        structures.effects,
        structures.effect_span,
        strikes_at.ravel(),
        strikes,
        strike_digests,
    )
    bits = structures.natural_bits
    _fill_grids(rows, records, size, structures.seen_span, bits, grids_at.ravel(), grids, grid_digests)
    return Tables(
        strikes_at=strikes_at[:, 0],
        strikes=strikes,
        strike_digests=strike_digests.reshape(number, -1),
        grids_at=grids_at[:, 0],
        grids=grids,
        grid_digests=grid_digests.reshape(number, -1),
    )


def records_of(rows: NDArray[np.int64]) -> NDArray[np.void]:
    return np.ascontiguousarray(rows[:, :FIELDS]).view(STRIKE)[:, 0]


def _places(bits: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Where rows of so many bits begin, none for 0 bits; and where the last ends."""
    sizes = np.where(bits > 0, 1 << bits, 0)
    ends = np.cumsum(sizes).reshape(sizes.shape)
    return ends - sizes, int(ends[-1, -1])


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
def _fill_strikes(
    keys: NDArray[np.int64],
    records: NDArray[np.void],
    naturals: NDArray[np.float64],
    natural_size: NDArray[np.int64],
    effects: NDArray[np.float64],
    effect_span: NDArray[np.int64],
    places: NDArray[np.int64],
    tables: NDArray[np.int64],
    digests: NDArray[np.uint64],
) -> None:
    """An alias table of outcomes for each key that has one. `effect_span`: first total, number of totals."""
    for row in range(len(keys)):
        bits = keys[row, STRIKE_BITS]
        if bits == 0:
            continue
        table = tables[places[row] : places[row] + (1 << bits)]
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
            fill_alias(weights, codes, bits, table)
        digest_into(table.view(np.uint64), digests[row])


@njit(cache=True, nogil=True)
def _fill_grids(
    keys: NDArray[np.int64],
    records: NDArray[np.void],
    natural_size: NDArray[np.int64],
    seen_span: NDArray[np.int64],
    natural_bits: int,
    places: NDArray[np.int64],
    grids: NDArray[np.uint16],
    digests: NDArray[np.uint64],
) -> None:
    across = 1 << natural_bits
    for row in range(len(keys)):
        if keys[row, TOTAL_BITS] == 0:
            continue
        down = 1 << keys[row, TOTAL_BITS]
        flat = grids[places[row] : places[row] + down * across]
        if records[row]["max_hp"] > 0:
            grid = flat.reshape((down, across))
            total = keys[row, TOTAL]
            used = grid[: seen_span[total, 1], : natural_size[keys[row, NATURAL]]]
            fill_grid(records[row], seen_span[total, 0], used)
        digest_into(flat.view(np.uint64), digests[row])

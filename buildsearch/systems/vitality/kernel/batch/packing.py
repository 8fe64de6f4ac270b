"""A chunk of builds compiled to a pack of plans."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.kernel.batch.batch import Batch
from buildsearch.systems.vitality.kernel.batch.rows import (
    KEY,
    MAX_HP,
    STRIKE_BITS,
    TOTAL_BITS,
    fill_grids,
    fill_most,
    fill_strikes,
    group_equal,
    list_rows,
)
from buildsearch.systems.vitality.kernel.compiling import kinds_of, strike_bits
from buildsearch.systems.vitality.kernel.content import WORDS, plan_digest
from buildsearch.systems.vitality.kernel.pack import Pack
from buildsearch.systems.vitality.kernel.plan import SETUP, setup_sizes
from buildsearch.systems.vitality.kernel.profile import STRIKE
from buildsearch.systems.vitality.kernel.ruled import rule

_FIELDS = SETUP.names or ()
_STRIKE_BITS, _TOTAL_BITS = _FIELDS.index("strike_bits"), _FIELDS.index("total_bits")
_LEECH = _FIELDS.index("leech")


def pack_of(batch: Batch, masks: NDArray[np.uint64], structure_of: NDArray[np.int64]) -> Pack:
    """Compile the builds of a chunk."""
    numbers, fields = batch.numbers(masks)
    structures = batch.structures
    setups = structures.setups[structure_of]
    for name, values in fields.items():
        setups[:, _FIELDS.index(name)] = values
    plans = setups.view(SETUP)[:, 0]
    rule(plans, batch.given.rules.rulings)
    plans["kind"] = kinds_of(plans)
    kind_of_dice = np.stack([structures.natural_of, structures.effect_of, structures.gains_of], axis=1)[
        structure_of
    ]
    levels = setups[:, _FIELDS.index("levels")]
    first_row = np.concatenate([[0], np.cumsum(len(batch.basic) * (1 + levels))])
    all_keys = np.zeros((int(first_row[-1]), KEY), np.int64)
    list_rows(
        numbers,
        batch.columns.strike_class,
        batch.columns.field,
        batch.basic,
        kind_of_dice,
        fields["ungated"],
        setups[:, _TOTAL_BITS].copy(),
        batch.gains,
        batch.first_gain,
        first_row,
        all_keys,
    )
    _count_in_full(batch, setups, first_row, all_keys)
    all_keys[:, STRIKE_BITS] = np.repeat(setups[:, _STRIKE_BITS], np.diff(first_row))
    firsts, rows = group_equal(all_keys)
    keys = all_keys[firsts]
    tables = _Shared(batch, keys, int(setups[:, _STRIKE_BITS].max()))
    dice_of = structures.dice_of[structure_of] + fields["ungated"]
    contents = np.zeros((len(masks), WORDS), np.uint64)
    _digest_plans(
        batch.headers,
        setups.view(np.uint64),
        setup_sizes(setups),
        batch.foe_words,
        structures.foes_of[structure_of],
        first_row,
        rows,
        tables.strike_digests,
        tables.grid_digests,
        structures.dice_digests,
        dice_of,
        contents,
    )
    return Pack(
        setups=setups.view(SETUP)[:, 0],
        contents=contents,
        foes=structures.foes,
        foes_of=structures.foes_of[structure_of],
        first_row=first_row,
        rows=rows,
        strikes=tables.strikes,
        grids=tables.grids,
        grid_at=tables.grid_at,
        naturals=structures.natural_tables,
        totals=structures.total_tables,
        dice_of=dice_of,
        retaliation=batch.retaliation,
        retaliation_in_full=batch.retaliation_in_full,
    )


def _count_in_full(
    batch: Batch, setups: NDArray[np.int64], first_row: NDArray[np.int64], keys: NDArray[np.int64]
) -> None:
    """Where a leech drinks, damage beyond the enemy's HP counts, and tables are as large as that takes."""
    leeching = setups[:, _LEECH] > 0
    if not leeching.any():
        return
    # Plans that never fall back on the basic attack have keys of zeros for it.
    which = np.flatnonzero(np.repeat(leeching, np.diff(first_row)) & (keys[:, MAX_HP] > 0))
    firsts, kinds = group_equal(keys[which])
    distinct = keys[which[firsts]]
    most = np.zeros(len(distinct), np.int64)
    fill_most(distinct, _records(distinct), batch.natural_size, batch.effect_span, most)
    keys[which, MAX_HP] = most[kinds]
    by_plan = np.maximum(np.maximum.reduceat(keys[:, MAX_HP], first_row[:-1]), batch.given.most_of_basic)
    for plan in np.flatnonzero(leeching & (setups[:, _STRIKE_BITS] > 0)):
        setups[plan, _STRIKE_BITS] = strike_bits(int(by_plan[plan]))


def _records(keys: NDArray[np.int64]) -> NDArray[np.void]:
    return np.ascontiguousarray(keys[:, : len(STRIKE.names or ())]).view(STRIKE)[:, 0]


class _Shared:
    """Shared tables of distinct rows."""

    def __init__(self, batch: Batch, keys: NDArray[np.int64], bits: int) -> None:
        records = _records(keys)
        self.strike_digests = np.zeros((len(keys), WORDS), np.uint64)
        self.grid_digests = np.zeros((len(keys), WORDS), np.uint64)
        self.strikes = np.zeros((len(keys), 1 << bits), np.int64)
        if bits > 0:
            fill_strikes(
                keys,
                records,
                batch.naturals,
                batch.natural_size,
                batch.effects,
                batch.effect_span,
                self.strikes,
                self.strike_digests,
            )
        sizes = np.where(keys[:, TOTAL_BITS] > 0, 1 << (keys[:, TOTAL_BITS] + batch.natural_bits), 0)
        ends = np.cumsum(sizes)
        self.grid_at = ends - sizes
        self.grids = np.zeros(max(4, int(ends[-1])), np.uint16)
        fill_grids(
            keys,
            records,
            batch.natural_size,
            batch.seen_span,
            batch.natural_bits,
            self.grid_at,
            self.grids,
            self.grid_digests,
        )


@inner
def _copy(digest: NDArray[np.uint64], to: NDArray[np.uint64]) -> None:
    """A loop: numba takes two seconds to compile one array set to another."""
    for i in range(WORDS):
        to[i] = digest[i]


@njit(cache=True, nogil=True)
def _digest_plans(  # noqa: PLR0917 - arrays of compiled code
    headers: NDArray[np.uint64],
    setups: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    foes: NDArray[np.uint64],
    foes_of: NDArray[np.int64],
    first_row: NDArray[np.int64],
    rows: NDArray[np.int64],
    strikes: NDArray[np.uint64],
    grids: NDArray[np.uint64],
    dice: NDArray[np.uint64],
    dice_of: NDArray[np.int64],
    contents: NDArray[np.uint64],
) -> None:
    """As `Plan.content`."""
    for plan in range(len(setups)):
        first = first_row[plan]
        count = first_row[plan + 1] - first
        digests = np.zeros((2 * count + 4, WORDS), np.uint64)
        used = 0
        if setups[plan, _STRIKE_BITS] != np.uint64(0):
            for i in range(count):
                _copy(strikes[rows[first + i]], digests[used])
                used += 1
        if setups[plan, _TOTAL_BITS] != np.uint64(0):
            for i in range(count):
                _copy(grids[rows[first + i]], digests[used])
                used += 1
            for i in range(4):
                _copy(dice[dice_of[plan], i], digests[used])
                used += 1
        setup = setups[plan, : sizes[plan]]
        header = headers[np.int64(setups[plan, _LEECH] != np.uint64(0))]
        plan_digest(header, setup, foes[foes_of[plan]], digests[:used], contents[plan])

"""A batch made ready, and chunks of it compiled."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.kernel.batch.columns import Columns, numbers_of, settle
from buildsearch.systems.vitality.kernel.batch.structures import Structures
from buildsearch.systems.vitality.kernel.batch.tables import (
    ACCURACY,
    EFFECT,
    FIELDS,
    KEY,
    MAX_HP,
    NATURAL,
    STRIKE_BITS,
    TOTAL,
    TOTAL_BITS,
    fill_most,
    fill_tables,
    group_equal,
    records_of,
)
from buildsearch.systems.vitality.kernel.batch.template import Template
from buildsearch.systems.vitality.kernel.compiling import kinds_of, strike_bits
from buildsearch.systems.vitality.kernel.content import WORDS, digest_into
from buildsearch.systems.vitality.kernel.gating import apply_rulings
from buildsearch.systems.vitality.kernel.plan import PLACE, Arsenal, setup_sizes


@dataclass(frozen=True, eq=False)
class Batch:
    """What the chunks of a batch share."""

    template: Template
    columns: Columns
    structures: Structures

    def numbers(self, masks: NDArray[np.uint64]) -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
        """The columns of builds, and their settings about when to attack."""
        numbers, activation = numbers_of(self.columns, masks)
        return numbers, settle(self.columns, numbers, activation)

    def arsenal(self, masks: NDArray[np.uint64], structure_of: NDArray[np.int64]) -> Arsenal:
        numbers, fields = self.numbers(masks)
        template, structures = self.template, self.structures
        setups = structures.setups[structure_of]
        for name, values in fields.items():
            setups[name] = values
        apply_rulings(setups, template.rules.rulings)
        setups["kind"] = kinds_of(setups)
        own, own_of = self._own_keys(numbers, structure_of, setups)
        basic, basic_of = self._basic_keys(setups)
        tables = fill_tables(np.concatenate([own, basic]), structures)
        basic_of = len(own) + basic_of
        foes_of = structures.foes_of[structure_of]
        dice_of = structures.dice_of[structure_of] + fields["ungated"]
        retaliation = in_full = template.plain.retaliation
        if setups["leech"].any():
            in_full = template.retaliation_in_full[0]
        places = np.zeros(len(setups), PLACE)
        for kind, of_plan in (("basic_", basic_of), ("", own_of)):
            places[f"{kind}strikes"] = tables.strikes_at[of_plan]
            places[f"{kind}grids"] = tables.grids_at[of_plan]
        places["naturals"] = structures.naturals_at[dice_of]
        places["totals"] = structures.totals_at[dice_of]
        arsenal = Arsenal(
            setups=setups,
            contents=np.zeros((len(masks), WORDS), np.uint64),
            foes=structures.foes[0],
            kill_at=np.ascontiguousarray(structures.foes["kill_at"][foes_of]),
            places=places,
            strikes=tables.strikes,
            grids=tables.grids,
            naturals=structures.natural_tables,
            totals=structures.total_tables,
            retaliation=retaliation,
            retaliation_in_full=in_full,
        )
        words = setups.view(np.int64).reshape(len(setups), -1)
        _digest_plans(
            arsenal.headers[(setups["leech"] > 0).astype(np.int64)],
            words.view(np.uint64),
            setup_sizes(words),
            structures.foes.view(np.uint64).reshape(len(structures.foes), -1)[foes_of],
            basic_of,
            own_of,
            setups["levels"].copy(),
            setups["strike_bits"] > 0,
            tables.strike_digests,
            setups["total_bits"] > 0,
            tables.grid_digests,
            structures.dice_digests[dice_of],
            arsenal.contents,
        )
        return arsenal

    def _own_keys(
        self, numbers: NDArray[np.int64], structure_of: NDArray[np.int64], setups: NDArray[np.void]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """What the tables of distinct attacks depend on, level by level and by class; where a plan's begin.

        Where a leech drinks, damage beyond the enemy's HP counts, and tables are large enough for it.
        """
        columns, structures = self.columns, self.structures
        keys = np.zeros((len(setups), self.template.classes, KEY), np.int64)
        keys[:, :, :FIELDS] = self.template.basic.view(np.int64).reshape(self.template.classes, -1)
        own = ~columns.gating
        keys[:, columns.strike_class[own], columns.field[own]] = numbers[:, own]
        keys[:, :, NATURAL] = structures.natural_of[structure_of, None]
        keys[:, :, TOTAL] = structures.effect_of[structure_of, None]
        keys[:, :, TOTAL_BITS] = setups["total_bits"][:, None]
        keys[:, :, STRIKE_BITS] = setups["strike_bits"][:, None]
        # Levels follow from the structure's gains.
        others = np.stack([structures.first_gain[structure_of], setups["levels"], setups["leech"]], axis=1)
        firsts, kinds = group_equal(np.concatenate([keys.reshape(len(keys), -1), others], axis=1))
        levels = setups["levels"][firsts]
        starts = np.cumsum([0, *levels])[:-1]
        kind_of = np.repeat(np.arange(len(firsts)), levels)
        found = keys[firsts[kind_of]]
        gains = structures.gains[others[firsts[kind_of], 0] + np.arange(len(kind_of)) - starts[kind_of]]
        found[:, :, ACCURACY] += gains[:, :1]
        found[:, :, EFFECT] += gains[:, 1:]
        leeching = setups["leech"][firsts] > 0
        if leeching.any():
            which = leeching[kind_of]
            found[which] = self._in_full(found[which])
            most = np.maximum.reduceat(found[:, :, MAX_HP].max(axis=1), starts)
            for kind in np.flatnonzero(leeching & (setups["strike_bits"][firsts] > 0)):
                bits = strike_bits(max(int(most[kind]), self.template.most_of_basic))
                found[kind_of == kind, :, STRIKE_BITS] = bits
                setups["strike_bits"][kinds == kind] = bits
        return found, starts[kinds]

    def _basic_keys(self, setups: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same of basic attacks. A plan that is never without its own has tables of zeros."""
        fields = ("ungated", "leech", "total_bits", "strike_bits")
        firsts, kinds = group_equal(np.stack([setups[name] for name in fields], axis=1))
        found = np.zeros((len(firsts), self.template.classes, KEY), np.int64)
        for key, setup in zip(found, setups[firsts], strict=True):
            if not setup["ungated"]:
                key[:, :FIELDS] = self.template.basic.view(np.int64).reshape(len(key), -1)
                if setup["leech"]:
                    key[:] = self._in_full(key[None])[0]
            key[:, TOTAL_BITS], key[:, STRIKE_BITS] = setup["total_bits"], setup["strike_bits"]
        return found, kinds

    def _in_full(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """With damage counted beyond the enemy's HP."""
        rows = keys.reshape(-1, KEY)
        structures = self.structures
        most = np.zeros(len(rows), np.int64)
        fill_most(rows, records_of(rows), structures.natural_size, structures.effect_span, most)
        counted = rows.copy()
        counted[:, MAX_HP] = most
        return counted.reshape(keys.shape)


@step
def _append(words: NDArray[np.uint64], at: int, more: NDArray[np.uint64]) -> int:
    for i in range(len(more)):
        words[at + i] = more[i]
    return at + len(more)


@njit(cache=True, nogil=True)
def _digest_plans(  # noqa: PLR0917 - arrays of compiled code
    headers: NDArray[np.uint64],
    setups: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    foes: NDArray[np.uint64],
    basic_of: NDArray[np.int64],
    own_of: NDArray[np.int64],
    levels: NDArray[np.int64],
    strikes_singly: NDArray[np.bool_],
    strikes: NDArray[np.uint64],
    has_grids: NDArray[np.bool_],
    grids: NDArray[np.uint64],
    dice: NDArray[np.uint64],
    contents: NDArray[np.uint64],
) -> None:
    """As `Plan.content`, of each plan."""
    for plan in range(len(setups)):
        most = headers.shape[1] + setups.shape[1] + foes.shape[1] + dice.shape[1]
        most += (1 + levels[plan]) * (strikes.shape[1] + grids.shape[1])
        words = np.zeros(most, np.uint64)
        at = _append(words, 0, headers[plan])
        at = _append(words, at, setups[plan, : sizes[plan]])
        at = _append(words, at, foes[plan])
        own = own_of[plan]
        if strikes_singly[plan]:
            at = _append(words, at, strikes[basic_of[plan]])
            for level in range(levels[plan]):
                at = _append(words, at, strikes[own + level])
        if has_grids[plan]:
            at = _append(words, at, grids[basic_of[plan]])
            for level in range(levels[plan]):
                at = _append(words, at, grids[own + level])
            at = _append(words, at, dice[plan])
        digest_into(words[:at], contents[plan])

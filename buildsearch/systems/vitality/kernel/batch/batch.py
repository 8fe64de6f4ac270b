"""A batch made ready: everything that its chunks share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.batch.columns import Columns, combine, settle
from buildsearch.systems.vitality.kernel.batch.given import Given
from buildsearch.systems.vitality.kernel.batch.structures import Structures, seen_lengths
from buildsearch.systems.vitality.kernel.plan import SETUP, plan_header
from buildsearch.systems.vitality.kernel.profile import STRIKE

_NATURAL_BITS, _LEECH = (SETUP.names or ()).index("natural_bits"), (SETUP.names or ()).index("leech")


@dataclass(frozen=True, eq=False)
class Batch:
    """Columns and structures of a batch, and the dice of its structures as tables."""

    given: Given
    columns: Columns
    structures: Structures
    basic: NDArray[np.int64]
    headers: NDArray[np.uint64]  # of plans without and with a leech
    retaliation: NDArray[np.int64]
    retaliation_in_full: NDArray[np.int64]
    foe_words: NDArray[np.uint64]
    gains: NDArray[np.int64]
    first_gain: NDArray[np.int64]
    naturals: NDArray[np.float64]
    natural_size: NDArray[np.int64]
    effects: NDArray[np.float64]
    effect_span: NDArray[np.int64]
    seen_span: NDArray[np.int64]
    natural_bits: int

    @classmethod
    def of(cls, given: Given, columns: Columns, structures: Structures) -> Batch:
        """Lay the dice out."""
        effects = [chances for chances, _ in structures.effects]
        basic = np.array([given.strike(given.parts(), foe) for foe in given.samples], STRIKE)
        setups = structures.setups
        in_full = given.plain.retaliation
        if setups[:, _LEECH].any():
            in_full = given.retaliation_in_full[0]
        return cls(
            given=given,
            columns=columns,
            structures=structures,
            basic=basic.view(np.int64).reshape(len(basic), -1),
            headers=np.stack([plan_header(given.plain.retaliation), plan_header(in_full)]),
            retaliation=given.plain.retaliation,
            retaliation_in_full=in_full,
            foe_words=structures.foes.view(np.uint64).reshape(len(structures.foes), -1),
            gains=np.concatenate(structures.gains),
            first_gain=np.cumsum([0, *map(len, structures.gains)])[:-1],
            naturals=_padded(structures.naturals),
            natural_size=np.array([len(each) for each in structures.naturals], np.int64),
            effects=_padded(effects),
            effect_span=np.array([[first, len(chances)] for chances, first in structures.effects], np.int64),
            seen_span=seen_lengths(structures),
            natural_bits=int(setups[:, _NATURAL_BITS].max()),
        )

    def numbers(self, masks: NDArray[np.uint64]) -> tuple[NDArray[np.int64], dict[str, NDArray[np.int64]]]:
        """The columns of builds, and their settings about when to attack."""
        columns = self.columns
        numbers = np.zeros((len(masks), len(columns.base)), np.int64)
        activation = np.zeros(len(masks))
        combine(masks, columns.rules, columns.base, columns.alone, columns.chances, numbers, activation)
        return numbers, settle(columns, numbers, activation)


def _padded(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    table = np.zeros((len(rows), max(map(len, rows))))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table

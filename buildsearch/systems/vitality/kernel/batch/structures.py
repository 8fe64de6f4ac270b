"""How builds strike: each combination of structural options is compiled once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.batch.given import Given
from buildsearch.systems.vitality.kernel.compiling import kinds_of, seen, strike_fields, strikes_singly
from buildsearch.systems.vitality.kernel.content import WORDS, digest_rows
from buildsearch.systems.vitality.kernel.profile import Parts, channel_levels

Item = TypeVar("Item", bound=np.generic)


class Shelf(Generic[Item]):
    """Arrays that are kept once, however often they are put there."""

    def __init__(self) -> None:
        self.items: list[NDArray[Item]] = []
        self._known: dict[bytes, int] = {}

    def put(self, item: NDArray[Item]) -> int:
        """The number of an array."""
        key = item.tobytes()
        if key not in self._known:
            self._known[key] = len(self.items)
            self.items.append(item)
        return self._known[key]


@dataclass(frozen=True, eq=False)
class Structures:
    """Tables by structure, and those that structures point to."""

    setups: NDArray[np.int64]
    foes_of: NDArray[np.int64]
    natural_of: NDArray[np.int64]  # dice of the attack in `naturals`; the basic attack's are the first
    effect_of: NDArray[np.int64]  # and in `effects`
    gains_of: NDArray[np.int64]
    dice_of: NDArray[np.int64]  # alias tables, twice: with and without those of a basic attack
    foes: NDArray[np.void]
    naturals: list[NDArray[np.float64]]
    effects: list[tuple[NDArray[np.float64], int]]
    gains: list[NDArray[np.int64]]
    natural_tables: NDArray[np.int64]
    total_tables: NDArray[np.int64]
    dice_digests: NDArray[np.uint64]


class _Maker:
    def __init__(self, given: Given) -> None:
        self.given = given
        self.foes: Shelf[np.void] = Shelf()
        self.naturals: Shelf[np.float64] = Shelf()
        self.gains: Shelf[np.int64] = Shelf()
        self.effects: dict[tuple[bytes, int], int] = {}
        self.effect_list: list[tuple[NDArray[np.float64], int]] = []
        self.dice: dict[tuple[int, int, bool], int] = {}
        self.dice_tables: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self.dice_settings: list[list[int]] = []
        self.basic = given.parts()
        self.natural(self.basic)
        self.effect(self.basic)

    def natural(self, parts: Parts) -> int:
        return self.naturals.put(self.given.tables.natural_dice(parts))

    def effect(self, parts: Parts) -> int:
        chances, first = self.given.tables.effect_dice(parts)
        key = (chances.tobytes(), first)
        if key not in self.effects:
            self.effects[key] = len(self.effect_list)
            self.effect_list.append((chances, first))
        return self.effects[key]

    def setup(self, parts: Parts, natural: int, effect: int, levels: int) -> tuple[NDArray[np.void], int]:
        """The settings, and the number of the alias tables of dice."""
        given = self.given
        setup = given.plain.setup.copy()
        for name, value in strike_fields(parts, given.attacker, given.encounter).items():
            setup[name] = value
        setup["levels"] = levels
        # With a leech it depends on the numbers too: `packing` decides.
        setup["strike_bits"] = given.strike_bits if strikes_singly(setup[0]) else 0
        if setup["leech"][0]:
            setup["retaliation_bits"] = given.retaliation_in_full[1]
        shared = bool(setup["area"][0] or setup["explosive"][0])
        key = (natural, effect, shared)
        fields = ("natural_bits", "total_bits", "rolls_natural", "rolls_total")
        if key not in self.dice:
            self.dice[key] = len(self.dice_tables)
            naturals, totals = np.zeros((2, 1), np.int64), np.zeros((2, 1), np.int64)
            if shared:
                _, naturals, totals = given.tables.grids([], setup, self.basic, parts)
            self.dice_tables.append((naturals, totals))
            self.dice_settings.append([int(setup[name][0]) for name in fields])
        number = self.dice[key]
        for name, value in zip(fields, self.dice_settings[number], strict=True):
            setup[name] = value
        setup["kind"] = kinds_of(setup)
        return setup, number

    def structure(self, parts: Parts) -> tuple[bytes, tuple[int, ...]]:
        given = self.given
        natural, effect = self.natural(parts), self.effect(parts)
        levels = channel_levels(parts, given.attacker, given.encounter.max_turns)
        gains = np.array([[level["accuracy"], level[given.roll]] for level in levels], np.int64)
        setup, dice = self.setup(parts, natural, effect, len(levels))
        retaliation_class = given.plain.foes["retaliation_class"].tolist()
        foes = replace(given.ground, special=parts).foe_records(given.encounter, retaliation_class)
        return setup.tobytes(), (self.foes.put(foes), natural, effect, self.gains.put(gains), dice)


def structures_of(given: Given, subsets: NDArray[np.bool_]) -> tuple[Structures, NDArray[np.int64]]:
    """The structures of sets of structural options (rows), and which each has."""
    maker = _Maker(given)
    known: dict[tuple[bytes, tuple[int, ...]], int] = {}
    of_row = np.zeros(len(subsets), np.int64)
    for row, subset in enumerate(subsets):
        names = [given.options[i] for i in np.flatnonzero(subset)]
        of_row[row] = known.setdefault(maker.structure(given.parts(*names)), len(known))
    setups = np.frombuffer(b"".join(setup for setup, _ in known), np.int64).reshape(len(known), -1)
    numbers = np.array([numbers for _, numbers in known], np.int64)
    natural_tables, total_tables, digests = _both_ways(maker.dice_tables)
    return (
        Structures(
            setups=setups,
            foes_of=numbers[:, 0],
            natural_of=numbers[:, 1],
            effect_of=numbers[:, 2],
            gains_of=numbers[:, 3],
            dice_of=2 * numbers[:, 4],
            foes=np.stack(maker.foes.items),
            naturals=maker.naturals.items,
            effects=maker.effect_list,
            gains=maker.gains.items,
            natural_tables=natural_tables,
            total_tables=total_tables,
            dice_digests=digests,
        ),
        of_row,
    )


def _both_ways(
    tables: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """Each pair of tables twice: as it is, and for plans that never fall back on the basic attack."""
    widths = [max(pair[which].shape[1] for pair in tables) for which in range(2)]
    padded = [np.zeros((2 * len(tables), 2, width), np.int64) for width in widths]
    digests = np.zeros((2 * len(tables), 4, WORDS), np.uint64)
    for i, pair in enumerate(tables):
        for ungated in range(2):
            for which, table in enumerate(pair):
                kept = table.copy()
                kept[:ungated] = 0
                padded[which][2 * i + ungated, :, : kept.shape[1]] = kept
                digests[2 * i + ungated, 2 * which : 2 * which + 2] = digest_rows(kept.view(np.uint64))
    return padded[0], padded[1], digests


def seen_lengths(structures: Structures) -> NDArray[np.int64]:
    """For each kind of effect dice the first total and the number of totals that areas tell apart."""
    found = [seen(chances, first) for chances, first in structures.effects]
    return np.array([[first, len(chances)] for chances, first in found], np.int64)

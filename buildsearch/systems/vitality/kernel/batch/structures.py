"""How builds strike: each combination of structural options is compiled once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.batch.template import Template
from buildsearch.systems.vitality.kernel.compiling import kinds_of, seen, strike_fields, strikes_singly
from buildsearch.systems.vitality.kernel.content import WORDS, digest_rows
from buildsearch.systems.vitality.kernel.plan import SETUP, joined
from buildsearch.systems.vitality.kernel.profile import Parts, channel_levels

Item = TypeVar("Item", bound=np.generic)
_Dice = tuple[NDArray[np.int64], NDArray[np.int64]]  # alias tables of naturals and totals: basic, own
_DICE_FIELDS = ("natural_bits", "total_bits", "rolls_natural", "rolls_total")


class Shelf(Generic[Item]):
    """Arrays that are kept once, however often they are put there."""

    def __init__(self) -> None:
        self.items: list[NDArray[Item]] = []
        self._known: dict[bytes, int] = {}

    def put(self, item: NDArray[Item]) -> int:
        key = item.tobytes()
        if key not in self._known:
            self._known[key] = len(self.items)
            self.items.append(item)
        return self._known[key]


@dataclass(frozen=True, eq=False)
class Structures:
    """Settings by structure, and the tables that structures point to."""

    setups: NDArray[np.void]
    foes_of: NDArray[np.int64]
    natural_of: NDArray[np.int64]  # dice of the attack in `naturals`; the basic attack's are the first
    effect_of: NDArray[np.int64]  # and in `effects`
    first_gain: NDArray[np.int64]
    dice_of: NDArray[np.int64]  # alias tables, twice: with and without those of a basic attack
    foes: NDArray[np.void]
    gains: NDArray[np.int64]  # by channelling: accuracy, effect
    naturals: NDArray[np.float64]
    natural_size: NDArray[np.int64]
    effects: NDArray[np.float64]
    effect_span: NDArray[np.int64]  # first total, number of totals
    seen_span: NDArray[np.int64]  # of those that areas tell apart
    naturals_at: NDArray[np.int64]
    natural_tables: NDArray[np.int64]
    totals_at: NDArray[np.int64]
    total_tables: NDArray[np.int64]
    dice_digests: NDArray[np.uint64]

    @property
    def natural_bits(self) -> int:
        """Of the grids, which all have the same accuracy die."""
        return int(self.setups["natural_bits"].max())


class _Maker:
    def __init__(self, template: Template) -> None:
        self.template = template
        self.foes: Shelf[np.void] = Shelf()
        self.naturals: Shelf[np.float64] = Shelf()
        self.effects: Shelf[np.float64] = Shelf()  # the first total, then the chances
        self.gains: Shelf[np.int64] = Shelf()
        self.dice: dict[tuple[int, int, bool], int] = {}
        self.dice_tables: list[_Dice] = []
        self.dice_settings: list[list[int]] = []
        self.basic = template.parts()
        self.dice_numbers(self.basic)

    def dice_numbers(self, parts: Parts) -> tuple[int, int]:
        tables = self.template.tables
        chances, first = tables.effect_dice(parts)
        effect = self.effects.put(np.concatenate([[first], chances]))
        return self.naturals.put(tables.natural_dice(parts)), effect

    def setup(self, parts: Parts, natural: int, effect: int, levels: int) -> tuple[NDArray[np.void], int]:
        """The settings, and the number of the alias tables of dice."""
        template = self.template
        setup = template.plain.setup.copy()
        for name, value in strike_fields(parts, template.attacker, template.encounter).items():
            setup[name] = value
        setup["levels"] = levels
        # With a leech it depends on the numbers too: `Batch` decides.
        setup["strike_bits"] = template.strike_bits if strikes_singly(setup[0]) else 0
        if setup["leech"][0]:
            setup["retaliation_bits"] = template.retaliation_in_full[1]
        shared = bool(setup["area"][0] or setup["explosive"][0])
        key = (natural, effect, shared)
        if key not in self.dice:
            self.dice[key] = len(self.dice_tables)
            naturals, totals = np.zeros((2, 1), np.int64), np.zeros((2, 1), np.int64)
            if shared:
                _, naturals, totals = template.tables.grids([], setup, self.basic, parts)
            self.dice_tables.append((naturals, totals))
            self.dice_settings.append([int(setup[name][0]) for name in _DICE_FIELDS])
        number = self.dice[key]
        for name, value in zip(_DICE_FIELDS, self.dice_settings[number], strict=True):
            setup[name] = value
        setup["kind"] = kinds_of(setup)
        return setup, number

    def structure(self, parts: Parts) -> tuple[bytes, tuple[int, ...]]:
        template = self.template
        natural, effect = self.dice_numbers(parts)
        levels = channel_levels(parts, template.attacker, template.encounter.max_turns)
        gains = np.array([[level["accuracy"], level[template.roll]] for level in levels], np.int64)
        setup, dice = self.setup(parts, natural, effect, len(levels))
        retaliation_class = template.plain.foes["retaliation_class"].tolist()
        foes = replace(template.ground, special=parts).foe_records(template.encounter, retaliation_class)
        return setup.tobytes(), (self.foes.put(foes), natural, effect, self.gains.put(gains), dice)


def structures_of(template: Template, subsets: NDArray[np.bool_]) -> tuple[Structures, NDArray[np.int64]]:
    """The structures of sets of structural options (rows), and which each has."""
    maker = _Maker(template)
    known: dict[tuple[bytes, tuple[int, ...]], int] = {}
    of_row = np.zeros(len(subsets), np.int64)
    for row, subset in enumerate(subsets):
        names = [template.names[i] for i in np.flatnonzero(subset)]
        of_row[row] = known.setdefault(maker.structure(template.parts(*names)), len(known))
    foes_of, natural_of, effect_of, gains_of, dice_of = np.array([each for _, each in known], np.int64).T
    gains, naturals, effects = maker.gains.items, maker.naturals.items, maker.effects.items
    dice = _both_ways(maker.dice_tables)
    naturals_at, natural_tables = joined([naturals for naturals, _ in dice])
    totals_at, total_tables = joined([totals for _, totals in dice])
    digests = [digest_rows(table.view(np.uint64)) for pair in dice for table in pair]
    told_apart = [seen(each[1:], int(each[0])) for each in effects]
    return (
        Structures(
            setups=np.frombuffer(b"".join(setup for setup, _ in known), SETUP),
            foes_of=foes_of,
            natural_of=natural_of,
            effect_of=effect_of,
            first_gain=np.cumsum([0, *map(len, gains)])[gains_of],
            dice_of=2 * dice_of,
            foes=np.stack(maker.foes.items),
            gains=np.concatenate(gains),
            naturals=_padded(naturals),
            natural_size=np.array([len(each) for each in naturals], np.int64),
            effects=_padded([each[1:] for each in effects]),
            effect_span=np.array([[each[0], len(each) - 1] for each in effects], np.int64),
            seen_span=np.array([[first, len(chances)] for chances, first in told_apart], np.int64),
            naturals_at=naturals_at,
            natural_tables=natural_tables,
            totals_at=totals_at,
            total_tables=total_tables,
            dice_digests=np.concatenate(digests).reshape(len(dice), 4 * WORDS),
        ),
        of_row,
    )


def _padded(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    table = np.zeros((len(rows), max(map(len, rows))))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def _both_ways(pairs: list[_Dice]) -> list[_Dice]:
    """Each pair of tables twice: as it is, and for plans that never fall back on the basic attack."""
    both = []
    for naturals, totals in pairs:
        own_naturals, own_totals = naturals.copy(), totals.copy()
        own_naturals[0] = own_totals[0] = 0
        both += [(naturals, totals), (own_naturals, own_totals)]
    return both

"""Where each outcome of a strike at the first three who live leads, and what kind of step that is.

Only the first three who live can be hurt: a strike goes at the first, Ricochet at two others. Whoever stands
behind them is unhurt, so those form the end of the list, and it is enough to know how many
live, of which classes the first two are, and the HP of the first three. Numbers rise with how many live and
with HP: whatever is hurt, the field's number falls. Field 0 is the end; a wave that is just coming is a field
of its own behind its wave's.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.maps import CODE
from buildsearch.systems.vitality.mechanics.strikes import strike

FIRST = 3


@dataclass(frozen=True)
class Block:
    """Fields in which the same live: `classes` of the first three, and the places of the `rest`, unhurt."""

    wave: int
    classes: tuple[int, ...]
    rest: tuple[int, ...]
    base: int

    @property
    def living(self) -> int:
        return len(self.classes) + len(self.rest)


@dataclass(frozen=True, eq=False)
class Fields:
    """Blocks from the end of the fight to its beginning; `coming`: by wave the field of its coming."""

    blocks: tuple[Block, ...]
    class_of: Ints
    class_hp: Ints
    coming: tuple[int, ...]
    size: int

    def size_of(self, block: Block) -> int:
        return int(np.prod([self.class_hp[one] for one in block.classes]))


def fields_of(ground: ExactGround) -> Fields:
    """Every field of an encounter."""
    foes = ground.foes
    class_of = foes["strike_class"].astype(np.int64)
    class_hp = np.zeros(int(class_of.max()) + 1, np.int64)
    class_hp[class_of] = foes["max_hp"]
    ends = sorted(set(foes["wave_end"].tolist()))
    blocks: list[Block] = []
    coming = [0] * len(ends)
    first = 1
    for wave in range(len(ends) - 1, -1, -1):
        start, end = ends[wave - 1] if wave else 0, ends[wave]
        for living in range(1, end - start + 1):
            for classes in _fronts(class_of[start:end].tolist(), living):
                rest = tuple(range(end - max(living - FIRST, 0), end))
                block = Block(wave, classes, rest, first)
                blocks.append(block)
                first += int(np.prod([class_hp[one] for one in classes]))
        coming[wave] = first
        first += 1
    return Fields(tuple(blocks), class_of, class_hp, tuple(coming), first)


def _fronts(classes: list[int], living: int) -> list[tuple[int, ...]]:
    """The classes that the first of so many who live may have, up to three of them."""
    if living == 1:
        return [(one,) for one in sorted(set(classes))]
    # Everybody behind the third lives, so of the others all but two are down.
    last = len(classes) - max(living - FIRST, 0)
    pairs = {(classes[i], classes[j]) for j in range(last - (living >= FIRST)) for i in range(j)}
    third = (classes[last - 1],) if living >= FIRST else ()
    return [(*pair, *third) for pair in sorted(pairs)]


def count_fields(ground: ExactGround) -> int:
    return fields_of(ground).size


Ints = NDArray[np.int64]

# The strike missed; hit without damage; hurt; felled somebody, and others live; felled the last; went at
# nobody, as so few live. Then those of a critical.
MISSED, TOUCHED, HARMED, FELLED, CLEARED, NOBODY, TOUCHED_HARD, HARMED_HARD, FELLED_HARD = range(9)
KINDS = 9
# From a kind to that of a critical.
_HARD = TOUCHED_HARD - TOUCHED


@dataclass(frozen=True, eq=False)
class Map:
    """As `nodes.maps`. `front`: by field the number of the classes of the first three (`fronts`).

    Tables 0 to 2 are of plain strikes at these positions, 3 of one at the first with criticals told apart.
    """

    fronts: tuple[tuple[int, ...], ...]
    front: Ints
    rest: Ints
    living: Ints
    starts: Ints
    codes: Ints

    def __len__(self) -> int:
        return len(self.front)


def map_of(fields: Fields, kill_at: Ints) -> Map:
    """The map of strikes that defeat at these HP, by class. Table 3: at the first, with criticals."""
    blocks = fields.blocks
    fronts = tuple(sorted({block.classes for block in blocks}))
    front, rest = np.zeros(fields.size, np.int64), np.arange(fields.size)
    living = np.full(fields.size, -1, np.int64)
    hps = np.zeros((fields.size, FIRST), np.int64)
    block_of = np.zeros(fields.size, np.int64)
    for number, block in enumerate(blocks):
        sizes = [int(fields.class_hp[one]) for one in block.classes]
        rows = slice(block.base, block.base + fields.size_of(block))
        front[rows], block_of[rows], living[rows] = fronts.index(block.classes), number, number
        hps[rows, : len(sizes)] = 1 + np.array(np.unravel_index(np.arange(int(np.prod(sizes))), sizes)).T
    for field in fields.coming:
        # As the field before it in all but retaliation.
        front[field], block_of[field], hps[field], rest[field] = (
            front[field - 1], block_of[field - 1], hps[field - 1], field - 1,
        )  # fmt: skip
    bases, classes, falls = _blocks_as_arrays(fields)
    starts, codes = _fill(
        hps, block_of, rest, bases, classes, falls, fields.class_hp, kill_at, np.array(fields.coming),
        np.array([block.wave for block in blocks]),
    )  # fmt: skip
    return Map(fronts, front, rest, living, starts, codes)


def _blocks_as_arrays(fields: Fields) -> tuple[Ints, Ints, Ints]:
    """By block its base, its classes (-1: nobody), the block when one of these falls (-1: none)."""
    blocks = fields.blocks
    numbers = {(block.wave, block.living, block.classes): i for i, block in enumerate(blocks)}
    classes = np.full((len(blocks), FIRST), -1, np.int64)
    falls = np.full((len(blocks), FIRST), -1, np.int64)
    for i, block in enumerate(blocks):
        classes[i, : len(block.classes)] = block.classes
        for position in range(len(block.classes)):
            then = _without(fields, block, position)
            if then:
                falls[i, position] = numbers[block.wave, block.living - 1, then]
    return np.array([block.base for block in blocks]), classes, falls


def _without(fields: Fields, block: Block, position: int) -> tuple[int, ...]:
    """The classes of the first three when one of them fell."""
    left = [one for i, one in enumerate(block.classes) if i != position]
    return (*left, *(int(fields.class_of[place]) for place in block.rest[:1]))


@njit(cache=True, nogil=True)
def _fill(  # noqa: PLR0912 - one table
    hps: Ints, block_of: Ints, rest: Ints, bases: Ints, classes: Ints, falls: Ints, class_hp: Ints, kill_at:
    Ints, coming: Ints, wave_of: Ints,
) -> tuple[Ints, Ints]:  # fmt: skip
    """By table and field where its codes start, and all codes."""
    fields = len(hps)
    tables = FIRST + 1
    starts = np.zeros((tables, fields), np.int64)
    count = 0
    for table in range(tables):
        for field in range(1, fields):
            one = classes[block_of[field], table % FIRST]
            starts[table, field] = count
            count += 1 if one < 0 else class_hp[one] + 2 + (class_hp[one] + 1 if table == FIRST else 0)
    codes = np.zeros(count, np.int64)
    left = np.zeros(FIRST, np.int64)
    for table in range(tables):
        position = table % FIRST
        for field in range(1, fields):
            block = block_of[field]
            one = classes[block, position]
            at = starts[table, field]
            if one < 0:
                codes[at] = rest[field] * CODE + NOBODY
                continue
            most = class_hp[one]
            for damage in range(-1, most + 1):
                for i in range(FIRST):
                    left[i] = hps[field, i]
                kind = MISSED if damage < 0 else TOUCHED
                there = rest[field]
                if damage > 0:
                    kind = HARMED
                    left[position], felled = strike(kill_at[one], left[position], damage)
                    then = block
                    if felled:
                        kind = FELLED
                        then = falls[block, position]
                        for i in range(position, FIRST - 1):
                            left[i] = left[i + 1]
                        # Whoever moves up is unhurt.
                        left[FIRST - 1] = 0
                        if then >= 0 and classes[then, FIRST - 1] >= 0:
                            left[FIRST - 1] = class_hp[classes[then, FIRST - 1]]
                    if then >= 0:
                        there = 0
                        for i in range(FIRST):
                            if classes[then, i] >= 0:
                                there = there * class_hp[classes[then, i]] + left[i] - 1
                        there += bases[then]
                    else:
                        kind = CLEARED
                        there = 0
                        if wave_of[block] + 1 < len(coming):
                            there = coming[wave_of[block] + 1]
                codes[at + 1 + damage] = there * CODE + kind
                if table == FIRST and damage >= 0:
                    hard = kind if kind == CLEARED else kind + _HARD
                    codes[at + 2 + most + damage] = there * CODE + hard
    return starts, codes

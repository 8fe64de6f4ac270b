"""Fields where only the first three who live can be hurt: a strike goes at the first, Ricochet at two others.

Whoever stands behind them is unhurt, so those form the end of the list, and it is enough to know how many
live, of which classes the first two are, and the HP of the first three. Numbers rise with how many live and
with HP: whatever is hurt, the field's number falls. Field 0 is the end; a wave that is just coming is a field
of its own behind its wave's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround

Ints = NDArray[np.int64]
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
        """How many live."""
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
        """How many fields a block has."""
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
    """How many fields there are."""
    return fields_of(ground).size

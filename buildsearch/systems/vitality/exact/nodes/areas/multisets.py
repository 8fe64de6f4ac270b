"""Enemies of a class in any order: sorted multisets of HP, and what one roll makes of each of them.

Given the total of the shared dice enemies are struck independently. What happens to a multiset is therefore
what happens to its largest member, put into what happens to the rest: kernels grow member by member, and
equal results are put together on the way.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.nodes.areas.kernels import Kernel, collect, forget, made
from buildsearch.systems.vitality.exact.nodes.areas.turns import (
    FELL_ALONE,
    HAPPENINGS,
    HARMED,
    MISSED,
    TOGETHER,
    TOUCHED,
)
from buildsearch.systems.vitality.mechanics.strikes import strike

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOST_KNOWN = 512


@dataclass(frozen=True, eq=False)
class Multisets:
    """All multisets of so many HP from 0 (down) to `hp`; number 0 is everybody down, the last nobody hurt.

    By size: `inserts[size - 1][m, h]` is what h makes of multiset m, `rests` and `largest` the way back.
    """

    hp: int
    members: Ints
    inserts: tuple[Ints, ...]
    rests: tuple[Ints, ...]
    largest: tuple[Ints, ...]

    def __len__(self) -> int:
        return len(self.members)

    @property
    def living(self) -> Ints:
        """By multiset how many live."""
        return np.asarray((self.members > 0).sum(axis=1))


def count_multisets(hp: int, enemies: int) -> int:
    """How many multisets so many enemies have."""
    return comb(hp + enemies, enemies)


@lru_cache(maxsize=64)
def multisets_of(hp: int, enemies: int) -> Multisets:
    """The multisets of so many enemies of so many HP."""
    inserts, rests, largest = [], [], []
    smaller: list[tuple[int, ...]] = [()]
    for size in range(1, enemies + 1):
        these = list(combinations_with_replacement(range(hp + 1), size))
        numbers = {each: number for number, each in enumerate(these)}
        known = {each: number for number, each in enumerate(smaller)}
        table = np.array([[numbers[tuple(sorted((*m, h)))] for h in range(hp + 1)] for m in smaller])
        inserts.append(table.astype(np.int64))
        rests.append(np.array([known[each[:-1]] for each in these], np.int64))
        largest.append(np.array([each[-1] for each in these], np.int64))
        smaller = these
    return Multisets(hp, np.array(smaller, np.int64), tuple(inserts), tuple(rests), tuple(largest))


# Some have a megabyte, most a tenth of it.
_known = LruCache[tuple[object, ...], Kernel](_MOST_KNOWN)


def kernel_of(multisets: Multisets, law: Floats, kill_at: int, told: tuple[int, ...]) -> Kernel:
    """What a roll does to each multiset. `law`: the chance of a miss, then of a hit of each damage."""
    key = (multisets.hp, len(multisets.inserts), law.tobytes(), kill_at, told)
    return _known.get(key, lambda: _kernel_of(multisets, law, kill_at, told))


def _kernel_of(multisets: Multisets, law: Floats, kill_at: int, told: tuple[int, ...]) -> Kernel:
    names = np.array(told, np.int64)
    kernel = Kernel(np.array([0, 1]), np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1))
    for size in range(len(multisets.inserts)):
        kernel = _grown(kernel, multisets, size, law, kill_at, names)
    return kernel


def _grown(smaller: Kernel, multisets: Multisets, size: int, law: Floats, kill_at: int, told: Ints) -> Kernel:
    """The kernel with one member more."""
    insert, rest, largest = multisets.inserts[size], multisets.rests[size], multisets.largest[size]
    sums, touched = np.zeros(len(rest) * HAPPENINGS), np.zeros(len(rest) * HAPPENINGS, np.int64)
    one = np.zeros((insert.shape[1], HAPPENINGS))
    return made(
        len(rest),
        4 * len(rest),
        lambda first, kernel: _grow(
            smaller, insert, rest, largest, law, kill_at, told, first, sums, touched, one, kernel
        ),
    )


@kernel_without_refcounts
def _grow(  # noqa: PLR0917 - a kernel
    smaller: Kernel, insert: Ints, rest: Ints, largest: Ints, law: Floats, kill_at: int, told: Ints,
    begin: int, sums: Floats, touched: Ints, one: Floats, kernel: Kernel,
) -> int:  # fmt: skip
    """`one` is for one member: by HP left and happening the chance."""
    size = len(rest)
    for number in range(begin, size):
        hp = largest[number]
        for left in range(hp + 1):
            for what in range(HAPPENINGS):
                one[left, what] = 0.0
        if hp == 0:
            one[0, told[MISSED]] = 1.0
        else:
            one[hp, told[MISSED]] += law[0]
            one[hp, told[TOUCHED]] += law[1]
            for damage in range(1, len(law) - 1):
                left, felled = strike(kill_at, hp, damage)
                if felled:
                    one[0, told[FELL_ALONE]] += law[1 + damage]
                else:
                    one[left, told[HARMED]] += law[1 + damage]
        count = 0
        for left in range(hp + 1):
            for what in range(HAPPENINGS):
                chance = one[left, what]
                if chance == 0.0:
                    continue
                for k in range(smaller.starts[rest[number]], smaller.starts[rest[number] + 1]):
                    both = TOGETHER[what, smaller.happened[k]]
                    place = insert[smaller.targets[k], left] * HAPPENINGS + both
                    if sums[place] == 0.0:
                        touched[count] = place
                        count += 1
                    sums[place] += chance * smaller.chances[k]
        first = kernel.starts[number]
        if first + count > len(kernel.targets):
            forget(count, touched, sums)
            return number
        collect(first, count, touched, sums, kernel.targets, kernel.happened, kernel.chances)
        kernel.starts[number + 1] = first + count
    return size

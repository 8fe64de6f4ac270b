"""Every build of a run, ready for questions: which parts it has, how it scores, who lies one change away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.files.large_arrays import filled, room, stretches
from buildsearch.model.arrays import Bools, Floats, Ints
from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.score_table import ScoreTable

_ROWS_AT_ONCE = 1 << 17
_EXACT_BITS = 62
NO_PART = -1
# Sampled differences of fewer standard errors than this are no differences: there are millions of them.
SURE = 6.0


@dataclass(frozen=True, eq=False)
class Population:
    """Builds as columns. `levels[f, i]` is how much of part f build i has.

    `free` are the parts that builds of one group choose, and those that groups are made of; the others come
    with the group (its name, in effect) or never occur. `stats` are those that groups are made of. `items`
    lists a build's free parts in order, each as often as it occurs, then NO_PART.
    """

    scores: ScoreTable
    names: tuple[str, ...]
    levels: NDArray[np.uint8]
    free: Ints
    stats: Ints
    items: NDArray[np.int16]
    keys: Ints
    strides: Ints

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def loss(self) -> Floats:
        """The score, turned so that smaller is better."""
        score = self.scores.score
        if not self.scores.higher_is_better:
            return score
        return filled((len(self),), np.float64, lambda rows: -score[rows])

    @cached_property
    def means(self) -> Floats:
        """(builds, fights): the primary metric of each fight, turned so that smaller is better."""
        means = self.scores.fight_means.T
        turned = self.scores.primary_higher_is_better
        return filled(means.shape, np.float64, lambda rows: -means[rows] if turned else means[rows])

    @cached_property
    def errors(self) -> Floats:
        """(builds, fights): its standard errors; 0 where it is exact."""
        errors = self.scores.fight_errors.T
        return filled(errors.shape, np.float64, lambda rows: errors[rows])

    @cached_property
    def best_first(self) -> Ints:
        """The rows from the best score to the worst; equal scores in the order of the table."""
        order = np.argsort(self.loss, kind="stable")
        return filled(order.shape, order.dtype, order.__getitem__)

    @cached_property
    def slots(self) -> NDArray[np.int32]:
        return make_slots(self.keys)

    @cached_property
    def size(self) -> Ints:
        return filled((len(self),), np.int64, lambda rows: (self.items[rows] != NO_PART).sum(axis=1))

    @cached_property
    def down(self) -> NDArray[np.int32]:
        """(builds, places): the row of the build without the part at that place of `items`; -1 if none."""

        def below(rows: slice) -> NDArray[np.int32]:
            items, keys = self.items[rows], self.keys[rows]
            down = np.full(items.shape, -1, dtype=np.int32)
            for place in range(items.shape[1]):
                there = np.flatnonzero(items[:, place] != NO_PART)
                wanted = keys[there] - self.strides[items[there, place]]
                down[there, place] = find_rows(self.keys, self.slots, wanted)
            return down

        return filled(self.items.shape, np.int32, below)

    @cached_property
    def has_drops(self) -> bool:
        """Whether builds of this space stay builds when a part is dropped; else parts are swapped."""
        return any((self.down[rows] >= 0).any() for rows in stretches(len(self)))

    @cached_property
    def most(self) -> Ints:
        most: Ints = self.levels.max(axis=1).astype(np.int64)
        return most

    def has(self, part: int) -> Bools:
        found: Bools = self.levels[part] > 0
        return found

    def without(self, row: int, part: int) -> int | None:
        """The row of a build without one part, at its highest level; None where there is no such build."""
        places = np.flatnonzero(self.items[row] == part)
        below = int(self.down[row, places[0]]) if len(places) else -1
        return below if below >= 0 else None

    def chunk(self, row: int) -> Chunk:
        """One build, as its space reads it."""
        return Chunk(
            self.scores.groups[int(self.scores.group[row])],
            np.ascontiguousarray(self.scores.codes[row][None]),
        )

    def name(self, row: int, space: BuildSpace) -> str:
        (build,) = space.builds(self.chunk(row))
        return space.name(build)


def populate(scores: ScoreTable, space: BuildSpace) -> Population:
    """Read a table of scores; raises UsageError if it holds nothing."""
    if len(scores) == 0:
        raise UsageError("the run has no scored build. Run optimize again.")
    names = space.feature_names
    levels = room((len(names), len(scores)), np.uint8)
    low = np.full((len(scores.groups), len(names)), 255, dtype=np.uint8)
    high = np.zeros((len(scores.groups), len(names)), dtype=np.uint8)
    largest = 0
    for rows, chunk in scores.pieces():
        group = scores.groups.index(chunk.group)
        for first in range(0, len(rows), _ROWS_AT_ONCE):
            some = slice(first, first + _ROWS_AT_ONCE)
            found = space.levels(chunk.some(some))
            levels[:, rows[some]] = found.T
            low[group] = np.minimum(low[group], found.min(axis=0))
            high[group] = np.maximum(high[group], found.max(axis=0))
            largest = max(largest, int(found.sum(axis=1, dtype=np.int64).max()))
    varies = low.min(axis=0) < high.max(axis=0) if space.groups_have_parts else (low < high).any(axis=0)
    free = np.flatnonzero(varies)
    stats = np.flatnonzero(varies & ~(low < high).any(axis=0))
    strides = _strides(high.max(axis=0).astype(np.int64), largest)
    keys = filled((len(scores),), np.int64, lambda rows: _weighed(levels[:, rows], strides))
    most = max(
        int(levels[free, block].sum(axis=0, dtype=np.int64).max(initial=1))
        for block in stretches(len(scores))
    )
    items = room((len(scores), most), np.int16)
    for block in stretches(len(scores)):
        items[block] = NO_PART
        used = np.zeros(block.stop - block.start, dtype=np.int64)
        _fill_items(np.ascontiguousarray(levels[:, block]), free, items[block], used)
    return Population(scores, names, levels, free, stats, items, keys, strides)


def _weighed(levels: NDArray[np.uint8], weights: Ints) -> Ints:
    """By build the sum of its levels, each times its weight."""
    found = np.zeros(levels.shape[1], dtype=np.int64)
    for level, weight in zip(levels, weights, strict=True):
        if weight:
            found += level * weight
    return found


def _strides(most: Ints, largest: int) -> Ints:
    """Numbers such that the sum of level x number tells builds apart: digits of one number if they fit.

    Nobody adds to a part that is at its highest level, so digits never carry.
    """
    total = 1
    strides = []
    for level in most:
        strides.append(total)
        total *= int(level) + 1
    if total < 1 << _EXACT_BITS:
        return np.array(strides, dtype=np.int64)
    # Random numbers, so large that the sum for the largest build still fits, with room for a few swaps. Two
    # of five million builds share a key with a chance of about 10^-4, and then we are told.
    bits = _EXACT_BITS - (largest + 8).bit_length()
    return np.random.default_rng(0).integers(0, 1 << bits, size=len(most), dtype=np.int64)


@njit(cache=True, nogil=True)
def _fill_items(levels: NDArray[np.uint8], free: Ints, items: NDArray[np.int16], used: Ints) -> None:
    for part in free:
        for row in range(levels.shape[1]):
            for _ in range(levels[part, row]):
                items[row, used[row]] = part
                used[row] += 1


# Two odd numbers below 2^30: the products of the key's halves stay within 63 bits, compiled or not.
_LOW = 1013904223
_HIGH = 668265261
_HALF = (1 << 31) - 1
_NOBODY = np.int32(-1)


def make_slots(keys: Ints) -> NDArray[np.int32]:
    """The hash table of some keys, at most half full; raises ValueError if two keys are the same."""
    bits = max(4, int(2 * len(keys)).bit_length())
    slots = np.full(1 << bits, _NOBODY, dtype=np.int32)
    if not _fill(keys, slots):
        raise ValueError("Two builds have the same key.")
    return slots


def find_rows(keys: Ints, slots: NDArray[np.int32], wanted: Ints) -> NDArray[np.int32]:
    """The row of each wanted key, -1 where nobody has it."""
    rows = np.empty(len(wanted), dtype=np.int32)
    _find_all(keys, slots, wanted, rows)
    return rows


@njit(cache=True, nogil=True)
def find(keys: Ints, slots: NDArray[np.int32], key: int) -> int:
    """The row of one key, -1 where nobody has it."""
    mask = len(slots) - 1
    mixed = (key & _HALF) * _LOW + (key >> 31) * _HIGH
    at = (mixed ^ (mixed >> 27)) & mask
    while slots[at] >= 0:
        if keys[slots[at]] == key:
            return int(slots[at])
        at = (at + 1) & mask
    return -1


@njit(cache=True, nogil=True)
def _fill(keys: Ints, slots: NDArray[np.int32]) -> bool:
    mask = len(slots) - 1
    for row in range(len(keys)):
        mixed = (keys[row] & _HALF) * _LOW + (keys[row] >> 31) * _HIGH
        at = (mixed ^ (mixed >> 27)) & mask
        while slots[at] >= 0:
            if keys[slots[at]] == keys[row]:
                return False
            at = (at + 1) & mask
        slots[at] = row
    return True


@njit(cache=True, nogil=True)
def _find_all(keys: Ints, slots: NDArray[np.int32], wanted: Ints, rows: NDArray[np.int32]) -> None:
    for i in range(len(wanted)):
        rows[i] = find(keys, slots, wanted[i])

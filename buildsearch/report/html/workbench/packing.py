"""Builds of a workbench as typed arrays, and which of them."""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import NO_PART, Population
from buildsearch.balancing.edit_table import EditTable
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.text import plain_json
from buildsearch.search.score_table import ScoreTable


@dataclass(eq=False)
class Parcel:
    """Arrays one behind the other; `sections` say what each is, for the script that unpacks it."""

    sections: list[dict[str, Any]] = field(default_factory=list)
    _bodies: list[bytes] = field(default_factory=list)

    def add(self, name: str, values: NDArray[Any]) -> None:
        """Another array; its type is one that JavaScript has."""
        values = np.ascontiguousarray(values)
        kind = {"u1": "Uint8", "u2": "Uint16", "u4": "Uint32", "f4": "Float32", "f8": "Float64"}
        width = values.dtype.itemsize
        spread = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        shuffled = spread.view(np.uint8).reshape(len(values), width).T
        self.sections.append({"name": name, "type": kind[values.dtype.str[1:]], "length": len(values)})
        self._bodies.append(np.ascontiguousarray(shuffled).tobytes())

    def add_json(self, name: str, data: Any) -> None:
        """Plain data: long lists of it pack well too."""
        self.add(name, np.frombuffer(plain_json(data).encode(), dtype=np.uint8))

    def text(self, effort: int = 9) -> str:
        """All of it, compressed, in letters that can stand in a page; with less `effort` sooner."""
        return base64.b64encode(gzip.compress(b"".join(self._bodies), effort, mtime=0)).decode()


def pack(table: EditTable, rows: Ints) -> Parcel:
    """Some builds of a table, in its order: the best first."""
    population, scores = table.population, table.population.scores
    parcel = Parcel()
    groups = scores.group[rows]
    parcel.add("group", groups.astype(np.uint8 if len(scores.groups) <= 256 else np.uint16))
    for part in population.free.tolist():
        levels = population.levels[part, rows]
        for bit in range(max(1, int(population.most[part]).bit_length())):
            parcel.add(f"part {part} bit {bit}", _words((levels >> bit) & 1))
    pack_scores(parcel, scores, rows)
    return parcel


def pack_scores(parcel: Parcel, scores: ScoreTable, rows: Ints) -> None:
    # Twice as exact as the rest: every measure comes from it, and is to be the one of `analyze`.
    parcel.add("score", scores.score[rows])
    for fight in range(len(scores.fights)):
        parcel.add(f"mean {fight}", scores.fight_means[fight, rows].astype(np.float32))
        parcel.add(f"error {fight}", scores.fight_errors[fight, rows].astype(np.float32))
    if scores.low is not None and scores.high is not None:
        for name, distance in (("below", scores.score - scores.low), ("above", scores.high - scores.score)):
            parcel.add(name, np.maximum(distance[rows], 0).astype(np.float32))


def _words(bits: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Bits in words of 32, the first build in the lowest bit."""
    padded = np.zeros(-(-len(bits) // 32) * 32, dtype=np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.dtype("<u4"))


@dataclass(frozen=True, slots=True, eq=False)
class KeptBuilds:
    """`rows` of the table, the best first, and how many are missing.

    Builds better than `complete` are all there. What one reaches with an option is right as long as it is
    better than `sure`. Both are scores; None where nothing is missing that could matter.
    """

    rows: Ints
    left_out: int
    complete: float | None
    sure: float | None


def kept(table: EditTable, most: int) -> KeptBuilds:
    """The builds of a table, or at most so many of them."""
    population = table.population
    everything = np.arange(len(population))
    if len(population) <= most:
        return KeptBuilds(everything, 0, None, None)
    # Where all points must be spent a smaller build is not legal whenever a larger one is.
    spent = any(account.is_spent for account in table.accounts)
    needed = np.ones(len(population), dtype=np.bool_) if spent else ~never_best(population)
    first = np.flatnonzero(needed)[:most]
    spare = np.flatnonzero(~needed)[: most - len(first)]
    chosen = np.zeros(len(population), dtype=np.bool_)
    chosen[first] = True
    chosen[spare] = True
    missing = np.flatnonzero(~chosen)
    lacking = np.flatnonzero(needed & ~chosen)
    scores = population.scores.score
    return KeptBuilds(
        np.flatnonzero(chosen),
        len(missing),
        float(scores[missing[0]]),
        float(scores[lacking[0]]) if len(lacking) else None,
    )


def never_best(population: Population) -> Bools:
    """Builds that are the best with no part of theirs, whatever is raised or banned."""
    items, down, loss = population.items, population.down, population.loss
    group = population.scores.group
    sizes = population.size
    # The best loss of any build within this one that still has the part at this place.
    within = np.broadcast_to(loss[:, None], items.shape).copy()
    found = np.zeros(len(population), dtype=np.bool_)
    for size in range(1, int(sizes.max(initial=0)) + 1):
        rows = np.flatnonzero(sizes == size)
        inside = np.full((len(rows), size), np.inf)
        for dropped in range(size):
            smaller = down[rows, dropped]
            there = (smaller >= 0) & (group[smaller] == group[rows])
            for place in range(size):
                if place == dropped:
                    continue
                # Items are in order, so what stands behind the dropped one moves up.
                its = within[smaller, place - (place > dropped)]
                inside[:, place] = np.where(there, np.minimum(inside[:, place], its), inside[:, place])
        found[rows] = (inside <= loss[rows, None]).all(axis=1)
        within[rows, :size] = np.minimum(within[rows, :size], inside)
    found[items[:, 0] == NO_PART] = False
    return found

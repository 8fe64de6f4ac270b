"""Builds as typed arrays that a browser unpacks by itself: bits of parts, scores in order, all of it gzipped.

Numbers lie byte by byte (all first bytes, all second bytes, and so on): neighbours in score order share their
first bytes, so this packs about a third better.
"""

from __future__ import annotations

import base64
import gzip
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.balancing.edit_table import EditTable
from buildsearch.model.arrays import Ints
from buildsearch.model.text import plain_json
from buildsearch.search.score_table import ScoreTable


@dataclass(eq=False)
class Parcel:
    """Arrays one behind the other; `sections` say what each is, for who unpacks it."""

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
    """What some builds score."""
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

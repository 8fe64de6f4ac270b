"""Sets of named things as masks: bits are places in the list of names, up to 64 of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from buildsearch.builds.masks import indices_of, mask_of

Masks = NDArray[np.uint64]


class NamedSets:
    """Names, and what masks of them hold."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.place = {name: i for i, name in enumerate(self.names)}

    def mask(self, names: Iterable[str]) -> np.uint64:
        return np.uint64(mask_of([self.place[name] for name in names], 1)[0])

    def named(self, mask: np.uint64) -> tuple[str, ...]:
        return tuple(self.names[i] for i in indices_of(np.array([mask], np.uint64)))

    def bits(self, masks: Masks) -> NDArray[np.uint8]:
        """(masks, names): 1 where it is in the set."""
        # A byte order that is said, so that bits come out in the order of places.
        bytes_ = np.ascontiguousarray(masks, dtype="<u8").view(np.uint8).reshape(-1, 8)
        return np.unpackbits(bytes_, axis=1, bitorder="little")[:, : len(self.names)]

    def texts(self, masks: Masks, places: NDArray[np.bool_] | None = None) -> Any:
        """`stiletto,boots` for each mask, of some places; each set is spelt once."""
        if places is not None:
            masks = masks & np.uint64(mask_of(np.flatnonzero(places).tolist(), 1)[0])
        different, which = np.unique(masks, return_inverse=True)
        return pa.array([",".join(self.named(mask)) for mask in different], pa.string()).take(pa.array(which))

"""Builds as columns, made by Arrow's own kernels: no Python object a build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.builds.notation import BETWEEN, times


def chunk_table(
    stats: str, costs: NDArray[np.int64], cards: tuple[str, ...], counts: NDArray[np.uint64]
) -> Mapping[str, Any]:
    """Name, stat line, deck, cost, and how many there are of each card."""
    rows = len(counts)
    decks = deck_names(cards, counts)
    return {
        "build": pc.binary_join_element_wise(_constant(stats, rows), decks, BETWEEN),
        "stats": _constant(stats, rows),
        "deck": decks,
        "cost": pa.array(costs),
        **{card: pa.array(counts[:, i].astype(np.uint8)) for i, card in enumerate(cards)},
    }


def deck_names(cards: tuple[str, ...], counts: NDArray[np.uint64]) -> Any:
    """`light_attack*4,heal` for each row."""
    parts = []
    for i, card in enumerate(cards):
        column = counts[:, i]
        most = int(column.max(initial=0))
        if most:
            # What comes so often is spelt so; nothing where there is none of it.
            words = pa.array([None, *(times(card, number) for number in range(1, most + 1))])
            parts.append(words.take(pa.array(column.astype(np.int64))))
    return pc.binary_join_element_wise(*parts, ",", null_handling="skip")


def _constant(text: str, rows: int) -> Any:
    return pa.DictionaryArray.from_arrays(np.zeros(rows, dtype=np.int32), [text]).cast(pa.string())

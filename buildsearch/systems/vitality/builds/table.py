"""Builds as columns, made by Arrow's own kernels: no Python object a build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.model.space import Chunk


def chunk_table(
    chunk: Chunk, head: str, effect: str, ids: tuple[str, ...], costs: NDArray[np.int64], budget: int
) -> Mapping[str, Any]:
    """Name, type, effect, cost, points to spare and number of enhancements of each build."""
    rows = len(chunk)
    return {
        "build": build_names(chunk.codes, head, ids),
        "type": _constant(chunk.group, rows),
        "effect": _constant(effect, rows),
        "cost": pa.array(costs),
        "unspent": pa.array(budget - costs),
        "enhancements": pa.array(np.bitwise_count(chunk.codes).sum(axis=1, dtype=np.int64)),
    }


def build_names(codes: NDArray[np.uint64], head: str, ids: tuple[str, ...]) -> Any:
    """`head+id+id` for each row, from the bits that are set."""
    parts = [_constant(head, len(codes))]
    for i, name in enumerate(ids):
        has_it = (codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1) != 0
        if has_it.any():
            parts.append(pc.if_else(pa.array(has_it), pa.scalar(name), pa.scalar(None, pa.string())))
    return pc.binary_join_element_wise(*parts, "+", null_handling="skip")


def _constant(text: str, rows: int) -> Any:
    return pa.DictionaryArray.from_arrays(np.zeros(rows, dtype=np.int32), [text]).cast(pa.string())

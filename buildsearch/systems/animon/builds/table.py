"""Builds as columns, made by Arrow's own kernels: no Python object a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.builds.notation import BETWEEN
from buildsearch.systems.animon.builds.axes import Axis

_SIGNATURES = 4


def chunk_table(
    stage: str,
    group: str,
    axes: Sequence[Axis],
    columns: Sequence[NDArray[np.int64]],
    signatures: int,
    costs: NDArray[np.int64],
) -> Mapping[str, Any]:
    """Name, element, stats, quality, signature attacks (empty where there is none), improvements, cost."""
    texts = [
        pa.array(axis.names, pa.string()).take(pa.array(column))
        for axis, column in zip(axes, columns, strict=True)
    ]
    element, quality, *rest = texts
    attacks, improvements, lower = rest[:signatures], rest[signatures], rest[signatures + 1 :]
    same = _same(group, len(costs))
    stats = pc.binary_join_element_wise(*lower, same, ">") if lower else same
    head = pc.binary_join_element_wise(_same(stage, len(costs)), element, stats, " ")
    empty = _same("", len(costs))
    return {
        "build": pc.binary_join_element_wise(head, quality, *attacks, improvements, BETWEEN),
        "element": element,
        "stats": stats,
        "quality": quality,
        **{f"attack_{i + 1}": attacks[i] if i < len(attacks) else empty for i in range(_SIGNATURES)},
        "improvements": improvements,
        "cost": pa.array(costs),
    }


def _same(text: str, number: int) -> Any:
    return pa.DictionaryArray.from_arrays(np.zeros(number, np.int32), [text]).cast(pa.string())

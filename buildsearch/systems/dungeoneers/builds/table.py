"""Builds as columns, made by Arrow's own kernels: no Python object a build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.systems.dungeoneers.builds.gear import GearSets
from buildsearch.systems.dungeoneers.builds.grammar import BETWEEN


def chunk_table(group: str, costs: NDArray[np.int64], gear: GearSets, masks: NDArray[np.uint64]) -> Mapping[str, Any]:
    """Name, attributes, what is in which place, cost."""
    bits = gear.bits(masks)
    attributes = pa.DictionaryArray.from_arrays(np.zeros(len(masks), np.int32), [group]).cast(pa.string())
    kinds: dict[str, list[int]] = {"weapon": [], "armour": [], "spells": []}
    for i in range(len(gear.names)):
        kind = "weapon" if gear.is_weapon[i] else "spells" if gear.is_spell[i] else "armour"
        kinds[kind].append(i)
    parts = {kind: _names(gear.names, bits, places) for kind, places in kinds.items()}
    whole = _names(gear.names, bits, list(range(len(gear.names))))
    return {
        "build": pc.binary_join_element_wise(attributes, whole, BETWEEN),
        "attributes": attributes,
        **parts,
        "cost": pa.array(costs),
    }


def _names(names: tuple[str, ...], bits: NDArray[np.uint8], places: list[int]) -> Any:
    """`stiletto,boots` for each row; nothing where there is none."""
    parts = [pa.array([None, names[i]], pa.string()).take(pa.array(bits[:, i])) for i in places if bits[:, i].any()]
    if not parts:
        return pa.DictionaryArray.from_arrays(np.zeros(len(bits), np.int32), [""]).cast(pa.string())
    return pc.binary_join_element_wise(*parts, ",", null_handling="skip")

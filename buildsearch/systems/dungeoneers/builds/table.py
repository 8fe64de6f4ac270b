"""Builds as columns, made by Arrow's own kernels: no Python object a build."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from buildsearch.builds.notation import BETWEEN
from buildsearch.systems.dungeoneers.builds.gear import GearSets


def chunk_table(
    group: str, costs: NDArray[np.int64], gear: GearSets, masks: NDArray[np.uint64]
) -> Mapping[str, Any]:
    """Name, attributes, weapon, armour, spells, cost."""
    attributes = pa.DictionaryArray.from_arrays(np.zeros(len(masks), np.int32), [group]).cast(pa.string())
    kinds = {
        "weapon": gear.is_weapon,
        "armour": ~(gear.is_weapon | gear.is_spell),
        "spells": gear.is_spell,
    }
    return {
        "build": pc.binary_join_element_wise(attributes, _names(gear, masks), BETWEEN),
        "attributes": attributes,
        **{kind: _names(gear, masks & _mask(places)) for kind, places in kinds.items()},
        "cost": pa.array(costs),
    }


def _mask(places: NDArray[np.bool_]) -> np.uint64:
    return np.uint64(sum(1 << int(i) for i in np.flatnonzero(places)))


def _names(gear: GearSets, masks: NDArray[np.uint64]) -> Any:
    """`stiletto,boots` for each mask: each set of gear is spelt once."""
    different, which = np.unique(masks, return_inverse=True)
    return pa.array([",".join(gear.gear(mask)) for mask in different], pa.string()).take(pa.array(which))

from __future__ import annotations

import numpy as np
import pytest
import v2

from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.builds.table import build_names

COLUMNS = ["build", "type", "effect", "cost", "unspent", "enhancements"]


@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_the_columns_of_a_chunk(effect):
    space = v2.space(budget=3, effect=effect)
    for chunk in space.chunks(Wanted(), 500):
        columns = {name: column.to_pylist() for name, column in space.table(chunk).items()}
        assert list(columns) == COLUMNS
        builds = list(space.builds(chunk))
        assert columns["build"] == [space.name(build) for build in builds]
        assert columns["cost"] == [space.cost(build) for build in builds]
        assert columns["unspent"] == [3 - cost for cost in columns["cost"]]
        assert columns["enhancements"] == [len(build.attacks[0].enhancements) for build in builds]
        assert set(columns["type"]) == {chunk.group}
        assert set(columns["effect"]) == {effect}


def test_names_from_masks_of_two_words():
    ids = tuple(f"option_{i}" for i in range(70))
    codes = np.array([[0, 0], [1, 1 << 5], [1 << 63, 1]], dtype=np.uint64)
    assert build_names(codes, "head", ids).to_pylist() == [
        "head",
        "head+option_0+option_69",
        "head+option_63+option_64",
    ]

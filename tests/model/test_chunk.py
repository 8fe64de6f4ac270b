from __future__ import annotations

import numpy as np

from buildsearch.model.space import Chunk, Feature, Wanted


def test_a_chunk_is_as_long_as_its_rows():
    assert len(Chunk("ranged", np.zeros((3, 2), dtype=np.uint64))) == 3


def test_everything_is_wanted_unless_told():
    assert Wanted() == Wanted(groups=(), with_features=(), without_features=())
    assert Feature("card").level == 1

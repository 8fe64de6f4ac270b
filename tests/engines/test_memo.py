"""Caches have a limit, and drop what was not used for longest."""

from __future__ import annotations

import copy

import numpy as np

from buildsearch.engines.memo import LruCache, RowCache, distinct


def test_the_least_recently_used_goes_first():
    made = []
    cache = LruCache(2)
    for key in ("a", "b", "a", "c", "a", "b", "a"):
        assert cache.get(key, lambda key=key: made.append(key)) is None  # None is a value like others
    assert made == ["a", "b", "c", "b"]
    assert len(cache) == 2
    travelled = copy.copy(cache)  # as pickle does
    assert (len(travelled), travelled.most) == (0, 2)


def test_rows_are_told_apart_and_have_a_limit():
    words, first, where = distinct(np.array([[5, 1], [3, 1], [5, 1], [5, 2]], np.uint64))
    assert words["first"].tolist() == [3, 5, 5]
    assert first.tolist() == [1, 0, 3]
    assert where.tolist() == [1, 0, 1, 2]
    cache = RowCache(most=2)
    assert np.isinf(cache.find(words)).all()
    cache.add(words[:2], np.array([0.25, 0.75]))
    assert cache.find(words).tolist() == [0.25, 0.75, np.inf]
    other = distinct(np.array([[7, 1]], np.uint64))[0]
    cache.add(other, np.array([0.5]))
    assert cache.find(other).tolist() == [0.5]
    assert len(cache) == 1

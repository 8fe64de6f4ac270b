from __future__ import annotations

import numpy as np
import pytest

from buildsearch.search.cache import ScoreCache, cache_info, clear_cache, default_cache_path

CONTEXT = b"c" * 32


def keys(*numbers):
    return np.array([[number, number * 31] for number in numbers], dtype=np.uint64)


def numbers(*values):
    return np.array(values, dtype=float)[:, None]


@pytest.fixture(params=["memory", "disk"])
def cache(request, tmp_path):
    return ScoreCache(tmp_path if request.param == "disk" else None)


def test_what_is_added_is_found(cache):
    cache.add(CONTEXT, keys(5, 3), numbers(0.5, 0.3))
    cache.add(CONTEXT, keys(9), numbers(0.9))
    found, values = cache.find(CONTEXT, keys(3, 4, 9, 5), 1)
    assert found.tolist() == [True, False, True, True]
    assert values[found, 0].tolist() == [0.3, 0.9, 0.5]
    assert np.isnan(values[1, 0])


def test_another_context_knows_nothing(cache):
    cache.add(CONTEXT, keys(5), numbers(0.5))
    assert not cache.find(b"d" * 32, keys(5), 1)[0].any()


def test_half_a_key_is_not_a_key(cache):
    cache.add(CONTEXT, keys(5), numbers(0.5))
    assert not cache.find(CONTEXT, np.array([[5, 1]], dtype=np.uint64), 1)[0].any()


def test_a_score_that_is_not_a_number_is_known_too(cache):
    """Unsolvable is an answer: it is not asked for again."""
    cache.add(CONTEXT, keys(5), numbers(np.nan))
    assert cache.find(CONTEXT, keys(5), 1)[0].all()


def test_files_outlive_the_process(tmp_path):
    for number in range(50):  # more shards than are kept apart
        ScoreCache(tmp_path).add(CONTEXT, keys(number), numbers(number / 10))
    found, values = ScoreCache(tmp_path).find(CONTEXT, keys(*range(50)), 1)
    assert found.all()
    assert np.allclose(values[:, 0], np.arange(50) / 10)
    assert cache_info(tmp_path).files < 50
    assert ScoreCache(tmp_path).find(CONTEXT, keys(*range(50)), 1)[0].all()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no", b"rubbish" * 100])
def test_a_broken_file_is_no_answer_and_no_error(tmp_path, content):
    ScoreCache(tmp_path).add(CONTEXT, keys(5), numbers(0.5))
    (shard,) = tmp_path.rglob("*.npz")
    shard.write_bytes(content)
    assert not ScoreCache(tmp_path).find(CONTEXT, keys(5), 1)[0].any()


def test_pickles_are_never_loaded(tmp_path):
    ScoreCache(tmp_path).add(CONTEXT, keys(5), numbers(0.5))
    (shard,) = tmp_path.rglob("*.npz")
    np.savez(shard, keys=np.array([{"a": 1}], dtype=object), numbers=numbers(0.5))
    assert not ScoreCache(tmp_path).find(CONTEXT, keys(5), 1)[0].any()


def test_a_shard_of_another_width_is_left_alone(tmp_path):
    ScoreCache(tmp_path).add(CONTEXT, keys(5), numbers(0.5))
    assert not ScoreCache(tmp_path).find(CONTEXT, keys(5), 4)[0].any()


def test_clearing_leaves_other_files_alone(tmp_path):
    ScoreCache(tmp_path).add(CONTEXT, keys(5), numbers(0.5))
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert clear_cache(tmp_path).files == 1
    assert cache_info(tmp_path).files == 0
    assert (tmp_path / "mine.txt").exists()


def test_the_place_of_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(tmp_path / "here"))
    assert default_cache_path() == tmp_path / "here"
    monkeypatch.delenv("BUILDSEARCH_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_path() == tmp_path / "buildsearch"

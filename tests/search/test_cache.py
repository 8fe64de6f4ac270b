from __future__ import annotations

import os

import numpy as np
import pytest

from buildsearch.files import atomic
from buildsearch.files.user_cache import default_cache_path
from buildsearch.search.score_cache import ScoreCache, cache_info, clear_cache

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


WIDE = numbers(0.5, 0.25, -1.0)


def kept(path):
    """A shard of three builds, and what the cache says of it when it is read again."""
    ScoreCache(path).add(CONTEXT, keys(5, 6, 7), WIDE)
    (shard,) = path.rglob("*.scores")
    return shard


def read_again(path, context=CONTEXT):
    told = []
    found, values = ScoreCache(path, told.append).find(context, keys(5, 6, 7), 1)
    return found, values, told


def test_no_flipped_bit_becomes_a_score(tmp_path):
    """Every bit of a shard in turn: the scores are as they were, or not known."""
    shard = kept(tmp_path)
    whole = shard.read_bytes()
    for place in range(len(whole)):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[place] ^= 1 << bit
            shard.write_bytes(flipped)
            found, _, told = read_again(tmp_path)
            assert not found.any(), (place, bit)
            assert len(told) == 1
            shard.with_suffix(".damaged").unlink()


def _empty(shard):
    shard.write_bytes(b"")


def _cut(shard):
    shard.write_bytes(shard.read_bytes()[:-8])


def _longer(shard):
    shard.write_bytes(shard.read_bytes() + b"\0" * 24)


def _huge(shard):
    data = bytearray(shard.read_bytes())
    data[8:16] = (1 << 60).to_bytes(8, "little")
    shard.write_bytes(data)


def _zip(shard):
    np.savez(shard.with_suffix(".npz"), keys=np.array([{"a": 1}], dtype=object), numbers=WIDE)
    shard.with_suffix(".npz").replace(shard)


def _folder(shard):
    shard.unlink()
    (shard / "inside").mkdir(parents=True)


def _pipe(shard):
    shard.unlink()
    os.mkfifo(shard)


def _link_to_a_device(shard):
    shard.unlink()
    shard.symlink_to("/dev/zero")


def _unreadable(shard):
    shard.unlink()
    shard.symlink_to(shard)


@pytest.mark.parametrize(
    "damage",
    [
        _empty,
        _cut,
        _longer,
        _huge,
        _zip,
        _folder,
        pytest.param(_pipe, marks=pytest.mark.posix),
        pytest.param(_link_to_a_device, marks=pytest.mark.posix),
        pytest.param(_unreadable, marks=pytest.mark.posix),
    ],
)
def test_a_bad_shard_of_whatever_kind_is_set_aside_and_named_once(tmp_path, damage):
    shard = kept(tmp_path)
    damage(shard)
    found, _, told = read_again(tmp_path)
    assert not found.any()
    (sentence,) = told
    assert str(shard) in sentence
    assert "computed again" in sentence
    assert not os.path.lexists(shard)
    again = ScoreCache(tmp_path, told.append)
    again.add(CONTEXT, keys(5, 6, 7), WIDE)
    found, values, told = read_again(tmp_path)
    assert found.all()
    assert values.tolist() == WIDE.tolist()
    assert told == []


def test_a_shard_of_another_context_is_no_answer(tmp_path):
    shard = kept(tmp_path)
    other = b"d" * 32
    ScoreCache(tmp_path).add(other, keys(9), numbers(0.9))
    place = next(path for path in tmp_path.rglob("*.scores") if path != shard).parent
    (place / shard.name).write_bytes(shard.read_bytes())
    found, _, told = read_again(tmp_path, other)
    assert not found.any()
    assert len(told) == 1


def test_a_shard_of_another_width_is_no_answer(tmp_path):
    ScoreCache(tmp_path).add(CONTEXT, keys(5), numbers(0.5))
    assert not ScoreCache(tmp_path).find(CONTEXT, keys(5), 4)[0].any()


def test_a_ruin_is_told_in_a_few_sentences(tmp_path):
    for number in range(30):
        ScoreCache(tmp_path).add(CONTEXT, keys(number), numbers(number / 10))
    for shard in tmp_path.rglob("*.scores"):
        shard.write_bytes(b"rubbish")
    _, _, told = read_again(tmp_path)
    assert len(told) == 11
    assert cache_info(tmp_path).damaged == 30


@pytest.mark.parametrize("step", ["create", "write", "sync", "rename"])
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch, step):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.DISK, step, full)
    told = []
    cache = ScoreCache(tmp_path, told.append)
    for number in range(3):
        cache.add(CONTEXT, keys(number), numbers(number / 10))
    (sentence,) = told
    assert "No space left on device" in sentence
    assert "goes on without" in sentence
    assert cache.find(CONTEXT, keys(0, 1, 2), 1)[0].all()
    assert not list(tmp_path.rglob("*.scores"))


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

"""Whoever works, and whoever is killed on the way: the same bytes. With a real scheduler and processes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from tests.cluster.nodes import ROOT, Nodes
from tests.cluster.runs import files, run


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The run of one machine."""
    folder = tmp_path_factory.mktemp("alone") / "run"
    finished = run(folder)
    # Pieces of all kinds: solved in bulk and alone, sampled by floor and race, and described.
    assert min(finished.record.by_method.values()) > 0
    assert finished.record.race.fights > 0
    return files(folder)


def _shards(cache) -> int:
    return len(list(cache.rglob("*.scores")))


def _until(is_so, seconds=240.0):
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, "it took too long"
        time.sleep(0.02)


def test_one_two_and_four_workers(alone, tmp_path):
    with Nodes(tmp_path) as nodes:
        nodes.scheduler()
        for count in (1, 1, 2):  # 1, 2 and 4 of them
            for _ in range(count):
                nodes.worker()
            time.sleep(1)
            folder = tmp_path / f"run{len(nodes.processes) - 1}"
            run(folder, nodes.address)
            assert files(folder) == alone


def test_a_worker_and_the_scheduler_are_killed_in_the_middle(alone, tmp_path):
    cache, folder, said = tmp_path / "cache", tmp_path / "run", []
    with Nodes(tmp_path) as nodes:
        first = nodes.scheduler()
        victim = nodes.slow_worker(seconds=0.2)
        nodes.slow_worker(seconds=0.2)

        def trouble():
            _until(lambda: _shards(cache) >= 2)
            victim.kill()
            _until(lambda: _shards(cache) >= 5)
            first.kill()
            first.wait()
            nodes.scheduler()
            nodes.worker()

        maker = threading.Thread(target=trouble)
        maker.start()
        run(folder, nodes.address, cache=cache, warn=said.append)
        maker.join()
        assert victim.wait() == -9
        assert first.returncode == -9
    assert files(folder) == alone
    assert any("does not answer; waiting for it" in sentence for sentence in said)


def test_a_killed_client_goes_on_where_it_was(alone, tmp_path):
    cache, folder = tmp_path / "cache", tmp_path / "run"
    with Nodes(tmp_path) as nodes:
        nodes.scheduler()
        nodes.slow_worker(kept=3)
        words = [sys.executable, "-m", "tests.cluster.runs", folder, nodes.address, cache]
        client = subprocess.Popen(words, cwd=ROOT)
        _until(lambda: _shards(cache) >= 3)
        client.kill()
        client.wait()
        kept = _shards(cache)
        nodes.go_on()
        assert not (folder / "run.json").exists()
        finished = run(folder, nodes.address, cache=cache)
    assert kept >= 3
    assert finished.record.cache["hits"] > 0
    assert files(folder) == alone

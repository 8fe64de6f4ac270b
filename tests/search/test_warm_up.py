"""The second process that compiles: begun once and only for large runs, and never in the way."""

import multiprocessing

import numpy as np
import pytest

from buildsearch.model.space import Chunk
from buildsearch.search import warm_up as module
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import Executor
from buildsearch.search.warm_up import compile_kernels, compiling_ahead, deaf_children, sample_some


class Asked:
    """A scorer that keeps what it is asked in a file, as it is asked in another process."""

    def __init__(self, path, fails=False):
        self.path, self.fails = path, fails

    def compile_apart(self, groups):
        with self.path.open("a") as file:
            file.write(f"apart {' '.join(sorted(groups))}\n")

    def sample(self, chunk, fight, seed, fights):
        with self.path.open("a") as file:
            file.write(f"sample {chunk.group} {len(chunk)} {fight} {fights}\n")
        if self.fails:
            raise ValueError("no")

    def solve_alone(self, chunk, fight):
        with self.path.open("a") as file:
            file.write(f"solve {chunk.group} {len(chunk)} {fight}\n")


def chunks(size):
    return [Chunk("a", np.arange(size, dtype=np.uint64)[:, None]), Chunk("b", np.zeros((3, 1), np.uint64))]


@pytest.fixture(autouse=True)
def _small(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "_LARGE", 1000)
    monkeypatch.setattr(module.os, "cpu_count", lambda: 2)
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(tmp_path / "cache"))


def begun(scorer, size=1000, jobs=-1, times=1):
    cached = CachedScorer(scorer, None, Executor(jobs))
    with compiling_ahead(cached, chunks(size), ["boss", "swarm"], size, everywhere=False) as ahead:
        for _ in range(times):
            ahead.begin()
        if ahead._process is not None:
            ahead._process.join()


def test_a_large_run_begins_once(tmp_path):
    """Some builds of every group in every fight; a second run finds the mark."""
    scorer = Asked(tmp_path / "asked")
    begun(scorer, times=3)
    asked = scorer.path.read_text().splitlines()
    assert asked == [
        "apart a b",
        "solve a 1 boss", "solve b 1 boss",
        "sample b 3 swarm 1", "sample a 8 swarm 1", "sample b 3 boss 1", "sample a 8 boss 1",
    ]  # fmt: skip
    begun(scorer)
    assert scorer.path.read_text().splitlines() == asked


@pytest.mark.parametrize(("size", "jobs", "times"), [(900, -1, 1), (1000, 1, 1), (1000, -1, 0)])
def test_others_do_not(tmp_path, size, jobs, times):
    """Small runs, runs in one thread, and runs that compute nothing."""
    scorer = Asked(tmp_path / "asked")
    begun(scorer, size, jobs, times)
    assert not scorer.path.exists()


def test_failure_is_no_mark_and_no_word(tmp_path, capfd):
    """The run goes on, and the next one tries again; so it does with a scorer that cannot travel."""
    scorer = Asked(tmp_path / "asked", fails=True)
    begun(scorer)
    begun(scorer)
    once = "apart a b\nsolve a 1 boss\nsolve b 1 boss\nsample b 3 swarm 1\n"
    assert scorer.path.read_text() == once * 2
    assert capfd.readouterr() == ("", "")
    scorer.path = lambda: None
    begun(scorer)


def test_whoever_leaves_early_ends_it(tmp_path):
    """Nothing is left running."""
    scorer = Asked(tmp_path / "asked")
    cached = CachedScorer(scorer, None, Executor(2))
    with compiling_ahead(cached, chunks(1000), ["boss"], 1000, everywhere=False) as ahead:
        ahead.begin()
        process = ahead._process
    assert not process.is_alive()


def test_who_never_waits_remembers_it_too(tmp_path):
    """A run that goes on beside the other process leaves the mark if that was done by its end."""
    scorer = Asked(tmp_path / "asked")
    cached = CachedScorer(scorer, None, Executor(2))
    with compiling_ahead(cached, chunks(1000), ["boss"], 1000, everywhere=False) as ahead:
        ahead.begin()
        ahead._process.join()
    asked = scorer.path.read_text()
    begun(scorer)
    assert scorer.path.read_text() == asked


def test_only_what_will_be_sampled_is_sampled(tmp_path):
    """A scorer that knows what bulk leaves is asked; where all is sampled, everything counts."""

    class Knows(Asked):
        def left_by_bulk(self, chunk, fight):
            odd = chunk.codes[:, 0] % np.uint64(2) == 1
            return {"odd": odd & (fight == "boss"), "none": np.zeros(len(chunk), bool)}

    scorer = Knows(tmp_path / "asked")
    for fight in ("boss", "swarm"):
        sample_some(scorer, chunks(1000), fight, everywhere=False)
    assert scorer.path.read_text() == "sample a 8 boss 1\n"
    sample_some(scorer, chunks(1000), "swarm", everywhere=True)
    assert scorer.path.read_text().splitlines()[1:] == ["sample a 8 swarm 1", "sample b 3 swarm 1"]


def test_the_work_itself(tmp_path):
    """In this process, for coverage of what the other one does."""
    import signal

    handler = signal.getsignal(signal.SIGINT)
    try:
        compile_kernels(Asked(tmp_path / "asked"), chunks(3), ["boss"], everywhere=False)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert "solve b 1 boss" in (tmp_path / "asked").read_text()


def test_another_process_imports_nothing_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "multiprocessing").mkdir()
    (tmp_path / "multiprocessing" / "__init__.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    process = multiprocessing.get_context("spawn").Process(target=print)
    with deaf_children():
        process.start()
    process.join()
    assert process.exitcode == 0
    assert not (tmp_path / "ran").exists()

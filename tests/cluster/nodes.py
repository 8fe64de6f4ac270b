"""A scheduler and workers as processes of their own, which tests may kill."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A worker that takes its time for each piece, and stops in the middle of one once so many are kept, until a
# file says that it may go on.
_SLOW = """
import time
from pathlib import Path
from buildsearch.cluster import tasks

def work(data, known=tasks.work):
    time.sleep({seconds})
    while len(list(Path({cache!r}).rglob("*.scores"))) >= {kept} and not Path({go!r}).exists():
        time.sleep(0.02)
    return known(data)

work.__module__, work.__qualname__ = "buildsearch.cluster.tasks", "work"
tasks.work = work
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nodes:
    """What runs; everything ends with the block."""

    def __init__(self, folder: Path, scheme: str = "tcp", **environment: str) -> None:
        self.folder, self.port, self.scheme = folder, free_port(), scheme
        self.environment = os.environ | environment
        self.processes: list[subprocess.Popen] = []

    @property
    def address(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def scheduler(self) -> subprocess.Popen:
        where = ("--host", f"{self.scheme}://127.0.0.1", "--port", str(self.port), "--no-dashboard")
        begun = self._begin("scheduler", *where)
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return begun
            time.sleep(0.1)
        raise AssertionError("no scheduler")

    def slow_worker(self, kept: int = 1_000_000, seconds: float = 0.0) -> subprocess.Popen:
        """One that takes its time, and waits for `go_on` when so many shards are in `cache`."""
        cache, go = str(self.folder / "cache"), str(self.folder / "go")
        return self.worker(_SLOW.format(kept=kept, seconds=seconds, cache=cache, go=go))

    def go_on(self) -> None:
        (self.folder / "go").touch()

    def worker(self, preload: str = "", **environment: str) -> subprocess.Popen:
        more = []
        if preload:
            path = self.folder / f"preload{len(self.processes)}.py"
            path.write_text(preload)
            more = ["--preload", str(path)]
        where = ("--local-directory", str(self.folder), "--no-dashboard", "--no-nanny", "--nthreads", "1")
        return self._begin("worker", self.address, *where, *more, **environment)

    def _begin(self, *words: str, **environment: str) -> subprocess.Popen:
        log = (self.folder / f"log{len(self.processes)}.txt").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            env=self.environment | environment,
        )
        log.close()
        self.processes.append(process)
        return process

    def __enter__(self) -> Nodes:
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()

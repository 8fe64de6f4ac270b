"""A scheduler and workers as processes of their own, which tests may kill."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A worker that takes its time, so that there is a middle to be killed in.
SLOW = """
import time
from buildsearch.cluster import pieces

def work(data, known=pieces.work):
    time.sleep(0.4)
    return known(data)

work.__module__, work.__qualname__ = "buildsearch.cluster.pieces", "work"
pieces.work = work
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nodes:
    """What runs; everything ends with the block."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.processes: list[subprocess.Popen] = []

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def scheduler(self) -> subprocess.Popen:
        begun = self._begin("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return begun
            time.sleep(0.1)
        raise AssertionError("no scheduler")

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
            env=os.environ | environment,
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

"""Ctrl-C in a run on processes of this machine: one sentence, and nobody stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")


WORDS = ("optimize", "--budget", "1", "--type", "ranged", "--without", "ricochet", "--top", "2", "--no-cache")


def _living(group: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue  # it has just ended
        if int(its_group) == group and state != "Z":
            found.append(stat.parent.name)
    return found


def test_nobody_stays_behind(tmp_path):
    with (tmp_path / "said").open("w") as said:
        client = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "buildsearch",
                *WORDS,
                "--cluster",
                "local:2",
                "--out",
                str(tmp_path / "run"),
            ],
            cwd=tmp_path,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        ends = time.monotonic() + 120
        while "Cluster tcp" not in (tmp_path / "said").read_text():
            assert time.monotonic() < ends
            time.sleep(0.05)
        # As a terminal does it: everybody in the foreground hears it.
        os.killpg(client.pid, signal.SIGINT)
        code = client.wait(120)
    told = (tmp_path / "said").read_text()
    assert code == 130
    assert "buildsearch: interrupted" in told
    assert "Traceback" not in told
    ends = time.monotonic() + 20
    while _living(client.pid):
        assert time.monotonic() < ends, "somebody stays behind"
        time.sleep(0.1)

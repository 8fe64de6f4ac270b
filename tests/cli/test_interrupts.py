"""Ctrl-C at every moment: while modules load, while a kernel works, and while results are half there."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from buildsearch.report.run_files import board_rows

pytestmark = pytest.mark.posix
needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
SMALL = (
    # Ricochets are solved one at a time, which takes longer than all the rest.
    *("optimize", "--type", "melee_dg", "--budget", "2", "--top", "5", "--without", "ricochet"),
    # Whoever aims elsewhere than at the first is sampled against several, and not solved one at a time.
    *("--ruling", "target=lowest_hp"),
    *("--initial-fights", "32", "--ranking-fights", "0"),
)

# Ctrl-C when a module is looked for.
IMPORTING = """
import os, signal, sys
wanted = sys.argv[1]
sys.argv[:2] = ["buildsearch"]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from buildsearch.__main__ import main
main()
"""

# A stage that hears nothing: a lock that is taken twice, in C. Ctrl-C comes when it is there.
DEAF = """
import ctypes, os, signal, sys, threading
import buildsearch.search.race
def work(*_):
    lock, libc = ctypes.create_string_buffer(256), ctypes.CDLL(None)
    libc.pthread_mutex_lock(lock)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    libc.pthread_mutex_lock(lock)
buildsearch.search.race.solve_all = work
from buildsearch.__main__ import main
main()
"""

# A thread whose piece of work never ends, while the others have already scored something.
ENDLESS = """
import os, signal, sys, threading, time
import buildsearch.search.race as race
from buildsearch.evaluate.threads import in_threads
def sample(*_):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    def work(piece):
        time.sleep(3600)
    for _ in in_threads(work, iter([1, 2]), 2):
        pass
race.sample_rows = sample
from buildsearch.__main__ import main
main()
"""


def ended(script, *words, cwd):
    # The time is for a machine that hangs: this passes or fails long before.
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    "module",
    ["typer", "numpy.linalg", "numba"],
)
def test_while_modules_load_it_is_quiet(module, tmp_path):
    done = ended(IMPORTING, module, *SMALL, "--dry-run", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == "buildsearch: interrupted.\n"


def test_a_stage_that_hears_nothing_is_ended(tmp_path):
    done = ended(DEAF, *SMALL, "-q", "--no-cache", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == "buildsearch: interrupted.\n"
    assert not list(tmp_path.rglob("run.json"))


@needs_jit
@pytest.mark.long
def test_threads_that_are_still_at_work_are_left_behind(tmp_path):
    done = ended(ENDLESS, *SMALL, "-q", "--no-cache", "--out", "run", cwd=tmp_path)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "Ctrl-C again quits now" in done.stderr
    assert "buildsearch: incomplete: " in done.stderr
    assert json.loads((tmp_path / "run" / "run.json").read_text())["incomplete"]


@pytest.fixture
def place(elsewhere, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_CACHE", str(elsewhere / "cache"))
    return elsewhere


@needs_jit
def test_an_interrupted_run_takes_no_place_and_says_so_loudly(run, place, monkeypatch):
    whole = json.loads(run(*SMALL, "--json").out)
    folder, latest = Path(whole["folder"]), Path("results/latest").read_text()
    board = (folder / "leaderboard.csv").read_bytes()

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("buildsearch.search.race.sample_rows", stop)
    done = run(*SMALL)
    assert done.code == 130
    assert re.match(r"Incomplete: the best of \d+ scored builds \(of 234\) wins in \d\.\d+ turns\.", done.out)
    assert "Result   Not judged: the run is incomplete." in done.out
    assert "continues where it stopped" in done.out
    assert done.out.endswith("-interrupted in 0 s (incomplete).\n") or "(incomplete).\n" in done.out
    assert (folder / "leaderboard.csv").read_bytes() == board
    assert Path("results/latest").read_text() == latest
    partial = folder.with_name(f"{folder.name}-interrupted")
    assert json.loads((partial / "run.json").read_text())["incomplete"]
    assert all("incomplete" in row["flags"] for row in board_rows(partial))
    explained = run("explain", "melee_dg", "--run", partial, "--fights", "3")
    assert "The run is incomplete: better builds may be missing" in " ".join(explained.out.split())
    # Where there is nothing yet, it goes where it was sent.
    fresh = run(*SMALL, "--out", "fresh", "--no-cache")
    assert fresh.code == 130
    assert "starts again: no scores were cached (--no-cache)" in " ".join(fresh.out.split())
    assert json.loads((place / "fresh" / "run.json").read_text())["incomplete"]
    assert Path("results/latest").read_text() == latest
    # Without a single score nothing stays, and no folder either.
    monkeypatch.setattr("buildsearch.search.race.solve_all", stop)
    nothing = run(*SMALL, "--out", "nothing")
    assert nothing.err.endswith("buildsearch: Stopped before any build was scored. Nothing was saved.\n")
    assert not (place / "nothing").exists()


def test_a_second_time_ends_even_the_writing(tmp_path):
    script = DEAF.replace("def work(*_):", "def work(*_):\n    finishing()").replace(
        "import ctypes", "from buildsearch.cli.interrupts import finishing\nimport ctypes"
    )
    script = script.replace(
        "    libc.pthread_mutex_lock(lock)\nbuild",
        "    threading.Timer(2.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    libc.pthread_mutex_lock(lock)\nbuild",
    )
    done = ended(script, *SMALL, "-q", "--no-cache", cwd=tmp_path)
    assert done.returncode == 130
    assert "Ctrl-C again quits now" in done.stderr
    assert done.stderr.endswith("buildsearch: interrupted.\n")


def test_processes_that_compile_do_not_hear_it():
    """Their imports would end in tracebacks of their own."""
    from buildsearch.search.warm_up import deaf_children

    script = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with deaf_children():
        assert subprocess.check_output([sys.executable, "-c", script], text=True) == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])

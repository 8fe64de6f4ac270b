"""How good the announced time left is after a tenth of a run, on ten kinds: first by typical runs alone.

Announced and actual time are those of the same run, so a busy machine does not blur them. Scores are never
kept from one run to the next, what runs took is. The kinds that typical runs are measured on are others.

.venv/bin/python -m scripts.announced_times [only the kinds with this word]
.venv/bin/python -m scripts.announced_times --typical    measures typical runs anew
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from buildsearch.search.timing import TIMES, TYPICAL_TIMES

SMALL_RACE = "--initial-fights 64 --ranking-fights 1000000"
KINDS = (
    "--budget 3",
    "--budget 4",
    "--tier 4 --budget 4",
    "--budget 3 --objective worst",
    "--budget 5 --type melee_dg",
    "--rules vitality-v1 --budget 4",
    f"--rules armitage-text {SMALL_RACE} --scenario mirror",
    f"--rules dungeoneers -p points=2 -p gear=2 -p max_spells=1 {SMALL_RACE}",
    f"--rules animon-story --stage basic --scenario duel {SMALL_RACE}",
    "--budget 4 --search optuna --trials 500",
)
TYPICAL = {
    "vitality": (
        "--budget 4 --type ranged --type melee_ac",
        "--budget 5",
        "--budget 4 --objective worst --type ranged --type melee_ac",
        "--budget 3 --search optuna --trials 256",
    ),
    "armitage": (f"--rules armitage {SMALL_RACE}",),
    "dungeoneers": (f"--rules dungeoneers -p points=1 -p gear=2 {SMALL_RACE}",),
    "animon": (f"--rules animon-story --stage basic --scenario elder {SMALL_RACE}",),
}


def measure(arguments: list[str]) -> None:
    """One run in this process; prints its seconds and what was announced after a tenth of them."""
    from buildsearch.cli import progress
    from buildsearch.cli.main import exit_code_of

    told: list[tuple[float, float | None]] = []
    began = time.perf_counter()

    @contextmanager
    def sampled(forecast: Any, *, quiet: bool) -> Iterator[None]:
        nonlocal began
        over, began = threading.Event(), time.perf_counter()

        def listen() -> None:
            while not over.wait(0.02):
                told.append((time.perf_counter() - began, forecast.left))

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield
        finally:
            over.set()
            listener.join()

    progress.run_bar = sampled
    if exit_code_of(["optimize", "-q", *arguments]):
        raise SystemExit(1)
    whole = told[-1][0]
    at, left = next(each for each in told if each[0] >= whole / 10)
    print(json.dumps({"whole": whole, "left": left, "actual": whole - at}))


def row(kind: str, times: dict[str, Any]) -> dict[str, Any]:
    """One kind in a process of its own, given these times; prints how it went, gives the times it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / TIMES
        file.write_text(json.dumps(times))
        command = [sys.executable, __file__, "--one", *kind.split()]
        done = subprocess.run(
            [*command, "--out", f"{folder}/run"],
            cwd=folder,
            env=os.environ | {"BUILDSEARCH_CACHE": folder},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        kept = json.loads(file.read_text())
    found = json.loads(done.stdout.splitlines()[-1])
    left = found["left"]
    said = ("none", "") if left is None else (f"{left:.1f}", f"{left / found['actual']:.2f}")
    print(f"{kind:<80}{said[0]:>10}{found['actual']:>8.1f}{said[1]:>7}", flush=True)
    return dict(kept)


def table(kinds: list[str]) -> None:
    """Every kind as if it were the first run of its game, then after all of them."""
    head = f"{'announced':>10}{'actual':>8}{'times':>7}"
    print(f"{'Seconds left after a tenth, by typical runs':<80}{head}")
    times: dict[str, Any] = {}
    for kind in kinds:
        for rules, runs in row(kind, {}).items():
            times[rules] = times.get(rules, []) + runs
    print(f"\n{'By what these runs left':<80}{head}")
    for kind in kinds:
        times = row(kind, times)


def typical() -> None:
    """Write the file of typical runs: one game after the other, with as few digits as are needed."""
    found: dict[str, Any] = {}
    for system, kinds in TYPICAL.items():
        runs = [run for kind in kinds for runs in row(kind, {}).values() for run in runs]
        found[system] = [{name: _short(value) for name, value in run.items()} for run in runs]
    lines = (
        f' "{system}": [\n  ' + ",\n  ".join(map(json.dumps, runs)) + "]" for system, runs in found.items()
    )
    TYPICAL_TIMES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def _short(value: Any) -> Any:
    return value if isinstance(value, str) else [float(f"{each:.3g}") for each in value]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2:])
    elif sys.argv[1:] == ["--typical"]:
        typical()
    else:
        table([kind for kind in KINDS if all(word in kind for word in sys.argv[1:])])

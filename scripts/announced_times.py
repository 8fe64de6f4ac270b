"""How good the announced time left is after a tenth of a run, on ten kinds of runs: first without kept rates.

Announced and actual time are those of the same run, so a busy machine does not blur them. Scores are never
kept from one run to the next, rates are.

.venv/bin/python -m scripts.announced_times [only the kinds with this word]
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

SMALL_RACE = "--floor 64 --race-fights 1000000"
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


def row(kind: str, rates: dict[str, Any]) -> dict[str, Any]:
    """One kind in a process of its own, given these rates; prints how it went, gives the rates it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rates.json"
        file.write_text(json.dumps(rates))
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
    """Every kind without rates, then with those that all of them left."""
    head = f"{'announced':>10}{'actual':>8}{'times':>7}"
    print(f"{'Seconds left after a tenth, without kept rates':<80}{head}")
    rates: dict[str, Any] = {}
    for kind in kinds:
        for machine, found in row(kind, {}).items():
            rates[machine] = rates.get(machine, {}) | found
    print(f"\n{'With the rates that these runs left':<80}{head}")
    for kind in kinds:
        rates = row(kind, rates)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2:])
    else:
        table([kind for kind in KINDS if all(word in kind for word in sys.argv[1:])])

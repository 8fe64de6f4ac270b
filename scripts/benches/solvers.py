"""What each exact solver of many builds is worth over a whole bulk run.

scripts/bench solvers                 the default run's builds: rows served, CPU with and without each
scripts/bench solvers --share 0.1     a tenth of the builds, drawn at random
scripts/bench solvers --cold          also compile time from an empty cache, one solver at a time

A run is what a search does before its race: batches solve what they can, what they leave fights 256 times.
A solver that is switched off leaves its rows to the fights, so "without" buys its seconds with exactness.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.exact.batch.solvers import SOLVERS
from buildsearch.systems.vitality.exact.solving import SWITCH
from buildsearch.systems.vitality.rules.settings import read_settings

TIER = 3
FLOOR = 256


@dataclass(frozen=True)
class Spent:
    """Rows solved, and CPU seconds of solving and of the fights of what is left."""

    rows: int
    solving: float
    fighting: float


def _run(bulk: VitalityBulk, chunks: list[Chunk], bouts: list[Bout], *, fights: int = FLOOR) -> Spent:
    rows, solving, fighting = 0, 0.0, 0.0
    for chunk in chunks:
        start = time.process_time()
        solver = bulk.solver(chunk, bouts)
        means = [solver(number) for number in range(len(bouts))]
        solving += time.process_time() - start
        start = time.process_time()
        for bout, found in zip(bouts, means, strict=True):
            left = np.isnan(found)
            rows += int((~left).sum())
            if left.any() and fights:
                bulk.sample(Chunk(chunk.group, chunk.codes[left]), bout, 1, fights)
        fighting += time.process_time() - start
    return Spent(rows, solving, fighting)


def _setup(share: float) -> tuple[VitalityBulk, list[Chunk], list[Bout]]:
    rules = load_rules("vitality-v2").model
    space = VitalitySpace(rules, read_settings(rules, {"tier": str(TIER)}))
    bouts = list(make_bouts(rules, load_scenarios("default").model, TIER, {}).values())
    rng = np.random.default_rng(0)
    drawn: dict[str, list[np.ndarray]] = {}
    for chunk in space.chunks(Wanted()):
        drawn.setdefault(chunk.group, []).append(chunk.codes[rng.random(len(chunk)) < share])
    chunks = [Chunk(group, np.concatenate(codes)) for group, codes in drawn.items()]
    return VitalityBulk(rules, space), chunks, bouts


def _in_fresh_process(names: str, folder: str) -> float:
    """CPU seconds of a process that solves a few builds, with kernels kept in a folder."""
    environment = {**os.environ, SWITCH: names, "NUMBA_CACHE_DIR": folder}
    before = os.times()
    subprocess.run([sys.executable, "-m", "scripts.benches.solvers", "--few"], check=True, env=environment)
    after = os.times()
    return after.children_user - before.children_user


def _compile_seconds(names: str) -> float:
    """What it takes longer from an empty cache than from a full one."""
    with tempfile.TemporaryDirectory() as folder:
        return _in_fresh_process(names, folder) - _in_fresh_process(names, folder)


def _print_worth(share: float, *, cold: bool) -> None:
    os.environ.pop(SWITCH, None)
    few = _setup(min(share, 0.01))
    _run(*few, fights=1)  # code is loaded
    setup = _setup(share)
    usual = _run(*setup)
    print(f"{sum(map(len, setup[1])):,} builds of tier {TIER}, {len(setup[2])} fights each; CPU seconds")
    print(f"{'solvers':20}{'rows solved':>14}{'solving':>10}{'fighting':>10}{'compile':>10}")
    names = [solver.name for solver in SOLVERS]
    for name in ("", *names):
        os.environ[SWITCH] = f"-{name}" if name else ""
        spent = _run(*setup) if name else usual
        served = f"{spent.rows:,}" if not name else f"{usual.rows - spent.rows:,} less"
        compiled = f"{_compile_seconds(name):10.1f}" if cold else ""
        label = f"without {name.removeprefix('batch-')}" if name else "all"
        print(f"{label:20}{served:>14}{spent.solving:10.1f}{spent.fighting:10.1f}{compiled}", flush=True)
    if cold:
        print("compile: of all of them; of that solver alone")


def main(arguments: list[str] | None = None) -> None:
    """Print what each is worth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the builds, drawn at random")
    parser.add_argument("--cold", action="store_true", help="also compile time, from an empty cache")
    parser.add_argument("--few", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--warm-up", action="store_true", help="only fill numba's cache")
    given = parser.parse_args(arguments)
    if given.few or given.warm_up:
        _run(*_setup(0.002), fights=1 if given.warm_up else 0)
    else:
        _print_worth(given.share, cold=given.cold)


if __name__ == "__main__":
    main()

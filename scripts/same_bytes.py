"""Whether answers depend on more than rules and seed: threads, load, caches, private numba, a cluster.

    .venv/bin/python -m scripts.same_bytes                 every game under every condition
    .venv/bin/python -m scripts.same_bytes --game dungeoneers --condition "4 jobs"

Runs `optimize`, `analyze`, `balance`, `check` and `meta` on the small run of each game, once with one job and
an empty cache, then under each condition, and compares what they print and the files of the run: byte for
byte, but for times, dates and versions. Answers 1 where anything differs. Results: docs/measurements.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tests.cli.test_snapshots import commands, masked
from tests.small_games import FEW, SMALL_GAMES, SmallGame

COMMANDS = ("optimize", "analyze", "balance", "check", "meta")
FILES = ("scores.parquet", "leaderboard.csv")
NO_BUILDS_MEET = 2  # how `meta` ends for games in which builds do not meet
_BUSY = "while True: pass"


@dataclass(frozen=True)
class Condition:
    """How commands run: with so many jobs, beside so many busy processes, in which environment."""

    name: str
    jobs: int = 1
    busy: int = 0
    warm: bool = False  # a second time, with the caches of the first
    environment: dict[str, str] = field(default_factory=dict)
    cluster: str | None = None


BASE = Condition("1 job, empty cache")
CONDITIONS = (
    Condition("2 jobs", jobs=2),
    Condition("4 jobs", jobs=4),
    Condition("4 jobs beside ten busy processes", jobs=4, busy=10),
    Condition("warm cache", jobs=2, warm=True),
    Condition("plain numba", jobs=2, environment={"BUILDSEARCH_PLAIN_NUMBA": "1"}),
    Condition("a cluster of two workers", cluster="local:2"),
)


def answers(game: SmallGame, condition: Condition) -> dict[str, str]:
    """By command and file the text, or a digest of the bytes."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder)
        game.write_files(place)
        for _ in range(condition.busy):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", _BUSY]))
            stack.callback(busy.kill)
        found = _answers(game, condition, place)
        return _answers(game, condition, place) if condition.warm else found


def _answers(game: SmallGame, condition: Condition, place: Path) -> dict[str, str]:
    words = commands(game) | {
        "optimize": ("-r", game.rules, *game.narrowed, *FEW, "--top", "10", "--out", "run"),
    }
    found: dict[str, str] = {}
    for command in COMMANDS:
        where = ["--jobs", str(condition.jobs)]
        where += ["--cluster", condition.cluster] if condition.cluster else []
        ended = subprocess.run(
            [sys.executable, "-m", "buildsearch", command, *words[command], "--json", *where],
            cwd=place,
            env={**os.environ, **condition.environment, "BUILDSEARCH_CACHE": str(place / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode not in (0, 1, NO_BUILDS_MEET):
            raise SystemExit(f"{game.rules}, {condition.name}: {command} failed.\n{ended.stderr}")
        found[command] = "\n".join([f"exit {ended.returncode}", *masked(ended.stdout, place)])
        if command == "optimize":
            found |= {name: sha256((place / "run" / name).read_bytes()).hexdigest() for name in FILES}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=SMALL_GAMES)
    parser.add_argument("--condition", action="append", choices=[each.name for each in CONDITIONS])
    given = parser.parse_args()
    differences = 0
    for name in given.game or SMALL_GAMES:
        expected = answers(SMALL_GAMES[name], BASE)
        for condition in CONDITIONS:
            if given.condition and condition.name not in given.condition:
                continue
            found = answers(SMALL_GAMES[name], condition)
            differs = [each for each in expected if found[each] != expected[each]]
            differences += len(differs)
            print(
                f"{name}, {condition.name}: {', '.join(differs) + ' differ' if differs else 'the same'}",
                flush=True,
            )
            for each in differs if given.condition else ():
                print(
                    f"--- {each}, {BASE.name}\n{expected[each]}\n--- {each}, {condition.name}\n{found[each]}"
                )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

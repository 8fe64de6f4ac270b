"""Runs every command of docs/tutorial.md in a folder of its own, in turn, and says how each ended.

.venv/bin/python -m scripts.run_tutorial

A command ends with 0, or with what its comment says (`# exit 1`). Files that the page shows (TOML) are
written before the commands below them. Lines below a command are what it prints, with `...` for the rest.
So the last check has to pass: the game is fixed, or this fails.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.run_docs import shows

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
CONFIG = "buildsearch.toml"


def steps(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Commands, each with its exit code and the output that it has to have; a file has none (-1)."""
    for kind, block in re.findall(r"^```(console|toml)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if kind == "toml":
            yield block, -1, []
            continue
        for part in block.removeprefix("$ ").split("\n$ "):
            command, _, shown = part.partition("\n")
            code = re.search(r"# exit (\d)", command)
            yield command, int(code[1]) if code else 0, shown.rstrip().splitlines()


def main() -> int:
    """Stop at the first that ends otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        for line, code, shown in steps(PAGE.read_text(encoding="utf-8")):
            if code < 0:
                (Path(folder) / CONFIG).write_text(line, encoding="utf-8")
                continue
            begun = time.perf_counter()
            command = [sys.executable, "-m", *shlex.split(line, comments=True)]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            print(f"{time.perf_counter() - begun:6.1f} s  exit {ended.returncode}  {line}", flush=True)
            printed = [each.rstrip() for each in ended.stdout.splitlines()]
            if ended.returncode != code or not shows(shown, printed):
                print("run_tutorial: another exit code or output than the page says.")
                print(ended.stdout[-2000:], ended.stderr[-2000:], sep="\n")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

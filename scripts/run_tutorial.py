"""Runs every command of docs/tutorial.md in a folder of its own, in turn, and says how each ended.

.venv/bin/python -m scripts.run_tutorial
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "tutorial.md"
# A check may fail: then the game is not mended, and the tutorial says so.
FINE = {"check": (0, 1, 4)}


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    lines = [
        line
        for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
        for line in block.splitlines()
    ]
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            words = shlex.split(line.removeprefix("$ "), comments=True)
            begun = time.perf_counter()
            command = [sys.executable, "-m", *words]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            print(f"{time.perf_counter() - begun:6.1f} s  exit {ended.returncode}  {line}", flush=True)
            if ended.returncode not in FINE.get(words[1], (0,)):
                print(ended.stdout[-2000:], ended.stderr[-2000:], sep="\n")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

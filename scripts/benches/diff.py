"""`scripts/bench diff [options of diff]`: one number of one limit changed, with everything else kept.

The old rules are scored first, which is not measured; then the diff to a file with another number is timed.
Default: Vitality v2, tier 3. Aim: at most 30 s on a quiet machine with two cores.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RULES = Path(__file__).resolve().parents[2] / "rules" / "vitality-v2.yaml"
NUMBER = ("conditions: {activation_roll: 15}", "conditions: {activation_roll: 14}")
OTHER = ("conditions: {activation_roll: 15}", "conditions: {activation_roll: 13}")


def main() -> None:
    """Fill a cache, then time a diff in a process of its own."""
    arguments = [word for word in sys.argv[1:] if word != "--warm-up"]
    if "--warm-up" in sys.argv:
        arguments = ["--budget", "2", "--ranking-fights", "0"]
    kept = os.environ.get("BUILDSEARCH_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(kept) if kept else Path(folder) / "cache"
        _diff(Path(folder), cache, OTHER, arguments)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        found = _diff(Path(folder), cache, NUMBER, arguments)
        wall = time.perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    print(f"{found['builds']['a']:,} builds and {found['builds']['b']:,}, {len(found['edits'])} edit")
    print(f"  kept {found['cache']['hits']:,} scores, computed {found['cache']['misses']:,}")
    for stage, seconds in found["seconds"].items():
        print(f"  {stage:8} {seconds:8.1f} s")
    print(f"  wall     {wall:8.1f} s, CPU {cpu:.1f} s")
    print(f"  memory   {used.ru_maxrss / (1 << 20):8.2f} GB at most")


def _diff(folder: Path, cache: Path, change: tuple[str, str], arguments: list[str]) -> dict:
    text = RULES.read_text(encoding="utf-8")
    assert change[0] in text
    other = folder / "changed.yaml"
    other.write_text(text.replace(*change, 1), encoding="utf-8")
    command = [sys.executable, "-m", "buildsearch", "diff", str(RULES), str(other), *arguments, "--json"]
    done = subprocess.run(
        [*command, "--cache", str(cache)], check=True, capture_output=True, text=True, env=dict(os.environ)
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()

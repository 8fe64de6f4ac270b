"""`scripts/bench optimize [options of optimize]`: a whole run without a cache, split by stage.

Default: tier 3, focused. `scripts/bench optimize --tier 4` is the 5.3 million builds of the issue.
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


def main() -> None:
    """Run the command in a process of its own and print what it says of itself."""
    arguments = [word for word in sys.argv[1:] if word != "--warm-up"]
    if "--warm-up" in sys.argv:
        arguments = ["--budget", "2", "--ranking-fights", "0"]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "buildsearch", "optimize", *arguments, "--no-cache", "--json"]
        begun = time.perf_counter()
        done = subprocess.run(
            [*command, "--out", str(Path(folder) / "run")],
            env=dict(os.environ),
            check=True,
            capture_output=True,
            text=True,
        )
        wall = time.perf_counter() - begun
    about = json.loads(done.stdout)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{about['builds']:,} builds, {about['by_method']}")
    for stage, seconds in about["seconds"].items():
        print(f"  {stage:8} {seconds:8.1f} s")
    print(f"  wall     {wall:8.1f} s, CPU {used.ru_utime + used.ru_stime:.1f} s")
    print(f"  memory   {used.ru_maxrss / (1 << 20):8.2f} GB at most")
    if about["race"]:
        race = about["race"]
        print(
            f"  race: {race['fights']:,} fights, {race['contenders']} contenders, {race['open_ranks']} open"
        )


if __name__ == "__main__":
    main()

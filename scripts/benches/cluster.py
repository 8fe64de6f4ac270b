"""`scripts/bench cluster [budget]`: two processes of one thread each against one such process, both here.

A whole `optimize` of Vitality v2 without kept scores, on a cluster of Dask's that is up and warm. Efficiency
is asked to be at least 1.7. Give it two quiet cores: scheduler and client need some of them too. On a busy
machine look at processor seconds: two workers should need what one does, and share it evenly.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from buildsearch.cluster.dask_executor import DaskExecutor
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.watch import Scoring, on_cluster
from buildsearch.options.search import SearchOptions

ASKED = 1.7
# Areas and Ricochet are solved one at a time: a few long pieces, which say little about sharing.
WITHOUT = ("ricochet",)


def _used(executor: DaskExecutor) -> dict[str, float]:
    """Processor seconds of each worker so far."""
    return dict(executor._client.run(time.process_time))


def timed(processes: int, budget: str) -> dict[str, float]:
    """Seconds by stage, warm."""
    request = SearchOptions(
        rules="vitality-v2",
        parameters={"budget": budget},
        without_features=WITHOUT,
        groups=("melee_ac", "melee_dg", "ranged", "direct_damage"),
        top=20,
    )
    few = request.changed(parameters={"budget": "1"}, top=2)
    with (
        tempfile.TemporaryDirectory() as folder,
        on_cluster(f"local:{processes}", jobs=processes, tell=print, warn=print) as executor,
    ):
        finish(
            open_search(setup_of(few), few, Scoring(jobs=executor)), str(Path(folder) / "few"), remember=False
        )
        before, here, begun = _used(executor), time.process_time(), time.perf_counter()
        done = finish(
            open_search(setup_of(request), request, Scoring(jobs=executor)),
            str(Path(folder) / "run"),
            remember=False,
        )
        taken, here = time.perf_counter() - begun, time.process_time() - here
        used = [after - before[worker] for worker, after in _used(executor).items()]
        stages = {name: seconds for name, seconds in done.record.seconds.items() if name != "total"}
        print(f"{processes} x 1 thread: {done.record.builds:,} builds, {taken:.1f} s,", stages, flush=True)
        each = ", ".join(f"{seconds:.1f}" for seconds in used)
        print(f"  processor seconds: workers {each}; client and scheduler {here:.1f}", flush=True)
        return stages | {"total": taken}


def main() -> None:
    """Both, and the ratio: of the stages that are shared, and of the whole."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    budget = "2" if "--warm-up" in sys.argv else (words[0] if words else "5")
    one, two = timed(1, budget), timed(2, budget)
    shared = ("solve", "floor", "race", "order")
    ratio = sum(one.get(name, 0.0) for name in shared) / sum(two.get(name, 0.0) for name in shared)
    whole = one["total"] / two["total"]
    print(f"efficiency of shared stages {ratio:.2f}, of the whole {whole:.2f}; asked {ASKED}")


if __name__ == "__main__":
    main()

"""How often a guided search finds the best build of a space that was ranked in full.

First rank every build, then search with the scores of that run looked up instead of computed:

    buildsearch optimize --tier 3 --budget 6 --out /tmp/b6
    .venv/bin/python -m scripts.guided_figures /tmp/b6 --seeds 10 --trials 3000
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.search import content_hash
from buildsearch.model.space import Chunk, Wanted
from buildsearch.report.run_files import read_scores
from buildsearch.report.run_record import read_record
from buildsearch.search.guided.search import Guidance, guide
from buildsearch.search.guided.space import BuildCoder
from buildsearch.search.objectives import read_objectives

_TIE = 1e-9


class _FoundError(Exception):
    """The best score is reached: no need to go on."""


def main() -> None:
    """Search with each seed and print when the best score of the run was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--trials", type=int, default=3000)
    parser.add_argument("--sampler", default="tpe")
    arguments = parser.parse_args()
    record = read_record(arguments.run)
    setup, scores = setup_of(record.request), read_scores(arguments.run)
    if content_hash(setup.loaded.model) != record.rules.hash:
        print("the rules have changed since: these are figures about the old scores")
    sign = -1.0 if scores.higher_is_better else 1.0
    known: dict[str, dict[bytes, float]] = {}
    for rows, chunk in scores.chunks():
        costs = sign * scores.score[rows]
        known[chunk.group] = {
            code.tobytes(): float(cost) for code, cost in zip(chunk.codes, costs, strict=True)
        }
    best = min(min(table.values()) for table in known.values())
    print(f"{len(scores):,} builds, the best scores {sign * best:.6f}")
    hits = [
        _search(setup, known, best, seed, arguments.trials, arguments.sampler)
        for seed in range(arguments.seeds)
    ]
    found = [hit for hit in hits if hit is not None]
    middle = f", in the median after {int(np.median(found)):,} builds" if found else ""
    print(f"found with {len(found)} of {len(hits)} seeds within {arguments.trials:,} builds{middle}")


def _search(
    setup: FightSetup, known: dict[str, dict[bytes, float]], best: float, seed: int, trials: int, sampler: str
) -> int | None:
    """After how many different builds the best score is reached; None if it is not."""
    seen: list[float] = []
    begun = time.process_time()

    def score(chunks: Sequence[Chunk]) -> NDArray[np.float64]:
        costs = [known[chunk.group][code.tobytes()] for chunk in chunks for code in chunk.codes]
        seen.extend(costs)
        return np.array([costs])

    def advance(_fresh: int) -> None:
        if min(seen) <= best + _TIE:
            raise _FoundError

    objectives = read_objectives((), setup.loaded.system.metrics)
    coder = BuildCoder(setup.space, Wanted(), list(known))
    guidance = Guidance(sampler, trials, None, seed, None, "figures")
    hit = None
    try:
        guide(coder, sum(map(len, known.values())), objectives, guidance, score, advance)
    except _FoundError:
        hit = 1 + int(np.argmax(np.array(seen) <= best + _TIE))
    took = time.process_time() - begun
    when = "not found" if hit is None else f"after {hit:,}"
    print(f"seed {seed}: {when}, best {min(seen):.6f}, {took:.0f} s CPU", flush=True)
    return hit


if __name__ == "__main__":
    main()

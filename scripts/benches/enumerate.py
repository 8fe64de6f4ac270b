"""`scripts/bench enumerate`: how fast builds are listed, against a plain Python search in the same run.

Rates are per build, so that the twin can have a smaller budget.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from buildsearch.builds.masks import indices_of
from buildsearch.builds.subsets import SubsetProblem, iter_subsets
from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Wanted


def plain_subsets(problem: SubsetProblem) -> Iterator[frozenset[int]]:
    """List subsets in the fixed order as one would write it without kernels; `required` must be legal."""
    costs = problem.costs.tolist()
    rivals = [set(indices_of(row)) for row in problem.conflicts]
    required = indices_of(problem.required)

    def extend(taken: frozenset[int], candidates: list[int], rest: int) -> Iterator[frozenset[int]]:
        yield taken
        for place, option in enumerate(candidates):
            if costs[option] <= rest:
                others = [other for other in candidates[place + 1 :] if other not in rivals[option]]
                yield from extend(taken | {option}, others, rest - costs[option])

    barred = set(required).union(*(rivals[option] for option in required))
    free = [option for option in indices_of(problem.allowed) if option not in barred]
    return extend(frozenset(required), free, problem.budget - sum(costs[option] for option in required))


def bench(problem: SubsetProblem, twin_problem: SubsetProblem, repeats: int = 3) -> dict[str, float]:
    """Give the rate after warm-up (best of the repeats), the bytes a subset, the ratio to the twin's rate."""
    # The first call compiles, or loads the cache, which is no part of the rate.
    start = time.perf_counter()
    next(iter_subsets(problem, 1), None)
    first_call = time.perf_counter() - start
    best = float("inf")
    for _ in range(repeats):
        subsets = size = 0
        start = time.perf_counter()
        for chunk in iter_subsets(problem):
            subsets += len(chunk)
            size += chunk.nbytes
        best = min(best, time.perf_counter() - start)
    start = time.perf_counter()
    twin_subsets = sum(1 for _ in plain_subsets(twin_problem))
    twin_rate = twin_subsets / (time.perf_counter() - start)
    rate = subsets / best
    return {
        "subsets": subsets,
        "first_call_seconds": first_call,
        "subsets_per_second": rate,
        "bytes_per_subset": size / subsets,
        "twin_subsets": twin_subsets,
        "twin_subsets_per_second": twin_rate,
        "ratio": rate / twin_rate,
    }


def made_up_problem(budget: int, padding: int = 0) -> SubsetProblem:
    """Give 54 options at 1 to 3 points with 100 exclusions, then options that only widen the mask."""
    rng = np.random.default_rng(54)
    costs = rng.integers(1, 4, size=54).tolist()
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < 100:
        first, second = sorted(rng.choice(54, size=2, replace=False).tolist())
        pairs.add((first, second))
    return SubsetProblem.from_pairs(costs + [1] * padding, sorted(pairs), budget, allowed=range(54))


def v2_problem(budget: int) -> SubsetProblem:
    """The attack type of Vitality v2 that leaves most enhancements open, at this budget."""
    rules = load_rules("vitality-v2")
    space = rules.system.space(rules.model, {"tier": "4", "budget": str(budget)})
    counts = space.count(Wanted())
    return space.subset_problem(max(counts, key=counts.__getitem__))


def bench_v2(budget: int = 8, repeats: int = 3) -> tuple[int, float, float]:
    """Builds of all types at this budget, the best rate, and bytes a build: what the command line lists."""
    rules = load_rules("vitality-v2")
    space = rules.system.space(rules.model, {"tier": "4", "budget": str(budget)})
    best = 0.0
    for _ in range(repeats):
        builds = size = 0
        start = time.perf_counter()
        for chunk in space.chunks(Wanted(), 1 << 16):
            builds += len(chunk)
            size += chunk.codes.nbytes
        best = max(best, builds / (time.perf_counter() - start))
    return builds, best, size / builds


def main() -> None:
    """Print the figures for Vitality v2 at budget 8, and for two words a mask."""
    figures = bench(v2_problem(8), v2_problem(5))
    builds, rate, size = bench_v2()
    print(
        f"Vitality v2, budget 8, all types: {builds:,} builds, {rate / 1e6:.1f} M/s, {size:.0f} bytes a build"
    )
    print(f"  first call (compile or load from cache): {figures['first_call_seconds']:.2f} s")
    print(
        f"  plain Python twin: {figures['twin_subsets_per_second'] / 1e6:.2f} M/s,"
        f" ratio {figures['ratio']:.0f}"
    )
    wide = made_up_problem(12, padding=20)
    figures = bench(wide, replace(wide, budget=7))
    print(
        f"74 options, two words a mask: {figures['subsets_per_second'] / 1e6:.1f} M/s,"
        f" {figures['bytes_per_subset']:.0f} bytes a build, ratio {figures['ratio']:.0f}"
    )


if __name__ == "__main__":
    main()

"""The double oracle against the whole matrix, on every deck of one stat line; see docs/measurements.md.

The whole matrix with three seeds says what noise does. The double oracle on the very cells of the whole
matrix has no noise between them: both must be the same. Then the double oracle as users run it.

.venv/bin/python -m scripts.meta_figures [fights a pair]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.library.input_files import load_rules
from buildsearch.meta.double_oracle import Meta, MetaLimits, find_meta
from buildsearch.meta.equilibrium import entropy, equilibrium, exploitability
from buildsearch.meta.matches import Cells, Matches
from buildsearch.model.space import Chunk, Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.score_cache import ScoreCache

RULES, LINE = "armitage-text", "eva+2"


def matches(seed: int = 0) -> Matches:
    loaded = load_rules(RULES)
    system, rules = loaded.system, loaded.model
    space = system.space(rules, {})
    scorer = CachedScorer(system.bulk(rules, space), ScoreCache(None))
    found = Matches(
        space, scorer, lambda build: system.match(rules, build, {}, {}), seed=seed, jobs=2, alpha=0.05
    )
    found.add_builds(list(space.chunks(Wanted(groups=(LINE,)), 1000)))
    return found


class Known:
    """Cells that are known already: all that is asked of a scorer where everything is exact."""

    def __init__(self, numbers: dict[bytes, int], wins: NDArray[np.float64]) -> None:
        self._numbers, self._wins = numbers, wins

    def solver(self, chunk: Chunk, fights: Sequence[int]) -> Callable[[int], NDArray[np.float64]]:
        rows = [self._numbers[code.tobytes()] for code in chunk.codes]
        return lambda number: self._wins[rows, fights[number]]


def played(seed: int, fights: int) -> Matches:
    """Every pair."""
    found = matches(seed)
    everybody = np.arange(len(found))
    for row in everybody:
        found.add_opponent(int(row))
    found.play([Cells(number, everybody, fights) for number in range(len(found))], lambda _done: None)
    return found


def on_the_same_cells(whole: Matches) -> Matches:
    """The same builds, whose fights are the cells of a matrix."""
    codes = np.concatenate([chunk.codes for chunk in whole.chunks])
    numbers = {code.tobytes(): row for row, code in enumerate(codes)}
    scorer: Any = Known(numbers, whole.matrix()[0])
    space = whole.space

    def number_of(build: Any) -> int:
        return numbers[space.encode(build).codes[0].tobytes()]

    found = Matches(space, scorer, number_of, seed=0, jobs=1, alpha=0.05)
    found.add_builds(whole.chunks)
    return found


def say(name: str, found: Meta, edges: NDArray[np.float64], full: NDArray[np.float64], begun: float) -> None:
    shares = np.zeros(len(full))
    shares[list(found.rows)] = found.shares
    took = time.process_time() - begun
    print(
        f"{name}: pool {len(found.rows)}, {found.matches.spent:,} fights, {took:.0f} s CPU, "
        f"bound {found.response.bound:.4f}, in the whole matrix {exploitability(edges, shares):.7f}, "
        f"effective number {found.effective:.2f} ({found.effective_low:.1f} to {found.effective_high:.1f}), "
        f"first {found.names[0]} {found.shares[0]:.3f}, "
        f"shares differ by at most {np.abs(shares - full).max():.5f}, most even {found.is_most_even}",
        flush=True,
    )


def main() -> None:
    fights = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    for seed in (2, 1, 0):
        begun = time.process_time()
        whole = played(seed, fights)
        edges = whole.matrix()[0] - 0.5
        full = equilibrium(edges)
        took = time.process_time() - begun
        print(f"whole matrix, seed {seed}: {len(whole)} builds, {whole.spent:,} fights, {took:.0f} s CPU")
        print(f"  effective number {np.exp(entropy(full)):.2f}, {np.count_nonzero(full)} with a share")
        for row in np.argsort(-full)[:3]:
            print(f"  {full[row]:.3f} {whole.name(int(row))}", flush=True)
    for epsilon in (0.05, 0.02):
        begun = time.process_time()
        found = find_meta(on_the_same_cells(whole), [0], MetaLimits(epsilon=epsilon), lambda _done: None)
        say(f"epsilon {epsilon}, same cells", found, edges, full, begun)
    for epsilon in (0.05, 0.02):
        begun = time.process_time()
        found = find_meta(matches(), [0], MetaLimits(epsilon=epsilon), lambda _done: None)
        say(f"epsilon {epsilon}", found, edges, full, begun)


if __name__ == "__main__":
    main()

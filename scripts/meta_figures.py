"""The double oracle against the whole matrix, on every deck of one stat line: the figures of docs/meta.md.

.venv/bin/python -m scripts.meta_figures [fights a pair]
"""

from __future__ import annotations

import sys
import time

import numpy as np

from buildsearch.meta.equilibrium import entropy, equilibrium, exploitability
from buildsearch.meta.matches import Cells, Matches
from buildsearch.meta.oracle import Rules, find_meta
from buildsearch.model.space import Wanted
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.workflow.loading import load_rules

RULES, LINE = "armitage-text", "eva+2"


def matches() -> Matches:
    loaded = load_rules(RULES)
    system, rules = loaded.system, loaded.model
    space = system.space(rules, {})
    scorer = CachedScorer(system.bulk(rules, space), ScoreCache(None))
    found = Matches(
        space, scorer, lambda build: system.match(rules, build, {}, {}), seed=0, jobs=2, alpha=0.05
    )
    found.add_builds(list(space.chunks(Wanted(groups=(LINE,)), 1000)))
    return found


def main() -> None:
    fights = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    begun = time.process_time()
    whole = matches()
    everybody = np.arange(len(whole))
    for row in everybody:
        whole.add_opponent(int(row))
    whole.play([Cells(number, everybody, fights) for number in range(len(whole))], lambda _done: None)
    edges = whole.matrix()[0] - 0.5
    full = equilibrium(edges)
    took = time.process_time() - begun
    print(f"whole matrix: {len(whole)} builds, {whole.spent:,} fights, {took:.0f} s CPU")
    for row in np.argsort(-full)[:5]:
        print(f"  {full[row]:.3f} {whole.name(int(row))}")
    print(f"  effective number {np.exp(entropy(full)):.2f}")
    for epsilon in (0.05, 0.02):
        begun = time.process_time()
        found = find_meta(matches(), [0], Rules(epsilon=epsilon), lambda _done: None)
        shares = np.zeros(len(whole))
        shares[list(found.rows)] = found.shares
        took = time.process_time() - begun
        print(
            f"epsilon {epsilon}: pool {len(found.rows)}, {found.matches.spent:,} fights, {took:.0f} s CPU, "
            f"bound {found.response.bound:.4f}, in the whole matrix {exploitability(edges, shares):.4f}, "
            f"effective number {found.effective:.2f}, "
            f"first {found.names[0]} {found.shares[0]:.3f}, most even {found.is_most_even}"
        )


if __name__ == "__main__":
    main()

"""`scripts/bench analyze`: how long the analysis of a whole space takes, and how much memory.

The builds are those of Vitality v2; the scores are made up (effects of options, some pairs, noise, a share
of them sampled), because scoring five million builds is another bench. Without trigger rates: they play
fights.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from buildsearch.analysis.analyses import AnalysisInput, analyse
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Wanted
from buildsearch.search.score_table import ScoreTable

FIGHTS = ("boss", "mixed", "swarm", "guard")


def made_up_table(space, seed: int = 0) -> ScoreTable:
    """Every build of a space with made-up scores."""
    rng = np.random.default_rng(seed)
    parts = len(space.feature_names)
    effects = rng.normal(-0.05, 0.12, (len(FIGHTS), parts))
    pairs = rng.choice(parts, (40, 2))
    strengths = rng.normal(0, 0.15, 40)
    groups: list[str] = []
    codes, group, cost, means = [], [], [], []
    for chunk in space.chunks(Wanted(), 1 << 16):
        if chunk.group not in groups:
            groups.append(chunk.group)
        levels = space.levels(chunk)
        logs = effects @ levels.T.astype(np.float64)
        for (a, b), strength in zip(pairs, strengths, strict=True):
            logs += strength * (levels[:, a] & levels[:, b])
        logs += rng.normal(0, 0.03, logs.shape)
        codes.append(chunk.codes)
        group.append(np.full(len(chunk), groups.index(chunk.group)))
        cost.append(np.asarray(space.table(chunk)["cost"]))
        means.append(1 + np.exp(2.7 + logs))
    fight_means = np.concatenate(means, axis=1)
    sampled = rng.random(fight_means.shape[1]) < 0.25
    errors = np.where(sampled, 0.03 * fight_means, 0.0)
    weights = np.full(len(FIGHTS), 1 / len(FIGHTS))
    return ScoreTable(
        groups=tuple(groups),
        group=np.concatenate(group).astype(np.int64),
        codes=np.concatenate(codes),
        cost=np.concatenate(cost).astype(np.int64),
        score=weights @ fight_means,
        error=np.sqrt(weights**2 @ errors**2),
        fights=FIGHTS,
        weights=weights,
        fight_means=fight_means,
        fight_errors=errors,
        higher_is_better=False,
        primary_higher_is_better=False,
    )


def bench(budget: int) -> None:
    """Analyse the space of one budget, and say how long each stage took."""
    rules = load_rules("vitality-v2")
    space = rules.system.space(rules.model, {"tier": "3", "budget": str(budget)})
    table = made_up_table(space)
    before, spent = time.perf_counter(), time.process_time()
    subject = AnalysisInput(table, space, rules.system.options(rules.model), {}, None)
    found = analyse(subject, read_thresholds(), lambda _stage: None)
    wall, cpu = time.perf_counter() - before, time.process_time() - spent
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"budget {budget}: {len(table):,} builds in {wall:.1f} s ({cpu:.1f} s of CPU), peak {peak:.2f} GB")
    print("  " + ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in found.seconds.items()))
    front, step = len(found.dominance.front), found.dominance.step
    print(f"  {front:,} builds on the front; shares are counted on every {step}th build")


def main() -> None:
    """Budgets 6 and 8, or those that are named."""
    if "--warm-up" in sys.argv:
        bench(3)
        return
    for budget in [int(word) for word in sys.argv[1:]] or [6, 8]:
        bench(budget)


if __name__ == "__main__":
    main()

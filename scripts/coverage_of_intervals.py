"""How often 95% intervals of small runs hold the true mean: the campaign behind docs/measurements.md.

Usage: python scripts/coverage_of_intervals.py [REPETITIONS]. Prints a table in Markdown.
"""

from __future__ import annotations

import sys

from scipy.stats import binomtest

from buildsearch.evaluate.sampling import merged
from buildsearch.evaluate.statistics import mean_estimate
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block

CASES = (
    ("melee_dg", "boss"),
    ("melee_dg+channeled", "boss"),
    ("melee_dg+brutal+unreliable_3", "boss"),
    ("melee_dg+charges_1", "mixed"),
    ("melee_ac+ricochet", "swarm"),
    ("area+minion_slayer_dmg", "guard"),
    ("direct_damage+bleed+cooldown", "boss"),
)
FIGHTS = 256
TRUTH_BLOCKS = 2_000
TRUTH_FIGHTS = 10_000


def covered(
    build: str, scenario: str, repetitions: int, truth_blocks: int = TRUTH_BLOCKS
) -> tuple[int, float]:
    """How many of the repetitions' intervals hold the mean of a much larger run, and that mean."""
    rules = load_rules("vitality-v2").model
    bout = make_bouts(rules, load_scenarios("default").model, 4, {})[scenario]
    plan = compile_plan(rules, parse_build(build, Catalogue(rules)), bout.attacker, bout.encounter)
    truth = mean_estimate(
        merged([run_block(plan, -1, block, TRUTH_FIGHTS) for block in range(truth_blocks)]).histogram
    ).value
    runs = (mean_estimate(run_block(plan, seed, 0, FIGHTS).histogram) for seed in range(repetitions))
    return sum(run.low <= truth <= run.high for run in runs), truth


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    print(f"| build | scenario | true mean | covered of {repetitions:,} runs of {FIGHTS} fights | p |")
    print("|---|---|---:|---:|---:|")
    for build, scenario in CASES:
        hits, truth = covered(build, scenario, repetitions)
        chance = binomtest(hits, repetitions, 0.95, alternative="less").pvalue
        print(f"| {build} | {scenario} | {truth:.4f} | {hits / repetitions:.2%} | {chance:.3f} |", flush=True)


if __name__ == "__main__":
    main()

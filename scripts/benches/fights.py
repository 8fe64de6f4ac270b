"""`scripts/bench fights`: the fight kernel's speed, and its ratio to the reference in the same run.

Random legal builds of budget 6 at tier 4. Compiling a build to tables is measured apart: what counts here
are fights. Each figure is the best of three rounds, since other work on the machine only ever slows one.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from buildsearch.systems.vitality.kernel.plan import Plan
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.rules.model import VitalityRules

FIGHTS = 8192
ROUNDS = 3


def kernel_rate(plans: list[Plan], fights: int = FIGHTS, threads: int = 1) -> float:
    """Fights a second over all plans."""

    def run(share: list[Plan]) -> None:
        for plan in share:
            run_block(plan, 0, 0, fights)

    best = 0.0
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS):
            start = time.perf_counter()
            list(pool.map(run, [plans[i::threads] for i in range(threads)]))
            best = max(best, len(plans) * fights / (time.perf_counter() - start))
    return best


def reference_rate(rules: VitalityRules, builds: list[Build], bout: Bout, fights: int = 20) -> float:
    """The same for the reference, over fewer fights."""
    start = time.perf_counter()
    for build in builds:
        dice = SeededDice(1)
        for _ in range(fights):
            fight(rules, build, bout.attacker, bout.encounter, dice)
    return len(builds) * fights / (time.perf_counter() - start)


def main() -> None:
    """Print each figure."""
    warm_up = "--warm-up" in sys.argv
    loaded = load_rules("vitality-v2")
    rules = loaded.model
    space = loaded.system.space(rules, {"tier": "4", "budget": "6"})
    bouts = make_bouts(rules, load_scenarios("default").model, 4, {})
    rng = np.random.default_rng(1)
    every = space.sample(Wanted(), 300, rng)
    areas = space.sample(Wanted(groups=("area", "direct_area_damage")), 200, rng)
    for label, builds, scenario in (
        ("random builds, boss", every, "boss"),
        ("random builds, swarm", every, "swarm"),
        ("area builds, boss", areas, "boss"),
        ("area builds, swarm", areas, "swarm"),
    ):
        bout = bouts[scenario]
        start = time.perf_counter()
        plans = [compile_plan(rules, build, bout.attacker, bout.encounter) for build in builds]
        compiling = (time.perf_counter() - start) / len(builds)
        if warm_up:
            kernel_rate(plans, 2)
            continue
        fast = kernel_rate(plans)
        slow = reference_rate(rules, builds[:60], bout)
        print(
            f"{label:22} {fast / 1e6:5.2f} M fights/s, {fast / slow:5.0f} x the reference ({slow:,.0f}/s);"
            f" compiling a build {compiling * 1e6:.0f} us",
            flush=True,
        )
    if not warm_up:
        plans = [
            compile_plan(rules, build, bouts["boss"].attacker, bouts["boss"].encounter) for build in every
        ]
        one, two = kernel_rate(plans), kernel_rate(plans, threads=2)
        print(f"two threads {two / one:.2f} x one ({two / 1e6:.2f} M fights/s)")


if __name__ == "__main__":
    main()

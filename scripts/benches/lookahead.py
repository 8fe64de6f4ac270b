"""`scripts/bench lookahead`: fights of loadouts a second, and the ratio to the reference in the same run.

Random tier-4 Dual Natured pairs. Times are CPU time of this thread, the best of three rounds; compiling is
measured apart.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.best_play.policies import LookaheadPolicy
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.kernel.driver import run_loadout_block
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY, LOOKAHEAD, compile_attacks
from buildsearch.systems.vitality.kernel.plan import Arsenal
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.rules.model import VitalityRules

FIGHTS = 4096
ROUNDS = 3
PAIRS = 100


def kernel_rate(arsenals: list[Arsenal], play: int, fights: int = FIGHTS) -> tuple[float, float]:
    """Fights a second, and nanoseconds a turn."""
    best, turns = np.inf, 0
    for _ in range(ROUNDS):
        start, turns = time.thread_time(), 0
        for each in arsenals:
            histogram = run_loadout_block(each, play, 0, 0, fights).histogram
            turns += int(histogram @ np.arange(len(histogram)))
        best = min(best, time.thread_time() - start)
    return len(arsenals) * fights / best, best / turns * 1e9


def reference_rate(
    rules: VitalityRules, builds: list[Build], bout: Bout, play: int, fights: int = 10
) -> float:
    """The same for the reference, over fewer fights."""
    policies = [
        LookaheadPolicy(rules, build, bout.attacker, bout.encounter) if play == LOOKAHEAD else None
        for build in builds
    ]
    start = time.thread_time()
    for build, policy in zip(builds, policies, strict=True):
        dice = SeededDice(1)
        for _ in range(fights):
            fight(rules, build, bout.attacker, bout.encounter, dice, policy=policy)
    return len(builds) * fights / (time.thread_time() - start)


def main() -> None:
    """Print each figure."""
    warm_up = "--warm-up" in sys.argv
    loaded = load_rules("vitality-v2")
    rules = loaded.model
    space = loaded.system.space(rules, {"tier": "4", "archetype": "dual_natured"})
    bouts = make_bouts(rules, load_scenarios("default").model, 4, {})
    rng = np.random.default_rng(1)
    every = space.sample(Wanted(), 2 * PAIRS, rng)
    areas = space.sample(Wanted(groups=("area", "direct_area_damage")), PAIRS, rng)
    random = [Build(a.attacks + b.attacks) for a, b in zip(every[::2], every[1::2], strict=True)]
    mixed = [Build(a.attacks + b.attacks) for a, b in zip(areas, every, strict=False)]
    for label, builds, scenario in (
        ("random pairs", random, "boss"),
        ("random pairs", random, "swarm"),
        ("an area and another", mixed, "mixed"),
        ("an area and another", mixed, "swarm"),
    ):
        bout = bouts[scenario]
        start = time.thread_time()
        arsenals = [compile_attacks(rules, build.attacks, bout.attacker, bout.encounter) for build in builds]
        compiling = (time.thread_time() - start) / len(builds)
        for name, play in (("greedy", GREEDY), ("look-ahead", LOOKAHEAD)):
            if warm_up:
                kernel_rate(arsenals[:2], play, 2)
                continue
            fast, turn = kernel_rate(arsenals, play)
            slow = reference_rate(rules, builds[:40], bout, play)
            print(
                f"{label:20} {scenario:6} {name:10} {fast / 1e6:5.2f} M fights/s ({turn:.0f} ns a turn), "
                f"{fast / slow:5.0f} x the reference ({slow:,.0f}/s); compiling {compiling * 1e3:.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Vitality's ways to score a build, the best first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Evaluation, Sampling
from buildsearch.systems.vitality.best_play.policies import policy_of, why_not_played
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solution import evaluation_of_exact
from buildsearch.systems.vitality.exact.solving import solve, why_not_exact
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block, run_loadout_block
from buildsearch.systems.vitality.kernel.known_words import unknown_word
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY, compile_attacks
from buildsearch.systems.vitality.results import evaluation_of
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.sampled_fights import play_out


class ExactEvaluator:
    """No sampling: every probability is followed. All metrics are exact, survival included."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves one attack: at one enemy, at all of them, or one whose criticals explode."""
        if bout.play != "greedy":
            return "this engine plays greedily"
        if len(build.attacks) != 1:
            return "the exact engine solves builds of one attack"
        unknown = unknown_word(self.rules, build.attacks[0])
        if unknown is not None:
            return f"the exact engine does not know {unknown}"
        return why_not_exact(exact_ground(self.rules, build, bout.attacker, bout.encounter))

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        solution = solve(exact_ground(self.rules, build, bout.attacker, bout.encounter))
        return evaluation_of_exact(solution, bout.encounter, self.method)


class KernelEvaluator:
    """Monte Carlo by the compiled kernels: one for a single attack, one for loadouts."""

    method = "sampled"
    default_fights = 100_000

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays greedily whatever it knows the words of."""
        if bout.play != "greedy":
            return "the kernel plays greedily"
        for attack in build.attacks:
            unknown = unknown_word(self.rules, attack)
            if unknown is not None:
                return f"the kernel does not know {unknown}"
        return None

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        tally = sample(self._block(build, bout, sampling.seed), sampling)
        return evaluation_of(tally, bout.encounter, self.method, sampling.seed)

    def _block(self, build: Build, bout: Bout, seed: int) -> Callable[[int, int], Tally]:
        if len(build.attacks) == 1:
            return partial(run_block, compile_plan(self.rules, build, bout.attacker, bout.encounter), seed)
        arsenal = compile_attacks(self.rules, build.attacks, bout.attacker, bout.encounter)
        return partial(run_loadout_block, arsenal, GREEDY, seed)


class ReferenceEvaluator:
    """Monte Carlo by the readable reference: slow, and plays everything."""

    method = "reference"
    default_fights = 2_000

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays everything, best play where that can be worked out."""
        return why_not_played(self.rules, build, bout)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        tally = play_out(self.rules, build, bout, policy_of(self.rules, build, bout), sampling)
        return evaluation_of(tally, bout.encounter, self.method, sampling.seed)

"""Vitality's ways to score a build, the best first."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.dice import SeededDice
from buildsearch.evaluate.sampling import sample
from buildsearch.evaluate.streams import content_digest
from buildsearch.evaluate.tally import Tally
from buildsearch.model.evaluation import Evaluation, Sampling
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.build import Build
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.results import evaluation_of_exact
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.exact.support import why_not_exact
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from buildsearch.systems.vitality.kernel.known import unknown_word
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT, evaluation_of
from buildsearch.systems.vitality.rules import Enhancement, VitalityRules

# Words that came after the first scores: an entry that does not use one keeps its content, and so its dice.
_LATER = {"mechanics": ("chain", "leech"), "conditions": ("hp_cost",)}


class ExactEvaluator:
    """No sampling: every probability is followed. All metrics are exact, survival included."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves one attack whose strikes hurt one enemy at a time, and areas that roll nothing."""
        if len(build.attacks) != 1:
            return "the exact engine solves builds of one attack"
        unknown = unknown_word(self.rules, build.attacks[0])
        if unknown is not None:
            return f"the exact engine does not know {unknown}"
        return why_not_exact(exact_ground(self.rules, build, bout.attacker, bout.encounter))

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve; what sampling asks for does not matter."""
        solution = solve(exact_ground(self.rules, build, bout.attacker, bout.encounter))
        return evaluation_of_exact(solution, bout.encounter, self.method)


class KernelEvaluator:
    """Monte Carlo by the compiled kernel."""

    method = "mc"
    default_fights = 100_000

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays one attack."""
        if len(build.attacks) != 1:
            return "the kernel plays builds of one attack"
        unknown = unknown_word(self.rules, build.attacks[0])
        return None if unknown is None else f"the kernel does not know {unknown}"

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        plan = compile_plan(self.rules, build, bout.attacker, bout.encounter)
        tally = sample(lambda block, fights: run_block(plan, sampling.seed, block, fights), sampling)
        return evaluation_of(tally, bout.encounter, self.method, sampling.seed)


class ReferenceEvaluator:
    """Monte Carlo by the readable reference: slow, and plays everything."""

    method = "reference"
    default_fights = 2_000

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays everything."""
        return None

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        content = reference_content(self.rules, build, bout)
        tally = sample(
            lambda block, fights: self._block(build, bout, content, sampling.seed, block, fights), sampling
        )
        return evaluation_of(tally, bout.encounter, self.method, sampling.seed)

    def _block(self, build: Build, bout: Bout, content: bytes, seed: int, block: int, fights: int) -> Tally:
        histogram = np.zeros(bout.encounter.max_turns + 1, np.int64)
        counts = np.zeros(COUNTS, np.int64)
        words = content_digest(str(seed).encode(), content, str(block).encode())
        dice = SeededDice(int.from_bytes(words, "little"))
        for _ in range(fights):
            result = fight(self.rules, build, bout.attacker, bout.encounter, dice)
            histogram[result.turns] += 1
            counts[SURVIVED] += result.survived
            counts[TIMED_OUT] += result.timeout
            counts[LOST] += not result.won and not result.timeout
        return Tally(histogram, counts)


def reference_content(rules: VitalityRules, build: Build, bout: Bout) -> bytes:
    """A digest of all that the reference reads; names, sections and costs are not among it."""
    known = rules.enhancements
    parts = [
        rules.character.model_dump_json(),
        rules.rolls.model_dump_json(),
        rules.critical.model_dump_json(),
        rules.rulings.model_dump_json(),
        rules.attack_types[rules.retaliation.type].model_dump_json(exclude={"name", "section", "reach"}),
        repr(bout.attacker),
        repr((bout.encounter.max_turns, bout.encounter.cluster, bout.encounter.adjacent)),
        repr(sorted(bout.encounter.area_targets.items())),
        repr([[(foe.max_hp, foe.stats) for foe in wave] for wave in bout.encounter.waves]),
    ]
    for attack in build.attacks:
        attack_type = rules.attack_types[attack.type]
        parts.append(attack_type.model_dump_json(exclude={"name", "section", "reach", "cost_factor"}))
        parts.append(repr((attack.effect, attack.shape)))
        parts.extend(_content(known[name]) for name in attack.enhancements)
        parts.append("|")
    return content_digest(*(part.encode() for part in parts))


def _content(enhancement: Enhancement) -> str:
    unused = {
        part: {word for word in words if getattr(getattr(enhancement, part), word) is None}
        for part, words in _LATER.items()
    }
    include = {"modifiers", "mechanics", "conditions"}
    return enhancement.model_dump_json(include=include, exclude=unused)

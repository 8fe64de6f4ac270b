"""Armitage's ways to score a build, the best first."""

from __future__ import annotations

import numpy as np

from buildsearch.engines.references import SampledReference
from buildsearch.engines.wins import OUTCOMES, STEP
from buildsearch.evaluate.randomness import SeededDice, content_digest
from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Evaluation, Sampling
from buildsearch.systems.armitage.bouts import Bout, Fighter
from buildsearch.systems.armitage.builds.build import Build
from buildsearch.systems.armitage.exact.race import attack_of, race
from buildsearch.systems.armitage.kernel.driver import run_block
from buildsearch.systems.armitage.kernel.plan_maker import compile_plan
from buildsearch.systems.armitage.reference.fight import fight
from buildsearch.systems.armitage.results import count_places, evaluation_of, exact_evaluation
from buildsearch.systems.armitage.rules.chances import damage_chances
from buildsearch.systems.armitage.rules.model import ArmitageRules


class ExactEvaluator:
    """Probabilities without sampling, where both decks hold only attacks of one kind."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: ArmitageRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves duels of attack against attack."""
        fighters = bout.fighters(self.rules, build)
        if len(fighters) != 2:
            return "only duels are solved exactly"
        for attacker, target in (fighters, fighters[::-1]):
            name = attack_of(self.rules, attacker)
            if name is None:
                return f"the deck of {attacker.name} is not all attacks of one kind"
            if not self._always_pays(name, target):
                return f"{name} may do no damage to {target.name}, and whether to play it is a decision"
        return None

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve the race."""
        ours, theirs = bout.fighters(self.rules, build)
        result = race(self.rules, ours, theirs, bout.max_turns)
        return exact_evaluation(result.outcomes, result.rounds, result.hp_left)

    def _always_pays(self, name: str, target: Fighter) -> bool:
        """Whether everybody plays it whenever they can: its mean damage is never nothing."""
        strike, stats = self.rules.cards[name].attack, target.stats
        if strike is None:
            return False
        res = stats.res if stats.tuf else 0
        chances = damage_chances(self.rules, strike, stats.eva, res)
        return any(damage and chance for damage, chance in chances.items())


class KernelEvaluator:
    """Monte Carlo by the compiled kernel."""

    method = "sampled"
    default_fights = 20_000

    def __init__(self, rules: ArmitageRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays everything."""
        return None

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        plan = compile_plan(self.rules, bout.fighters(self.rules, build), bout.max_turns)
        tally = sample(lambda block, fights: run_block(plan, sampling.seed, block, fights), sampling)
        return evaluation_of(tally, bout, self.method, sampling.seed)


class ReferenceEvaluator(SampledReference):
    """Monte Carlo by the readable reference: slow, and plays everything."""

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, bout.fighters(self.rules, build), bout.max_turns)

    def block(self, build: Build, bout: Bout, dice: SeededDice, fights: int) -> Tally:
        """So many fights, counted."""
        fighters = bout.fighters(self.rules, build)
        histogram = np.zeros(OUTCOMES, np.int64)
        counts = np.zeros(count_places(bout, fighters), np.int64)
        for _ in range(fights):
            result = fight(self.rules, fighters, bout.max_turns, dice)
            histogram[round(result.value / STEP)] += 1
            counts[result.rounds] += 1
            counts[bout.max_turns + 1 + result.hp_left] += 1
        return Tally(histogram, counts)

    def evaluation(self, tally: Tally, bout: Bout, seed: int) -> Evaluation:
        """All metrics."""
        return evaluation_of(tally, bout, self.method, seed)


def reference_content(rules: ArmitageRules, fighters: tuple[Fighter, ...], max_turns: int) -> bytes:
    """A digest of all that the reference reads; names, sections and costs are not among it."""
    owned = {name for fighter in fighters for name, _ in fighter.deck}
    cards = [
        rules.cards[name].model_dump_json(exclude={"name", "section"})
        for name in rules.cards
        if name in owned
    ]
    people = [repr((each.side, each.stats, each.deck, each.play)) for each in fighters]
    numbers = [
        rules.dice.model_dump_json(),
        rules.criticals.model_dump_json(),
        repr((rules.hand, max_turns, rules.rulings.foreseen_attacks)),
    ]
    return content_digest(*(part.encode() for part in (*cards, *people, *numbers)))

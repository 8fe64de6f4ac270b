"""Animon Story's ways to score a build, the best first."""

from __future__ import annotations

import numpy as np

from buildsearch.engines.memo import LruCache
from buildsearch.engines.references import GreedyReference
from buildsearch.engines.wins import DREW, LOST, OUTCOMES, WON
from buildsearch.evaluate.randomness import SeededDice, content_digest
from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.systems.animon.bouts.bout import Bout, combatants
from buildsearch.systems.animon.builds.build import Build
from buildsearch.systems.animon.exact.policy import describe_play
from buildsearch.systems.animon.exact.solver import MOST_NODES, Solver, TooLargeError
from buildsearch.systems.animon.kernel.driver import content_of, plan_of, run_block
from buildsearch.systems.animon.mechanics.layout import Ints, Template
from buildsearch.systems.animon.mechanics.rows import row_of
from buildsearch.systems.animon.mechanics.template import Alike, make_template, template_digest
from buildsearch.systems.animon.reference.fight import fight
from buildsearch.systems.animon.results import WIDTH, empty_counts, evaluation_of, exact_evaluation
from buildsearch.systems.animon.rules.model import AnimonRules

# With several at once, most fights are too large: so much is tried before fights are sampled instead.
_FEWER_NODES = 1 << 18
_MOST_ORDERS = 5  # combatants of a wave: 120 orders of slots


class Field:
    """A fight made ready: numbers, which elements are alike, and its solver."""

    def __init__(self, rules: AnimonRules, bout: Bout) -> None:
        self.rules = rules
        self.bout = bout
        self.template: Template = make_template(rules, bout)
        self.alike = Alike(self.template)
        self.digest = template_digest(self.template)
        self.solver = Solver(self.template, MOST_NODES if is_single(bout) else _FEWER_NODES)

    def row(self, build: Build) -> Ints:
        """A build's numbers as this fight sees them."""
        return self.alike.reduced(row_of(self.rules, self.bout, build))


class Fields:
    """The last fights that were asked for."""

    def __init__(self, rules: AnimonRules) -> None:
        self.rules = rules
        self._last = LruCache[Bout, Field]()

    def of(self, bout: Bout) -> Field:
        """A fight made ready."""
        return self._last.get(bout, lambda: Field(self.rules, bout))


def is_single(bout: Bout) -> bool:
    """Whether the build is alone and meets one foe at a time: such fights are always solved."""
    return bout.is_alone and bout.largest_wave == 1


def why_too_large(field: Field, build: Build, *, free: bool) -> str | None:
    """Why a fight cannot be held; None where it can."""
    bout = field.bout
    if 1 + len(bout.allies) + bout.largest_wave > _MOST_ORDERS:
        return "this many combatants have too many orders of initiative to solve"
    try:
        field.solver.explored(field.row(build), free=free)
    except TooLargeError:
        return "this fight has more states than can be held at once (several foes, or many choices)"
    return None


class ExactEvaluator:
    """Greedy play without sampling: every state that a fight can come to."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: AnimonRules) -> None:
        self.fields = Fields(rules)

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves what fits into memory."""
        if bout.play != "greedy":
            return "this engine plays greedily"
        return why_too_large(self.fields.of(bout), build, free=False)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve."""
        field = self.fields.of(bout)
        return exact_evaluation(field.solver.greedy(field.row(build)))


class BestPlayEvaluator:
    """The best that a build can do."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: AnimonRules) -> None:
        self.rules = rules
        self.fields = Fields(rules)

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves what fits into memory, for a build alone in one wave."""
        if bout.play != "optimal":
            return "this engine plays optimally"
        if not bout.is_alone or len(bout.waves) > 1:
            return "best play is defined for a build without allies in one wave"
        return why_too_large(self.fields.of(bout), build, free=True)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve."""
        field = self.fields.of(bout)
        return exact_evaluation(field.solver.best(field.row(build))[0])

    def explain(self, build: Build, bout: Bout) -> tuple[str, ...]:
        """What is done in the states that fights come to most."""
        field = self.fields.of(bout)
        _, best, explored = field.solver.best(field.row(build))
        return describe_play(self.rules, bout, build, explored, best)


class KernelEvaluator:
    """Monte Carlo by the compiled kernel: plays everything that is played greedily."""

    method = "sampled"
    default_fights = 20_000

    def __init__(self, rules: AnimonRules) -> None:
        self.fields = Fields(rules)

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays greedily."""
        return None if bout.play == "greedy" else "best play is solved, not sampled"

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        field = self.fields.of(bout)
        row = field.row(build)
        (plan, odds), content = plan_of(field.template, row), content_of(field.digest, row)

        def block(number: int, fights: int) -> Tally:
            histogram, counts = np.zeros(OUTCOMES, np.int64), empty_counts()
            run_block(plan, odds, content, sampling.seed, number, fights, histogram, counts)
            return Tally(histogram, counts.ravel())

        return evaluation_of(sample(block, sampling), self.method, sampling.seed)


class ReferenceEvaluator(GreedyReference):
    """Monte Carlo by the readable reference: slow, and plays everything that is played greedily."""

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, build, bout)

    def block(self, build: Build, bout: Bout, dice: SeededDice, fights: int) -> Tally:
        """So many fights, counted."""
        histogram, counts = np.zeros(OUTCOMES, np.int64), empty_counts()
        for _ in range(fights):
            result = fight(self.rules, build, bout, dice)
            histogram[{"lost": LOST, "drawn": DREW, "won": WON}[result.outcome]] += 1
            for place, number in enumerate((result.rounds, result.hp_left, result.gauge)):
                counts[place, min(WIDTH - 1, number)] += 1
        return Tally(histogram, counts.ravel())

    def evaluation(self, tally: Tally, bout: Bout, seed: int) -> Evaluation:
        """All metrics."""
        return evaluation_of(tally, self.method, seed)


def evaluators(rules: AnimonRules) -> tuple[Evaluator, ...]:
    """The best first."""
    return (
        ExactEvaluator(rules),
        BestPlayEvaluator(rules),
        KernelEvaluator(rules),
        ReferenceEvaluator(rules),
    )


def reference_content(rules: AnimonRules, build: Build, bout: Bout) -> bytes:
    """A digest of all that the reference reads; names and sections are not among it."""
    units = [
        [unit.side, unit.is_pc, unit.wave, unit.level, unit.element, unit.start, unit.top, unit.bond, forms]
        for unit in combatants(rules, bout, build)
        for forms in [(tuple(unit.forms.items()), unit.attacks)]
    ]
    terms = (bout.first_evolution, bout.zero_hp, bout.between, bout.surprised, bout.max_rounds)
    strong = [(name, each.strong_against) for name, each in rules.elements.items()]
    parts = [
        repr(units),
        repr(terms),
        repr(strong),
        repr(rules.effects["heavy_strike"].extra),
        *(each.model_dump_json() for each in (rules.dice, rules.hearts, rules.bond, rules.rulings)),
    ]
    return content_digest(*(part.encode() for part in parts))

"""Dungeoneers' ways to score a build, the best first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.graphs import Graph
from buildsearch.engines.memo import LruCache
from buildsearch.engines.references import GreedyReference
from buildsearch.engines.sampled import sample_block
from buildsearch.evaluate.randomness import SeededDice, content_digest
from buildsearch.evaluate.sampling import Tally, sample
from buildsearch.model.evaluation import Evaluation, Evaluator, Sampling
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Build, hero_of
from buildsearch.systems.dungeoneers.exact.best import best_courses, best_of
from buildsearch.systems.dungeoneers.exact.heroes import hero_row
from buildsearch.systems.dungeoneers.exact.policy import describe_play
from buildsearch.systems.dungeoneers.exact.solver import Solver, TooLargeError
from buildsearch.systems.dungeoneers.exact.template import make_template
from buildsearch.systems.dungeoneers.reference.fight import fight
from buildsearch.systems.dungeoneers.results import evaluation_of, exact_evaluation, tally_of
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules

_TOO_LARGE = "this fight has more states than can be held at once (many foes, or magica without a cap)"


class Solvers:
    """The solvers of the last fights that were asked for."""

    def __init__(self, rules: DungeoneersRules) -> None:
        self.rules = rules
        self._last = LruCache[str, Solver]()

    def of(self, bout: Bout) -> Solver:
        """The solver of a fight."""
        return self._last.get(repr(bout), lambda: Solver(make_template(self.rules, bout), bout))


class _Solving:
    """Engines that solve a fight's states."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: DungeoneersRules) -> None:
        self.rules = rules
        self.solvers = Solvers(rules)


class ExactEvaluator(_Solving):
    """Greedy play without sampling: every state that a fight can come to."""

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves what fits into memory."""
        if bout.play != "greedy":
            return "this engine plays greedily"
        return why_too_large(self.solvers.of(bout), hero_row(self.rules, build))

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve."""
        found = self.solvers.of(bout).greedy(hero_row(self.rules, build))
        life = float((found.won + found.drawn) @ np.arange(len(found.won)))
        won, drawn = float(found.won.sum()), float(found.drawn.sum())
        return exact_evaluation(won, drawn, found.lost, life, found.rounds, bout.rulings.draw_value)


class BestPlayEvaluator(_Solving):
    """The best that a hero can do."""

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It solves what fits into memory."""
        if bout.play != "optimal":
            return "this engine plays optimally"
        return why_too_large(self.solvers.of(bout), hero_row(self.rules, build), free=True)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Solve."""
        value = bout.rulings.draw_value
        best = best_of(self.solvers.of(bout), hero_row(self.rules, build), value)
        return exact_evaluation(best.won, best.drawn, best.lost, best.life, best.rounds, value)

    def explain(self, build: Build, bout: Bout) -> tuple[str, ...]:
        """When to defend, when to buy stress, how much magica."""
        solver, row = self.solvers.of(bout), hero_row(self.rules, build)
        courses = best_courses(solver, row, bout.rulings.draw_value)
        return describe_play(self.rules, hero_of(self.rules, build), bout, solver.plan(row)[0], courses)


class GraphEvaluator:
    """Monte Carlo: fights drawn from the graph of states."""

    method = "mc"
    default_fights = 20_000

    def __init__(self, rules: DungeoneersRules) -> None:
        self.rules = rules
        self.solvers = Solvers(rules)

    def why_not(self, build: Build, bout: Bout) -> str | None:
        """It plays greedily, what fits into memory."""
        if bout.play != "greedy":
            return "best play is solved, not sampled"
        return why_too_large(self.solvers.of(bout), hero_row(self.rules, build))

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        """Sample fights."""
        row = hero_row(self.rules, build)
        graphs = self.solvers.of(bout).graphs(row)
        graph, starts = _together(graphs)
        content = content_digest(
            *(np.ascontiguousarray(part).tobytes() for part in (*graph[:6], starts)),
            str(bout.numbers.rounds).encode(),
        )
        value = bout.rulings.draw_value

        def block(number: int, fights: int) -> Tally:
            ends, rounds = sample_block(
                graph, starts, bout.numbers.rounds, sampling.seed, content, number, fights
            )
            won, drawn = np.split(ends[1:], 2)
            return tally_of(won, drawn, int(ends[0]), rounds, value)

        return evaluation_of(sample(block, sampling), bout.numbers.rounds, self.method, sampling.seed)


class ReferenceEvaluator(GreedyReference):
    """Monte Carlo by the readable reference: slow, and plays everything that is played greedily."""

    def content(self, build: Build, bout: Bout) -> bytes:
        """What the reference reads."""
        return reference_content(self.rules, build, bout)

    def block(self, build: Build, bout: Bout, dice: SeededDice, fights: int) -> Tally:
        """So many fights, counted."""
        lives = 2 + self.rules.sizes[self.rules.hero.size] + hero_of(self.rules, build).attributes[2]
        won, drawn = np.zeros(lives, np.int64), np.zeros(lives, np.int64)
        rounds = np.zeros(bout.numbers.rounds + 1, np.int64)
        lost = 0
        for _ in range(fights):
            result = fight(self.rules, build, bout, dice)
            rounds[result.rounds] += 1
            won[result.life] += result.outcome == "won"
            drawn[result.life] += result.outcome == "drawn"
            lost += result.outcome == "lost"
        return tally_of(won, drawn, lost, rounds, bout.rulings.draw_value)

    def evaluation(self, tally: Tally, bout: Bout, seed: int) -> Evaluation:
        """All metrics."""
        return evaluation_of(tally, bout.numbers.rounds, self.method, seed)


def evaluators(rules: DungeoneersRules) -> tuple[Evaluator, ...]:
    """The best first."""
    return (
        ExactEvaluator(rules),
        BestPlayEvaluator(rules),
        GraphEvaluator(rules),
        ReferenceEvaluator(rules),
    )


def reference_content(rules: DungeoneersRules, build: Build, bout: Bout) -> bytes:
    """A digest of all that the reference reads; names and costs are not among it."""
    hero = hero_of(rules, build)
    parts = [
        repr((hero.attributes, hero.spells, hero.av, hero.sr, hero.bane)),
        rules.weapons[hero.weapon].model_dump_json(exclude={"name", "section", "cost", "rank", "hands"}),
        *(spell.model_dump_json(exclude={"name", "section", "cost"}) for spell in rules.spells.values()),
        rules.stress.model_dump_json(),
        rules.hero.model_dump_json(),
        repr((rules.sizes, bout.numbers, bout.rulings, bout.play, [each.foe for each in bout.foes])),
    ]
    return content_digest(*(part.encode() for part in parts))


def why_too_large(solver: Solver, row: NDArray[np.int64], *, free: bool = False) -> str | None:
    """Why a fight cannot be held; None where it can."""
    try:
        solver.graphs(row, free=free)
    except TooLargeError:
        return _TOO_LARGE
    return None


def _together(graphs: list[tuple[Graph, int, NDArray[np.int64]]]) -> tuple[Graph, NDArray[np.int64]]:
    """Graphs side by side as one, and where each begins."""
    parts: list[list[NDArray[Any]]] = [[] for _ in range(5)]
    starts, nodes, options = [], 0, 0
    for graph, root, _ in graphs:
        order, first, yes, no = graph.order, graph.first, graph.yes, graph.no
        starts.append(root + nodes)
        moved = (
            order + nodes,
            first[:-1] + options,
            np.where(yes >= 0, yes + nodes, yes),
            np.where(no >= 0, no + nodes, no),
            graph.standing,
        )
        for part, each in zip(parts, moved, strict=True):
            part.append(each)
        nodes += graph.nodes
        options += len(graph.chance)
    order, first, yes, no, standing = (np.concatenate(part) for part in parts)
    chance = np.concatenate([graph.chance for graph, _, _ in graphs])
    what = np.concatenate([graph.what for graph, _, _ in graphs])
    whole = Graph(order, np.append(first, options), chance, yes, no, standing, what, graphs[0][0].ends)
    return whole, np.array(starts, np.int64)

"""The ways to score loadouts and best play."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from buildsearch.evaluate.sampling import sample
from buildsearch.model.evaluation import Estimate, Evaluation, Sampling
from buildsearch.systems.vitality.best_play.loadout import compile_loadout
from buildsearch.systems.vitality.best_play.optimum import (
    MOST_STATES,
    Optimum,
    TooManyStatesError,
    find_graph,
    places_of,
    solve_best_play,
    tables_of,
)
from buildsearch.systems.vitality.best_play.playthrough import (
    Playthrough,
    best_policy,
    first_policy,
    play_through,
)
from buildsearch.systems.vitality.best_play.policy_text import describe
from buildsearch.systems.vitality.best_play.support import why_not_exact, why_not_known
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.exact.solution import evaluation_of_exact
from buildsearch.systems.vitality.kernel.driver import run_loadout_block
from buildsearch.systems.vitality.kernel.loadouts.lookahead import LOOKAHEAD, compile_attacks
from buildsearch.systems.vitality.results import PRIMARY, evaluation_of
from buildsearch.systems.vitality.rules.model import VitalityRules

_TOO_MANY = "best play would have to follow too many states"


def _too_many(rules: VitalityRules, build: Build, bout: Bout) -> bool:
    loadout = compile_loadout(rules, build, bout.attacker, bout.encounter)
    try:
        states = len(find_graph(loadout).values)
    except TooManyStatesError:
        return True
    return int(places_of(loadout)[-1]["next_base"]) * states * loadout.hp_size > MOST_STATES


class BestPlayEvaluator:
    """Best play of attacks that go at one enemy. Mean turns have no turn limit; the other metrics do."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        if bout.play != "optimal":
            return "this engine plays optimally"
        reason = why_not_exact(self.rules, build, bout.attacker, bout.encounter)
        return reason or (_TOO_MANY if _too_many(self.rules, build, bout) else None)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        optimum, played = self.solve(build, bout)
        found = evaluation_of_exact(played.solution, bout.encounter, self.method)
        mean, per_turn = optimum.mean, bout.encounter.total_hp / optimum.mean
        estimates = {
            **found.estimates,
            PRIMARY: Estimate(mean, 0.0, mean, mean),
            "damage_per_turn": Estimate(per_turn, 0.0, per_turn, per_turn),
        }
        return replace(found, estimates=estimates)

    def explain(self, build: Build, bout: Bout) -> tuple[str, ...]:
        """When each attack is used."""
        return describe(build, *self.solve(build, bout))

    def solve(self, build: Build, bout: Bout, *, survival: bool = True) -> tuple[Optimum, Playthrough]:
        """Best play, and how fights go under it; what happens to the attacker only if asked for."""
        found = solve_best_play(self.rules, build, bout.attacker, bout.encounter)
        policy = best_policy(found.graph, found.tables, found.places, found.loadout.classes, found.values)
        turns = bout.encounter.max_turns
        parts = (found.loadout, found.graph, found.tables, found.places)
        return found, play_through(*parts, policy, turns, survival=survival)


class GreedyLoadoutEvaluator:
    """Greedy play of loadouts whose attacks go at one enemy."""

    method = "exact"
    default_fights = 0  # none is sampled

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        if bout.play != "greedy":
            return "this engine plays greedily"
        if len(build.attacks) == 1:
            return "this engine is for loadouts"
        reason = why_not_exact(self.rules, build, bout.attacker, bout.encounter)
        return reason or (_TOO_MANY if _too_many(self.rules, build, bout) else None)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        loadout = compile_loadout(self.rules, build, bout.attacker, bout.encounter)
        graph = find_graph(loadout, greedy=0 if self.rules.rulings.waits(len(build.attacks)) else 1)
        places, tables = places_of(loadout), tables_of(loadout)
        policy = first_policy(graph, int(places[-1]["next_base"]), loadout.classes, loadout.hp_size)
        played = play_through(loadout, graph, tables, places, policy, bout.encounter.max_turns)
        return evaluation_of_exact(played.solution, bout.encounter, self.method)


class LookaheadEvaluator:
    """Fights of the kernel with one turn of look-ahead: no more than a good way to play."""

    method = "lookahead"
    default_fights = 100_000

    def __init__(self, rules: VitalityRules) -> None:
        self.rules = rules

    def why_not(self, build: Build, bout: Bout) -> str | None:
        if bout.play != "optimal":
            return "looking ahead is for optimal play"
        return why_not_known(self.rules, build)

    def evaluate(self, build: Build, bout: Bout, sampling: Sampling) -> Evaluation:
        arsenal = compile_attacks(self.rules, build.attacks, bout.attacker, bout.encounter)
        tally = sample(partial(run_loadout_block, arsenal, LOOKAHEAD, sampling.seed), sampling)
        return evaluation_of(tally, bout.encounter, self.method, sampling.seed)

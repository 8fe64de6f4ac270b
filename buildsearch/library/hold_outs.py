"""A proposal in fights that it was not made for: other scenarios, rulings and stats, the hardest fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import yaml

from buildsearch.balancing.build_pool import rows_that_matter
from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.edits import edited_data
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.robustness import (
    TRIALS,
    RobustnessResult,
    elsewhere_data,
    hardest,
    judge_elsewhere,
    say_elsewhere,
    strain,
)
from buildsearch.library.balance import Desk
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.library.rescoring import court_over, empty_pool
from buildsearch.library.watch import Scoring
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import Edit
from buildsearch.model.rules_file import RULING, STATS
from buildsearch.model.system import Strainable
from buildsearch.options.balance import BalanceChecks
from buildsearch.options.search import SearchOptions
from buildsearch.systems.registry import systems

# Words for what is no scenario set.
RULINGS, STATS_WORD = "rulings", "stats"
_KINDS = {RULINGS: RULING, STATS_WORD: STATS}
# Builds with each option that go along, and how often their neighbours are looked at in other scenarios.
_EACH, _ROUNDS = 12, 2


def refuse_unknown(desk: Desk, request: BalanceChecks) -> None:
    """Raises for sets of scenarios that there are not, before any work is done."""
    for name in request.also_check:
        if name not in _KINDS:
            found = load_scenarios(name)
            if found.system.id != desk.setup.loaded.system.id:
                raise UsageError(
                    f"‹also_check› {name}: those are fights of {found.system.title}. Name a scenario set of "
                    f"{desk.setup.loaded.system.title}, `{RULINGS}` or `{STATS_WORD}`."
                )
    if request.stress:
        check_strainable(desk)


class Trial:
    """Builds that matter under a proposal, ready to fight elsewhere."""

    def __init__(self, desk: Desk, game: BalancedGame, edits: Sequence[Edit], how: Scoring) -> None:
        self._desk, self._game, self._how = desk, game, how
        self.goals = game.goals
        # Prices and bans only say which builds there are; numbers are other rules.
        self.moved = tuple(edit for edit in edits if not edit.changes_fights)
        self._written = tuple(edit for edit in edits if edit.changes_fights)
        court = game.court
        rows = [rows_that_matter(court.state(some), game.goals, _EACH) for some in ((), self.moved)]
        population = court.table.population
        self.names = [
            population.name(row, court.table.subject.space)
            for row in np.unique(np.concatenate(rows)).tolist()
        ]

    def court(self, request: SearchOptions, setup: FightSetup, *, rounds: int = 0) -> EditEvaluator:
        """A court over those builds in other fights, and over what is near the best of them there."""
        pool = empty_pool(request, setup, self._desk.run, self._how)
        pool.add(self._builds(setup))
        if rounds:
            pool.grow((), rounds)
            pool.grow(self.moved, rounds)
        table, limits = pool.table, self._game.limits
        # Whether the game is large enough to accuse anybody was asked of all of its builds.
        verdict = limits.verdict.model_copy(update={"fewest_contexts": 1})
        limits = limits.model_copy(update={"verdict": verdict})
        return court_over(table, limits)

    def _builds(self, setup: FightSetup) -> Iterator[object]:
        for name in self.names:
            build = setup.space.parse(name)
            if not setup.space.reasons_against(build):
                yield build

    def setup(self, request: SearchOptions) -> FightSetup:
        """What a request asks for, under the numbers of the proposal."""
        loaded = load_rules(request.rules, request.overrides, request.rulings)
        if self._written:
            data = edited_data(loaded.document.root.plain(), self._written)
            loaded = replace(loaded, model=loaded.system.rules_model.model_validate(data))
        return set_up(loaded, request)

    def judged(self, label: str, request: SearchOptions, rounds: int = 0) -> RobustnessResult:
        """Whether the goal holds in what a request asks for."""
        try:
            setup = self.setup(request)
        except (InputError, UsageError) as error:
            return RobustnessResult(label, is_kept=False, problem=" ".join(str(error).split())[:200])
        return self.verdict(label, self.court(request, setup, rounds=rounds))

    def verdict(self, label: str, court: EditEvaluator) -> RobustnessResult:
        """Whether the goal holds by a court."""
        return judge_elsewhere(label, court, self._game.goals, self.moved, asks_before=not self._written)


def requests_of(desk: Desk, names: Sequence[str]) -> Iterator[tuple[str, SearchOptions, int]]:
    """Each other way to play: its label, what it asks for, and how often neighbours are looked at."""
    request, loaded = desk.run.record.request, desk.setup.loaded
    for name in dict.fromkeys(names):
        if name in _KINDS:
            for change in loaded.system.variations(loaded.model):
                if change.kind == _KINDS[name]:
                    yield change.label, request.under(change), 0
        else:
            yield name, request.changed(scenarios=name, only=()), _ROUNDS


@dataclass(frozen=True, slots=True)
class Stressed:
    """The hardest fight of those that were tried: the verdict there, and its scenario file."""

    verdict: RobustnessResult
    scenarios: str
    trials: int


def check_strainable(desk: Desk) -> Strainable:
    """Who makes fights up; raises UsageError where nobody does."""
    system = desk.setup.loaded.system
    if not isinstance(system, Strainable):
        there = ", ".join(each.title for each in systems() if isinstance(each, Strainable))
        raise UsageError(
            f"{system.title} declares no bounds of fights that could be made up: ‹stress› is there for "
            f"{there}. Leave it out; ‹also_check› takes scenario sets of your own."
        )
    return system


def stress(trial: Trial, desk: Desk, say: Callable[[str], None], *, trials: int = TRIALS) -> Stressed:
    """Search fights by how far they push the goal; the worst is judged once more and written down."""
    maker, system = check_strainable(desk), desk.setup.loaded.system
    request = desk.run.record.request
    setup = trial.setup(request)
    rules = setup.loaded.model
    fights_of = load_scenarios(request.scenarios or rules.default_scenarios).model

    def document(values: Mapping[str, int]) -> dict[str, object]:
        return maker.strained(rules, fights_of, values)

    def court(values: Mapping[str, int]) -> EditEvaluator:
        made = system.scenarios_model.model_validate(document(values))
        fights = system.fights(rules, made, request.parameters, request.fight_options)
        return trial.court(request, replace(setup, fights=fights))

    tried = 0

    def value(values: Mapping[str, int]) -> float:
        nonlocal tried
        tried += 1
        say(f"fights that might break it: {tried} of {trials}")
        return strain(trial.goals, court(values).state(trial.moved))

    worst = hardest(maker.dials(rules, fights_of), value, seed=desk.run.record.seed, trials=trials)
    verdict = trial.verdict("the hardest fight that was found", court(worst))
    text = yaml.safe_dump(document(worst), sort_keys=False, allow_unicode=True, default_flow_style=None)
    return Stressed(verdict, text, tried)


def say_stressed(found: Stressed) -> list[str]:
    """What the hardest fight says, in a sentence."""
    each = found.verdict
    level = "" if each.reference is None else f", benchmark {each.reference:.4g}"
    said = f"the best build there is {each.best_build} ({each.best:.4g}{level})"
    if each.is_kept:
        return [f"None of {found.trials} fights that were made up breaks it; in the hardest {said}."]
    today = {True: ", where it holds today", False: ", where it is broken today too", None: ""}[each.was_kept]
    how = "leaves it undecided" if each.is_open else "breaks it"
    return [f"Of {found.trials} fights that were made up, the hardest {how}{today}: {said}."]


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found about proposal `number`, by game; a single game has no label."""

    number: int
    elsewhere: tuple[RobustnessResult, ...]
    stressed: tuple[tuple[str, Stressed], ...]

    @property
    def is_held(self) -> bool:
        """Whether the goal holds in everything that was tried."""
        return all(each.is_kept for each in self.elsewhere if not each.problem) and all(
            each.verdict.is_kept for _, each in self.stressed
        )

    def sentences(self) -> list[str]:
        """What there is to say, the verdict last."""
        said = say_elsewhere(self.elsewhere)
        for label, each in self.stressed:
            said += [f"{label}: {text}" if label else text for text in say_stressed(each)]
        return [f"Proposal {self.number}. {text}" for text in said]

    def conclusion(self) -> str:
        """What to do about it."""
        if self.is_held:
            return f"Proposal {self.number} holds in everything else that was tried."
        return (
            f"Proposal {self.number} does not hold everywhere: look at the fights named above before you "
            "take it, or give their scenario set to optimize and balance that."
        )

    def data(self) -> dict[str, object]:
        return {
            "proposal": self.number,
            "holds": self.is_held,
            "elsewhere": elsewhere_data(self.elsewhere),
            "stress": [
                {"game": label, **elsewhere_data([each.verdict])[0], "scenarios": each.scenarios}
                for label, each in self.stressed
            ],
        }


def check_proposal(
    games: Mapping[str, tuple[Desk, BalancedGame]],
    edits: Sequence[Edit],
    number: int,
    request: BalanceChecks,
    how: Scoring,
) -> Checks:
    """Try a proposal elsewhere, in each of its games."""
    elsewhere: list[RobustnessResult] = []
    stressed: list[tuple[str, Stressed]] = []
    for label, (desk, game) in games.items():
        trial = Trial(desk, game, edits, how)
        for where, asked, rounds in requests_of(desk, request.also_check):
            how.watch.say(f"held out: {where}")
            each = trial.judged(where, asked, rounds)
            elsewhere.append(replace(each, label=f"{label}: {each.label}") if label else each)
        if request.stress:
            stressed.append((label, stress(trial, desk, how.watch.say)))
    return Checks(number, tuple(elsewhere), tuple(stressed))

"""The fight that breaks a proposal, as a scenario file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import yaml

from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.robustness import TRIALS, RobustnessResult, hardest, strain
from buildsearch.library.balance import Desk
from buildsearch.library.hold_outs import Trial
from buildsearch.library.input_files import load_scenarios
from buildsearch.model.errors import UsageError
from buildsearch.model.system import Strainable
from buildsearch.systems.registry import SYSTEMS


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
        there = ", ".join(each.title for each in SYSTEMS if isinstance(each, Strainable))
        raise UsageError(
            f"{system.title} declares no bounds of fights that could be made up: ‹stress› is there for "
            f"{there}. Leave it out; ‹also_check› takes scenario sets of your own."
        )
    return system


def stress(
    trial: Trial,
    desk: Desk,
    *,
    trials: int = TRIALS,
    say: Callable[[str], None] = lambda _text: None,
) -> Stressed:
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

"""`buildsearch score`: how builds do in scenarios, with honest intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.option_groups import Effort, Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, ScenarioOption

if TYPE_CHECKING:
    from buildsearch.library.fight_setup import FightSetup
    from buildsearch.model.request import Request

EXAMPLE = (
    'Examples: buildsearch score "melee_dg+power_attack" melee_ac --tier 4 --scenario boss;  '
    "buildsearch score melee_dg+bleed --enemies 50,25,25 --triggers;  "
    "cat builds.txt | buildsearch score - --json"
)


def command(
    *,
    builds: Annotated[
        list[str] | None,
        typer.Argument(metavar="BUILD", help="Builds, or ranks in the latest run. - reads standard input."),
    ] = None,
    builds_file: Annotated[
        Path | None, typer.Option("--builds", help="A file with a build on each line.")
    ] = None,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    scenario: ScenarioOption = None,
    opponents: Opponents,
    effort: Effort,
    triggers: Annotated[
        bool, typer.Option("--triggers", help="How often options with a condition or a trigger mattered.")
    ] = False,
    trigger_fights: Annotated[
        int,
        typer.Option("--trigger-fights", help="Reference fights that trigger rates are counted in.", min=1),
    ] = 2_000,
    show_policy: Annotated[
        bool, typer.Option("--show-policy", help="When each choice is made, where play was worked out.")
    ] = False,
    overrides: Overrides,
    json_: JsonOption = False,
) -> None:
    """Score builds in scenarios.

    A build is written as text, or as its rank in the latest run (`score 1`). The same seed gives the same
    numbers on any machine.
    With --archetype or --budget, builds must keep within their points.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import builds_of_arguments, make_request
    from buildsearch.library.boards import scoring_of
    from buildsearch.library.fight_setup import builds_in_file, make_sampling, setup_of
    from buildsearch.library.ranked_builds import of_latest_run
    from buildsearch.model.request import Request
    from buildsearch.views.scores import ScoredBuild, score_document

    request = make_request(
        Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=scenario
    )
    named = [*builds_of_arguments(builds or ()), *builds_in_file(builds_file)]
    request, named, _ = of_latest_run(request, named)
    setup = setup_of(request)
    chosen = setup.read_builds(named)
    sampling = make_sampling(effort.fights, effort.target_error, effort.seed, effort.jobs)
    dear = _over_budget(setup, chosen, request)
    results = setup.evaluate(chosen, effort.engine, sampling, watch_on_terminal(quiet=False))
    scored = [
        ScoredBuild(
            setup.space.name(build),
            setup.space.cost(build),
            found,
            _rates(setup, build, trigger_fights, effort.seed) if triggers else {},
            setup.policies(build, effort.engine) if show_policy else {},
            why,
        )
        for build, found, why in zip(chosen, results, dear, strict=True)
    ]
    scoring = scoring_of(setup, effort.seed, trigger_fights)
    print_document(score_document(scored, scoring), json_=json_, tables=False)


def _over_budget(setup: FightSetup, builds: list[Any], request: Request) -> list[str | None]:
    """Why builds that are legal today are so no more under --set; None where they still are."""
    from buildsearch.library.fight_setup import setup_of

    if not request.overrides:
        return [None] * len(builds)
    today = setup_of(request.changed(overrides=()))
    found: list[str | None] = []
    for build in builds:
        reasons = setup.space.reasons_against(build)
        was_legal = not today.space.reasons_against(build)
        found.append("; ".join(each.message for each in reasons) if reasons and was_legal else None)
    return found


def _rates(setup: FightSetup, build: Any, fights: int, seed: int) -> dict[str, Any]:
    replayer = setup.loaded.system.replayer(setup.loaded.model)
    return {name: replayer.triggers(build, fight, fights, seed) for name, fight in setup.fights.items()}

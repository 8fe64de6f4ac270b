"""`buildsearch score`: how builds do in scenarios, with honest intervals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.option_groups import Effort, Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, ScenarioOption

if TYPE_CHECKING:
    from buildsearch.model.evaluation import Evaluation
    from buildsearch.model.request import Request
    from buildsearch.workflow.fight_setup import FightSetup

EXAMPLE = (
    'Examples: buildsearch score "melee_dg+power_attack" melee_ac --tier 4 --scenario boss;  '
    "buildsearch score melee_dg+bleed --enemies 50,25,25 --triggers;  "
    "cat builds.txt | buildsearch score - --json"
)


def command(
    *,
    builds: Annotated[
        list[str] | None,
        typer.Argument(metavar="BUILD", help="Builds; - reads them from standard input, a line each."),
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

    Every number says its method and its 95 % interval; the same seed gives the same numbers on any machine.
    With --archetype or --budget, builds must keep within their points.
    """
    from buildsearch.cli.build_lines import builds_of_arguments
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.model.request import Request
    from buildsearch.workflow.fight_setup import builds_in_file, make_sampling, setup_of

    request = make_request(
        Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=scenario
    )
    setup = setup_of(request)
    chosen = setup.read_builds([*builds_of_arguments(builds or ()), *builds_in_file(builds_file)])
    sampling = make_sampling(effort.fights, effort.target_error, effort.seed, effort.jobs)
    dear = _over_budget(setup, chosen, request)
    results = setup.evaluate(chosen, effort.engine, sampling, watch_on_terminal(quiet=False))
    rates = [_rates(setup, build, trigger_fights, effort.seed) if triggers else {} for build in chosen]
    scored = list(zip(chosen, results, rates, strict=True))
    policies = [setup.policies(build, effort.engine) if show_policy else {} for build in chosen]
    if json_:
        data = [_as_data(setup, *row, trigger_fights) for row in scored]
        for row, policy in zip(data, policies, strict=True):
            for name, lines in policy.items():
                row["scenarios"][name]["policy"] = list(lines)
        for row, why in zip(data, dear, strict=True):
            if why is not None:
                row["over_budget"] = why
        typer.echo(json.dumps({"builds": data}))
    else:
        from buildsearch.cli.score_view import print_scores

        print_scores(setup, scored, effort.seed, trigger_fights)
        for build, why in zip(chosen, dear, strict=True):
            if why is not None:
                typer.echo(f"{setup.space.name(build)} is legal today, and not under --set: {why}.")
        for build, policy in zip(chosen, policies, strict=True):
            for name, lines in policy.items():
                typer.echo("\n".join([f"{setup.space.name(build)} in {name}", *(f"  {x}" for x in lines)]))


def _over_budget(setup: FightSetup, builds: list[Any], request: Request) -> list[str | None]:
    """Why builds that are legal today are so no more under --set; None where they still are."""
    from buildsearch.workflow.fight_setup import setup_of

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


def _as_data(
    setup: FightSetup,
    build: Any,
    evaluations: dict[str, Evaluation],
    rates: dict[str, Any],
    trigger_fights: int,
) -> dict[str, Any]:
    from buildsearch.report.scores import combined, evaluation_to_dict

    score = combined(evaluations, {name: fight.weight for name, fight in setup.fights.items()})
    data: dict[str, Any] = {
        "build": setup.space.name(build),
        "cost": setup.space.cost(build),
        "score": score.value,
        "score_se": score.se,
        "score_ci95": [score.low, score.high],
        "scenarios": {name: evaluation_to_dict(evaluation) for name, evaluation in evaluations.items()},
    }
    for name, found in rates.items():
        data["scenarios"][name]["triggers"] = {
            option: {
                "usable": rate.usable,
                "fired": rate.fired,
                "method": "reference",
                "fights": trigger_fights,
            }
            for option, rate in found.items()
        }
    return data

"""`buildsearch compare`: two builds side by side."""

from __future__ import annotations

from typing import Annotated

import typer

from buildsearch.cli.option_groups import Effort, Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, ScenarioOption

EXAMPLE = "Example: buildsearch compare melee_dg+power_attack melee_ac+accurate_attack --tier 4"


def command(
    *,
    first: Annotated[str, typer.Argument(metavar="A", help="A build, or its rank in the latest run.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another build.")],
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    scenario: ScenarioOption = None,
    opponents: Opponents,
    effort: Effort,
    overrides: Overrides,
    json_: JsonOption = False,
) -> None:
    """Put two builds side by side.

    With the probability that A beats B in one fight each, where ties count half.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import builds_of_arguments, make_request
    from buildsearch.library.boards import scoring_of
    from buildsearch.library.fight_setup import make_sampling, setup_of
    from buildsearch.library.ranked_builds import of_latest_run
    from buildsearch.model.request import Request
    from buildsearch.views.scores import ScoredBuild, compare_document

    request = make_request(
        Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=scenario
    )
    request, named, _ = of_latest_run(request, builds_of_arguments([first, second]))
    setup = setup_of(request)
    builds = setup.read_builds(named)
    sampling = make_sampling(effort.fights, effort.target_error, effort.seed, effort.jobs)
    results = setup.evaluate(builds, effort.engine, sampling, watch_on_terminal(quiet=False))
    scored = [
        ScoredBuild(setup.space.name(build), setup.space.cost(build), found, {}, {})
        for build, found in zip(builds, results, strict=True)
    ]
    document = compare_document(scored, scoring_of(setup, effort.seed))
    print_document(document, json_=json_, tables=False)

"""`buildsearch compare`: two builds side by side."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.option_groups import Effort, Opponents, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, RulesOption, ScenarioOption

if TYPE_CHECKING:
    from buildsearch.model.evaluation import Estimate, Evaluation
    from buildsearch.workflow.fight_setup import FightSetup

EXAMPLE = "Example: buildsearch compare melee_dg+power_attack melee_ac+accurate_attack --tier 4"


def command(
    *,
    first: Annotated[str, typer.Argument(metavar="A", help="A build.")],
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
    from buildsearch.cli.build_lines import builds_of_arguments
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.model.request import Request
    from buildsearch.workflow.fight_setup import make_sampling, setup_of

    setup = setup_of(
        make_request(
            Request, rules, overrides=overrides, parameters=parameters, opponents=opponents, scenario=scenario
        )
    )
    builds = setup.read_builds(builds_of_arguments([first, second]))
    sampling = make_sampling(effort.fights, effort.target_error, effort.seed, effort.jobs)
    results = setup.evaluate(builds, effort.engine, sampling, watch_on_terminal(quiet=False))
    chances = {name: _chance(setup, results[0][name], results[1][name]) for name in setup.fights}
    if json_:
        typer.echo(json.dumps(_as_data(setup, builds, results, chances)))
    else:
        _print(setup, builds, results, chances, effort.seed)


def _chance(setup: FightSetup, first: Evaluation, second: Evaluation) -> float:
    from buildsearch.evaluate.statistics import chance_of_less

    (primary,) = (metric for metric in setup.loaded.system.metrics if metric.name == first.primary)
    less = chance_of_less(first.distribution, second.distribution)
    return 1 - less if primary.higher_is_better else less


def _as_data(
    setup: FightSetup, builds: list[Any], results: list[dict[str, Evaluation]], chances: dict[str, float]
) -> dict[str, Any]:
    from buildsearch.report.scores import evaluation_to_dict

    return {
        "a": setup.space.name(builds[0]),
        "b": setup.space.name(builds[1]),
        "scenarios": {
            name: {
                "a": evaluation_to_dict(results[0][name]),
                "b": evaluation_to_dict(results[1][name]),
                "a_beats_b": chance,
            }
            for name, chance in chances.items()
        },
    }


def _print(
    setup: FightSetup,
    builds: list[Any],
    results: list[dict[str, Evaluation]],
    chances: dict[str, float],
    seed: int,
) -> None:
    from rich.table import Table

    from buildsearch.cli.score_view import make_console, say_estimate, say_method, say_metric, say_seed
    from buildsearch.cli.widths import print_fitting
    from buildsearch.report.scores import combined, histogram_line

    weights = {name: fight.weight for name, fight in setup.fights.items()}
    metrics = {metric.name: metric for metric in setup.loaded.system.metrics}
    console = make_console()
    for letter, build, result in zip("AB", builds, results, strict=True):
        score = say_estimate(combined(result, weights))
        console.print(f"{letter}: {setup.space.name(build)}, costs {setup.space.cost(build)}, score {score}")
    table = Table(show_edge=False)
    for column in ("scenario", "", "A", "B"):
        table.add_column(column, justify="right" if column in ("A", "B") else "left")
    for name, chance in chances.items():
        first, second = results[0][name], results[1][name]
        table.add_section()
        for key, estimate in first.estimates.items():
            head = name if key == first.primary else ""
            pair = (say_metric(metrics[key], each) for each in (estimate, second.estimates[key]))
            table.add_row(head, metrics[key].label, *pair)
        table.add_row(
            "",
            "distribution",
            *(histogram_line(each.distribution, 20, each.step) for each in (first, second)),
        )
        table.add_row("", "beats the other", f"{chance:.1%}", f"{1 - chance:.1%}")
        table.add_row("", "method", say_method(first), say_method(second))
    print_fitting(console, table)
    found = [each for result in results for each in result.values()]
    console.print(_verdict(setup, results, weights))
    console.print(say_seed(seed, found), style="dim")


def _verdict(setup: FightSetup, results: list[dict[str, Evaluation]], weights: dict[str, float]) -> str:
    """Which one is better, by how much, and where the other one is; all as far as fights are sure of it."""
    from buildsearch.evaluate.statistics import Z95
    from buildsearch.model.evaluation import TIE
    from buildsearch.report.scores import combined

    def lead(one: Estimate, other: Estimate) -> tuple[float, float]:
        """By how much the first is better, and the half of an interval of 95 % about that."""
        gap = one.value - other.value
        return gap if metric.higher_is_better else -gap, Z95 * math.hypot(one.se, other.se)

    primary = next(iter(results[0].values())).primary
    (metric,) = (each for each in setup.loaded.system.metrics if each.name == primary)
    gap, error = lead(*(combined(result, weights) for result in results))
    if abs(gap) <= max(error, TIE):
        return "Neither is better for certain." if error else "Both have the same score."
    winner, loser = (0, 1) if gap > 0 else (1, 0)
    lost = []
    for name in weights:
        back, slack = lead(*(results[each][name].estimates[primary] for each in (loser, winner)))
        if back > max(slack, TIE):
            lost.append(name)
    by = f"{abs(gap):.4g}" + (f" ± {error:.2g}" if error else "")
    where = f"; {'AB'[loser]} is better in {', '.join(lost)}" if lost else ""
    return f"{'AB'[winner]} is better by {by} {metric.label}{where}."

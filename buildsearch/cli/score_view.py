"""Scores on a terminal: a table, and a small histogram for each scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.report.scores import combined, histogram_line

if TYPE_CHECKING:
    from buildsearch.cli.fight_setup import FightSetup
    from buildsearch.model.evaluation import Estimate, Evaluation, Sampling


def say_estimate(estimate: Estimate) -> str:
    """`14.94 ± 0.02`, or the number alone where it has no error; as many digits as the error allows."""
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        return f"{estimate.value:.4g}"
    digits = 0
    while digits < 6 and half < 2 * 10.0**-digits:
        digits += 1
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def print_scores(
    setup: FightSetup,
    scored: list[tuple[Any, dict[str, Evaluation], dict[str, Any]]],
    sampling: Sampling,
    trigger_fights: int,
) -> None:
    """Every build with every scenario."""
    console = Console(highlight=False)
    labels = {metric.name: metric.label for metric in setup.loaded.system.metrics}
    weights = {name: fight.weight for name, fight in setup.fights.items()}
    for build, evaluations, rates in scored:
        score = combined(evaluations, weights)
        console.print(Text(setup.space.name(build), style="bold"))
        console.print(f"costs {setup.space.cost(build)}, score {say_estimate(score)}")
        console.print(_table(evaluations, labels))
        for name, found in rates.items():
            _print_triggers(console, name, found, trigger_fights)
    console.print(f"Seed {sampling.seed}. ± is the 95 % interval.", style="dim")


def _table(evaluations: dict[str, Evaluation], labels: dict[str, str]) -> Table:
    table = Table(show_edge=False)
    first = next(iter(evaluations.values()))
    table.add_column("scenario")
    for metric in first.estimates:
        table.add_column(labels[metric], justify="right")
    for name in first.quantiles:
        table.add_column(name, justify="right")
    table.add_column("distribution", no_wrap=True)
    table.add_column("method")
    for name, evaluation in evaluations.items():
        fights = "" if evaluation.fights is None else f" {evaluation.fights:,}"
        table.add_row(
            name,
            *(say_estimate(estimate) for estimate in evaluation.estimates.values()),
            *(f"{value:g}" for value in evaluation.quantiles.values()),
            histogram_line(evaluation.distribution, 20, evaluation.step),
            evaluation.method + fights,
        )
    return table


def _print_triggers(console: Console, scenario: str, rates: dict[str, Any], fights: int) -> None:
    if not rates:
        console.print(f"{scenario}: nothing in this build has a condition or a trigger")
        return
    table = Table(
        title=f"{scenario}: how often options mattered ({fights:,} reference fights)", title_justify="left"
    )
    for column in ("option", "usable (turns)", "fired (fights)"):
        table.add_column(column, justify="left" if column == "option" else "right")
    for name, rate in rates.items():
        usable = "" if rate.usable is None else f"{rate.usable:.1%}"
        table.add_row(name, usable, f"{rate.fired:.1%}" if rate.fired else Text("never", style="red"))
    console.print(table)

"""Scores on a terminal: a table with a small histogram for each scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from buildsearch.cli.widths import print_fitting
from buildsearch.report.scores import combined, histogram_line, say_sampled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from buildsearch.model.evaluation import Estimate, Evaluation, Metric, TriggerRate
    from buildsearch.workflow.fight_setup import FightSetup

# In a pipe there is no window: wide enough that nothing is cut.
_WIDTH_IN_A_PIPE = 140
_WIDTH_FOR_ALL = 125
_NEARLY_ZERO = 1e-9


def make_console() -> Console:
    """Where tables go."""
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, width=_WIDTH_IN_A_PIPE)


def say_estimate(estimate: Estimate) -> str:
    """`14.94 ± 0.02`, or the number alone where it has no error; as many digits as the error allows."""
    half = (estimate.high - estimate.low) / 2
    if half == 0:
        # Chances that are solved have no error, and may be 1e-20: nobody reads that.
        return "about 0" if 0 < abs(estimate.value) < _NEARLY_ZERO else f"{estimate.value:.6g}"
    digits = 0
    while digits < 6 and half < 2 * 10.0**-digits:
        digits += 1
    if _is_lopsided(estimate):
        return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


def _is_lopsided(estimate: Estimate) -> bool:
    """Whether an interval ends where its metric does, so that a ± would go beyond: below one turn, say."""
    below, above = estimate.value - estimate.low, estimate.high - estimate.value
    return max(below, above) > 2 * min(below, above)


def say_metric(metric: Metric, estimate: Estimate, *, briefly: bool = False) -> str:
    """A share in per cent, anything else as a number, both with their error if there is room."""
    half = 0.0 if briefly else (estimate.high - estimate.low) / 2
    if (metric.low, metric.high) != (0, 1):
        return f"{estimate.value:.4g}" if briefly else say_estimate(estimate)
    if half == 0:
        return f"{estimate.value:.2%}"
    if _is_lopsided(estimate):
        return f"{estimate.value * 100:.2f} ({estimate.low * 100:.2f} to {estimate.high:.2%})"
    return f"{estimate.value * 100:.2f} ± {half:.2%}"


def say_method(evaluation: Evaluation) -> str:
    """`exact`, or `sampled 100,000`: how it was found, and from how many fights."""
    return evaluation.method + ("" if evaluation.fights is None else f" {evaluation.fights:,}")


def say_seed(seed: int, evaluations: Iterable[Evaluation], *, others: bool = False) -> str:
    """What the numbers came from; `others`: something else was sampled beside these."""
    if others or any(each.fights is not None for each in evaluations):
        return (
            f"Seed {seed}; 95 % intervals. Each is taken alone: a leaderboard's bounds hold for all of its "
            "builds at once and are wider; `buildsearch explain` shows them."
        )
    return "All exact: nothing was sampled."


def print_scores(
    setup: FightSetup,
    scored: list[tuple[Any, dict[str, Evaluation], dict[str, Mapping[str, TriggerRate]]]],
    seed: int,
    trigger_fights: int,
) -> None:
    """Every build with every scenario."""
    console = make_console()
    metrics = {metric.name: metric for metric in setup.loaded.system.metrics}
    weights = {name: fight.weight for name, fight in setup.fights.items()}
    for build, evaluations, rates in scored:
        score = say_estimate(combined(evaluations, weights))
        name = Text(setup.space.name(build), style="bold")
        console.print(name.append(f"  costs {setup.space.cost(build)}, score {score}", style="not bold"))
        print_fitting(console, _table(evaluations, metrics, narrow=console.width < _WIDTH_FOR_ALL))
        for sentence in say_sampled({each: found.why_sampled for each, found in evaluations.items()}):
            console.print(sentence)
        if rates:
            _print_triggers(console, rates, trigger_fights)
    found = [each for _, evaluations, _ in scored for each in evaluations.values()]
    sampled = any(rates for _, _, rates in scored)
    console.print(say_seed(seed, found, others=sampled), style="dim")


def _table(evaluations: dict[str, Evaluation], metrics: dict[str, Metric], *, narrow: bool) -> Table:
    table = Table(show_edge=False)
    first = next(iter(evaluations.values()))
    table.add_column("scenario")
    for name in first.estimates:
        table.add_column(metrics[name].label, justify="right")
    has_quantiles = bool(first.quantiles) and not narrow
    if has_quantiles:
        table.add_column("/".join(first.quantiles), justify="right")
    table.add_column("distribution", no_wrap=True)
    table.add_column("method")
    for scenario, evaluation in evaluations.items():
        # On a narrow terminal only the primary metric keeps its error.
        numbers = (
            say_metric(metrics[name], estimate, briefly=narrow and name != evaluation.primary)
            for name, estimate in evaluation.estimates.items()
        )
        quantiles = ("/".join(f"{value:g}" for value in evaluation.quantiles.values()),)
        bars = histogram_line(evaluation.distribution, 8 if narrow else 20, evaluation.step)
        table.add_row(scenario, *numbers, *(quantiles if has_quantiles else ()), bars, say_method(evaluation))
    return table


def _print_triggers(console: Console, rates: dict[str, Mapping[str, TriggerRate]], fights: int) -> None:
    options = list(dict.fromkeys(option for found in rates.values() for option in found))
    if not options:
        console.print("Nothing in this build has a condition or a trigger.")
        return
    table = Table(
        title=f"Usable (share of the time) / fired (share of fights), {fights:,} reference fights",
        title_justify="left",
        show_edge=False,
    )
    table.add_column("option")
    for scenario in rates:
        table.add_column(scenario, justify="right")
    for option in options:
        table.add_row(option, *(_say_rate(found[option]) for found in rates.values()))
    print_fitting(console, table)


def _say_rate(rate: TriggerRate) -> Text:
    usable = "" if rate.usable is None else f"{rate.usable:.1%} / "
    return Text(usable).append(
        f"{rate.fired:.1%}" if rate.fired else "never", style="" if rate.fired else "red"
    )

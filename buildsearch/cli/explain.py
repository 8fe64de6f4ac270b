"""`buildsearch explain`: one build among all of a run."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from buildsearch.cli.options import PARTIAL, IgnoreChecksumsOption, JsonOption, SeedOption

EXAMPLE = (
    "Examples: buildsearch explain melee_dg+bleed;  "
    "buildsearch explain melee_dg+bleed --run results/bleed --fights 1000"
)


def command(
    build: Annotated[str, typer.Argument(metavar="BUILD", help="The build to explain.")],
    run: Annotated[
        str | None, typer.Option("--run", help="A run's folder or name. Default: the last run.")
    ] = None,
    fights: Annotated[
        int,
        typer.Option("--fights", help="Fights to find the worst, median and best of."),
    ] = 100,
    seed: SeedOption = 0,
    ignore_checksums: IgnoreChecksumsOption = False,
    json_: JsonOption = False,
) -> None:
    """Say where one build of a run stands, and why.

    Its rank, what each part adds, its worst scenario and why, and what lies near.
    """
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.workflow.explain import explain_build
    from buildsearch.workflow.runs import load_run

    loaded = load_run(run, ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=True))
    data = explain_build(loaded, build, fights, seed)
    if json_:
        typer.echo(json.dumps(data))
    else:
        _print(data, fights)


def _print(data: dict[str, Any], fights: int) -> None:
    from rich.text import Text

    from buildsearch.cli.explain_view import parts_table, scenarios_table
    from buildsearch.cli.score_view import make_console
    from buildsearch.cli.widths import print_fitting
    from buildsearch.search.rank_ranges import say_score

    console = make_console()
    tied = f", tied with {data['tied_with']:,}" if data["tied_with"] else ""
    console.print(Text(data["build"], style="bold"))
    score = say_score(data["score"], data["score_low"], data["score_high"])
    console.print(f"costs {data['cost']}, score {score}")
    if not data["in_run"]:
        _print_outsider(console, data)
        return
    rank = f"rank {data['rank_text']} of {data['builds']:,}{tied}"
    console.print(f"{rank}; better than {data['percentile']:.2f} % of all builds")
    console.print(Text("\nWhat each part adds", style="bold"))
    print_fitting(console, parts_table(data["parts"]))
    console.print(Text("\nBy scenario", style="bold").append(f" (of {fights:,} fights each)", style="dim"))
    print_fitting(console, scenarios_table(data["scenarios"]))
    worst = data["worst_scenario"]
    console.print(
        f"\nWorst scenario: {worst['scenario']}, better than {worst['percentile']:.1f} % there: "
        + "; ".join(worst["why"])
        + "."
    )
    for label, key in (
        ("Nearest better", "nearest_better"),
        ("Nearest cheaper", "nearest_cheaper"),
        ("Cheapest that is as good", "cheapest_as_good"),
    ):
        near = data[key]
        said = (
            "none" if near is None else f"{near['build']} (costs {near['cost']}, score {near['score']:.5g})"
        )
        console.print(f"{label}: {said}")
    if data["incomplete"]:
        console.print(Text(f"The run is {data['run']}. {PARTIAL}", style="yellow"))
    if data["error"]:
        console.print(
            Text(
                "The score is sampled; its bounds hold for all builds of the run at once, and the rank "
                "follows from them. Those by scenario are 95 % intervals, each taken alone.",
                style="dim",
            )
        )
        _print_reasons(console, data)
    console.print(Text("Its worst fight there, turn by turn; --seed shows another:", style="dim"))
    console.print(Text(f"  {data['worst_fight']}", style="dim"), soft_wrap=True)


def _print_reasons(console: Any, data: dict[str, Any]) -> None:
    """Why it is sampled where it is."""
    from buildsearch.report.scores import say_sampled

    for sentence in say_sampled({name: each["why_sampled"] for name, each in data["scenarios"].items()}):
        console.print(sentence)


def _print_outsider(console: Any, data: dict[str, Any]) -> None:
    """A build that the run did not score."""
    from buildsearch.search.rank_ranges import say_score

    for name, each in data["scenarios"].items():
        console.print(f"  {name}: {say_score(each['value'], each['low'], each['high'])} ({each['method']})")
    _print_reasons(console, data)
    console.print(
        f"It is not among the {data['builds']:,} builds of {data['run']}. Scored now, taken alone (95 % "
        f"intervals where it is sampled), it would have rank {data['rank_text']} among them. To rank "
        "it with them, run optimize over a space that has it."
    )
    if data["incomplete"]:
        console.print(f"The run is partial. {PARTIAL}", style="yellow")

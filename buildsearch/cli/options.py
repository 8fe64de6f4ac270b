"""Options that several commands share, each with the same words everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buildsearch.library.defaults import DEFAULT_RULES as _DEFAULT_RULES

DEFAULT_RULES = _DEFAULT_RULES
PARTIAL = (
    "It was interrupted and is incomplete: the best builds may be among those that are not scored, and ranks "
    "are less sure than they could be."
)
ONE_FORM = "--json and --markdown are two forms of one answer. Choose one of them."

RulesOption = Annotated[
    str, typer.Option("--rules", "-r", help="Name of a ruleset, or the path of a rules file.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="Override a value of the rules, e.g. power_attack.cost=2. May be repeated."),
]
RulingOption = Annotated[
    list[str] | None,
    typer.Option("--ruling", help="Take another reading, e.g. retaliation_cap=3. May be repeated."),
]
ParameterOption = Annotated[
    list[str] | None,
    typer.Option("--parameter", "-p", help="A parameter of the game, e.g. tier=4. May be repeated."),
]
RepeatedParameterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        "-p",
        help="A parameter of the game, e.g. tier=4. Several values of one: a run for each.",
    ),
]
RunArgument = Annotated[
    str | None, typer.Argument(metavar="RUN", help="A run's folder or name. Default: the last run.")
]
ThresholdsOption = Annotated[
    Path | None, typer.Option("--thresholds", help="A TOML file with other thresholds.")
]
OpenOption = Annotated[bool, typer.Option("--open", help="Show it in the browser.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for programs.")]
IgnoreChecksumsOption = Annotated[
    bool, typer.Option("--ignore-checksums", help="Read a run whose files are not those that optimize wrote.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")]
ScenarioOption = Annotated[
    list[str] | None, typer.Option("--scenario", help="Only this scenario of the set. May be repeated.")
]
ScenariosOption = Annotated[
    str | None, typer.Option("--scenarios", help="Name or file of a scenario set. Default: the ruleset's.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="auto, or one by name: exact, sampled, lookahead, reference (plain Python: a second reading of "
        "the rules, or the fights of sampled where a game is one statement).",
    ),
]
FightsOption = Annotated[
    int | None,
    typer.Option("--fights", help="Fights to sample in each scenario. Default: what takes a moment."),
]
TargetErrorOption = Annotated[
    str | None,
    typer.Option("--target-error", help="Sample until the 95% interval is this narrow, e.g. 0.5%."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of the run.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="Threads; -1 for every core.")]

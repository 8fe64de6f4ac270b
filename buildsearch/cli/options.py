"""Options that several commands share, each with the same words everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

DEFAULT_RULES = "vitality-v2"

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
TierOption = Annotated[str | None, typer.Option("--tier", help="Short for -p tier=...")]
ArchetypeOption = Annotated[str | None, typer.Option("--archetype", help="Short for -p archetype=...")]
BudgetOption = Annotated[str | None, typer.Option("--budget", help="Short for -p budget=...")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for programs.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")]

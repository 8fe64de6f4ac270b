"""`buildsearch show`: what a ruleset or one of its options does, in words and numbers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from buildsearch.options.fields import Positional, Texts
from buildsearch.options.game import Overrides, Rulings
from buildsearch.options.output import Json

EXAMPLE = "Examples: buildsearch show vitality-v2 bleed;  buildsearch show vitality-v2 --set bleed.cost=2"


def command(
    *,
    rules: Annotated[str, Positional("Name of a ruleset, or the path of a rules file.", metavar="RULES")],
    options: Annotated[Texts, Positional("Default: all of them.", metavar="OPTION")] = (),
    overrides: Overrides = (),
    rulings: Rulings = (),
    as_json: Json = False,
) -> None:
    """Say what an option does, in words and numbers."""
    from buildsearch.library.input_files import load_rules
    from buildsearch.model.errors import UsageError
    from buildsearch.ruleset.messages import suggest

    loaded = load_rules(rules, overrides, rulings)
    known = {option.id: option for option in loaded.system.options(loaded.model)}
    unknown = [name for name in options if name not in known]
    if unknown:
        model = loaded.model.id
        raise UsageError(
            "\n".join(f"{model} has no option `{name}`. {suggest(name, tuple(known))}" for name in unknown)
        )
    chosen = [known[name] for name in options or known]
    if as_json:
        typer.echo(json.dumps([asdict(option) | {"facts": dict(option.facts)} for option in chosen]))
        return
    for option in chosen:
        cost = "" if option.cost is None else f", costs {option.cost}"
        typer.echo(f"{option.id} - {option.name} ({option.kind}{cost})")
        if options:
            typer.echo(f"  {option.summary}")
            for label, text in option.facts:
                typer.echo(f"  {label + ':':<12} {text}")
        else:
            typer.echo(f"    {option.summary}")

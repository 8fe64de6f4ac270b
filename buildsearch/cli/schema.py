"""`buildsearch schema`: JSON Schemas of rules and scenario files, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buildsearch.options.fields import Flag, Positional

EXAMPLE = "Examples: buildsearch schema vitality rules;  buildsearch schema --write ."


def command(
    *,
    system: Annotated[
        str | None, Positional("Print the schema of this system's files.", metavar="SYSTEM")
    ] = None,
    kind: Annotated[str, Positional("rules or scenarios.", metavar="KIND")] = "rules",
    write: Annotated[
        Path | None, Flag("Write every schema into the rules/ and scenarios/ of this folder.")
    ] = None,
) -> None:
    """Print or write the JSON Schemas of files, for editors.

    With these an editor completes and checks rules and scenarios while you type.
    """
    from buildsearch.files.atomic import write_whole
    from buildsearch.model.errors import UsageError
    from buildsearch.ruleset.messages import suggest

    schemas = all_schemas()
    if write is not None:
        for (shelf, name), text in schemas.items():
            target = write / shelf / "schema" / f"{name}.json"
            write_whole(target, text)
            typer.echo(f"Wrote {target}")
        return
    systems = sorted({name for _, name in schemas})
    if system is None:
        raise UsageError(f"which system? Known: {', '.join(systems)}. Or --write FOLDER for all of them.")
    if system not in systems:
        raise UsageError(f"unknown system `{system}`. {suggest(system, systems)}")
    if (kind, system) not in schemas:
        raise UsageError(f"unknown kind `{kind}`. {suggest(kind, ('rules', 'scenarios'))}")
    typer.echo(schemas[kind, system], nl=False)


def all_schemas() -> dict[tuple[str, str], str]:
    """The text of each schema by (shelf, system)."""
    from buildsearch.ruleset.schema import extendable, json_schema, render
    from buildsearch.systems.registry import systems

    return {
        (shelf, system.id): render(extendable(json_schema(model, title=f"{system.title} {shelf}")))
        for system in systems()
        for shelf, model in (("rules", system.rules_model), ("scenarios", system.scenarios_model))
    }

"""`buildsearch list`: which rulesets, scenario sets and options there are."""

from __future__ import annotations

import json
import pathlib
from enum import StrEnum
from typing import Annotated, Any

import typer

from buildsearch.options.fields import Positional
from buildsearch.options.game import DEFAULT_RULES, Overrides, Rules, Rulings
from buildsearch.options.output import Json

SHIPPED = "shipped"
EXAMPLE = "Examples: buildsearch list;  buildsearch list options --rules vitality-v2"


class What(StrEnum):
    """The shelves that can be listed."""

    RULES = "rules"
    SCENARIOS = "scenarios"
    OPTIONS = "options"


def command(
    *,
    what: Annotated[What | None, Positional("Only these. Default: everything.", metavar="WHAT")] = None,
    rules: Rules = DEFAULT_RULES,
    overrides: Overrides = (),
    rulings: Rulings = (),
    as_json: Json = False,
) -> None:
    """List rulesets, scenario sets, and the options of a ruleset."""
    found: dict[str, list[dict[str, Any]]] = {}
    for shelf in (What.RULES, What.SCENARIOS):
        if what in (None, shelf):
            found[shelf.value] = _files(shelf.value)
    if what in (None, What.OPTIONS):
        from buildsearch.library.input_files import load_rules

        loaded = load_rules(rules, overrides, rulings)
        found["options"] = [
            {"id": option.id, "kind": option.kind, "cost": option.cost, "summary": option.summary}
            for option in loaded.system.options(loaded.model)
        ]
    if as_json:
        typer.echo(json.dumps(found))
    else:
        _print(found, rules)


def _files(shelf: str) -> list[dict[str, Any]]:
    from buildsearch.library.input_files import inspect
    from buildsearch.model.text import count
    from buildsearch.ruleset.locate import list_files

    rows = []
    for name, path in list_files(shelf).items():
        loaded, problems = inspect(path)
        wrong = f"invalid: {count(len(problems), 'problem')}, see `validate {name}`"
        title = loaded.model.name if loaded else wrong
        system = loaded.system.title if loaded else ""
        rows.append({"name": name, "title": title, "system": system, "path": str(path)})
    return rows


def _print(found: dict[str, list[dict[str, Any]]], rules: str) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    shown = {title: [_shortened(row) for row in rows] for title, rows in found.items()}
    for title, rows in shown.items():
        heading = f"Options of {rules}" if title == "options" else title.capitalize()
        table = Table(title=Text(heading), title_justify="left")
        for column in rows[0] if rows else ():
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(Text("" if value is None else str(value)) for value in row.values()))
        console.print(table)
    if any(row.get("file") == SHIPPED for rows in shown.values() for row in rows):
        console.print(
            "Shipped files are used by name. `buildsearch init NAME --from RULES` makes a copy to edit; "
            "--json has their paths."
        )


def _shortened(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: files below the current folder by their path, others without one."""
    if "path" not in row:
        return row
    path = row["path"]
    return {name: row[name] for name in row if name != "path"} | {
        "file": SHIPPED if pathlib.Path(path).is_absolute() else path
    }

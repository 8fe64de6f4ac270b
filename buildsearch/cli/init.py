"""`buildsearch init`: a game of your own, as a copy of another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.options.fields import Flag, Positional
from buildsearch.options.game import DEFAULT_RULES
from buildsearch.options.output import Json

EXAMPLE = "Example: buildsearch init my-game --from vitality-v2"


def command(
    *,
    name: Annotated[str, Positional("Id of the new ruleset, e.g. my-game.", metavar="NAME")],
    source: Annotated[str, Flag("Ruleset to copy.", "--from")] = DEFAULT_RULES,
    out: Annotated[Path, Flag("Folder for rules/.", "--out", "-o")] = Path(),
    as_json: Json = False,
) -> None:
    """Copy a ruleset to start your own, comments included."""
    from buildsearch.cli.schema import all_schemas
    from buildsearch.files.atomic import whole_file, write_whole
    from buildsearch.files.safe_reading import read_text
    from buildsearch.library.input_files import inspect, load_rules
    from buildsearch.model.errors import UsageError

    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,63}", name):
        raise UsageError(
            f"`{name}` cannot be an id: use lower-case letters, digits, dots, dashes, e.g. my-game."
        )
    loaded = load_rules(source)
    target = out / "rules" / f"{name}.yaml"
    if target.exists():
        raise UsageError(f"{target} exists already. Choose another name, or remove it first.")
    text = _renamed(read_text(loaded.path), name)
    with whole_file(target) as part:
        part.write(text.encode("utf-8"))
        part.flush()
        copied, _ = inspect(Path(part.name))
        if copied is None or copied.model.id != name:
            raise UsageError(
                f"{loaded.path}: cannot rename its copy. Write `id:` and `name:` on lines of their own there."
            )
    shelf = ("rules", loaded.system.id)
    write_whole(target.parent / "schema" / f"{loaded.system.id}.json", all_schemas()[shelf])
    if as_json:
        typer.echo(json.dumps({"file": str(target), "id": name, "system": loaded.system.id}))
    else:
        typer.echo(f"Wrote {target}. Change a number in it, then run: buildsearch validate {target}")


def _renamed(text: str, name: str) -> str:
    """The same file with another id and name; everything else, comments too, stays."""
    title = name.replace("-", " ").replace("_", " ").replace(".", " ").title()
    text = re.sub(r"^id:[^\r\n]*", f"id: {name}", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^name:[^\r\n]*", f'name: "{title}"', text, count=1, flags=re.MULTILINE)

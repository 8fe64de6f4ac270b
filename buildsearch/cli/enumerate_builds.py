"""`buildsearch enumerate`: every legal build, counted or written to a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buildsearch.cli.option_groups import Filters, Overrides, Parameters
from buildsearch.cli.options import DEFAULT_RULES, JsonOption, QuietOption, RulesOption

if TYPE_CHECKING:
    from buildsearch.model.space import BuildSpace, Wanted

EXAMPLE = (
    "Examples: buildsearch enumerate --budget 6 --count --json;  "
    "buildsearch enumerate --tier 4 --archetype dual_natured --with bleed --out bleed.parquet"
)

STANDARD_OUTPUT = "-"


def command(
    *,
    rules: RulesOption = DEFAULT_RULES,
    parameters: Parameters,
    filters: Filters,
    overrides: Overrides,
    count: Annotated[bool, typer.Option("--count", help="Only count, write nothing.")] = False,
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", help="A .csv or .parquet file, a folder, or - for CSV on standard output."
        ),
    ] = "results",
    json_: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """List every legal build.

    Without --count, writes a table with a row for each build: name, cost, and what else the game tells.
    """
    from buildsearch.cli.progress import waiting
    from buildsearch.model.errors import UsageError
    from buildsearch.model.space import Wanted
    from buildsearch.workflow.input_files import load_rules
    from buildsearch.workflow.spaces import open_space

    if out == STANDARD_OUTPUT and json_ and not count:
        raise UsageError("--out - prints builds as CSV, and --json a summary. Choose one of them.")

    loaded = load_rules(rules, overrides.set_, overrides.ruling)
    space = open_space(loaded, parameters.parameters)
    wanted = Wanted(tuple(filters.type_ or ()), tuple(filters.with_ or ()), tuple(filters.without or ()))
    with waiting("counting builds", quiet=quiet or json_):
        counts = space.count(wanted)
    summary = {
        "rules": loaded.model.id,
        **space.parameters,
        "total": sum(counts.values()),
        f"by_{space.grouped_by}": counts,
    }
    if not count:
        stem = "-".join(["builds", loaded.model.id, *(str(value) for value in space.parameters.values())])
        stem += _mark_of(wanted, overrides.set_, overrides.ruling)
        target = _target(out, stem)
        _write(space, wanted, target, sum(counts.values()), quiet=quiet or json_)
        if target is None:
            return
        summary["file"] = str(target)
    if json_:
        typer.echo(json.dumps(summary))
    elif not quiet:
        _print_summary(summary, counts, space.grouped_by)


def _mark_of(wanted: Wanted, sets: list[str] | None, rulings: list[str] | None) -> str:
    """Something in the file's name for filters and overrides, so that no run takes another's place."""
    asked = json.dumps(
        [wanted.groups, wanted.with_features, wanted.without_features, sets or [], rulings or []]
    )
    plain = json.dumps([[], [], [], [], []])
    return "" if asked == plain else f"-{hashlib.sha256(asked.encode()).hexdigest()[:8]}"


def _target(out: str, stem: str) -> Path | None:
    if out == STANDARD_OUTPUT:
        return None
    path = Path(out)
    # A file of another ending is refused by the writer, rather than becoming a folder of that name.
    return path / f"{stem}.csv" if path.is_dir() or not path.suffix else path


def _write(space: BuildSpace, wanted: Wanted, target: Path | None, total: int, *, quiet: bool) -> None:
    from buildsearch.cli.progress import progress_bar
    from buildsearch.document.table_files import write_table

    with progress_bar("builds", total, quiet=quiet) as advance:

        def batches() -> Iterator[Mapping[str, Any]]:
            for chunk in space.chunks(wanted, 1 << 16):
                yield space.table(chunk)
                advance(len(chunk))

        write_table(batches(), target)


def _print_summary(summary: dict[str, object], counts: dict[str, int], grouped_by: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from buildsearch.cli.widths import print_fitting

    table = Table(title=f"Legal builds of {summary['rules']}", title_justify="left")
    table.add_column(grouped_by)
    table.add_column("builds", justify="right")
    for name, number in counts.items():
        table.add_row(name, f"{number:,}")
    table.add_section()
    table.add_row("total", f"{summary['total']:,}")
    console = Console(highlight=False, markup=False)
    print_fitting(console, table)
    if "file" in summary:
        typer.echo(f"Written to {summary['file']}")

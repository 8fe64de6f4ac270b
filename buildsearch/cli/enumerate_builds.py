"""`buildsearch enumerate`: every legal build, counted or written to a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from buildsearch.options.fields import Flag
from buildsearch.options.game import NO_FIGHTS, GameOptions
from buildsearch.options.output import Output

if TYPE_CHECKING:
    from buildsearch.document.blocks import Document
    from buildsearch.model.space import BuildSpace, Wanted

EXAMPLE = (
    "Examples: buildsearch enumerate --budget 6 --count --json;  "
    "buildsearch enumerate --tier 4 --archetype dual_natured --with bleed --out bleed.parquet"
)

STANDARD_OUTPUT = "-"


def command(
    *,
    game: Annotated[GameOptions, NO_FIGHTS],
    count: Annotated[bool, Flag("Only count, write nothing.")] = False,
    out: Annotated[
        str, Flag("A .csv or .parquet file, a folder, or - for CSV on standard output.", "--out", "-o")
    ] = "results",
    output: Output,
) -> None:
    """List every legal build.

    Without --count, writes a table with a row for each build: name, cost, and what else the game tells.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import waiting
    from buildsearch.library.fight_setup import open_space
    from buildsearch.library.input_files import load_rules
    from buildsearch.model.errors import UsageError

    if out == STANDARD_OUTPUT and output.json and not count:
        raise UsageError("--out - prints builds as CSV, and --json a summary. Choose one of them.")

    loaded = load_rules(game.rules, game.overrides, game.rulings)
    space, wanted = open_space(loaded, game.parameters), game.wanted
    with waiting("counting builds", quiet=output.is_silent):
        counts = space.count(wanted)
    summary = {
        "rules": loaded.model.id,
        **space.parameters,
        "total": sum(counts.values()),
        f"by_{space.grouped_by}": counts,
    }
    if not count:
        stem = "-".join(["builds", loaded.model.id, *(str(value) for value in space.parameters.values())])
        stem += _mark_of(game)
        target = _target(out, stem)
        _write(space, wanted, target, sum(counts.values()), quiet=output.is_silent)
        if target is None:
            return
        summary["file"] = str(target)
    print_document(_summary_document(summary, counts, space.grouped_by), output, tables=False)


def _mark_of(game: GameOptions) -> str:
    """Something in the file's name for filters and overrides, so that no run takes another's place."""
    asked = json.dumps([game.groups, game.with_features, game.without_features, game.overrides, game.rulings])
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


def _summary_document(summary: dict[str, Any], counts: dict[str, int], grouped_by: str) -> Document:
    from buildsearch.document.blocks import Block, Column, Document, Kind, Table, Text, Tone
    from buildsearch.model.text import count

    head = Text(f"{summary['rules']} has {count(summary['total'], 'legal build')}.", Tone.STRONG)
    columns = (Column(grouped_by, Kind.BUILD), Column("builds", Kind.COUNT))
    blocks: list[Block] = [head, Table("by_group", "", columns, list(counts.items()), shown=len(counts))]
    if "file" in summary:
        blocks.append(Text(f"Wrote {summary['file']}."))
    return Document("Legal builds", tuple(blocks), summary)

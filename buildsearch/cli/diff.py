"""`buildsearch diff`: what a change of rules does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.failures import FINDINGS
from buildsearch.options.fields import Flag, Hiding, Positional
from buildsearch.options.game import GameOptions
from buildsearch.options.output import Execution, PageOutput
from buildsearch.options.search import DiffFields

EXAMPLE = (
    "Examples: buildsearch diff vitality-v2 ./mine.yaml --tier 4;  "
    "buildsearch diff git:HEAD~1:rules/mine.yaml rules/mine.yaml --markdown --fail-on stronger;  "
    "buildsearch diff vitality-v2 --set bleed.cost=2;  "
    "buildsearch diff vitality-v2 ./mine.yaml --html change.html"
)
STRONGER = "stronger"


def command(
    *,
    first: Annotated[str, Positional("The old rules: a name, a file, or git:REV:path.", metavar="RULES_A")],
    second: Annotated[
        str | None,
        Positional(
            "The new rules: a name, a file, or git:REV:path. Without them, the old ones with --set.",
            metavar="RULES_B",
        ),
    ] = None,
    game: Annotated[GameOptions, Hiding("rules")],
    asked: DiffFields,
    how: Execution,
    full: Annotated[bool, Flag("Also list builds that moved, the Pareto front and lift.")] = False,
    fail_on: Annotated[
        str | None,
        Flag(f"`{STRONGER}`: exit 1 if the best build got stronger, or --check finds more."),
    ] = None,
    html: Annotated[Path | None, Flag("Write a page to look at to this file, too.")] = None,
    output: PageOutput,
) -> None:
    """Show what a rules change does, edit by edit.

    Begins with the edited options: their best build, its rank and viability, now and after; then the game.
    With one ruleset, it is compared with itself under --set and --ruling. Costs and bans take no fight where
    a run of the old rules is stored; any other edit scores both sides, through the cache.
    """
    from buildsearch.cli.output import print_document
    from buildsearch.cli.progress import scoring_on_terminal
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.diff import diff_of
    from buildsearch.model.errors import UsageError
    from buildsearch.report.html.whole_page import write_document

    if fail_on not in (None, STRONGER):
        called = f" It is called `{STRONGER}` now." if fail_on == "worse" else ""
        raise UsageError(f"--fail-on takes `{STRONGER}`, not `{fail_on}`.{called}")
    if html is not None:
        check_writable(html)
    if second is None and not (game.overrides or game.rulings):
        raise UsageError("diff takes two rulesets, or one with --set or --ruling. Name the other.")
    before = game.changed(rules=first, **({"overrides": (), "rulings": ()} if second is None else {}))
    after = game.changed(rules=second or first)
    with scoring_on_terminal(how, output) as scoring:
        found = diff_of(before, after, asked, scoring, full=full or output.json)
    page = found.document()
    print_document(page, output, tables=False)
    if html is not None:
        write_document(page, html)
        if not output.is_silent:
            typer.echo(f"Wrote {html}.")
    if fail_on == STRONGER and found.is_worse:
        raise typer.Exit(FINDINGS)

"""`buildsearch diff`: what a change of rules does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.exit_codes import FINDINGS
from buildsearch.cli.option_groups import Filters, Kept, Opponents, Overrides, Parameters
from buildsearch.cli.options import JobsOption, JsonOption, QuietOption, ScenarioOption, SeedOption

EXAMPLE = (
    "Examples: buildsearch diff vitality-v2 ./mine.yaml --tier 4;  "
    "buildsearch diff git:HEAD~1:rules/mine.yaml rules/mine.yaml --markdown --fail-on stronger;  "
    "buildsearch diff vitality-v2 --set bleed.cost=2;  "
    "buildsearch diff vitality-v2 ./mine.yaml --html change.html"
)
STRONGER = "stronger"


def command(
    *,
    first: Annotated[
        str, typer.Argument(metavar="RULES_A", help="The old rules: a name, a file, or git:REV:path.")
    ],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="RULES_B",
            help="The new rules: a name, a file, or git:REV:path. Without them, the old ones with --set.",
        ),
    ] = None,
    parameters: Parameters,
    filters: Filters,
    scenario: ScenarioOption = None,
    opponents: Opponents,
    objective: Annotated[
        str, typer.Option("--objective", help="mean, worst, or a metric such as survival.")
    ] = "mean",
    top: Annotated[
        int, typer.Option("--top", min=1, max=1000, help="Builds of either side with --full.")
    ] = 20,
    initial_fights: Annotated[
        int,
        typer.Option("--initial-fights", min=2, max=8192, help="Fights for each build that must be sampled."),
    ] = 256,
    ranking_fights: Annotated[
        int, typer.Option("--ranking-fights", min=0, help="Fights to decide the ranks of sampled builds.")
    ] = 50_000_000,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    overrides: Overrides,
    no_edit_effects: Annotated[
        bool,
        typer.Option("--no-edit-effects", help="Leave out the effect of each of several edits."),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Also list builds that moved, the Pareto front and lift.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="New and fixed findings of `check`, with its config, too.")
    ] = False,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help=f"`{STRONGER}`: exit 1 if the best build got stronger, or --check finds more.",
        ),
    ] = None,
    kept: Kept,
    json_: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page to look at to this file, too.")
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Show what a rules change does, edit by edit.

    Begins with the edited options: their best build, its rank and viability, now and after; then the game.
    With one ruleset, it is compared with itself under --set and --ruling. Costs and bans take no fight where
    a run of the old rules is stored; any other edit scores both sides, through the cache.
    """
    from buildsearch.cli.output import check_form, print_document
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.files.atomic import check_writable
    from buildsearch.library.diff import diff_of
    from buildsearch.model.errors import UsageError
    from buildsearch.model.request import SearchRequest
    from buildsearch.views.diff import diff_document

    if fail_on not in (None, STRONGER):
        called = f" It is called `{STRONGER}` now." if fail_on == "worse" else ""
        raise UsageError(f"--fail-on takes `{STRONGER}`, not `{fail_on}`.{called}")
    check_form(json_=json_, markdown=markdown)
    if html is not None:
        check_writable(html)
    if second is None and not (overrides.set_ or overrides.ruling):
        raise UsageError("diff takes two rulesets, or one with --set or --ruling. Name the other.")
    request = make_request(
        SearchRequest,
        second or first,
        overrides=overrides,
        parameters=parameters,
        filters=filters,
        opponents=opponents,
        scenario=scenario,
        objectives=(objective,),
        top=top,
        initial_fights=initial_fights,
        ranking_fights=ranking_fights,
        seed=seed,
    )
    found = diff_of(
        request.changed(rules=first, **({"overrides": (), "rulings": ()} if second is None else {})),
        request,
        jobs=jobs,
        cache=kept.folder,
        with_edit_effects=not no_edit_effects,
        with_check=check,
        full=full or json_,
        watch=watch_on_terminal(quiet=quiet or json_ or markdown),
    )
    page = diff_document(found.page)
    print_document(page, json_=json_, markdown=markdown, tables=False, quiet=quiet)
    if html is not None:
        from buildsearch.report.html.document_page import write_document

        write_document(page, html)
        if not (quiet or json_ or markdown):
            typer.echo(f"Wrote {html}.")
    if fail_on == STRONGER and found.is_worse:
        raise typer.Exit(FINDINGS)

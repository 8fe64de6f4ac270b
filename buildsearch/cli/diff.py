"""`buildsearch diff`: what a change of rules does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from buildsearch.cli.exit_codes import FINDINGS
from buildsearch.cli.option_groups import Filters, Kept, Opponents, Overrides, Parameters
from buildsearch.cli.options import ONE_FORM, JobsOption, JsonOption, QuietOption, ScenarioOption, SeedOption

EXAMPLE = (
    "Examples: buildsearch diff vitality-v2 ./mine.yaml --tier 4;  "
    "buildsearch diff git:HEAD~1:rules/mine.yaml rules/mine.yaml --markdown --fail-on worse;  "
    "buildsearch diff vitality-v2 --set bleed.cost=2;  "
    "buildsearch diff vitality-v2 ./mine.yaml --html change.html"
)
WORSE = "worse"


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
    top: Annotated[int, typer.Option("--top", min=1, max=1000, help="Best builds of either side.")] = 20,
    initial_fights: Annotated[
        int,
        typer.Option("--initial-fights", min=2, max=8192, help="Fights for each build that must be sampled."),
    ] = 256,
    ranking_fights: Annotated[
        int, typer.Option("--ranking-fights", min=0, help="Fights to decide the ranks of sampled builds.")
    ] = 4_000_000,
    seed: SeedOption = 0,
    jobs: JobsOption = -1,
    overrides: Overrides,
    no_blame: Annotated[
        bool, typer.Option("--no-blame", help="Do not ask which edit does what: saves time.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="New and fixed findings of `check`, with its config, too.")
    ] = False,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help=f"`{WORSE}`: exit 1 if the best build becomes better for certain, or --check finds more.",
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
    """Show what a change of rules does, and which edit is to blame.

    Both rulesets meet the same scenarios with the same seed; --set and --ruling change both. With one
    ruleset, it is compared with itself under --set and --ruling: for prices and bans that takes no fight,
    where a run of these rules is in results/. Only what an edit touches is computed again.
    """
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.cli.requests import make_request
    from buildsearch.files.atomic import check_writable
    from buildsearch.model.errors import UsageError
    from buildsearch.model.request import SearchRequest
    from buildsearch.workflow.diff import diff_of

    if fail_on not in (None, WORSE):
        raise UsageError(f"--fail-on takes `{WORSE}`, not `{fail_on}`.")
    if json_ and markdown:
        raise UsageError(ONE_FORM)
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
        with_blame=not no_blame,
        with_check=check,
        against_itself=second is None,
        watch=watch_on_terminal(quiet=quiet or json_ or markdown),
    )
    if json_:
        from buildsearch.report.difference import difference_to_dict

        typer.echo(json.dumps(found.about | difference_to_dict(found.difference)))
    elif markdown:
        from buildsearch.report.difference_markdown import difference_markdown

        typer.echo(difference_markdown(found.difference, found.title, found.objective), nl=False)
    elif not quiet:
        from buildsearch.cli.diff_view import print_difference

        print_difference(found.difference, found.title, found.objective)
    if html is not None:
        from buildsearch.report.html.difference_content import difference_content
        from buildsearch.report.html.whole_page import write_content

        write_content(difference_content(found.source), html)
        if not (quiet or json_ or markdown):
            typer.echo(f"Written to {html}.")
    if fail_on == WORSE and found.difference.is_worse:
        raise typer.Exit(FINDINGS)

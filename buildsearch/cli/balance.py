"""`buildsearch balance`: the smallest set of cost changes and bans that meets a goal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from buildsearch.cli.balance_history import Revisions, say_history
from buildsearch.cli.clusters import ClusterOption, on_cluster, refuse_cluster
from buildsearch.cli.option_groups import Kept, ParameterValues
from buildsearch.cli.options import (
    IgnoreChecksumsOption,
    JobsOption,
    JsonOption,
    QuietOption,
    RunArgument,
    ThresholdsOption,
)

EXAMPLE = (
    "Examples: buildsearch balance;  buildsearch balance results/v2 --goal overpowered-combination;  "
    'buildsearch balance --goal "viable@80% >= 60%" --lever costs --lock bleed;  '
    'buildsearch balance --try "barrage.cost=3";  buildsearch balance -p tier=3 -p tier=4;  '
    "buildsearch balance --also-check profiles --also-check rulings --stress;  "
    "buildsearch balance --history v1.0.. --html history.html;  "
    "buildsearch balance --apply 1 --out rules/mine.yaml"
)

_GOING_ON = "buildsearch: interrupted. Checking what was found so far; Ctrl-C again quits now.\n"


def command(
    *,
    run: RunArgument = None,
    goal: Annotated[
        list[str] | None,
        typer.Option(
            "--goal",
            help="What to reach: an assertion of `check` by name, or e.g. `best >= 6`, `viable@80% >= 60%`, "
            "`viability bleed >= 80%`, `ahead <= 1.2`, `builds >= 90%`. May be repeated. Default: no "
            "overpowered combination, no must-have, no instant win.",
        ),
    ] = None,
    lever: Annotated[
        list[str] | None,
        typer.Option(
            "--lever",
            help="What may change: costs (cost-raises, cost-cuts), pair-bans, type-bans, cost-factors, "
            "budgets, caps, values. May be repeated. Default: costs and pair-bans.",
        ),
    ] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option("--lock", help="An option or a lever to leave as it is. May be repeated."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Only these options, e.g. barrage,charges_1.")
    ] = None,
    max_change: Annotated[
        int | None, typer.Option("--max-change", help="How far a cost or value may go. Default: 3.")
    ] = None,
    try_: Annotated[
        list[str] | None,
        typer.Option(
            "--try",
            help='What edits of your own do: "barrage.cost=3", or a file that a workbench saved.',
        ),
    ] = None,
    max_proposals: Annotated[
        int | None, typer.Option("--max-proposals", min=1, max=10, help="How many to show. Default: 3.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            min=1,
            max=86_400,
            help="Work to do, as seconds of a quiet machine (default 45), and when to stop.",
        ),
    ] = None,
    apply: Annotated[
        int | None,
        typer.Option("--apply", min=1, max=10, help="Write this proposal into a rules file: --out."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The rules file that --apply writes.")] = None,
    patch: Annotated[
        bool,
        typer.Option("--patch", help="Print a unified diff: of --apply, of --try, else of the first."),
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page that compares the proposals.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")] = False,
    thresholds: ThresholdsOption = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="Assertions and [balance]. Default: buildsearch.toml.")
    ] = None,
    also_check: Annotated[
        list[str] | None,
        typer.Option(
            "--also-check",
            help="Check the proposal elsewhere too: a scenario set such as profiles, `rulings` or `stats`. "
            "May be repeated.",
        ),
    ] = None,
    stress: Annotated[
        bool,
        typer.Option("--stress", help="Search for a fight that breaks the proposal, and print it as a file."),
    ] = False,
    revisions: Revisions,
    parameters: ParameterValues,
    kept: Kept,
    jobs: JobsOption = -1,
    cluster: ClusterOption = None,
    ignore_checksums: IgnoreChecksumsOption = False,
    json_: JsonOption = False,
    quiet: QuietOption = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say what was tried and what was left out too.")
    ] = False,
) -> None:
    """Find the smallest cost changes and bans that fix the game.

    Reads the scores of a finished run: costs and bans need no new fights. Ctrl-C shows what was found so
    far.
    """
    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.balance_forms import first_found, make_output, status
    from buildsearch.cli.balance_output import balance_games, balance_one
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.progress import watch_on_terminal
    from buildsearch.gate.config import read_config, with_preset
    from buildsearch.library.balance import open_desk
    from buildsearch.library.balance_checks import CheckRequest, refuse_unknown
    from buildsearch.library.balance_search import BalanceRequest
    from buildsearch.library.fight_setup import check_jobs
    from buildsearch.library.games import combinations_of
    from buildsearch.library.runs import load_run
    from buildsearch.model.errors import UsageError
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts

    check_jobs(jobs)
    output = make_output(
        apply, out, html, json_=json_, markdown=markdown, patch=patch, quiet=quiet, verbose=verbose
    )
    aims = (goal, lever, lock, only, max_change, try_, max_proposals, seconds)
    revisions.check(*aims, apply, patch, also_check, stress, parameters.values)
    request = BalanceRequest(
        goals=tuple(goal or ()),
        levers=tuple(lever or ()),
        lock=tuple(lock or ()),
        only_options=tuple(only or ()),
        max_change=max_change,
        max_proposals=max_proposals,
        seconds=seconds,
    )
    limits = read_thresholds(thresholds)
    settings = with_preset(read_config(config)[0])
    folder = find_run(run)
    if has_loadouts(folder) and revisions.history is None:
        from buildsearch.cli.balance_loadouts import balance_loadouts

        refuse_cluster(cluster, "loadouts are balanced")
        balance_loadouts(folder, request, limits, output, ignore_checksums=ignore_checksums, tries=bool(try_))
        return
    opened = load_run(run, ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=quiet))
    check_request = CheckRequest(tuple(also_check or settings.balance.also_check), stress)
    games = combinations_of(parameters.values, settings)
    if games and try_:
        raise UsageError("--try is about one game. Leave -p out, or use `diff` under each of them.")
    how: dict[str, Any] = {
        "cache": kept.folder,
        "jobs": jobs,
        "watch": watch_on_terminal(quiet=not output.is_talking),
    }
    if revisions.history is not None:
        with on_cluster(cluster, jobs=jobs, quiet=quiet), status(output) as say:
            say_history(
                opened, revisions, limits, output, {**how, "ignore_checksums": ignore_checksums, "say": say}
            )
        return
    desk = open_desk(opened)
    refuse_unknown(desk, check_request)
    with on_cluster(cluster, jobs=jobs, quiet=quiet), status(output) as say:
        how["say"] = say
        ends: dict[str, Any] = {
            "on_interrupt": lambda: finishing(_GOING_ON),
            "on_first": lambda text: first_found(text, output),
        }
        if games:
            balance_games(
                opened, games, request, limits, settings, output, check_request, ignore_checksums, how, ends
            )
        else:
            balance_one(desk, request, limits, settings, output, check_request, try_ or (), how, ends)

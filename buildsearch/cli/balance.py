"""`buildsearch balance`: the smallest set of cost changes and bans that meets a goal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buildsearch.cli.balance_output import BalanceOutput, Revisions
from buildsearch.model.errors import UsageError
from buildsearch.options.balance import BalanceChecks, BalanceFiles, BalanceOptions
from buildsearch.options.fields import Flag, Texts, as_path
from buildsearch.options.game import ParameterValues
from buildsearch.options.output import Cluster, Execution, IgnoreChecksums, RunName

if TYPE_CHECKING:
    from buildsearch.analysis.thresholds import Thresholds

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
    run: RunName = None,
    options: BalanceOptions,
    tries: Annotated[
        Texts,
        Flag('What edits of your own do: "barrage.cost=3", or a file that a workbench saved.', "--try"),
    ] = (),
    files: BalanceFiles,
    checks: BalanceChecks,
    revisions: Revisions,
    parameters: ParameterValues,
    how: Execution,
    cluster: Cluster = None,
    ignore_checksums: IgnoreChecksums = False,
    output: BalanceOutput,
) -> None:
    """Find the smallest cost changes and bans that fix the game.

    Reads the scores of a finished run: costs and bans need no new fights. Ctrl-C shows what was found so
    far.
    """
    from buildsearch.analysis.thresholds import read_thresholds
    from buildsearch.cli.balance_output import say_first, show, show_history, take
    from buildsearch.cli.interrupts import finishing
    from buildsearch.cli.progress import (
        refuse_cluster,
        scoring_on_terminal,
        stages_on_terminal,
        watch_on_terminal,
    )
    from buildsearch.cli.terminal import said
    from buildsearch.gate.config import read_config, with_preset
    from buildsearch.library.balance import edits_from, open_desk
    from buildsearch.library.balance_search import combinations_of, open_balance
    from buildsearch.library.proposals import balance_run, page_of, patch_of, refuse_other_file, tried_page
    from buildsearch.library.runs import load_run
    from buildsearch.report.latest import find_run
    from buildsearch.report.loadout_files import has_loadouts

    is_history = revisions.history is not None
    asked = (tries, output.apply, output.patch, checks.also_check, checks.stress, parameters)
    if is_history and (options != BalanceOptions() or any(asked)):
        raise UsageError(
            "--history measures the game as it was, in one game; it proposes nothing. Leave out goals, "
            "levers and what is done with proposals, and -p: parameters are those of the run."
        )
    limits = read_thresholds(as_path(files.thresholds))
    config = with_preset(read_config(as_path(files.config))[0])
    folder = find_run(run)
    if has_loadouts(folder) and not is_history:
        refuse_cluster(cluster, "loadouts are balanced")
        _balance_loadouts(folder, options, limits, output, tries=tries, ignore_checksums=ignore_checksums)
        return
    opened = load_run(run, ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=output.quiet))
    if output.out is not None:
        refuse_other_file(output.out, opened)
    if tries and combinations_of(parameters, config):
        raise UsageError("--try is about one game. Leave -p out, or use `diff` under each of them.")
    with (
        scoring_on_terminal(how, output, cluster) as told,
        stages_on_terminal(quiet=output.is_silent) as shown,
    ):
        scoring = replace(told, watch=replace(told.watch, say=shown.stage))
        if is_history:
            show_history(opened, revisions, limits, output, scoring, ignore_checksums=ignore_checksums)
            return
        if tries:
            desk = open_desk(opened)
            edits = edits_from(desk, tries)
            if output.patch:
                typer.echo(patch_of(desk, edits), nl=False)
                return
            show(tried_page(open_balance(desk, options, limits, config, scoring), edits), output)
            return
        watch = replace(
            scoring.watch,
            on_interrupt=lambda: finishing(_GOING_ON),
            on_first=lambda text: say_first(text, output),
        )
        found = balance_run(
            opened,
            options,
            limits,
            config,
            checks,
            parameters,
            replace(scoring, watch=watch),
            number=output.apply or 1,
            ignore_checksums=ignore_checksums,
        )
    take(found, output)
    show(page_of(found, said, verbose=output.verbose), output, found.checks)


def _balance_loadouts(
    folder: Path,
    options: BalanceOptions,
    limits: Thresholds,
    output: BalanceOutput,
    *,
    tries: Texts,
    ignore_checksums: bool,
) -> None:
    """One or two edits after which nothing that is listed is broken."""
    from buildsearch.cli.output import print_document
    from buildsearch.library.loadouts import balance_listed

    if options.goals or tries or output.apply or output.patch or output.html:
        raise UsageError(
            "for loadouts balance has its default goal only: no overpowered loadout, no must-have, no "
            "instant win. Leave out --goal, --try, --apply, --patch and --html."
        )
    print_document(balance_listed(folder, options, limits, ignore_checksums=ignore_checksums), output)

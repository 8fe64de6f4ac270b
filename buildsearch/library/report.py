"""From a finished run to its page, and to its workbench."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from buildsearch.analysis.analyses import AnalysisInput, RunAnalysis, analyse
from buildsearch.analysis.explanation import row_of
from buildsearch.analysis.population import populate
from buildsearch.analysis.thresholds import Thresholds, read_thresholds
from buildsearch.balancing.edits import patch, read_edits
from buildsearch.files.atomic import check_writable
from buildsearch.library.analyze import proposal_of, subject_of
from buildsearch.library.balance import Desk, open_desk, texts
from buildsearch.library.balance_search import stored_edits
from buildsearch.library.loadouts import judge_lines
from buildsearch.library.rescoring import court_over
from buildsearch.library.runs import LoadedRun, load_run, reopen_as
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Movable
from buildsearch.report.command_lines import workbench_command, workbench_commands
from buildsearch.report.html.loadout_page import MOST_ROWS, LoadoutSource, loadout_content
from buildsearch.report.html.source import Earlier, Extent, Fix, ReportSource, Workbench
from buildsearch.report.html.whole_page import write_content, write_page
from buildsearch.report.html.workbench.content import RulesFile, WorkbenchSource, has_prices
from buildsearch.report.html.workbench.packing import KeptBuilds
from buildsearch.report.html.workbench.page import MOST_ROWS as MOST_WORKBENCH_ROWS
from buildsearch.report.html.workbench.page import write_workbench
from buildsearch.report.leaderboard import Row
from buildsearch.report.loadout_files import has_loadouts, read_loadouts
from buildsearch.report.run_files import BOARD, board_rows
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.ruleset.extends import from_here
from buildsearch.ruleset.git import is_revision
from buildsearch.ruleset.locate import looks_like_path
from buildsearch.search.executor import Jobs, executor_of

WORKBENCH = "workbench.html"


def make_workbench(
    run: LoadedRun,
    path: Path | None = None,
    *,
    rows: int = MOST_WORKBENCH_ROWS,
    thresholds: Path | None = None,
) -> tuple[Path, KeptBuilds]:
    """Write the workbench of a run, into its folder unless told otherwise; gives the file and its builds."""
    target = path or run.folder / WORKBENCH
    return target, write_workbench(source_of(open_desk(run), read_thresholds(thresholds)), target, rows)


def source_of(desk: Desk, limits: Thresholds) -> WorkbenchSource:
    """What a workbench is made from; raises UsageError for a game without prices."""
    run = desk.run
    system = run.setup.loaded.system
    if not has_prices(desk.levers):
        raise UsageError(
            f"{system.title} declares no prices, so there is nothing to move on a workbench. `buildsearch "
            "balance` says what it can move, and `buildsearch diff RULES --set NAME=VALUE` what another "
            "number does."
        )
    fix = stored_edits(desk, limits)
    return WorkbenchSource(
        title=run.setup.loaded.model.name,
        system=system.title,
        run=str(run.folder),
        table=desk.table,
        levers=desk.levers,
        limits=limits,
        metrics=system.metrics,
        file=_rules_file(desk),
        commands=workbench_commands(str(run.folder), run.record.request, _edited(desk)),
        is_partial=run.record.incomplete,
        proposals=[] if fix is None else [(f"{fix[0].text}.", fix[1])],
    )


def can_move(run: LoadedRun) -> bool:
    """Whether a run has prices to move, and every build to move them over."""
    system, rules = run.setup.loaded.system, run.setup.loaded.model
    if not isinstance(system, Movable) or run.record.legal_builds is not None:
        return False
    return has_prices(system.levers(rules, run.setup.space))


def _rules_file(desk: Desk) -> RulesFile:
    """How edits are written down: a file that extends the rules of the run."""
    request, loaded = desk.run.record.request, desk.setup.loaded
    model = loaded.model
    why_not = None
    if request.overrides or request.rulings or is_revision(request.rules):
        why_not = (
            "The run has values that are in no rules file (overrides, rulings, rules of a revision). "
            "So edits cannot be written as a file that extends it."
        )
    own = looks_like_path(request.rules)
    head = {
        # A file is found from the folder of the one that extends it.
        "extends": f"./{loaded.path.name}" if own else request.rules,
        "kind": "rules",
        "system": loaded.system.id,
        "id": f"{model.id}-edited",
        "name": f"{model.name}, edited",
    }
    return RulesFile(f"{model.id}-edited.yaml", head, why_not)


def _edited(desk: Desk) -> str:
    """Where the file of edits is expected: beside the rules that it extends, or here."""
    name = f"{desk.setup.loaded.model.id}-edited.yaml"
    if not looks_like_path(desk.run.record.request.rules):
        return f"./{name}"
    return str(Path(desk.run.record.request.rules).with_name(name))


REPORT = "report.html"
_MOST_BYTES = 1 << 30


def report_of(
    folder: Path,
    path: Path | None = None,
    *,
    before: str | None = None,
    compare_with: str | None = None,
    extent: Extent | None = None,
    jobs: Jobs = -1,
    ignore_checksums: bool = False,
    watch: Watch = SILENT,
) -> Path:
    """Write the report of a run of builds or of loadouts; gives the file."""
    if path is not None:
        check_writable(path)
    how: dict[str, Any] = {"ignore_checksums": ignore_checksums, "watch": watch}
    if has_loadouts(folder):
        if before is not None:
            raise UsageError("‹before› compares runs of builds, not of loadouts.")
        if compare_with is not None:
            raise UsageError("‹compare_with› is a build, and this run has loadouts. Choose one on the page.")
        return write_loadout_report(folder, path, MOST_ROWS if extent is None else extent.rows, **how)
    run = load_run(str(folder), **how)
    earlier = None if before is None else load_run(before, **how)
    return write_report(
        run, path, before=earlier, reference=compare_with, extent=extent, jobs=jobs, watch=watch
    )


def write_report(
    run: LoadedRun,
    path: Path | None = None,
    *,
    before: LoadedRun | None = None,
    reference: str | None = None,
    extent: Extent | None = None,
    jobs: Jobs = -1,
    watch: Watch = SILENT,
) -> Path:
    """Write the report of a run, into its folder unless told otherwise; gives the file.

    `before` is a run to compare with, `reference` a build that
    all others are compared with: it is in the table, whatever its rank.
    """
    row = None if reference is None else _row(run, reference)
    system, rules = run.setup.loaded.system, run.setup.loaded.model
    replayer = system.replayer(rules)
    subject = subject_of(run.setup, run.scores, run.objective, beyond=run.beyond)
    limits = read_thresholds()
    found = analyse(subject, limits, watch.stage, executor_of(jobs).threads)
    target = path or run.folder / REPORT
    source = ReportSource(
        title=rules.name,
        system=system.title,
        record=run.record,
        space=run.setup.space,
        fights=run.setup.fights,
        metrics=system.metrics,
        options=system.options(rules),
        evaluators=system.evaluators(rules),
        replayer=replayer,
        scores=run.scores,
        analysis=found,
        board=_board(run.folder, watch),
        earlier=None if before is None else Earlier(before.folder.name, before.setup.space, before.scores),
        workbench=_workbench(run, target),
        fix=_fix(run, found, subject, limits, watch),
        command=f"buildsearch balance {shlex.quote(str(run.folder))}",
        reference=row,
    )
    write_page(source, target, extent or Extent(), watch.stage)
    return target


def _fix(
    run: LoadedRun, analysis: RunAnalysis, subject: AnalysisInput, limits: Thresholds, watch: Watch
) -> Fix | None:
    """The fix that `analyze` shows for this run; None where there is none, or where it needs new scores."""
    proposal = proposal_of(run, analysis, subject, limits, watch) if can_move(run) else None
    if proposal is None or not proposal.edits:
        return None
    desk = open_desk(run)
    edits, table = read_edits(proposal.edits, desk.levers), desk.table
    if not table.is_closed(edits):
        return None
    court = court_over(table, limits)
    try:
        before, after = texts(desk, edits)
        lines = patch(before, after, from_here(str(desk.setup.loaded.path)))
    except UsageError:  # rules of a revision, or with values of the command line
        lines = ""
    return Fix(proposal, court.state(edits), lines)


def _row(run: LoadedRun, text: str) -> int:
    """The row of a build; raises UsageError where the run does not have it."""
    space = run.setup.space
    (build,) = run.setup.read_builds([text])
    row = row_of(populate(run.scores, space), space, build)
    if row is None:
        raise UsageError(
            f"{space.name(build)} is not among the builds of this run, so it cannot be compared with. "
            "`buildsearch explain` says which rank it would have."
        )
    return row


def write_loadout_report(
    folder: Path,
    path: Path | None = None,
    most: int = MOST_ROWS,
    *,
    ignore_checksums: bool = False,
    watch: Watch = SILENT,
) -> Path:
    """Write the report of a search for loadouts; gives the file."""
    record, setup = reopen_as(LoadoutRecord, folder, ignore_checksums=ignore_checksums, watch=watch)
    system, rules = setup.loaded.system, setup.loaded.model
    loadouts, usage = read_loadouts(folder)
    source = LoadoutSource(
        title=rules.name,
        system=system.title,
        record=record,
        space=setup.space,
        weights={name: fight.weight for name, fight in setup.fights.items()},
        metrics=system.metrics,
        options=system.options(rules),
        loadouts=loadouts,
        usage=usage,
        verdict=judge_lines(setup, record, loadouts, read_thresholds())[1],
    )
    target = path or folder / REPORT
    write_content(loadout_content(source, most), target)
    return target


def _workbench(run: LoadedRun, target: Path) -> Workbench | None:
    """The workbench beside a report, or how to write one; None where no price can be moved."""
    if not can_move(run):
        return None
    is_there = target.with_name(WORKBENCH).exists()
    return Workbench(WORKBENCH if is_there else None, workbench_command(str(run.folder)))


def _board(folder: Path, watch: Watch) -> dict[str, Row]:
    """The leaderboard by build name; a run without one is shown without rank ranges and flags."""
    if not (folder / BOARD).exists():
        return {}
    try:
        return {row["build"]: row for row in board_rows(folder)}
    except (UsageError, KeyError) as error:
        watch.warn(f"{folder / BOARD} is left out: {error} The report has no ranges of ranks and no flags.")
        return {}

"""From a finished run to its workbench."""

from __future__ import annotations

from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds, read_thresholds
from buildsearch.library.balance import Desk, open_desk
from buildsearch.library.balance_search import stored_edits
from buildsearch.library.runs import LoadedRun
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Movable
from buildsearch.report.command_lines import workbench_commands
from buildsearch.report.html.workbench.content import RulesFile, WorkbenchSource, has_prices
from buildsearch.report.html.workbench.page import MOST_ROWS, write_workbench
from buildsearch.report.html.workbench.selection import KeptBuilds
from buildsearch.ruleset.git import is_revision
from buildsearch.ruleset.locate import looks_like_path

WORKBENCH = "workbench.html"


def make_workbench(
    run: LoadedRun, path: Path | None = None, *, rows: int = MOST_ROWS, thresholds: Path | None = None
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

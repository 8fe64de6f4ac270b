"""`buildsearch balance` of a search for loadouts: over what was valued."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from buildsearch.analysis.findings import Severity
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.verdict.yardstick import Yardstick
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import PAIRS, RAISES, Movable
from buildsearch.proposals.loadouts import balanced, loadout_table
from buildsearch.proposals.measuring import describe
from buildsearch.proposals.selecting import STEPS, split
from buildsearch.report.loadout_files import JOINED, read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.workflow.loadout_verdict import judge_lines
from buildsearch.workflow.runs import reopen

if TYPE_CHECKING:
    from buildsearch.cli.balancing import Asked

_HONEST = "This is about the loadouts that are listed; what others an edit would bring up is not known."


def balance_loadouts(folder: Path, limits: Thresholds, asked: Asked) -> None:
    """One or two edits after which nothing that is listed is broken."""
    if asked.goals or asked.explain or asked.apply or asked.patch or asked.html:
        raise UsageError(
            "for loadouts balance has its default goal only (nothing listed is overpowered, a must-have, or "
            "decides fights at once). Leave out --goal, --explain, --apply, --patch and --html."
        )
    record, setup = reopen(folder, trust=asked.trust)
    if not isinstance(record, LoadoutRecord):
        raise UsageError(f"{folder} has no loadouts. Run optimize again.")
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(f"{system.title} declares nothing that could be moved.")
    lines, _ = read_loadouts(folder)
    loadouts, verdict = judge_lines(setup, record, lines, limits)
    metric = system.metrics[0]
    yardstick = Yardstick(metric.scale, metric.higher_is_better, metric.span or 1.0, limits.verdict)
    titles = {option.id: option.name for option in system.options(rules)}
    accounts = system.accounts(rules, setup.space)
    table = loadout_table(loadouts, yardstick, titles, setup.space, accounts, JOINED)
    kinds = set(split(asked.levers)) or {RAISES, PAIRS}
    kinds |= {RAISES} if "prices" in kinds else set()
    locked, only = set(split(asked.lock)), set(split(asked.only))
    edits = [
        edit
        for lever in system.levers(rules, setup.space)
        for edit in lever.edits
        if edit.kind in kinds
        and edit.steps <= (asked.steps or STEPS)
        and not locked & {*edit.about, edit.lever}
        and (not only or set(edit.about) <= only)
    ]
    broken = [each for each in verdict.findings if each.severity is Severity.ERROR]
    found, finished = (
        balanced(table, edits, asked.seconds or 30.0, asked.proposals or 6) if broken else ([], 0)
    )
    if not broken:
        said = "Among what was valued nothing is broken: nothing has to change."
    elif found:
        said = f"Begin with: {describe(found[0].edits)}."
    else:
        said = "No one or two edits mend what is listed. Allow more with --lever or --steps."
    if asked.form == "json":
        data = {
            "run": str(folder),
            "broken": [each.kind for each in broken],
            "listed": len(loadouts.names),
            "tried_in_full": finished,
            "proposals": [
                {
                    "edits": [edit.text for edit in each.edits],
                    "steps": each.steps,
                    "listed": each.listed,
                    "best": each.best,
                    "best_loadout": each.best_loadout,
                }
                for each in found
            ],
            "note": _HONEST,
            "conclusion": said,
        }
        typer.echo(json.dumps(data))
        return
    lead = "**" if asked.form == "markdown" else ""
    lines_ = [f"{lead}{verdict.health}{lead}", ""]
    for number, each in enumerate(found, start=1):
        lines_.append(
            f"{number}. {describe(each.edits)}: {each.listed:,} of {len(loadouts.names):,} listed loadouts "
            f"stay; the best is then {each.best_loadout} ({each.best:.4g})."
        )
    if not asked.quiet:
        typer.echo("\n".join([*lines_, "", _HONEST, f"{lead}{said}{lead}"]))

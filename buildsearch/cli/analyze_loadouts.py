"""`buildsearch analyze` of a search for loadouts."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from buildsearch.analysis.loadout_verdict import Loadouts, LoadoutVerdict
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.progress import watch_on_terminal
from buildsearch.cli.score_view import make_console
from buildsearch.cli.sheet_view import print_sheet
from buildsearch.model.errors import UsageError
from buildsearch.model.text import as_text
from buildsearch.report.loadout_files import read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.report.sheets import Sheet, write_sheet
from buildsearch.workflow.loadout_verdict import judge_lines, last_word, parts_sheet
from buildsearch.workflow.runs import reopen


def analyze_loadouts(
    folder: Path,
    limits: Thresholds,
    rows: int,
    *,
    json_: bool,
    markdown: bool,
    quiet: bool,
    ignore_checksums: bool,
) -> None:
    """Judge the loadouts of a folder, and say it in the form that was asked for."""
    record, setup = reopen(folder, ignore_checksums=ignore_checksums, watch=watch_on_terminal(quiet=True))
    if not isinstance(record, LoadoutRecord):
        raise UsageError(f"{folder} has no loadouts. Run optimize again.")
    lines, _ = read_loadouts(folder)
    loadouts, verdict = judge_lines(setup, record, lines, limits)
    sheet = parts_sheet(verdict)
    write_sheet(sheet, folder / "analysis")
    if json_:
        typer.echo(json.dumps(_as_data(folder, loadouts, verdict, sheet)))
    elif markdown:
        head = [f"# Analysis of {as_text(folder.name)}", "", as_text(verdict.health), "", "## Findings", ""]
        for each in verdict.findings:
            head.append(f"- {each.severity.value}: **{each.code}**: {as_text(each.text)}")
        head += [] if verdict.findings else ["None."]
        typer.echo("\n".join([*head, "", as_text(last_word(verdict)), "", sheet.as_markdown(rows)]))
    elif not quiet:
        _print(verdict, sheet, rows)


def _as_data(folder: Path, loadouts: Loadouts, verdict: LoadoutVerdict, sheet: Sheet) -> dict[str, Any]:
    return {
        "run": str(folder),
        "health": verdict.health,
        "conclusion": last_word(verdict),
        "reference": verdict.reference,
        "reference_is_bound": verdict.reference_is_bound,
        "overpowered_loadouts": verdict.overpowered,
        "listed": len(loadouts.names),
        "searched": loadouts.searched,
        "valued": loadouts.valued,
        "findings": [
            asdict(finding)
            | {
                "severity": finding.severity.value,
                "certainty": finding.certainty,
                "builds": [loadouts.names[row] for row in finding.builds],
            }
            for finding in verdict.findings
        ],
        "parts": sheet.as_data(),
    }


def _print(verdict: LoadoutVerdict, sheet: Sheet, rows: int) -> None:
    console = make_console()
    console.print(Text(verdict.health, style="bold"))
    console.print(Text("\nFindings", style="bold"))
    for finding in verdict.findings:
        line = Text(f"- {finding.severity.value}: {finding.code}: ", style="bold red")
        console.print(line.append(f"{finding.text} {finding.fix}", style="not bold default"))
    if not verdict.findings:
        console.print("None.")
    print_sheet(console, sheet, rows)
    console.print(Text(last_word(verdict), style="bold"))

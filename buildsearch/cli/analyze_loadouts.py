"""`buildsearch analyze` of a search for loadouts."""

from __future__ import annotations

from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.cli.output import print_document
from buildsearch.cli.progress import watch_on_terminal
from buildsearch.document.data import write_csv
from buildsearch.model.errors import UsageError
from buildsearch.report.loadout_files import read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.views.loadouts import judged_loadouts
from buildsearch.workflow.loadout_verdict import judge_lines
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
    document = judged_loadouts(loadouts, verdict, setup.loaded.system.metrics[0], str(folder), rows=rows)
    for table in document.tables:
        write_csv(table, folder / "analysis")
    print_document(document, json_=json_, markdown=markdown, quiet=quiet)

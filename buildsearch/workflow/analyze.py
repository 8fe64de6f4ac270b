"""What the scores of a run say about its rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from buildsearch.analysis.analyses import Analysis, analyse
from buildsearch.analysis.robustness import rows_that_matter, with_readings
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.model.errors import UsageError
from buildsearch.report.analysis_files import write_analysis
from buildsearch.report.analysis_sheets import analysis_sheets
from buildsearch.report.sheets import Sheet
from buildsearch.search.hands import workers
from buildsearch.search.objectives import read_objectives
from buildsearch.search.readings import sweep
from buildsearch.workflow.runs import Run
from buildsearch.workflow.subjects import cured, subject_of
from buildsearch.workflow.sweep import arena_under
from buildsearch.workflow.watch import SILENT, Watch


def analyse_run(
    run: Run, limits: Thresholds, jobs: int = -1, *, triggers: bool = True, watch: Watch = SILENT
) -> Analysis:
    """Everything that is said about a run of every build; raises UsageError for one of some builds."""
    if run.record.legal_builds is not None:
        raise UsageError(
            f"{run.folder} has only some builds of its space (a guided search, or ‹from_run›), and shares of "
            "them would say what was looked for. Run optimize with ‹search› exhaustive on a smaller space."
        )
    subject = subject_of(run.setup, run.scores, run.objective, triggers=triggers, beyond=run.beyond)
    return cured(analyse(subject, limits, watch.stage, workers(jobs)), run.setup, subject, limits)


def under_other_readings(run: Run, analysis: Analysis, jobs: int = -1, watch: Watch = SILENT) -> Analysis:
    """The analysis, its findings with the readings that they hold under."""
    system, space = run.setup.loaded.system, run.setup.space
    rows = rows_that_matter(analysis.verdict)
    builds = [build for row in rows for build in space.builds(analysis.population.chunk(row))]
    changes = system.variations(run.setup.loaded.model)
    objective = read_objectives((run.objective,) if run.objective else (), system.metrics)[0]
    with watch.bar("other readings", len(changes) + 1) as advance:
        arena = arena_under(run.record.request, None)
        found = sweep(builds, changes, arena, objective, jobs=jobs, alone=0, advance=advance)
    return replace(analysis, findings=with_readings(analysis.findings, analysis.verdict, rows, found))


def sheets_of(run: Run, analysis: Analysis) -> list[Sheet]:
    """The tables of an analysis."""
    return analysis_sheets(analysis)


def write_sheets(run: Run, analysis: Analysis) -> tuple[list[Sheet], Path]:
    """The tables, and the folder of the run that they were written to as CSV files."""
    sheets = sheets_of(run, analysis)
    return sheets, write_analysis(run.folder / "analysis", analysis, sheets)

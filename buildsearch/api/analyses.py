"""What a run says about its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from buildsearch.analysis.findings import Finding
from buildsearch.analysis.health import conclusion, headline
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.api.arguments import checked
from buildsearch.api.runs import Run
from buildsearch.api.tables import Table, table_of_sheet
from buildsearch.report.loadout_files import read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.report.sheets import Sheet
from buildsearch.workflow.analyze import analyse_run, sheets_of, under_other_readings
from buildsearch.workflow.fight_setup import check_jobs
from buildsearch.workflow.loadout_verdict import judge_lines, last_word, parts_sheet
from buildsearch.workflow.watch import Cancellation, Progress, watch_by

# Columns in the unit of the score, whose direction is the score's.
_SCORES = ("score", "best_with", "best_without", "best", "benchmark", "mean_of_best")


class Analysis(Mapping[str, Table]):
    """Tables by name, with the headline, the conclusion and the findings."""

    def __init__(
        self,
        headline: str,
        conclusion: str,
        findings: tuple[Finding, ...],
        sheets: list[Sheet],
        higher_is_better: Mapping[str, bool],
    ) -> None:
        self.headline = headline
        self.conclusion = conclusion
        self.findings = findings
        self._tables = {sheet.name: table_of_sheet(sheet, higher_is_better) for sheet in sheets}

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<Analysis: {self.headline} Tables: {', '.join(self)}>"


@checked()
def analyze(
    run: Run,
    *,
    thresholds: str | Path | None = None,
    triggers: bool = True,
    readings: bool = False,
    jobs: int = -1,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
) -> Analysis:
    """Say which rules to change, and why: what is overpowered, must be had, is mispriced or is dead.

    Args:
        run: what `optimize` or `open_run` gave.
        thresholds: a TOML file with other thresholds.
        triggers: play fights for how often options fire: slower, but more is proved.
        readings: say under which other rulings and stats each finding holds; takes a minute.
        jobs: threads; -1 for every core.
        progress: is told a `Progress` now and then.
        cancel: once it is set, `Cancelled` is raised at the next step.

    Returns:
        The tables by name (`analysis["options"]`), a headline, a conclusion and findings.

    Raises:
        UsageError: for a run that looked at some builds only.

    """
    check_jobs(jobs)
    limits = read_thresholds(None if thresholds is None else Path(thresholds))
    ways: dict[str, Any] = dict.fromkeys(_SCORES, run.higher_is_better["score"])
    if isinstance(run.record, LoadoutRecord):
        lines, _ = read_loadouts(run.folder)
        _, verdict = judge_lines(run.setup, run.record, lines, limits)
        return Analysis(
            verdict.health, last_word(verdict), tuple(verdict.findings), [parts_sheet(verdict)], ways
        )
    watch = watch_by(progress, cancel)
    found = analyse_run(run.opened, limits, jobs, triggers=triggers, watch=watch)
    if readings:
        found = under_other_readings(run.opened, found, jobs, watch)
    return Analysis(
        headline(found.findings, found.verdict, found.words, found.below_rules),
        conclusion(found.findings, found.verdict),
        tuple(found.findings),
        sheets_of(run.opened, found),
        ways,
    )

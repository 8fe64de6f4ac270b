"""What a run says about its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.api.arguments import checked
from buildsearch.api.runs import Run
from buildsearch.api.tables import Table, table_of_block
from buildsearch.document.blocks import Document
from buildsearch.library.analyze import Look, analyse_run
from buildsearch.library.fight_setup import check_jobs
from buildsearch.library.loadout_verdict import loadout_page
from buildsearch.library.watch import Cancellation, Progress, watch_by
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.views.analysis import document_of

# Columns in the unit of the score, whose direction is the score's.
_SCORES = ("score", "best_with", "best_without", "best", "benchmark", "mean_of_best")


class Analysis(Mapping[str, Table]):
    """Tables by name, with the headline, the findings, the fix, and the page as a `Document`."""

    def __init__(self, document: Document, higher_is_better: Mapping[str, bool]) -> None:
        self._document = document
        self._tables = {table.name: table_of_block(table, higher_is_better) for table in document.tables}

    def document(self) -> Document:
        """The page of `analyze --full`, as data."""
        return self._document

    @property
    def headline(self) -> str:
        """The verdict with its numbers, in a line."""
        return str(self._document.data["headline"])

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What is wrong, the worst first, as `analyze --json` has it."""
        found: Any = self._document.data["findings"]
        return list(found)

    @property
    def proposal(self) -> dict[str, Any] | None:
        """The first proposal of `balance`, if one is known."""
        found: Any = self._document.data.get("proposal")
        return None if found is None else dict(found)

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<Analysis: {self.headline} Tables: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return self._document._repr_html_()


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
        The tables by name (`analysis["options"]`), a headline, findings, a fix, and the page as a document.

    Raises:
        UsageError: for a run that looked at some builds only.

    """
    check_jobs(jobs)
    limits = read_thresholds(None if thresholds is None else Path(thresholds))
    ways: dict[str, Any] = dict.fromkeys(_SCORES, run.higher_is_better["score"])
    if isinstance(run.record, LoadoutRecord):
        return Analysis(loadout_page(run.folder, limits), ways)
    look = Look(full=True, triggers=triggers, readings=readings)
    found = analyse_run(run.opened, limits, look, jobs, watch=watch_by(progress, cancel))
    page = document_of(found.answer, found.proposal, can_balance=found.can_balance, full=True)
    return Analysis(page, ways)

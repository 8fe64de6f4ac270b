"""What a run says about its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from buildsearch.document.blocks import Document
from buildsearch.library.analyze import analysis_page
from buildsearch.library.arguments import takes
from buildsearch.library.run import Run
from buildsearch.library.tables import Page, Table, table_of_block
from buildsearch.library.watch import watch_by
from buildsearch.options.balance import AnalyzeArguments
from buildsearch.ruleset.messages import suggest

# Columns in the unit of the score, whose direction is the score's.
_SCORES = ("score", "best_with", "best_without", "best", "benchmark", "mean_of_best")


class Analysis(Page, Mapping[str, Table]):
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
        if name not in self._tables:
            raise KeyError(f"there is no table `{name}`. {suggest(name, self._tables)}")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<Analysis: {self.headline} Tables: {', '.join(self)}>"


@takes(AnalyzeArguments)
def analyze(run: Run, given: AnalyzeArguments) -> Analysis:
    """Say which rules to change, and why: what is overpowered, must be had, is mispriced or is dead.

    Args:
        run: what `optimize` or `open_run` gave.

    Returns:
        The tables by name (`analysis["options"]`), a headline, findings, a fix, and the page as a document.

    Raises:
        UsageError: for a run that looked at some builds only.

    """
    watch = watch_by(given.progress, given.cancel)
    page = analysis_page(
        run.folder, given, jobs=given.jobs, full=True, ignore_checksums=run.ignores_checksums, watch=watch
    )
    return Analysis(page, dict.fromkeys(_SCORES, run.higher_is_better["score"]))

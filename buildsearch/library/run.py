"""Runs: a search for the best builds, one that was finished earlier, and what it says about its rules."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.document.blocks import Document
from buildsearch.files.safe_reading import open_plain
from buildsearch.library.analyze import analyse_run, analysis_page
from buildsearch.library.arguments import checked, takes
from buildsearch.library.explain import explain_build
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.game import Game, directions
from buildsearch.library.loadouts import FoundLoadouts, picks_loadouts, search_loadouts
from buildsearch.library.optimize import Finished, finish, open_search
from buildsearch.library.runs import LoadedRun, load_run, reopen
from buildsearch.library.search import unscored_by
from buildsearch.library.tables import Answer, Page, Scores, Table, table_of_block, typed
from buildsearch.library.watch import scoring_for, watch_by
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.evaluation import Scale
from buildsearch.model.text import count
from buildsearch.options.balance import AnalyzeArguments, ExplainFields
from buildsearch.options.fields import as_path, shared
from buildsearch.options.game import Filters, GameOptions
from buildsearch.options.output import Threads
from buildsearch.options.search import OptimizeArguments, SearchFields, SearchOptions
from buildsearch.report.latest import find_run
from buildsearch.report.leaderboard import (
    notes,
    rank_text_of,
    saves_column,
    say_range,
    say_savings,
    score_words,
)
from buildsearch.report.loadout_files import LOADOUTS
from buildsearch.report.run_files import SCORES, board_rows, read_board
from buildsearch.report.run_record import LoadoutRecord, RunRecord
from buildsearch.ruleset.messages import suggest
from buildsearch.search.executor import Jobs
from buildsearch.search.objectives import read_objectives
from buildsearch.views.loadouts import ranked_loadouts
from buildsearch.views.optimize import Board, RunHealth, optimize_document

if TYPE_CHECKING:
    import pandas as pd


def health_of(run: LoadedRun, jobs: Jobs = -1) -> RunHealth:
    """What `analyze` says of a run first, from an analysis that is kept for it."""
    answer = analyse_run(run, read_thresholds(), jobs=jobs).answer
    worst = next((finding.text for finding in answer.findings if finding.is_error), "")
    whole = answer.whole
    benchmark = None if whole is None else whole.benchmark
    return RunHealth(benchmark, answer.headline.partition(" Best build ")[0], worst)


def board_of(folder: Path, record: RunRecord, setup: FightSetup, health: RunHealth | None = None) -> Board:
    """What a run found; raises UsageError where its leaderboard cannot be read."""
    rows = board_rows(folder)
    system = setup.loaded.system
    objectives = read_objectives(record.request.objectives, system.metrics)
    words, unscored = score_words(objectives[0]), unscored_by(setup.loaded)
    saves = saves_column(words)
    return Board(
        rows=rows,
        rank_texts=[rank_text_of(row) for row in rows],
        ranges=[say_range(row, lambda end: words.exactly(end + 0.0)) for row in rows],
        notes=[", ".join(notes(row, names_type=False)) for row in rows],
        savings=[", ".join(say_savings(row[saves], words)) for row in rows],
        words=words,
        objectives=tuple((each.name, each.label) for each in objectives),
        scenarios=tuple(record.fights),
        primary=system.metrics[0].name,
        is_lower_better=not system.metrics[0].higher_is_better,
        scored=record.scored,
        builds=record.builds,
        legal_builds=record.legal_builds,
        best_of_types=[each.model_dump() for each in record.best_of_types],
        beside=None if unscored is None else unscored.metric,
        unscored="" if unscored is None else unscored.sentence,
        is_front=len(objectives) > 1,
        is_incomplete=record.incomplete,
        race_fights=None if record.race is None else record.race.fights,
        health=health,
        is_primary_share=system.metrics[0].scale is Scale.PROBABILITY,
        shares=frozenset(each.name for each in objectives if each.metric.scale is Scale.PROBABILITY),
    )


_MOST_BYTES = 1 << 37


class Run(Page, Table):
    """A finished run. As a table it is the leaderboard: the best builds, or loadouts, in order."""

    def __init__(
        self,
        folder: Path,
        record: RunRecord | LoadoutRecord,
        setup: FightSetup,
        *,
        ignore_checksums: bool = False,
        temporary: Path | None = None,
    ) -> None:
        self.folder = folder
        self.record = record
        self.setup = setup
        self.ignores_checksums = ignore_checksums
        if temporary is not None:
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        super().__init__(self._ranks, title=f"Leaderboard of {setup.loaded.model.name}")
        self.higher_is_better = self._directions()

    @property
    def is_partial(self) -> bool:
        """Whether it was stopped before the end: better builds may be among those without a score."""
        return self.record.incomplete

    @property
    def best(self) -> str:
        """The name of the best build or loadout."""
        return str(self.to_arrow()[self.index][0].as_py())

    @cached_property
    def scores(self) -> Scores:
        """Every build with its score, its standard error and its mean in each fight, in no order.

        `with_` and `without_` keep those with and without options, `option_matrix` says who has what. A
        run of loadouts has no such scores, and raises UsageError.
        """
        self._refuse_loadouts()
        return Scores(self._scores, lambda: self.opened.setup.space, self._directions())

    @cached_property
    def opened(self) -> LoadedRun:
        """Its scores as arrays, for analysis; its files are checked against their checksums."""
        self._refuse_loadouts()
        return load_run(str(self.folder), ignore_checksums=self.ignores_checksums)

    @takes(ExplainFields)
    def explain(self, build: str, given: ExplainFields) -> Answer:
        """Where one build of the run stands, what each part adds, its worst scenario and why."""
        return explain_build(self.opened, build, given)

    def document(self) -> Document:
        """What `optimize` says in the end."""
        metric, folder = self.setup.loaded.system.metrics[0], str(self.folder)
        if isinstance(self.record, RunRecord):
            return optimize_document(board_of(self.folder, self.record, self.setup))
        rows = self.to_arrow().to_pylist()
        return ranked_loadouts(rows, list(self.setup.fights), metric, self.record.said(), folder)

    @checked
    def report(
        self, path: str | Path | None = None, *, compare_with: str | None = None, jobs: int = -1
    ) -> Path:
        """Write the run as one HTML page, into its folder unless a path is given; gives the file.

        Args:
            path: where to.
            compare_with: a build of the run; every other shows how much better or worse it is.
            jobs: threads; -1 for every core.

        """
        from buildsearch.library.report import report_of

        Threads(jobs=jobs)
        trusted = self.ignores_checksums
        return report_of(
            self.folder, as_path(path), compare_with=compare_with, jobs=jobs, ignore_checksums=trusted
        )

    def to_pandas(self) -> pd.DataFrame:
        """The leaderboard as a DataFrame, the best build first, its name as index."""
        return super().to_pandas()

    def __repr__(self) -> str:
        kind = "loadouts" if isinstance(self.record, LoadoutRecord) else "builds"
        return f"<Run of {kind} in {self.folder}: {count(len(self), 'rank')}, the best is {self.best}>"

    def _refuse_loadouts(self) -> None:
        if isinstance(self.record, LoadoutRecord):
            raise UsageError(f"{self.folder} has loadouts, and no scores of single builds.")

    def _directions(self) -> dict[str, bool]:
        found = directions(self.setup.loaded.system.metrics, self.setup.fights)
        if isinstance(self.record, RunRecord):
            if not self.record.objectives:
                raise UsageError(f"{self.folder} has no scores of builds. Run optimize again.")
            found |= {f"objective_{each.name}": each.higher_is_better for each in self.record.objectives}
            found["score"] = self.record.objectives[0].higher_is_better
        return found

    def _ranks(self) -> pa.Table:
        if isinstance(self.record, RunRecord):
            return typed(read_board(self.folder))
        with self._reading(LOADOUTS) as file:
            table = pyarrow.csv.read_csv(file)
            ends = ("_low", "_high", "_stdev")
            known = self._directions()
            floats = [each for each in table.column_names if each in known or each.endswith(ends)]
            return typed(table, floats)

    def _scores(self) -> pa.Table:
        with self._reading(SCORES) as file:
            return pyarrow.parquet.read_table(file)

    @contextmanager
    def _reading(self, name: str) -> Iterator[BinaryIO]:
        """A file of the run; one that is gone or was changed since is a UsageError."""
        try:
            with open_plain(self.folder / name, _MOST_BYTES) as file:
                yield file
        except (OSError, ValueError, pa.ArrowException) as error:
            raise UsageError(
                f"cannot read {self.folder / name}: {reason_of(error)}. Run optimize again."
            ) from error


@checked
def open_run(path: str | Path | None = None, *, ignore_checksums: bool = False) -> Run:
    """A finished run again.

    Args:
        path: its folder, its name under `results/`, or None for the last one.
        ignore_checksums: read it although its files are not those that the run wrote.

    Returns:
        The run, whose rules and scenarios are still those that it was made with.

    Raises:
        UsageError: where there is no such run, it is of another version, or its rules have changed since.

    """
    folder = find_run(None if path is None else str(path))
    record, setup = reopen(folder, ignore_checksums=ignore_checksums)
    return Run(folder, record, setup, ignore_checksums=ignore_checksums)


@takes(OptimizeArguments)
def optimize(game: Game, given: OptimizeArguments) -> Run:
    """Rank every build of a game.

    Args:
        game: what `load` gave.

    Returns:
        The run, written to its folder. One that was stopped by `cancel` has what was scored by then.

    Raises:
        UsageError: for a wrong name or number, before any work is done.
        Cancelled: where it was stopped before any build had a score.

    """
    request = SearchOptions(
        **shared(GameOptions, game.request) | shared(SearchFields, given) | shared(Filters, given)
    )
    out = None if given.out is None else str(given.out)
    temporary = Path(tempfile.mkdtemp(prefix="buildsearch-")) if out is None else None
    folder = out if temporary is None else str(temporary / "run")
    how, remember = scoring_for(given), temporary is None
    try:
        system = picks_loadouts(game.setup, request)
        found: Finished | FoundLoadouts | None = None
        if system is not None:
            found = search_loadouts(game.setup, system, request, how, out=folder, remember=remember)
        if found is None:
            search = open_search(game.setup, request, how)
            search.counts()
            found = finish(search, folder, remember=remember)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    return Run(found.folder, found.record, game.setup, temporary=temporary)


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

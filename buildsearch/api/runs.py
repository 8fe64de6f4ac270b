"""Runs: a search for the best builds, and one that was finished earlier."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from buildsearch.api.answers import Answer
from buildsearch.api.arguments import checked
from buildsearch.api.games import Game, Texts, as_texts, directions
from buildsearch.api.scores import Scores
from buildsearch.api.tables import Table, typed
from buildsearch.document.blocks import Document
from buildsearch.files.safe_reading import open_plain
from buildsearch.library.boards import board_of
from buildsearch.library.fight_setup import FightSetup, check_jobs
from buildsearch.library.loadouts import FoundLoadouts, picks_loadouts, search_loadouts
from buildsearch.library.optimize import Finished, finish, open_search
from buildsearch.library.runs import Run as OpenedRun
from buildsearch.library.runs import load_run, reopen
from buildsearch.library.watch import Cancellation, Progress, Watch, watch_by
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.request import Request, SearchRequest
from buildsearch.model.text import count
from buildsearch.report.latest import find_run
from buildsearch.report.leaderboard import score_words
from buildsearch.report.loadout_files import LOADOUTS
from buildsearch.report.run_files import SCORES, read_board
from buildsearch.report.run_record import LoadoutRecord, RunRecord
from buildsearch.search.objectives import read_objectives
from buildsearch.views.explain import explain_document
from buildsearch.views.loadouts import ranked_loadouts
from buildsearch.views.optimize import optimize_document

if TYPE_CHECKING:
    import pandas as pd

_MOST_BYTES = 1 << 37
# What `optimize` takes besides the arguments that it names.
_MORE = {
    name: field.annotation
    for name, field in SearchRequest.model_fields.items()
    if name not in Request.model_fields
}


class Run(Table):
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
        self._trust = ignore_checksums
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

        `with_` and `without_` keep those with and without options, `option_matrix` says who has what.

        Raises:
            UsageError: for a run of loadouts, which has no scores of every build.

        """
        self._refuse_loadouts()
        return Scores(self._scores, lambda: self.opened.setup.space, self._directions())

    @cached_property
    def opened(self) -> OpenedRun:
        """Its scores as arrays, for analysis; its files are checked against their checksums."""
        self._refuse_loadouts()
        return load_run(str(self.folder), ignore_checksums=self._trust)

    @checked()
    def explain(self, build: str, *, fights: int = 100, seed: int = 0) -> Answer:
        """Where one build stands, what each part adds, its worst scenario and why.

        Args:
            build: a build of the run.
            fights: how many to play to find its worst, median and best one.
            seed: the first of their seeds.

        """
        from buildsearch.library.explain import explain_build

        data = explain_build(self.opened, build, fights, seed)
        metrics = self.setup.loaded.system.metrics
        words = score_words(read_objectives(self.opened.record.request.objectives, metrics)[0])
        return Answer(explain_document(data, words, ScoreWords(metrics[0])))

    def document(self) -> Document:
        """What `optimize` says in the end."""
        metric, folder = self.setup.loaded.system.metrics[0], str(self.folder)
        if isinstance(self.record, RunRecord):
            return optimize_document(board_of(self.folder, self.record, self.setup))
        rows = self.to_arrow().to_pylist()
        return ranked_loadouts(rows, list(self.setup.fights), metric, self.record.said(), folder)

    def _repr_html_(self) -> str:
        return self.document()._repr_html_()

    @checked()
    def report(
        self, path: str | Path | None = None, *, compare_with: str | None = None, jobs: int = -1
    ) -> Path:
        """Write the run as one HTML page, into its folder unless a path is given; gives the file.

        Args:
            path: where to.
            compare_with: a build of the run; every other shows how much better or worse it is.
            jobs: threads; -1 for every core.

        """
        from buildsearch.library.report import write_loadout_report, write_report

        check_jobs(jobs)
        target = None if path is None else Path(path)
        if isinstance(self.record, LoadoutRecord):
            if compare_with is not None:
                raise UsageError("‹compare_with› is a build, and this is a run of loadouts.")
            return write_loadout_report(self.folder, target, ignore_checksums=self._trust)
        return write_report(self.opened, target, reference=compare_with, jobs=jobs)

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


@checked()
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


@checked(_MORE)
def optimize(
    game: Game,
    *,
    objectives: Texts = (),
    top: int = 100,
    groups: Texts = (),
    with_features: Texts = (),
    without_features: Texts = (),
    complete: str | None = None,
    out: str | Path | None = None,
    initial_fights: int = 256,
    ranking_fights: int = 50_000_000,
    alpha: float = 0.05,
    seed: int = 0,
    jobs: int = -1,
    cache: bool | str | Path = True,
    progress: Callable[[Progress], None] | None = None,
    cancel: Cancellation | None = None,
    **more: Any,
) -> Run:
    """Rank every build of a game.

    Args:
        game: what `load` gave.
        objectives: `"mean"` (default), `"worst"`, `"variance"` or a metric; several give the Pareto front.
        top: rows of the leaderboard.
        groups: only builds of these groups.
        with_features: only builds that have all of these.
        without_features: only builds that have none of these.
        complete: only completions of this partial build.
        out: the folder of the run; a temporary one, which goes when the run is forgotten, if left out.
        initial_fights: fights for each build that must be sampled.
        ranking_fights: fights to decide the ranks of sampled builds.
        alpha: the chance that any bound of the whole race is wrong.
        seed: the same seed gives the same run, for any number of jobs.
        jobs: threads; -1 for every core.
        cache: whether scores are kept for later runs, or the folder to keep them in.
        progress: is told a `Progress` now and then.
        cancel: once it is set (a `threading.Event` will do), what is scored by then is ranked and written.
        more: what else `SearchRequest` has: `search`, `trials`, `from_run`, `candidates`, `over_budget` ...

    Returns:
        The run, written to its folder.

    Raises:
        UsageError: for a wrong name or number, before any work is done.
        Cancelled: where it was stopped before any build had a score.

    """
    check_jobs(jobs)
    request = SearchRequest(
        **dict(game.request)
        | {
            "objectives": as_texts(objectives),
            "top": top,
            "groups": as_texts(groups),
            "with_features": as_texts(with_features),
            "without_features": as_texts(without_features),
            "complete": complete,
            "initial_fights": initial_fights,
            "ranking_fights": ranking_fights,
            "alpha": alpha,
            "seed": seed,
        }
        | more
    )
    temporary = None if out is not None else Path(tempfile.mkdtemp(prefix="buildsearch-"))
    folder = str(out if temporary is None else temporary / "run")
    watch = watch_by(progress, cancel)
    try:
        found = _searched(game, request, folder, jobs, cache_folder(cache), watch, remember=temporary is None)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    return Run(found.folder, found.record, game.setup, temporary=temporary)


def _searched(
    game: Game,
    request: SearchRequest,
    folder: str,
    jobs: int,
    cache: Path | None,
    watch: Watch,
    *,
    remember: bool,
) -> Finished | FoundLoadouts:
    """Loadouts where characters take several builds, builds elsewhere."""
    system = picks_loadouts(game.setup, request)
    if system is not None:
        found = search_loadouts(
            game.setup, system, request, out=folder, jobs=jobs, watch=watch, remember=remember
        )
        if found is not None:
            return found
    search = open_search(game.setup, request, jobs=jobs, cache=cache, watch=watch)
    search.counts()
    return finish(search, folder, remember=remember)


def cache_folder(cache: bool | str | Path) -> Path | None:
    """The folder that scores are kept in; None where they are not."""
    from buildsearch.files.user_cache import default_cache_path

    if isinstance(cache, bool):
        return default_cache_path() if cache else None
    return Path(cache)

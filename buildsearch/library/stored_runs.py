"""The run of a request: read where one is stored, else made. `check` and `diff` read what `analyze` reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from buildsearch.gate.check_input import Scored
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.guide import EXHAUSTIVE
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.over_budget import over_budget_folder
from buildsearch.library.runs import LoadedRun, is_run_of, reopen
from buildsearch.library.search import BuildSearch, effort_for, make_scorer
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import BuildsearchError, Cancelled, UsageError
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import RESULTS, latest_run, runs_in_results
from buildsearch.report.run_files import read_scores
from buildsearch.report.run_record import RUN, RunRecord, check_seal, read_record
from buildsearch.search.executor import Jobs
from buildsearch.search.objectives import read_objectives


@dataclass(frozen=True, slots=True)
class Making:
    """How a run is made that is not stored."""

    cache: Path | None = None
    jobs: Jobs = -1
    watch: Watch = SILENT


@dataclass(frozen=True, eq=False)
class RunOf:
    """The run of a request, and its builds scored again through the cache where more than scores is asked."""

    request: SearchOptions
    run: LoadedRun
    making: Making
    is_stored: bool
    known: Scored | None = None

    def score_again(self) -> Scored:
        """What scores its builds, and what is known of each: the same numbers, as the seed is the same."""
        if self.known is not None:
            return self.known
        setup, making = self.run.setup, self.making
        objectives = read_objectives(self.request.objectives, setup.loaded.system.metrics)
        scorer = make_scorer(setup, making.cache, making.watch, making.jobs)
        effort = effort_for(self.request, objectives)
        search = BuildSearch(setup, self.request.wanted, effort, scorer, self.request, making.watch)
        return scorer, search.run().ledger


def run_of(setup: FightSetup, request: SearchOptions, making: Making, *, keep: bool = False) -> RunOf:
    """The stored run of a request, else a new one; `keep`: under results/, as `optimize` would write it."""
    folder = stored_run(setup, request)
    if folder is not None:
        return RunOf(request, _opened(folder, setup), making, is_stored=True)
    asked = request.changed(search=EXHAUSTIVE)
    search = open_search(setup, asked, jobs=making.jobs, cache=making.cache, watch=making.watch)
    search.counts()
    if keep:
        return _made(search, None, making)
    with TemporaryDirectory(prefix="buildsearch-") as place:
        return _made(search, str(Path(place) / "run"), making)


def _made(search: BuildSearch, out: str | None, making: Making) -> RunOf:
    # A run that `check` makes does not become `latest`, unless it is the first one here.
    finished = finish(search, out, remember=out is None and not _has_latest())
    if finished.answer.is_partial:
        raise Cancelled("interrupted.")
    run = _opened(finished.folder, search.setup)
    known = (search.scorer, finished.answer.ledger)
    return RunOf(search.request, run, making, is_stored=False, known=known)


def _has_latest() -> bool:
    with suppress(UsageError):
        return latest_run().is_dir()
    return bool(runs_in_results())


def _opened(folder: Path, setup: FightSetup) -> LoadedRun:
    """A run of these very rules, whatever the file that it names says by now."""
    record = read_record(folder)
    assert isinstance(record, RunRecord)  # noqa: S101 - only such runs are found or made here
    beyond = None
    with suppress(BuildsearchError, OSError):
        above = over_budget_folder(folder, record)
        beyond = None if above is None else (read_scores(above), reopen(above)[1])
    return LoadedRun(folder, record, setup, read_scores(folder), beyond)


def stored_run(setup: FightSetup, request: SearchOptions) -> Path | None:
    """The newest finished run of the same rules, builds, fights and seed that is at least as sure."""
    for folder in _folders():
        try:
            record = read_record(folder)
            if isinstance(record, RunRecord) and _answers(record, setup, request):
                check_seal(folder)
                return folder
        except (BuildsearchError, OSError):
            continue  # no run of ours, or one that was changed by hand
    return None


def _folders() -> Iterator[Path]:
    found = {path.parent for path in RESULTS.glob(f"*/{RUN}")} if RESULTS.is_dir() else set()
    with suppress(UsageError):
        found.add(latest_run())
    there = [folder for folder in found if (folder / RUN).is_file()]
    yield from sorted(there, key=lambda each: (-(each / RUN).stat().st_mtime, str(each)))


def _answers(record: RunRecord, setup: FightSetup, request: SearchOptions) -> bool:
    asked, made = request, record.request
    objective = read_objectives(asked.objectives, setup.loaded.system.metrics)[0].name
    return (
        is_run_of(record, setup)
        and record.parameters == dict(setup.space.parameters)
        and [each.name for each in record.objectives] == [objective]
        and not record.incomplete
        and record.legal_builds is None
        and made.complete is None
        and made.wanted == asked.wanted
        and (made.seed, made.alpha) == (asked.seed, asked.alpha)
        and made.top >= asked.top
        and made.initial_fights >= asked.initial_fights
        and made.ranking_fights >= asked.ranking_fights
    )

"""The run of a request, read where one is stored, else made; and what `check` and `diff` look at in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.gate.check_input import CheckInput, Scored
from buildsearch.library.analyze import subject_of
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.meta import builds_meet, meta_of_ledger
from buildsearch.library.optimize import finish, open_search
from buildsearch.library.runs import LoadedRun, is_run_of, load_run, reopen
from buildsearch.library.search import EXHAUSTIVE, BuildSearch, effort_for, make_scorer
from buildsearch.library.watch import SILENT, Scoring, Watch
from buildsearch.meta.double_oracle import Meta
from buildsearch.model.errors import BuildsearchError, Cancelled, UsageError
from buildsearch.model.space import BuildSpace
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import RESULTS, latest_run, runs_in_results
from buildsearch.report.run_files import read_scores
from buildsearch.report.run_record import RUN, RunRecord, check_seal, over_budget_folder, read_record
from buildsearch.search.executor import executor_of
from buildsearch.search.objectives import read_objectives


@dataclass(frozen=True, eq=False)
class RunOf:
    """The run of a request, and its builds scored again through the cache where more than scores is asked."""

    request: SearchOptions
    run: LoadedRun
    how: Scoring
    known: Scored | None = None

    def score_again(self) -> Scored:
        """What scores its builds, and what is known of each: the same numbers, as the seed is the same."""
        if self.known is not None:
            return self.known
        setup = self.run.setup
        objectives = read_objectives(self.request.objectives, setup.loaded.system.metrics)
        scorer, effort = make_scorer(setup, self.how), effort_for(self.request, objectives)
        search = BuildSearch(setup, self.request.wanted, effort, scorer, self.request, self.how.watch)
        return scorer, search.run().ledger


def run_of(setup: FightSetup, request: SearchOptions, how: Scoring, *, keep: bool = False) -> RunOf:
    """The stored run of a request, else a new one; `keep`: under results/, as `optimize` would write it."""
    folder = stored_run(setup, request)
    if folder is not None:
        return RunOf(request, _opened(folder, setup), how)
    search = open_search(setup, request.changed(search=EXHAUSTIVE), how)
    search.counts()
    if keep:
        return _made(search, None, how)
    with TemporaryDirectory(prefix="buildsearch-") as place:
        return _made(search, str(Path(place) / "run"), how)


def _made(search: BuildSearch, out: str | None, how: Scoring) -> RunOf:
    # A run that `check` makes does not become `latest`, unless it is the first one here.
    has_latest = bool(runs_in_results())
    with suppress(UsageError):
        has_latest = latest_run().is_dir()
    finished = finish(search, out, remember=out is None and not has_latest)
    if finished.answer.is_partial:
        raise Cancelled("interrupted.")
    run = _opened(finished.folder, search.setup)
    known = (search.scorer, finished.answer.ledger)
    return RunOf(search.request, run, how, known=known)


def made_run(setup: FightSetup, request: SearchOptions, how: Scoring) -> LoadedRun:
    """Score every build that is asked for, into a new run under results/ that is not the latest; raises
    Cancelled."""
    quiet = replace(how, watch=replace(how.watch, on_interrupt=SILENT.on_interrupt))
    finished = finish(open_search(setup, request, quiet), remember=False)
    if finished.answer.is_partial:
        raise Cancelled("interrupted.")
    return load_run(str(finished.folder), watch=how.watch)


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
    objective = read_objectives(request.objectives, setup.loaded.system.metrics)[0].name
    for folder, record in _records():
        made = record.request
        if (
            _has_every_build(record, setup, request, [objective])
            and (made.seed, made.alpha) == (request.seed, request.alpha)
            and made.top >= request.top
            and made.initial_fights >= request.initial_fights
            and made.ranking_fights >= request.ranking_fights
        ):
            with suppress(BuildsearchError, OSError):  # one that was changed by hand is none
                check_seal(folder)
                return folder
    return None


def kept_run(setup: FightSetup, run: LoadedRun, *, ignore_checksums: bool, watch: Watch) -> LoadedRun | None:
    """The run of a set-up that asked for what another run did: that run itself, or one in results/."""
    asked, objectives = run.record.request, [each.name for each in run.record.objectives]
    if _has_every_build(run.record, setup, asked, objectives):
        return run
    for folder, record in _records():
        if _has_every_build(record, setup, asked, objectives):
            try:
                return load_run(str(folder), ignore_checksums=ignore_checksums, watch=watch)
            except UsageError as error:
                watch.warn(str(error))
    return None


def _records() -> Iterator[tuple[Path, RunRecord]]:
    """Runs of builds in results/, and the last one wherever it is; the newest first."""
    found = {path.parent for path in RESULTS.glob(f"*/{RUN}")} if RESULTS.is_dir() else set()
    with suppress(UsageError):
        found.add(latest_run())
    there = [folder for folder in found if (folder / RUN).is_file()]
    for folder in sorted(there, key=lambda each: (-(each / RUN).stat().st_mtime, str(each))):
        with suppress(BuildsearchError, OSError):  # no run of ours
            record = read_record(folder)
            if isinstance(record, RunRecord):
                yield folder, record


def _has_every_build(
    record: RunRecord, setup: FightSetup, asked: SearchOptions, objectives: Sequence[str]
) -> bool:
    """Whether a run ranked every build of a set-up that is asked for, by these objectives, to the end."""
    made = record.request
    return (
        is_run_of(record, setup)
        and record.parameters == dict(setup.space.parameters)
        and [each.name for each in record.objectives] == [*objectives]
        and not record.incomplete
        and record.legal_builds is None
        and (made.wanted, made.complete) == (asked.wanted, asked.complete)
    )


def facts_of(found: RunOf, where: str | None = None, fights: int | None = None) -> CheckInput:
    """A run as `analyze` sees it. `where` is what the parameters say, unless told otherwise.

    `fights`: matchups cost at most this many, if an assertion asks about them.
    """
    run, setup = found.run, found.run.setup
    return CheckInput(
        where=where or say_parameters(setup.space),
        subject=subject_of(setup, run.scores, run.objective, beyond=run.beyond),
        primary=setup.loaded.system.metrics[0],
        limits=read_thresholds(),
        seed=found.request.seed,
        jobs=executor_of(found.how.jobs).threads,
        alpha=found.request.alpha,
        score_again=found.score_again,
        play_meta=_play_meta(found, fights),
    )


def _play_meta(found: RunOf, fights: int | None) -> Callable[[], Meta] | None:
    """How matchups are found out; None where builds do not meet."""
    setup = found.run.setup

    def play() -> Meta:
        scorer, ledger = found.score_again()
        (objective, *_) = read_objectives(found.request.objectives, setup.loaded.system.metrics)
        costs = objective.costs(ledger, scorer.scorer)
        return meta_of_ledger(setup, scorer, ledger, costs, found.request, fights)

    return play if builds_meet(setup) else None


def say_parameters(space: BuildSpace) -> str:
    """`tier 3, archetype focused, ...`."""
    return ", ".join(f"{name} {value}" for name, value in space.parameters.items())

"""A search for the best builds: opened, run, written; and the best of them under other rulings and stats."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.document.table_files import write_table
from buildsearch.engines.jit import compile_events, compile_seconds
from buildsearch.files.atomic import check_writable
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.runs import best_of_run
from buildsearch.library.search import (
    BuildSearch,
    arena_of,
    effort_for,
    make_guide,
    make_scorer,
    make_wanted,
    run_folder,
)
from buildsearch.library.watch import NOTHING_KEPT, Scoring
from buildsearch.model.errors import Cancelled, UsageError
from buildsearch.model.rules_file import RULING, STATS, Variation
from buildsearch.options.game import GameOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import remember_run
from buildsearch.report.run_files import folder_for_interrupted
from buildsearch.report.run_record import OVER_BUDGET, RUN, OverBudget, RunRecord
from buildsearch.search.objectives import read_objectives
from buildsearch.search.ranking import NOTHING_SCORED, Ranking
from buildsearch.search.readings import Readings
from buildsearch.search.readings import sweep as read_otherwise
from buildsearch.search.scoring import ScoringSetup
from buildsearch.search.timing import Forecast, Stages, clock
from buildsearch.views.optimize import SweepRow, Swept


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """What was found, where it was written, and what run.json says of it."""

    search: BuildSearch
    answer: Ranking
    folder: Path
    record: RunRecord


def open_search(
    setup: FightSetup, request: SearchOptions, how: Scoring = NOTHING_KEPT, *, stages: Stages | None = None
) -> BuildSearch:
    """Check everything that can be checked before the work begins; raises UsageError or InputError."""
    wanted = make_wanted(setup, request)
    _refuse_words_for_loadouts(request)
    objectives = read_objectives(request.objectives, setup.loaded.system.metrics)
    given = (
        None if request.from_run is None else best_of_run(request.from_run, setup, wanted, request.candidates)
    )
    guide = None if given is not None else make_guide(request, setup.space, wanted, len(objectives))
    search = BuildSearch(
        setup=setup,
        wanted=wanted,
        effort=effort_for(request, objectives),
        scorer=make_scorer(setup, how),
        request=request,
        watch=how.watch,
        guide=guide,
        among=given,
        stages=stages or Stages(),
    )
    if request.over_budget:
        check_over_budget(setup)
    search.stages.mark("read")
    return search


def finish(search: BuildSearch, out: str | None = None, *, remember: bool = True) -> Finished:
    """Run the search and write its folder; raises Cancelled where it ended before any build had a score.

    An interrupted run takes no other's place, and is not the one that `latest` names; nor is one that nobody
    shall `remember`.
    """
    folder = run_folder(search.setup, search.recorded(), out)
    with compile_events() as events:
        begun = clock()
        forecast = search.forecast(lambda: _without_compiling(begun, compile_seconds(events)))
        with search.watch.run(forecast):
            finished = _finish(search, folder, forecast)
    if not finished.answer.is_partial:
        search.keep_times(forecast)
        if remember:
            remember_run(folder)
    return finished


def _without_compiling(begun: tuple[float, float], seconds: float) -> tuple[float, float]:
    """Seconds and CPU since it began. Compiling is not counted: it is done once, and by one thread."""
    passed, spent = (now - then for now, then in zip(clock(), begun, strict=True))
    return passed - seconds, spent - seconds * min(1.0, spent / max(passed, 1e-9))


def _finish(search: BuildSearch, folder: Path, forecast: Forecast) -> Finished:
    is_new = not folder.exists()
    check_writable(folder / RUN)
    try:
        answer = replace(search, watch=replace(search.watch, bar=forecast.watching(search.watch.bar))).run()
    except (KeyboardInterrupt, Cancelled):
        _leave_no_trace(folder, is_new=is_new)
        raise Cancelled(NOTHING_SCORED) from None
    if answer.scored == 0:
        _leave_no_trace(folder, is_new=is_new)
        raise Cancelled(NOTHING_SCORED)
    if search.request.over_budget and not answer.is_partial:
        try:
            above = score_over_budget(search, search.request.over_budget, folder)
            search = replace(search, over_budget=above)
        except (KeyboardInterrupt, Cancelled):
            search.watch.on_interrupt()
            answer.is_partial = True
        search.stages.mark("over_budget")
    if answer.is_partial:
        folder = folder_for_interrupted(folder)
    with forecast.doing("writing", 0):
        try:
            record = search.write(answer, folder)
        except KeyboardInterrupt:
            search.watch.on_interrupt()
            record = search.write(answer, folder)
    return Finished(search, answer, folder, record)


def _leave_no_trace(folder: Path, *, is_new: bool) -> None:
    """Remove a folder that was made to see whether it can be."""
    if is_new:
        with suppress(OSError):
            folder.rmdir()


def _refuse_words_for_loadouts(request: SearchOptions) -> None:
    among = request.from_run is not None
    asked = {"distinct": request.distinct > 0, "candidates": request.candidates is not None and not among}
    for name, is_asked in asked.items():
        if is_asked:
            raise UsageError(
                f"‹{name}› is for loadouts: choose ‹parameters› under which a build has several parts."
            )


def check_over_budget(setup: FightSetup) -> str:
    """The parameter that says how many points there are; raises UsageError where the game has none."""
    names = [each.name for each in setup.loaded.system.parameters if each.is_budget]
    if not names:
        raise UsageError(
            f"‹over_budget› scores builds above the budget, and {setup.loaded.system.title} has no parameter "
            "for a budget. Leave it out."
        )
    return names[0]


def score_over_budget(search: BuildSearch, points: int, folder: Path) -> OverBudget:
    """Score every build that costs up to so many points more, into a folder beside the run's.

    Gives what run.json says about it. Nobody looks at ranks up there, so nothing races.
    """
    name = check_over_budget(search.setup)
    budget = int(search.setup.space.parameters[name])
    request = search.request.with_parameter(name, budget + points).changed(over_budget=0)
    setup = setup_of(request)
    effort = replace(search.effort, top=1, budget=0)
    above = replace(
        search,
        setup=setup,
        effort=effort,
        scorer=make_scorer(setup, search.scoring),
        request=request,
        cost_above=budget,
        stages=Stages(),
    )
    answer = above.run()
    beside = folder.with_name(folder.name + OVER_BUDGET)
    if answer.scored == 0:
        return OverBudget(points=points, builds=0)
    above.write(answer, beside)
    return OverBudget(points=points, builds=answer.scored, run=beside.name)


_CANDIDATES = 200
_LEADERS = 20


def sweep(search: BuildSearch, answer: Ranking, *, rulings: bool, stats: bool, folder: Path) -> Swept:
    """Score the best 200 again under each change; also written to sweep.csv and readings.csv."""
    loaded = search.setup.loaded
    kinds = {kind for kind, wanted in ((RULING, rulings), (STATS, stats)) if wanted}
    changes = [change for change in loaded.system.variations(loaded.model) if change.kind in kinds]
    known = np.flatnonzero(~np.isnan(answer.costs[0]))
    order = np.argsort(answer.costs[0][known], kind="stable")
    best = known[order[:_CANDIDATES]]
    with search.watch.bar("changes", len(changes) + 1) as advance:
        readings = read_otherwise(
            _builds(search, answer, best),
            changes,
            arena_under(search.request, search.scoring),
            search.effort.objective,
            seed=search.effort.seed,
            advance=advance,
        )
    rows = tuple(_rows(readings))
    if changes:
        _write(readings, rows, folder)
    return Swept(readings, rows)


def arena_under(request: GameOptions, how: Scoring) -> Callable[[Variation | None], ScoringSetup]:
    """Where to score under a change of what was asked."""
    return lambda change: arena_of(setup_of(request if change is None else request.under(change)), how)


def _builds(search: BuildSearch, answer: Ranking, rows: Any) -> list[Any]:
    """The builds of these rows, in their order."""
    rising = np.sort(rows)
    space = search.setup.space
    found = [build for chunk in answer.ledger.part(rising).chunks for build in space.builds(chunk)]
    return [found[i] for i in np.searchsorted(rising, rows)]


def _rows(readings: Readings) -> list[SweepRow]:
    # Their scores of the same fights decide, or sampling alone would move some.
    leaders = [readings.names[i] for i in np.argsort(readings.usual.costs, kind="stable")[:_LEADERS]]
    found = []
    for reading in readings.others:
        if reading.problem is not None:
            found.append(SweepRow(reading.label, 0, len(leaders), "", (), reading.problem))
            continue
        now = [readings.names[i] for i in np.argsort(reading.costs, kind="stable")[:_LEADERS]]
        kept = [name for name in now if name in leaders]
        lost = tuple(sorted(set(leaders) - set(now)))
        found.append(SweepRow(reading.label, len(kept), len(leaders), now[0], lost))
    return found


def _write(readings: Readings, rows: tuple[SweepRow, ...], folder: Path) -> None:
    write_table(
        [
            {
                "change": [row.change for row in rows],
                "kept": [row.kept for row in rows],
                "of": [row.of for row in rows],
                "best": [row.best for row in rows],
                "lost": ["; ".join(row.lost) for row in rows],
                "problem": [row.problem or "" for row in rows],
            }
        ],
        folder / "sweep.csv",
    )
    table: dict[str, list[Any]] = {"build": [], "change": [], "score": [], "se": [], "rank": []}
    for reading in (readings.usual, *readings.others):
        if reading.problem is None:
            table["build"] += readings.names
            table["change"] += [reading.label] * len(readings.names)
            table["score"] += reading.scores.tolist()
            table["se"] += reading.errors.tolist()
            table["rank"] += reading.ranks.tolist()
    write_table([table], folder / "readings.csv")

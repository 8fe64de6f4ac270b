"""Builds scored besides those of a run: that edits let in, that decide, that matter, above the budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.analyses import AnalysisInput, RunAnalysis
from buildsearch.analysis.fair_costs import LOWEST, OPEN, purse_of
from buildsearch.analysis.findings import FindingCode
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.edit_table import EditTable, distinct, enlarged, missing, scored, table_of, taken
from buildsearch.balancing.edited_game import EditEvaluator, open_court
from buildsearch.balancing.settle import SettledTable, settle
from buildsearch.evaluate.randomness import content_digest
from buildsearch.files.user_cache import default_cache_path
from buildsearch.library.analyze import subject_of
from buildsearch.library.balance import Desk, open_desk
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import arena_of
from buildsearch.library.watch import SILENT, Scoring, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import CUTS, Edit, Movable
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.options.search import SearchOptions
from buildsearch.search.executor import Jobs
from buildsearch.search.objectives import read_objectives
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import CHUNK, Effort, ScoringSetup

_Key = tuple[str, bytes, str]


class KeptChances(MutableMapping[_Key, float | None]):
    """Chances by group, code and fight; None, where nobody can say, is kept as no number."""

    def __init__(self, scorer: BulkScorer, fights: Mapping[str, Any], cache: ScoreCache) -> None:
        self._scorer, self._fights, self._cache = scorer, fights, cache
        self._known: dict[_Key, float | None] = {}

    def __getitem__(self, key: _Key) -> float | None:
        if key not in self._known:
            found, numbers = self._cache.find(*self._entry(key), 1)
            if not found[0]:
                raise KeyError(key)
            self._known[key] = None if np.isnan(numbers[0, 0]) else float(numbers[0, 0])
        return self._known[key]

    def __setitem__(self, key: _Key, value: float | None) -> None:
        self._known[key] = value
        self._cache.add(*self._entry(key), np.array([[np.nan if value is None else value]]))

    def __delitem__(self, key: _Key) -> None:
        del self._known[key]

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def _entry(self, key: _Key) -> tuple[bytes, Any]:
        group, code, fight = key
        context = content_digest(b"chance to win at once", self._scorer.context(group, self._fights[fight]))
        chunk = Chunk(group, np.frombuffer(code, dtype=np.uint64)[None].copy())
        return context, self._scorer.keys(chunk)


def effort_of(run: LoadedRun, watch: Watch = SILENT) -> Effort:
    """How builds are scored that a run lacks: as it scored its own."""
    system, record = run.setup.loaded.system, run.record
    objectives = read_objectives((run.objective,) if run.objective else (), system.metrics)
    # The first of those that are let in are raced for; the others keep their floor of fights.
    return Effort(objectives, 100, record.initial_fights or 256, 0, record.seed, bar=watch.bar)


def remembering(table: EditTable, setup: FightSetup, cache: ScoreCache) -> EditTable:
    """A table that keeps what engines say about how its fights end."""
    scorer = setup.loaded.system.bulk(setup.loaded.model, setup.space)
    chances = KeptChances(scorer, setup.fights, cache)
    return replace(table, subject=replace(table.subject, chances=chances))


MOST_BUILDS = 400_000
# The best builds of a smaller game that a larger one begins with: of all, and with each part.
_BEST, _EACH = 40, 5


def open_pool(
    request: SearchOptions,
    setup: FightSetup,
    like: LoadedRun,
    smaller: Sequence[Desk],
    how: Scoring,
) -> tuple[Desk, Pool]:
    """Builds of a set-up, scored as those of a run are, and what may be moved; `smaller` games lead to
    them."""
    pool = empty_pool(request, setup, like, how)
    pool.start(_known_elsewhere(setup, smaller), np.random.default_rng(like.record.seed))
    pool.grow()
    total = sum(setup.space.count(request.wanted).values())
    record = like.record.model_copy(
        update={"request": request, "parameters": dict(setup.space.parameters), "legal_builds": total}
    )
    run = LoadedRun(like.folder, record, setup, pool.table.population.scores)
    return open_desk(run, some_builds=True), pool


def empty_pool(request: SearchOptions, setup: FightSetup, like: LoadedRun, how: Scoring) -> Pool:
    """A pool for builds of a set-up, which scores them as a run scored its own."""
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(f"{system.title} declares no prices, bans or limits that could be moved.")
    accounts = system.accounts(rules, setup.space)
    arena = arena_of(setup, how, wanted=request.wanted)
    kept = ScoreCache(how.cache, how.watch.warn)
    effort = replace(effort_of(like), bar=SILENT.bar)

    def score(chunks: Sequence[Chunk]) -> ScoreTable:
        return scored(arena, chunks, effort, like.scores, races=False)

    def tabled(scores: ScoreTable) -> EditTable:
        subject = subject_of(setup, scores, like.objective, triggers=False)
        return remembering(table_of(subject, accounts), setup, kept)

    return Pool(setup.space, request.wanted, score, tabled, most=MOST_BUILDS, say=how.watch.say)


def _known_elsewhere(setup: FightSetup, smaller: Sequence[Desk]) -> list[Any]:
    """The best builds of other games that are legal here: of all, and with each part."""
    found: dict[str, Any] = {}
    for desk in smaller:
        population, space = desk.table.population, desk.setup.space
        legal = np.flatnonzero(desk.table.legal(()))
        rows = [legal[:_BEST]]
        rows += [legal[population.levels[part, legal] > 0][:_EACH] for part in range(len(population.names))]
        for row in np.unique(np.concatenate(rows)).tolist():
            name = population.name(row, space)
            try:
                build = setup.space.parse(name)
            except InputError:
                continue
            if name not in found and not setup.space.reasons_against(build):
                found[name] = build
    return list(found.values())


# The best builds with an edited option are settled a few at a time, as another may lead after that.
_ROUNDS = 4
_LEADERS = 4
_SETTLE_FIGHTS = 4_000_000


def court_over(table: EditTable, limits: Thresholds) -> EditEvaluator:
    """Where edits of a table are judged."""
    return open_court(table, limits)


def _leaders(court: EditEvaluator, edits: Sequence[Edit]) -> list[int]:
    """Rows of the best sampled builds with each edited option, before and after."""
    population = court.table.population
    options = {
        population.names.index(name) for edit in edits for name in edit.about if name in population.names
    }
    found: dict[int, None] = {}
    for state in (court.state(()), court.state(edits)):
        for option in sorted(options):
            best = state.rows[population.has(option)[state.rows]][:_LEADERS]
            found |= dict.fromkeys(best[population.scores.error[best] > 0].tolist())
    return list(found)


class RunScorer:
    """Scores through the cache, as the run was scored."""

    def __init__(self, desk: Desk, how: Scoring) -> None:
        self._desk, self._how = desk, how
        self._cache = ScoreCache(how.cache, how.watch.warn)
        self._effort = effort_of(desk.run, how.watch)

    def remembering(self, table: EditTable) -> EditTable:
        """The table with what engines said about its fights kept from one search to the next."""
        return remembering(table, self._desk.setup, self._cache)

    def court(self, edits: Sequence[Edit], limits: Thresholds) -> EditEvaluator:
        """Where edits of costs and bans are judged: the builds that they make legal are scored, and the best
        sampled ones with an edited option better than a run scores them."""
        table = self.remembering(self._desk.table)
        if not table.is_closed(edits):
            table = self.scored(table, [(edits, self.let_in(table, edits))])
        court = court_over(table, limits)
        for _ in range(_ROUNDS):
            settled = self.settle(court.table, _leaders(court, edits), _SETTLE_FIGHTS)
            if not settled.solved and not settled.fought:
                break
            court = court_over(settled.table, limits)
        return court

    def _arena(self, setup: FightSetup) -> ScoringSetup:
        return arena_of(setup, self._how, scores=self._cache, wanted=self._desk.wanted)

    def let_in(self, table: EditTable, edits: Sequence[Edit], most: int | None = None) -> list[Chunk]:
        """The builds that edits let in and the table does not have; not all where they are over `most`."""
        setup, wanted = self._desk.edited(edits), self._desk.wanted
        letting = [edit for edit in edits if edit.lets_in]
        if len(letting) == 1 and letting[0].kind == CUTS and not any(a.is_spent for a in table.accounts):
            # Only builds with what becomes cheaper.
            wanted = replace(wanted, with_features=(*wanted.with_features, *letting[0].about))
        return missing(table, setup.space.chunks(wanted, CHUNK), most)

    def scored(self, table: EditTable, sets: Sequence[tuple[Sequence[Edit], Sequence[Chunk]]]) -> EditTable:
        """The table with the builds that sets of edits let in."""
        chunks = distinct([chunk for _, some in sets for chunk in some])
        widest = self._desk.edited(max((edits for edits, _ in sets), key=len))
        arena = self._arena(widest)
        more = scored(arena, chunks, self._effort, table.population.scores) if chunks else None
        return enlarged(table, more, arena.space, [edits for edits, _ in sets])

    def settle(
        self, table: EditTable, rows: Sequence[int], fights: int, edits: Sequence[Edit] = ()
    ) -> SettledTable:
        """Better scores of some builds, by about so many fights, which may be those of edited rules."""
        quiet = replace(self._effort, bar=SILENT.bar)
        setup = self._desk.edited(edits) if edits else self._desk.setup
        return settle(table, rows, self._arena(setup), quiet, fights)

    def _again(self, setup: FightSetup, before: ScoreTable, rows: NDArray[np.int64]) -> ScoreTable:
        """Some builds by group, as another set-up scores them."""
        chunks = [chunk for _, chunk in before.chunks(rows)]
        is_whole = len(rows) == len(before)
        effort = self._effort if is_whole else replace(self._effort, bar=SILENT.bar)
        # A look at a few builds asks for no ranks: whoever keeps the goal is scored as a whole.
        return scored(self._arena(setup), chunks, effort, before, races=is_whole)

    def scored_again(self, table: EditTable, edits: Sequence[Edit], rows: NDArray[np.int64]) -> ScoreTable:
        """Some builds of a table as edited rules score them, in the order of the rows."""
        before = table.population.scores
        by_group = np.concatenate([mine for mine, _ in before.chunks(rows)])
        found = self._again(self._desk.edited(edits), before, rows)
        place = {row: number for number, row in enumerate(by_group.tolist())}
        return taken(found, np.array([place[row] for row in rows.tolist()], dtype=np.int64))

    def grown(
        self, table: EditTable, edits: Sequence[Edit], rows: NDArray[np.int64], rounds: int | None = None
    ) -> EditTable:
        """The builds that matter under edited rules: every change of those that lead, from some builds on."""
        setup, request = self._desk.edited(edits), self._desk.run.record.request
        pool = empty_pool(request, setup, self._desk.run, self._how)
        space = table.subject.space
        names = (table.population.name(row, space) for row in rows.tolist())
        pool.add(setup.space.parse(name) for name in names)
        pool.grow((), *(() if rounds is None else (rounds,)))
        return pool.table

    def rescored(self, table: EditTable, edits: Sequence[Edit], rows: NDArray[np.int64]) -> EditTable:
        """Some builds of a table as edited rules score them, the best first."""
        setup = self._desk.edited(edits)
        system, rules = setup.loaded.system, setup.loaded.model
        found = self._again(setup, table.population.scores, rows)
        subject = subject_of(setup, found, self._desk.run.objective, triggers=False)
        accounts = system.accounts(rules, setup.space) if isinstance(system, Movable) else table.accounts
        return table_of(subject, accounts)


# Builds times scenarios that are scored without asking, within a minute on a quiet machine: counted, so that
# the same is scored on a busy one.
_MOST_SCORES = 1_000_000


def score_flagged(
    run: LoadedRun, analysis: RunAnalysis, subject: AnalysisInput, jobs: Jobs, watch: Watch
) -> tuple[ScoreTable, BuildSpace, frozenset[str]] | None:
    """Builds with flagged options that lower costs of these would make legal, their space, and the options.

    The furthest from the benchmark come first, as many as take little work; None where there are none.
    """
    budgets = [each.name for each in run.setup.loaded.system.parameters if each.is_budget]
    prices = analysis.verdict.prices
    flagged = [
        (name, cost)
        for finding in analysis.findings
        if finding.code is FindingCode.OVERCOSTED
        for name in finding.subjects
        if prices[name].why == OPEN and (cost := prices[name].price) is not None
    ]
    budget = int(run.scores.cost.max())
    purse = purse_of(analysis.population, subject.prices, budget)
    if not budgets or not flagged or purse is None:
        return None
    watch.stage("builds above the budget")
    given = int(run.setup.space.parameters[budgets[0]])

    @cache
    def setup(more: int) -> FightSetup:
        return setup_of(run.record.request.with_parameter(budgets[0], given + more))

    def above(name: str, price: int) -> Iterator[Chunk]:
        """Builds with an option that would be legal if it cost as little as can be."""
        for group, factor in zip(run.scores.groups, purse.factors, strict=True):
            more = ceil(factor * (price - LOWEST))
            wanted = run.record.request.wanted
            some = replace(wanted, groups=(group,), with_features=(*wanted.with_features, name))
            for chunk in setup(more).space.chunks(some, CHUNK):
                cost = np.asarray(setup(more).space.costs(chunk))
                is_above = (cost > budget) & (cost <= budget + more)
                if is_above.any():
                    yield Chunk(chunk.group, np.ascontiguousarray(chunk.codes[is_above]))

    chunks: list[Chunk] = []
    covered: list[str] = []
    for name, price in flagged:
        more = list(above(name, price))
        if sum(map(len, (*chunks, *more))) * len(run.setup.fights) <= _MOST_SCORES:
            chunks, covered = [*chunks, *more], [*covered, name]
    if not chunks:
        return None
    widest = setup(max(ceil(factor * (price - LOWEST)) for factor in purse.factors for _, price in flagged))
    arena = arena_of(widest, Scoring(default_cache_path(), jobs, watch))
    what = "builds above the budget"
    found = scored(arena, distinct(chunks), effort_of(run), run.scores, what, races=False)
    return found, widest.space, frozenset(covered)

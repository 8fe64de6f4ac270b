"""Where builds are scored for a search for balance: those that edits let in, and those that decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.analyses import case_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.edit_table import EditTable, distinct, enlarged, missing, scored, table_of, taken
from buildsearch.balancing.edited_game import EditEvaluator, open_court
from buildsearch.balancing.settle import SettledTable, settle
from buildsearch.library.balance import Desk
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.pools import empty_pool
from buildsearch.library.run_effort import effort_of, remembering
from buildsearch.library.search import make_scorer
from buildsearch.library.subjects import subject_of
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.levers import CUTS, Edit, Movable
from buildsearch.model.space import Chunk
from buildsearch.search.executor import Jobs
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import CHUNK, ScoringSetup

# The best builds with an edited option are settled a few at a time, as another may lead after that.
_ROUNDS = 4
_LEADERS = 4
_SETTLE_FIGHTS = 4_000_000


def _opened(table: EditTable, limits: Thresholds) -> EditEvaluator:
    return open_court(table, case_of(table.subject, table.population, limits), limits)


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

    def __init__(self, desk: Desk, cache: Path | None, jobs: Jobs, watch: Watch = SILENT) -> None:
        self._desk, self._watch = desk, watch
        self._folder, self._jobs = cache, jobs
        self._cache = ScoreCache(cache, watch.warn)
        self._effort = effort_of(desk.run, watch)

    def remembering(self, table: EditTable) -> EditTable:
        """The table with what engines said about its fights kept from one search to the next."""
        return remembering(table, self._desk.setup, self._cache)

    def court(self, edits: Sequence[Edit], limits: Thresholds) -> EditEvaluator:
        """Where edits of costs and bans are judged: the builds that they make legal are scored, and the best
        sampled ones with an edited option better than a run scores them."""
        table = self.remembering(self._desk.table)
        if not table.is_closed(edits):
            table = self.scored(table, [(edits, self.let_in(table, edits))])
        court = _opened(table, limits)
        for _ in range(_ROUNDS):
            settled = self.settle(court.table, _leaders(court, edits), _SETTLE_FIGHTS)
            if not settled.solved and not settled.fought:
                break
            court = _opened(settled.table, limits)
        return court

    def _arena(self, setup: FightSetup) -> ScoringSetup:
        scorer = make_scorer(setup, self._cache, jobs=self._jobs)
        return ScoringSetup(setup.space, setup.fights, scorer, self._desk.wanted)

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
        pool = empty_pool(
            request, setup, self._desk.run, cache=self._folder, jobs=self._jobs, watch=self._watch
        )
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

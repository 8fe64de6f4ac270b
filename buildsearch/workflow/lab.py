"""Where builds are scored for a search for balance: those that edits let in, and those that decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from buildsearch.changes.side import Effort
from buildsearch.model.levers import CUTS, Edit, Movable
from buildsearch.model.space import Chunk
from buildsearch.proposals.missing_builds import distinct, enlarged, missing, scored
from buildsearch.proposals.sampled_builds import Settled, settle
from buildsearch.proposals.table import Table, table_of
from buildsearch.search.arena import Arena
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.search.scoring import CHUNK
from buildsearch.workflow.balance import Desk
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.kept_chances import KeptChances
from buildsearch.workflow.runs import Run
from buildsearch.workflow.subjects import subject_of
from buildsearch.workflow.watch import SILENT, Watch


def effort_of(run: Run, jobs: int, watch: Watch = SILENT) -> Effort:
    """How builds are scored that a run lacks: as it scored its own."""
    system, record = run.setup.loaded.system, run.record
    objective = read_objectives((run.objective,) if run.objective else (), system.metrics)[0]
    # The first of those that are let in are raced for; whoever comes behind keeps its floor of fights.
    return Effort(objective, RaceRules(100, record.floor or 256, 0, record.seed), jobs, watch.bar)


def remembering(table: Table, setup: FightSetup, cache: ScoreCache) -> Table:
    """A table that keeps what engines say about how its fights end."""
    scorer = setup.loaded.system.bulk(setup.loaded.model, setup.space)
    chances = KeptChances(scorer, setup.fights, cache)
    return replace(table, subject=replace(table.subject, chances=chances))


class Lab:
    """Scores through the cache, as the run was scored."""

    def __init__(self, desk: Desk, cache: Path | None, jobs: int, watch: Watch = SILENT) -> None:
        self._desk, self._watch = desk, watch
        self._cache = ScoreCache(cache, watch.warn)
        self._effort = effort_of(desk.run, jobs, watch)

    def remembering(self, table: Table) -> Table:
        """The table with what engines said about its fights kept from one search to the next."""
        return remembering(table, self._desk.setup, self._cache)

    def _arena(self, setup: FightSetup) -> Arena:
        scorer = setup.loaded.system.bulk(setup.loaded.model, setup.space)
        return Arena(setup.space, setup.fights, CachedScorer(scorer, self._cache), self._desk.wanted)

    def let_in(self, table: Table, edits: Sequence[Edit], most: int | None = None) -> list[Chunk]:
        """The builds that edits let in and the table does not have; not all where they are over `most`."""
        setup, wanted = self._desk.edited(edits), self._desk.wanted
        letting = [edit for edit in edits if edit.lets_in]
        if len(letting) == 1 and letting[0].kind == CUTS and not any(a.is_spent for a in table.accounts):
            # Only builds with what becomes cheaper.
            wanted = replace(wanted, with_features=(*wanted.with_features, *letting[0].about))
        return missing(table, setup.space.chunks(wanted, CHUNK), most)

    def scored(self, table: Table, sets: Sequence[tuple[Sequence[Edit], Sequence[Chunk]]]) -> Table:
        """The table with the builds that sets of edits let in."""
        chunks = distinct([chunk for _, some in sets for chunk in some])
        widest = self._desk.edited(max((edits for edits, _ in sets), key=len))
        arena = self._arena(widest)
        more = scored(arena, chunks, self._effort, table.population.scores) if chunks else None
        return enlarged(table, more, arena.space, [edits for edits, _ in sets])

    def settle(self, table: Table, rows: Sequence[int], fights: int, edits: Sequence[Edit] = ()) -> Settled:
        """Better scores of some builds, by about so many fights, which may be those of edited rules."""
        quiet = replace(self._effort, bar=SILENT.bar)
        setup = self._desk.edited(edits) if edits else self._desk.setup
        return settle(table, rows, self._arena(setup), quiet, fights)

    def rescored(self, table: Table, edits: Sequence[Edit], rows: NDArray[np.int64]) -> Table:
        """Some builds of a table as edited rules score them, the best first."""
        setup = self._desk.edited(edits)
        system, rules = setup.loaded.system, setup.loaded.model
        before = table.population.scores
        chunks = [chunk for _, chunk in before.chunks(rows)]
        is_whole = len(rows) == len(table.population)
        effort = self._effort if is_whole else replace(self._effort, bar=SILENT.bar)
        # A look at a few builds asks for no ranks: whoever keeps the goal is scored as a whole.
        found = scored(self._arena(setup), chunks, effort, before, races=is_whole)
        subject = subject_of(setup, found, self._desk.run.objective, triggers=False)
        accounts = system.accounts(rules, setup.space) if isinstance(system, Movable) else table.accounts
        return table_of(subject, accounts)

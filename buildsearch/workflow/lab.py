"""Where builds are scored for a search for balance: those that edits let in, and those that decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from buildsearch.changes.ground import Effort, Ground
from buildsearch.model.levers import CUTS, Edit
from buildsearch.model.space import Chunk
from buildsearch.proposals.completing import distinct, enlarged, missing, scored
from buildsearch.proposals.settling import Settled, settle
from buildsearch.proposals.table import Table
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.search.scoring import CHUNK
from buildsearch.workflow.balance import Desk
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.watch import SILENT, Watch


class Lab:
    """Scores through the cache, as the run was scored."""

    def __init__(self, desk: Desk, cache: Path | None, jobs: int, watch: Watch = SILENT) -> None:
        self._desk, self._watch = desk, watch
        self._cache = ScoreCache(cache, watch.warn)
        system, record = desk.setup.loaded.system, desk.run.record
        objective = read_objectives((desk.run.objective,) if desk.run.objective else (), system.metrics)[0]
        # The first of those that are let in are raced for; whoever comes behind keeps its floor of fights.
        rules = RaceRules(100, record.floor or 256, 0, record.seed)
        self._effort = Effort(objective, rules, jobs, watch.bar)

    def _ground(self, setup: FightSetup) -> Ground:
        scorer = setup.loaded.system.bulk(setup.loaded.model, setup.space)
        return Ground(setup.space, self._desk.wanted, setup.fights, CachedScorer(scorer, self._cache))

    def let_in(self, table: Table, edits: Sequence[Edit]) -> list[Chunk]:
        """The builds that edits let in and the table does not have."""
        setup, wanted = self._desk.edited(edits), self._desk.wanted
        letting = [edit for edit in edits if edit.lets_in]
        if len(letting) == 1 and letting[0].kind == CUTS and not any(a.is_spent for a in table.accounts):
            # Only builds with what becomes cheaper.
            wanted = replace(wanted, with_features=(*wanted.with_features, *letting[0].about))
        return missing(table, setup.space.chunks(wanted, CHUNK))

    def scored(self, table: Table, sets: Sequence[tuple[Sequence[Edit], Sequence[Chunk]]]) -> Table:
        """The table with the builds that sets of edits let in."""
        chunks = distinct([chunk for _, some in sets for chunk in some])
        widest = self._desk.edited(max((edits for edits, _ in sets), key=len))
        ground = self._ground(widest)
        more = scored(ground, chunks, self._effort, table.population.scores) if chunks else None
        return enlarged(table, more, ground.space, [edits for edits, _ in sets])

    def settle(self, table: Table, rows: Sequence[int], seconds: float) -> Settled:
        """Better scores of some builds."""
        quiet = replace(self._effort, bar=SILENT.bar)
        return settle(table, rows, self._ground(self._desk.setup), quiet, seconds)

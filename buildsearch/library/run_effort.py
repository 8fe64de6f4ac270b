"""How builds are scored that a run lacks, and what engines said about its fights kept."""

from __future__ import annotations

from dataclasses import replace

from buildsearch.balancing.edit_table import EditTable
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.kept_chances import KeptChances
from buildsearch.library.runs import LoadedRun
from buildsearch.library.watch import SILENT, Watch
from buildsearch.search.objectives import read_objectives
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import Effort


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

"""The builds that matter of a space too large to score as a whole, opened like a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.edit_table import EditTable, scored, table_of
from buildsearch.library.balance import Desk, open_desk
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.run_effort import effort_of, remembering
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import make_scorer
from buildsearch.library.subjects import subject_of
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import Movable
from buildsearch.model.space import Chunk
from buildsearch.options.search import SearchOptions
from buildsearch.search.executor import Jobs
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import ScoringSetup

MOST_BUILDS = 400_000
# The best builds of a smaller game that a larger one begins with: of all, and with each part.
_BEST, _EACH = 40, 5


def open_pool(
    request: SearchOptions,
    setup: FightSetup,
    like: LoadedRun,
    smaller: Sequence[Desk],
    *,
    cache: Path | None,
    jobs: Jobs,
    watch: Watch = SILENT,
    say: Callable[[str], None] = lambda _text: None,
) -> tuple[Desk, Pool]:
    """Builds of a set-up, scored as those of a run are, and what may be moved; `smaller` games lead to
    them."""
    pool = empty_pool(request, setup, like, cache=cache, jobs=jobs, watch=watch, say=say)
    pool.start(_known_elsewhere(setup, smaller), np.random.default_rng(like.record.seed))
    pool.grow()
    total = sum(setup.space.count(request.wanted).values())
    record = like.record.model_copy(
        update={"request": request, "parameters": dict(setup.space.parameters), "legal_builds": total}
    )
    run = LoadedRun(like.folder, record, setup, pool.table.population.scores)
    return open_desk(run, some_builds=True), pool


def empty_pool(
    request: SearchOptions,
    setup: FightSetup,
    like: LoadedRun,
    *,
    cache: Path | None,
    jobs: Jobs,
    watch: Watch = SILENT,
    say: Callable[[str], None] = lambda _text: None,
) -> Pool:
    """A pool for builds of a set-up, which scores them as a run scored its own."""
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(f"{system.title} declares no prices, bans or limits that could be moved.")
    accounts = system.accounts(rules, setup.space)
    arena = ScoringSetup(setup.space, setup.fights, make_scorer(setup, cache, watch, jobs), request.wanted)
    kept = ScoreCache(cache, watch.warn)
    effort = replace(effort_of(like), bar=SILENT.bar)

    def score(chunks: Sequence[Chunk]) -> ScoreTable:
        return scored(arena, chunks, effort, like.scores, races=False)

    def tabled(scores: ScoreTable) -> EditTable:
        subject = subject_of(setup, scores, like.objective, triggers=False)
        return remembering(table_of(subject, accounts), setup, kept)

    return Pool(setup.space, request.wanted, score, tabled, most=MOST_BUILDS, say=say)


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

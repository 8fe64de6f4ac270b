"""Do the best builds stay the best under other rulings and other stats?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.document.table_files import write_table
from buildsearch.library.fight_setup import setup_of
from buildsearch.library.search import BuildSearch, make_scorer
from buildsearch.model.rules_file import RULING, STATS, Variation
from buildsearch.options.game import GameOptions
from buildsearch.search.executor import Jobs
from buildsearch.search.ranking import Ranking
from buildsearch.search.readings import Readings
from buildsearch.search.readings import sweep as read_otherwise
from buildsearch.search.scoring import ScoringSetup

_CANDIDATES = 200
_LEADERS = 20


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One change: how many of the leaders stay leaders, who leads now, who falls out; or why not."""

    change: str
    kept: int
    of: int
    best: str
    lost: tuple[str, ...]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Swept:
    """The best builds, best first, under every change."""

    readings: Readings
    rows: tuple[SweepRow, ...]


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
            arena_under(search.request, search.scorer.cache.folder, search.scorer.executor),
            search.effort.objective,
            seed=search.effort.seed,
            advance=advance,
        )
    rows = tuple(_rows(readings))
    if changes:
        _write(readings, rows, folder)
    return Swept(readings, rows)


def arena_under(
    request: GameOptions, cache: Path | None, jobs: Jobs
) -> Callable[[Variation | None], ScoringSetup]:
    """Where to score under a change of what was asked; `cache` is the folder of scores."""

    def arena(change: Variation | None) -> ScoringSetup:
        setup = setup_of(request if change is None else request.under(change))
        return ScoringSetup(setup.space, setup.fights, make_scorer(setup, cache, jobs=jobs))

    return arena


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

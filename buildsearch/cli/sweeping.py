"""Do the best builds stay the best under other rulings and other stats?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.cli.fight_setup import setup_of
from buildsearch.cli.progress import progress_bar
from buildsearch.cli.searching import Search, make_scorer
from buildsearch.evaluate.sampling import BLOCK
from buildsearch.model.variation import RULING, STATS, Variation
from buildsearch.report.tables import write_table
from buildsearch.search.ledger import Ledger
from buildsearch.search.optimizing import Answer
from buildsearch.search.scoring import sample_rows, solve_all

_CANDIDATES = 200
_LEADERS = 20


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One change: how many of the leaders stay leaders, who leads now, who falls out."""

    change: str
    kept: int
    of: int
    best: str
    lost: tuple[str, ...]


def sweep(search: Search, answer: Answer, *, rulings: bool, stats: bool, folder: Path) -> list[SweepRow]:
    """Score the best 200 again under each change; also written to sweep.csv."""
    loaded = search.setup.loaded
    kinds = {kind for kind, wanted in ((RULING, rulings), (STATS, stats)) if wanted}
    changes = [change for change in loaded.system.variations(loaded.model) if change.kind in kinds]
    known = np.flatnonzero(~np.isnan(answer.costs[0]))
    best = known[np.argsort(answer.costs[0][known], kind="stable")[:_CANDIDATES]]
    rows = np.sort(best)
    names = _names(search, answer.ledger.part(rows))
    leaders = set(names[np.searchsorted(rows, best[:_LEADERS])])
    found = []
    with progress_bar("changes", len(changes), quiet=search.quiet) as advance:
        for change in changes:
            costs = _costs(search, answer.ledger.part(rows), change)
            order = np.argsort(costs, kind="stable")
            now = [str(names[i]) for i in order[:_LEADERS]]
            kept = [name for name in now if name in leaders]
            lost = tuple(sorted(leaders - set(now)))
            found.append(SweepRow(change.label, len(kept), len(leaders), now[0], lost))
            advance(1)
    columns = {
        "change": [row.change for row in found],
        "kept": [row.kept for row in found],
        "of": [row.of for row in found],
        "best": [row.best for row in found],
        "lost": ["; ".join(row.lost) for row in found],
    }
    if found:
        write_table([columns], folder / "sweep.csv")
    return found


def _costs(search: Search, part: Ledger, change: Variation) -> Any:
    """The objective under a change."""
    words = dict(search.words)
    words["ruling"] = [*(words.get("ruling") or ()), *change.rulings]
    for name, text in change.options.items():
        words[name] = text if not words.get(name) else f"{words[name]},{text}"
    setup = setup_of(words)
    cache = search.scorer.cache.path
    scorer = make_scorer(setup, None if cache is None else cache.parent)
    ledger = Ledger.empty(setup.fights, part.chunks, scorer.scorer.outcomes)
    solve_all(scorer, ledger, search.question.jobs, lambda _done: None)
    objective = search.question.objectives[0]
    ledger.begin_sampling(everywhere=not objective.is_solved(scorer.scorer))
    everyone = np.arange(len(ledger.sampled))
    if len(everyone):
        question = search.question
        sample_rows(scorer, ledger, everyone, BLOCK, question.seed, question.jobs, lambda _done: None)
    return objective.costs(ledger, scorer.scorer)


def _names(search: Search, part: Ledger) -> Any:
    space = search.setup.space
    return np.array([space.name(build) for chunk in part.chunks for build in space.builds(chunk)])

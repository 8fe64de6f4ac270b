"""The best builds found so far, told while a run goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.ranks import RankedBuild, variants
from buildsearch.search.scoring import Advance, Bar

# Seconds after which the first are told, and from then on; finding them takes at most one part in so many.
_FIRST, _EVERY, _SHARE = 5.0, 3.0, 20
# Ideas that are told, among so many of the best builds.
_SHOWN, _AMONG = 5, 200


@dataclass(frozen=True, slots=True)
class Leaders:
    """The best build of each of the best ideas: its name and its score. `scored` of `builds` have a score."""

    objective: Objective
    builds: tuple[tuple[str, float], ...]
    scored: int
    total: int


def leaders_of(space: BuildSpace, ledger: Ledger, scorer: BulkScorer, objective: Objective) -> Leaders | None:
    """None while no build has a score in every fight."""
    costs = objective.costs(ledger, scorer)
    known = np.flatnonzero(~np.isnan(costs))
    if len(known) == 0:
        return None
    best = known[np.argsort(costs[known], kind="stable")[:_AMONG]]
    found = [
        (build, ledger.one(int(row)).group) for row in best for build in space.builds(ledger.one(int(row)))
    ]
    ranked = [RankedBuild(tuple(space.features(build)), group, {}) for build, group in found]
    ideas = [place for place, idea in enumerate(variants(ranked)) if idea is None][:_SHOWN]
    scores = objective.shown(costs[best])
    builds = tuple((space.name(found[place][0]), float(scores[place])) for place in ideas)
    return Leaders(objective, builds, len(known), len(ledger))


def telling(bar: Bar, find: Callable[[], Leaders | None], tell: Callable[[Leaders], None]) -> Bar:
    """The same bars; now and then, when one moves, the best builds so far are found and told."""
    due = time.monotonic() + _FIRST

    @contextmanager
    def told(what: str, total: int) -> Iterator[Advance]:
        nonlocal due
        with bar(what, total) as advance:

            def moved(done: int) -> None:
                nonlocal due
                advance(done)
                begun = time.monotonic()
                if begun >= due:
                    found = find()
                    if found is not None:
                        tell(found)
                    now = time.monotonic()
                    due = now + max(_EVERY, _SHARE * (now - begun))

            yield moved

    return told

"""The whole diff: edits, both sides scored, what changed, who is to blame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from buildsearch.diffs.blame import Blames, blame
from buildsearch.diffs.comparison import Comparison
from buildsearch.diffs.moves import (
    FrontChange,
    Legality,
    LiftChange,
    Move,
    Placement,
    front_change,
    lift_changes,
    moves,
    only_here,
)
from buildsearch.diffs.sides import GameFactory, Side, build_keys, level_fights, match
from buildsearch.model.evaluation import TIE
from buildsearch.search.ledger import Ledger
from buildsearch.search.race import score
from buildsearch.search.scoring import Effort, ScoringSetup
from buildsearch.search.timing import timed

_NONE = Legality(0, {}, 0, ())
# Sampled scores count as different beyond so many standard errors.
_ERRORS = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class DiffResult:
    """What a change of rules does to builds, and which edit does it."""

    comparison: Comparison
    builds: tuple[int, int]
    higher_is_better: bool
    best: tuple[Move | None, Move | None] = (None, None)  # the best build of either side
    legal: Legality = _NONE
    illegal: Legality = _NONE
    moves: tuple[Move, ...] = ()
    front: FrontChange | None = None  # None where nothing was scored
    lifts: tuple[LiftChange, ...] = ()
    blames: Blames | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.comparison.edits

    @property
    def is_stronger(self) -> bool:
        """Whether the best build became better for certain."""
        before = self.best[0].before if self.best[0] else None
        after = self.best[1].after if self.best[1] else None
        return _is_better(after, before, higher_is_better=self.higher_is_better)


def _is_better(one: Placement | None, other: Placement | None, *, higher_is_better: bool) -> bool:
    if one is None or other is None:
        return False
    gain = one.score - other.score if higher_is_better else other.score - one.score
    return gain > TIE + _ERRORS * math.hypot(one.error, other.error)


def run_diff(
    comparison: Comparison,
    arenas: tuple[ScoringSetup, ScoringSetup],
    open_arena: GameFactory,
    effort: Effort,
    *,
    top: int,
    with_blame: bool,
) -> DiffResult:
    """Score both sides and compare; every number is the same on any number of cores.

    Rulesets that say the same are not scored at all.
    """
    if not comparison.edits:
        counts = [sum(arena.space.count(arena.wanted).values()) for arena in arenas]
        return DiffResult(comparison, (counts[0], counts[1]), effort.objective.higher_is_better)
    seconds: dict[str, float] = {}
    with timed(seconds, "A"):
        first = _side(arenas[0], comparison.names, effort, "A")
    with timed(seconds, "B"):
        second = _side(arenas[1], {}, effort, "B")
    with timed(seconds, "match"):
        pairing = match(first, second)
        level_fights(first, second, pairing, effort)
    features = [set(side.arena.space.feature_names) for side in (first, second)]
    known = {comparison.names.get(name, name) for name in features[0]}
    gone = {name for name in features[0] if comparison.names.get(name, name) not in features[1]}
    with timed(seconds, "compare"):
        bounds = (effort.objective, effort.alpha)
        found = moves(first, second, pairing, effort.objective, top, effort.alpha)
        legal = only_here(second, pairing.first_of_second, frozenset(features[1] - known), *bounds)
        illegal = only_here(first, pairing.second_of_first, frozenset(gone), *bounds)
        lifts = lift_changes(first, second, comparison.names)
    with timed(seconds, "front"):
        front = front_change(first, second, pairing, effort.objective)
    blames = None
    if with_blame and any(edit.changes for edit in comparison.edits):
        with timed(seconds, "blame"):
            blames = blame(comparison, (first, second), open_arena, effort)
    return DiffResult(
        comparison=comparison,
        builds=(len(first), len(second)),
        best=(
            min((move for move in found if move.before), key=lambda move: _rank(move.before), default=None),
            min((move for move in found if move.after), key=lambda move: _rank(move.after), default=None),
        ),
        legal=legal,
        illegal=illegal,
        moves=tuple(found),
        front=front,
        lifts=tuple(lifts),
        blames=blames,
        higher_is_better=effort.objective.higher_is_better,
        seconds=seconds,
    )


def _rank(standing: Placement | None) -> int:
    return standing.rank if standing is not None else 0


def _side(arena: ScoringSetup, names: Mapping[str, str], effort: Effort, what: str) -> Side:
    chunks = arena.chunks()
    ledger = Ledger.empty(arena.fights, chunks, arena.scorer.scorer.outcomes)
    score(ledger, arena.scorer, effort, what)
    costs = effort.objective.costs(ledger, arena.scorer.scorer)
    return Side(arena, ledger, costs, build_keys(arena.space, chunks, names))

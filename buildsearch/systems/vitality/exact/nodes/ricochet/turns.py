"""The nodes of a turn with Ricochet: base strikes and Extra Attacks at the target, then strikes at others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.crossing import DEFEATED as FELL_BEFORE
from buildsearch.systems.vitality.exact.batch.crossing import HARMED as HARMED_BEFORE
from buildsearch.systems.vitality.exact.batch.crossing import KINDS as KINDS_BEFORE
from buildsearch.systems.vitality.exact.batch.crossing import MISSED as MISSED_BEFORE
from buildsearch.systems.vitality.exact.batch.crossing import TOUCHED as TOUCHED_BEFORE
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.nodes.ricochet.maps import (
    CLEARED,
    FELLED,
    FELLED_HARD,
    HARMED,
    HARMED_HARD,
    KINDS,
    MISSED,
    NOBODY,
    TOUCHED_HARD,
)
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING, SPECIAL

# The rolls of a level: a base strike, then strikes without consequences at the first, second, third.
BASE, PLAIN = 0, 1
ROLLS_A_LEVEL = 4

_ENDS = ("missed", "touched", "damaged", "splintered", "defeated", "cleared")
_HARD = (TOUCHED_HARD, HARMED_HARD, FELLED_HARD)
_FELLED = (FELLED, FELLED_HARD)
_HARMED = (HARMED, HARMED_HARD, *_FELLED)


@dataclass(frozen=True)
class _Node:
    """A strike of a level at a position. What is left: base strikes with this one, Extra Attacks, Ricochets.

    `is_hard`: Ricochets are to come. `harmed`, `fell`, `hits` (bits by position): what the turn did so far.
    """

    level: int
    is_base: bool
    position: int
    strikes: int
    extras: int
    bounces: int
    target_lives: bool
    is_hard: bool
    harmed: bool
    fell: bool
    hits: int
    ends: tuple[int, ...]
    # Splinters that are left behind this strike, how many of them are owed, whether this is one.
    splinters: int = 0
    owed: int = 0
    is_splinter: bool = False


@dataclass
class _Builder:
    swing: Swing
    bounces: int
    gates: int
    known: dict[_Node, int] = field(default_factory=dict)
    rolls: list[int] = field(default_factory=list)
    next_rows: list[list[int]] = field(default_factory=list)

    def row(self, node: _Node) -> int:
        """The row of a node, which is built with all that it leads to if it is new."""
        node = _forgetful(node)
        if node not in self.known:
            rows = [self._after(node, kind) for kind in range(KINDS)]
            self.known[node] = self.gates + len(self.rolls)
            self.rolls.append(node.level * ROLLS_A_LEVEL + (BASE if node.is_base else PLAIN + node.position))
            self.next_rows.append(rows)
        return self.known[node]

    def _after(self, node: _Node, kind: int) -> int:
        if kind == CLEARED:
            return node.ends[_ENDS.index("cleared")]
        if kind in _FELLED and node.level > 0 and (node.is_base or self.swing.feeds):
            node = replace(node, owed=node.owed + 1)
        node = _struck(node, kind)
        if node.is_splinter:
            return self._go_on(node)
        bouncing = node.bounces < self.bounces
        if bouncing:
            return self._bounce(node, kind)
        if node.is_base:
            node = replace(node, is_hard=kind in _HARD)
            if kind in _HARMED and node.target_lives and node.extras > 0 and node.level > 0:
                return self.row(replace(node, is_base=False, extras=node.extras - 1))
        if node.is_hard:
            return self.row(
                replace(node, is_base=False, position=int(node.target_lives), bounces=node.bounces - 1)
            )
        return self._go_on(node)

    def _bounce(self, node: _Node, kind: int) -> int:
        """After a Ricochet: the next one goes at whoever stood behind, who has moved up if this one fell."""
        if kind != NOBODY and node.bounces > 0:
            position = node.position + (kind != FELLED)
            return self.row(replace(node, position=position, bounces=node.bounces - 1))
        return self._go_on(replace(node, bounces=self.bounces, is_hard=False))

    def _go_on(self, node: _Node) -> int:
        """Splinters that are owed, then the next base strike if the target lives; else the turn is over."""
        node = replace(node, is_base=False, position=0, is_hard=False, is_splinter=False)
        if min(node.owed, node.splinters) > 0:
            return self.row(replace(node, is_splinter=True, splinters=node.splinters - 1, owed=node.owed - 1))
        if node.strikes > 1 and node.target_lives:
            return self.row(replace(node, is_base=True, strikes=node.strikes - 1, owed=0))
        ends, hit = node.ends, node.hits & 1
        if node.fell:
            return ends[3] if hit else ends[4]
        return ends[2] if node.harmed else ends[1] if hit else ends[0]

    def root(self, action: int, ends: tuple[int, ...]) -> int:
        """The row that an action begins in."""
        if action == NOTHING:
            return ends[0]
        swing = Swing(1, 0) if action == BASIC else self.swing
        level = 0 if action == BASIC else 1 + action - SPECIAL
        return self.row(
            _Node(
                level, action != BASIC, 0, swing.strikes, swing.extras, self.bounces, True, False, False,
                False, 0, ends, swing.splinters,
            )
        )  # fmt: skip


def _struck(node: _Node, kind: int) -> _Node:
    """What a strike changes about what the turn did."""
    if kind in (MISSED, NOBODY):
        return node
    position, hits = node.position, node.hits
    harmed, fell, lives = node.harmed or kind in _HARMED, node.fell, node.target_lives
    if kind in _FELLED:
        fell = True
        below = hits & ((1 << position) - 1)
        hits = below | ((hits >> (position + 1)) << position)
        lives = lives and position > 0
    else:
        hits |= 1 << position
    return replace(node, harmed=harmed, fell=fell, hits=hits, target_lives=lives)


def _forgetful(node: _Node) -> _Node:
    """Without what nobody will ask."""
    ends = node.ends
    asks_hits = ends[0] != ends[1] or ends[3] != ends[4]
    asks_defeats = ends[3] != ends[2] or ends[4] != ends[2]
    hits = node.hits if asks_hits else 0
    fell = node.fell and asks_defeats
    harmed = node.harmed or (node.fell and not asks_defeats)
    if fell or (ends[2] == ends[1] and (ends[1] == ends[0] or hits & 1)):
        harmed = False
    return replace(node, hits=hits, fell=fell, harmed=harmed, owed=min(node.owed, node.splinters))


def ricochet_turns(chain: Chain, swing: Swing, bounces: int, *, late: bool) -> Turns:
    """The turns of a chain, as in `nodes.turns`, with so many Ricochets after a critical."""
    builder = _Builder(swing, bounces, chain.states + (KINDS_BEFORE if late else 0))
    steps = np.zeros((len(chain.steps), 3), np.int64)
    for i, step in enumerate(chain.steps):
        ends = tuple(int(step[name]) for name in _ENDS)
        steps[i] = int(step["state"]), int(step["event"]), builder.root(int(step["action"]), ends)
    chances = chain.steps["chance"].copy()
    if late:
        kinds = (MISSED_BEFORE, TOUCHED_BEFORE, HARMED_BEFORE, FELL_BEFORE, FELL_BEFORE, FELL_BEFORE)
        before = tuple(chain.states + kind for kind in kinds)
        root = builder.root(BASIC, before)
        steps, chances = np.append(steps, [[before[0], ALWAYS, root]], axis=0), np.append(chances, 1.0)
    next_rows = np.array(builder.next_rows, np.int64).reshape(-1, KINDS)
    return Turns(builder.gates, np.array(builder.rolls, np.int64), next_rows, steps, chances)

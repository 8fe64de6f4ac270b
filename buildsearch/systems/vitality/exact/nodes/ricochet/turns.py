"""The nodes of a turn with Ricochet: base strikes and Extra Attacks at the target, then strikes at others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from buildsearch.systems.vitality.exact.batch.chain import Chain
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
from buildsearch.systems.vitality.exact.nodes.turns import Builder, Ends, Swing, Turns

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
    ends: Ends
    # Splinters that are left behind this strike, how many of them are owed, whether this is one.
    splinters: int = 0
    owed: int = 0
    is_splinter: bool = False


class _Builder(Builder[_Node]):
    def __init__(self, gates: int, swing: Swing, bounces: int) -> None:
        super().__init__(gates, KINDS)
        self.swing, self.bounces = swing, bounces

    def roll(self, node: _Node) -> int:
        return node.level * ROLLS_A_LEVEL + (BASE if node.is_base else PLAIN + node.position)

    def first(self, level: int, ends: Ends) -> _Node:
        swing = self.swing if level else Swing(1, 0)
        return _Node(
            level, level > 0, 0, swing.strikes, swing.extras, self.bounces, True, False, False, False, 0,
            ends, swing.splinters,
        )  # fmt: skip

    def after(self, node: _Node, kind: int) -> int:
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

    def forgetful(self, node: _Node) -> _Node:
        ends = node.ends
        asks_hits = ends[0] != ends[1] or ends[3] != ends[4]
        asks_defeats = ends[3] != ends[2] or ends[4] != ends[2]
        hits = node.hits if asks_hits else 0
        fell = node.fell and asks_defeats
        harmed = node.harmed or (node.fell and not asks_defeats)
        if fell or (ends[2] == ends[1] and (ends[1] == ends[0] or hits & 1)):
            harmed = False
        return replace(node, hits=hits, fell=fell, harmed=harmed, owed=min(node.owed, node.splinters))


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


def ricochet_turns(chain: Chain, swing: Swing, bounces: int) -> Turns:
    """The turns of a chain, as in `nodes.turns`, with so many Ricochets after a critical."""
    return _Builder(chain.states, swing, bounces).turns(chain, _ENDS)

"""The nodes of a turn: which roll comes next, and to which gates the turn leads in the end.

A node is a roll that is still to be made, with what the turn has done so far as far as somebody will ask. By
kind of outcome it leads to another node or to a gate. Nodes stand behind those that they lead to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.nodes.fields import ALIVE, HARMED, LEVEL, MISSED, Kinds
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING, SPECIAL

Ints = NDArray[np.int64]

# The rolls of an attack at one level; level 0 is the basic attack, which has no second kind; there
# stands a turn without a strike. Splinter's strike is one like Extra Attack's.
STRIKE, EXTRA, SPLINTER = range(3)
ROLLS_A_LEVEL = 2

# What gates a turn leads to: after nothing, a hit, a bleed's damage alone, damage, a defeat with a hit on the
# next target, a defeat without one, the end of a wave.
ENDS = ("missed", "touched", "ticked", "damaged", "splintered", "defeated", "cleared")
Ends = tuple[int, ...]
_MISSED, _TOUCHED, _TICKED, _DAMAGED, _FELL, _DOWN, _CLEARED = range(7)
NOWHERE = -1


@dataclass(frozen=True)
class Swing:
    """How an attack strikes: so many base strikes; so many Extra Attacks, so many Splinters at most.

    `feeds`: whoever falls to Extra Attack or Splinter lets Splinter strike too. `bleeds`: a turn without a
    strike is a roll too, as bleeds tick. Where a roll is a whole turn's attack, that is one strike.
    """

    strikes: int
    extras: int
    splinters: int = 0
    feeds: bool = True
    bleeds: bool = False


@dataclass(frozen=True, eq=False)
class Turns:
    """Rows of values: gates first, then nodes. By node its roll and by kind the row that follows, if any.

    `steps`: by choice the gate, the set of events and the row that it leads to; `chances` their chances.
    """

    gates: int
    rolls: Ints
    next_rows: Ints
    steps: Ints
    chances: NDArray[np.float64]

    @cached_property
    def shape(self) -> tuple[int, bytes, bytes, bytes]:
        """All but chances."""
        return self.gates, self.rolls.tobytes(), self.next_rows.tobytes(), self.steps.tobytes()

    @property
    def rows(self) -> int:
        return self.gates + len(self.rolls)


class _Node(NamedTuple):
    """`level` of the roll's attack, base strikes left with this one, Extra Attacks left, what happened.

    `status` is the end that the turn would come to now. Splinters that are left behind this roll, how many
    of them are `owed`; whether the attack's target is `alive`.
    """

    level: int
    stage: int
    strikes: int
    extras: int
    status: int
    hits: int
    ends: Ends
    splinters: int = 0
    owed: int = 0
    alive: bool = True


_N = TypeVar("_N", bound=Hashable)


class Builder(ABC, Generic[_N]):
    """Rows of values: gates first, then nodes, behind those that they lead to; so many kinds of outcomes."""

    def __init__(self, gates: int, kinds: int) -> None:
        self._gates, self._kinds = gates, kinds
        self._known: dict[_N, int] = {}
        self._rolls: list[int] = []
        self._next_rows: list[list[int]] = []

    @abstractmethod
    def forgetful(self, node: _N) -> _N:
        """Without what nobody will ask: as far along as makes no difference."""

    @abstractmethod
    def after(self, node: _N, kind: int) -> int:
        """The row that an outcome of this kind leads to."""

    @abstractmethod
    def roll(self, node: _N) -> int:
        """Which roll is made in a node."""

    @abstractmethod
    def first(self, level: int, ends: Ends) -> _N:
        """The node that an attack begins in; level 0 is the basic attack."""

    def row(self, node: _N) -> int:
        """The row of a node, which is built with all that it leads to if it is new."""
        node = self.forgetful(node)
        if node not in self._known:
            rows = [self.after(node, kind) for kind in range(self._kinds)]
            self._known[node] = self._gates + len(self._rolls)
            self._rolls.append(self.roll(node))
            self._next_rows.append(rows)
        return self._known[node]

    def root(self, action: int, ends: Ends) -> int:
        """The row that an action begins in."""
        if action == NOTHING:
            return ends[0]
        return self.row(self.first(0 if action == BASIC else 1 + action - SPECIAL, ends))

    def turns(self, chain: Chain, names: Sequence[str]) -> Turns:
        """The turns of a chain, whose ends are gates of these names."""
        steps = np.zeros((len(chain.steps), 3), np.int64)
        for i, step in enumerate(chain.steps):
            root = self.root(int(step["action"]), tuple(int(step[name]) for name in names))
            steps[i] = int(step["state"]), int(step["event"]), root
        next_rows = np.array(self._next_rows, np.int64).reshape(-1, self._kinds)
        return Turns(
            self._gates, np.array(self._rolls, np.int64), next_rows, steps, chain.steps["chance"].copy()
        )


class _Builder(Builder[_Node]):
    def __init__(self, gates: int, kinds: Kinds, swing: Swing) -> None:
        super().__init__(gates, kinds.size)
        self.kinds, self.swing = kinds, swing

    def roll(self, node: _Node) -> int:
        return node.level * ROLLS_A_LEVEL + min(node.stage, EXTRA)

    def first(self, level: int, ends: Ends) -> _Node:
        if level == 0:
            return _Node(0, STRIKE, 1, 0, 0, 0, ends)
        swing = self.swing
        return _Node(level, STRIKE, swing.strikes, swing.extras, 0, 0, ends, swing.splinters)

    def root(self, action: int, ends: Ends) -> int:
        """Where bleeds tick a turn without a strike is a roll too."""
        if action == NOTHING and self.swing.bleeds:
            return self.row(_Node(0, EXTRA, 1, 0, 0, 0, ends))
        return super().root(action, ends)

    def forgetful(self, node: _Node) -> _Node:
        status, ends = node.status, node.ends
        if status == _DOWN and ends[_DOWN] == ends[_FELL]:
            status = _FELL
        while status < _FELL and ends[status + 1] == ends[status]:
            status += 1
        hits = node.hits if ends[_DOWN] != ends[_FELL] else 0
        # Gates of what can no longer be are not told apart. A new front may still be hit.
        least = min(status, _FELL)
        ends = (*(ends[least],) * least, *ends[least:])
        return node._replace(status=status, hits=hits, ends=ends, owed=min(node.owed, node.splinters))

    def after(self, node: _Node, kind: int) -> int:
        kinds = self.kinds
        if kind == kinds.nowhere:
            return NOWHERE
        fallen, kind = divmod(kind, kinds.block)
        if kind == kinds.cleared:
            return node.ends[_CLEARED]
        if fallen and node.level > 0 and (node.stage == STRIKE or self.swing.feeds):
            node = node._replace(owed=node.owed + fallen)
        if kind >= kinds.down:
            which, hit = divmod(kind - kinds.down, kinds.fronts)
            hits = node.hits | (hit if kinds.fallen else hit << which)
            status = _FELL if (hits >> which) & 1 else _DOWN
            if not kinds.fallen:
                return node.ends[status]
            return self._go_on(node._replace(status=status, hits=hits, alive=False))
        what, pattern = divmod(kind, kinds.patterns)
        status = max(node.status, LEVEL[what])
        if node.status == _DOWN and what != MISSED:
            status = _FELL
        node = node._replace(status=status, hits=node.hits | pattern)
        if node.stage == STRIKE and what >= HARMED and node.extras > 0 and node.level > 0:
            return self.row(node._replace(stage=EXTRA, extras=node.extras - 1))
        return self._go_on(node)

    def _go_on(self, node: _Node) -> int:
        """Splinters that are owed, then the next base strike if the target lives; else the turn is over."""
        if min(node.owed, node.splinters) > 0:
            return self.row(node._replace(stage=SPLINTER, splinters=node.splinters - 1, owed=node.owed - 1))
        if node.strikes > 1 and node.alive:
            return self.row(node._replace(stage=STRIKE, strikes=node.strikes - 1, owed=0))
        return node.ends[node.status]


_known = LruCache[tuple[bytes, Swing, Kinds], Turns](16_384)


def turns_of(chain: Chain, swing: Swing, kinds: Kinds) -> Turns:
    """The turns of a chain whose attack strikes like this; types and scenarios ask for the same again."""
    return _known.get((chain.content, swing, kinds), lambda: _turns_of(chain, swing, kinds))


def _turns_of(chain: Chain, swing: Swing, kinds: Kinds) -> Turns:
    # Where no bleed is told apart from damage, there is none, or nobody asks.
    names = ENDS if swing.bleeds else tuple("damaged" if name == "ticked" else name for name in ENDS)
    return _Builder(chain.states, kinds, swing).turns(chain, names)


assert len(LEVEL) == ALIVE  # noqa: S101 - a level for every kind

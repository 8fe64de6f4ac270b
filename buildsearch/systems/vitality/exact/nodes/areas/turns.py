"""The nodes of a turn of area attacks: as `nodes.turns`, but nobody is in front and the area goes on.

`happening`: what one area attack did, as far as the rest of the turn and the next turn's choice ask for
it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.nodes.turns import Builder, Ends, Swing, Turns
from buildsearch.systems.vitality.exact.transitions import NOTHING, SPECIAL

# Nobody was hit; somebody was, unharmed; somebody was harmed and nobody fell; somebody fell, and one who
# lives was hit; somebody fell, and nobody who lives was hit; the last of a wave fell. As a chain's ends.
MISSED, TOUCHED, HARMED, FELL, FELL_ALONE, CLEARED = range(6)
HAPPENINGS = 5  # of parts of a field; that a wave is over is seen from the field


def _together(one: int, other: int) -> int:
    if max(one, other) < FELL:
        return max(one, other)
    one_hit = {one, other} & {TOUCHED, HARMED, FELL}
    return FELL if one_hit else FELL_ALONE


# What happened to two parts of a field is this to both together.
TOGETHER: NDArray[np.int64] = np.array(
    [[_together(one, other) for other in range(HAPPENINGS)] for one in range(HAPPENINGS)]
)


def told_apart(*, harm: bool, defeats: bool, hits: bool) -> tuple[int, ...]:
    """By happening the one that stands for it, where nobody asks for more; with hits all count.

    Fewer happenings make smaller kernels. Parts can still be put together: `TOGETHER` of two that stand for
    others is what stands for both.
    """
    if hits:
        return (MISSED, TOUCHED, HARMED, FELL, FELL_ALONE)
    harmed = HARMED if harm else MISSED
    fell = FELL if defeats else harmed
    return (MISSED, MISSED, harmed, fell, fell)


_ENDS = ("missed", "touched", "damaged", "splintered", "defeated", "cleared")


@dataclass(frozen=True)
class _Node:
    """`level` of the attack, base strikes left with this one, Extra Attacks left, the most that happened."""

    level: int
    is_extra: bool
    strikes: int
    extras: int
    status: int
    ends: Ends


class _Builder(Builder[_Node]):
    def __init__(self, gates: int, swing: Swing) -> None:
        super().__init__(gates, CLEARED + 1)
        self._swing = swing

    def roll(self, node: _Node) -> int:
        """Its level: nobody is in front."""
        return node.level

    def first(self, level: int, ends: Ends) -> _Node:
        strikes, extras = (self._swing.strikes, self._swing.extras) if level else (1, 0)
        return _Node(level, False, strikes, extras, MISSED, ends)

    def after(self, node: _Node, kind: int) -> int:
        if kind == CLEARED:
            return node.ends[CLEARED]
        status = max(node.status, kind)
        if not node.is_extra and kind >= HARMED and node.extras > 0:
            return self.row(_Node(node.level, True, node.strikes, node.extras - 1, status, node.ends))
        if node.strikes > 1:
            return self.row(_Node(node.level, False, node.strikes - 1, node.extras, status, node.ends))
        return node.ends[status]

    def forgetful(self, node: _Node) -> _Node:
        status = node.status
        while status < FELL_ALONE and node.ends[status + 1] == node.ends[status]:
            status += 1
        ends = (*(node.ends[status],) * status, *node.ends[status:])
        return _Node(node.level, node.is_extra, node.strikes, node.extras, status, ends)


def _ends_of(chain: Chain) -> list[Ends]:
    return [tuple(int(step[name]) for name in _ENDS) for step in chain.steps]


def forgets_hits(chain: Chain) -> bool:
    """Whether after the attack (not a basic one) nobody asks who was hit."""
    return all(
        ends[MISSED] == ends[TOUCHED] and ends[FELL] == ends[FELL_ALONE]
        for ends, action in zip(_ends_of(chain), chain.steps["action"], strict=True)
        if action >= SPECIAL
    )


def asked_of(chain: Chain, swing: Swing) -> tuple[int, ...]:
    """By happening the one that stands for it, in all turns of a chain."""
    ends = [e for e, action in zip(_ends_of(chain), chain.steps["action"], strict=True) if action != NOTHING]
    return told_apart(
        harm=swing.extras > 0 or any(each[HARMED] != each[MISSED] for each in ends),
        defeats=any(each[FELL] != each[HARMED] for each in ends),
        hits=any(each[MISSED] != each[TOUCHED] or each[FELL] != each[FELL_ALONE] for each in ends),
    )


def area_turns(chain: Chain, swing: Swing) -> Turns:
    """The turns of a chain; `rolls` of them are levels."""
    return _Builder(chain.states, swing).turns(chain, _ENDS)

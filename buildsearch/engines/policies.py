"""Ways to play that any game can have: their generic part, the game says what things are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.statement import rule

Ints = NDArray[np.int64]

# Worths that differ by no more are one worth.
TIE = 1e-9
# Columns of the walk: where a row goes on, what led to it, what of the budget is left.
_NEXT, _PLAYED, _LEFT = range(3)
COLUMNS = 3


@rule
def best_order(
    expect: Callable[..., float],
    c: Any,
    g: Any,
    me: int,
    it: int,
    cost: Ints,
    left: Ints,
    budget: int,
    walk: Ints,
    least: float,
) -> tuple[int, float]:
    """The first of the kinds in the order that is worth most, and its worth; -1 where none passes `least`.

    An order takes each kind at most as often as `left` has it and costs at most the `budget`. Whoever asks
    has written row 0 of a plan: `expect(c, g, me, it, kind, depth, budget)` writes what row `depth` becomes
    by one of a kind into the next, and gives what the order is worth then. `walk` is scratch, a row deeper
    than the longest order. An order replaces the best so far if it is worth more by TIE; it is tried kind by
    kind, and before the longer ones that begin with it.
    """
    first, most, depth = -1, least, 0
    walk[0, _NEXT] = 0
    walk[0, _LEFT] = budget
    while depth >= 0:
        kind, rest = walk[depth, _NEXT], walk[depth, _LEFT]
        while kind < len(cost) and (left[kind] == 0 or cost[kind] > rest):
            kind += 1
        if kind == len(cost):
            if depth > 0:
                left[walk[depth, _PLAYED]] += 1
            depth -= 1
            continue
        walk[depth, _NEXT] = kind + 1
        worth = expect(c, g, me, it, kind, depth, rest)
        depth += 1
        walk[depth, _NEXT] = 0
        walk[depth, _PLAYED] = kind
        walk[depth, _LEFT] = rest - cost[kind]
        left[kind] -= 1
        if worth > most + TIE:
            first, most = walk[1, _PLAYED], worth
    return first, most

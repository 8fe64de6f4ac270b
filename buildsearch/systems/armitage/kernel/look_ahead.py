"""Look-ahead for the kernel: every order of the cards in reach, each against expected outcomes.

The orders are walked depth first with a row of scratch for each card played, since numba knows no cheap
recursion over arrays.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.armitage.kernel.plan import AP, ATTACK, EVA, HEAL, RES, RESOLVE, TUF

EQUAL = 1e-9
# Columns of the scratch: what a plan expects after each of its cards.
WORTH, TARGET_HP, TARGET_HITS, MISSING = range(4)
FLOATS = 4
LEFT, NEXT, EVA_NOW, RES_NOW, TUF_NOW, OWN_HITS, PLACED, PLAYED = range(8)
INTEGERS = 8


@njit(cache=True, nogil=True)
def best_plan(
    cards: NDArray[np.void],
    hits: NDArray[np.float64],
    means: NDArray[np.float64],
    heal_means: NDArray[np.float64],
    hand: NDArray[np.int64],
    fixed: NDArray[np.float64],
    reals: NDArray[np.float64],
    wholes: NDArray[np.int64],
    lowest_eva: int,
    highest_eva: int,
    highest_res: int,
    active: int,
    own_tuf: int,
    prevented: float,
) -> tuple[int, float]:
    """The first card of the best order and what the order is worth; -1 where none is worth anything.

    Row 0 of the scratch says how things stand. `fixed` is the worth of statuses that the plan cannot use
    itself; `active` are the cards whose status is there already.
    """
    kinds = len(cards)
    most_heal = heal_means.shape[1] - 1
    best = -1
    best_worth = EQUAL
    depth = 0
    wholes[0, NEXT] = 0
    while depth >= 0:
        kind = wholes[depth, NEXT]
        ap = wholes[depth, LEFT]
        while kind < kinds and (hand[kind] == 0 or cards[kind]["ap"] > ap):
            kind += 1
        if kind == kinds:
            depth -= 1
            if depth >= 0:
                hand[wholes[depth + 1, PLAYED]] += 1
            continue
        wholes[depth, NEXT] = kind + 1
        hand[kind] -= 1
        deeper = depth + 1
        for column in range(FLOATS):
            reals[deeper, column] = reals[depth, column]
        for column in range(INTEGERS):
            wholes[deeper, column] = wholes[depth, column]
        wholes[deeper, LEFT] = ap - cards[kind]["ap"]
        wholes[deeper, NEXT] = 0
        wholes[deeper, PLAYED] = kind
        deed = cards[kind]["deed"]
        gain = 0.0
        if deed == ATTACK:
            row = cards[kind]["row"]
            eva = min(max(wholes[depth, EVA_NOW], lowest_eva), highest_eva) - lowest_eva
            res = min(wholes[depth, RES_NOW], highest_res)
            share = min(1.0, max(0.0, wholes[depth, TUF_NOW] - reals[depth, TARGET_HITS]))
            gain = share * means[row, eva, res] + (1 - share) * means[row, eva, 0]
            gain = min(gain, reals[depth, TARGET_HP])
            reals[deeper, TARGET_HP] -= gain
            reals[deeper, TARGET_HITS] += share * hits[row, eva]
        elif deed == HEAL:
            # The mean is linear between whole numbers, as rolls are whole.
            row = cards[kind]["row"]
            missing = min(reals[depth, MISSING], float(most_heal))
            below = int(missing)
            above = min(below + 1, most_heal)
            part = missing - below
            gain = heal_means[row, below] * (1 - part) + heal_means[row, above] * part
            reals[deeper, MISSING] -= gain
        elif deed == RESOLVE:
            own_hits = wholes[depth, OWN_HITS]
            after = max(0, own_hits - cards[kind]["amount"])
            if own_hits >= own_tuf and after < own_tuf:
                gain = prevented
            wholes[deeper, OWN_HITS] = after
        elif ((active | wholes[depth, PLACED]) >> kind) & 1 == 0:
            wholes[deeper, PLACED] |= 1 << kind
            stat = cards[kind]["stat"]
            amount = cards[kind]["amount"]
            if cards[kind]["on_self"] != 0 or stat == AP:
                gain = fixed[kind]
            elif stat == EVA:
                wholes[deeper, EVA_NOW] = max(0, wholes[depth, EVA_NOW] + amount)
            elif stat == RES:
                wholes[deeper, RES_NOW] = max(0, wholes[depth, RES_NOW] + amount)
            elif stat == TUF:
                wholes[deeper, TUF_NOW] = max(0, wholes[depth, TUF_NOW] + amount)
        worth = reals[depth, WORTH] + gain
        reals[deeper, WORTH] = worth
        if worth > best_worth + EQUAL:
            best_worth = worth
            best = wholes[1, PLAYED]
        depth = deeper
    return best, best_worth

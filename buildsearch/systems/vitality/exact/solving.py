"""From a build and an encounter to the whole distribution of fights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.area import area_moves
from buildsearch.systems.vitality.exact.forward import (
    CUT,
    LOST,
    SURVIVED,
    TIMED_OUT,
    TOTALS,
    Table,
    run_forward,
)
from buildsearch.systems.vitality.exact.gates import gates_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.moves import Moves
from buildsearch.systems.vitality.exact.several.areas.solving import solve_area
from buildsearch.systems.vitality.exact.several.ricochet.solving import solve_ricochet
from buildsearch.systems.vitality.exact.several.solving import solve_several
from buildsearch.systems.vitality.exact.several.support import bounces, hurts_several, rolls_for_several
from buildsearch.systems.vitality.exact.single_target import single_target_moves
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED


def solve(ground: ExactGround, *, survival: bool = True) -> Solution:
    """Go forward in time; without `survival` the attacker's HP is followed only where limits ask for it.

    Attacks that hurt others than their target are followed by `several`, with survival in any case.
    """
    if hurts_several(ground):
        return solve_several(ground)
    if bounces(ground):
        return solve_ricochet(ground)
    if rolls_for_several(ground):
        return solve_area(ground)
    moves = area_moves(ground) if ground.setup["area"] else single_target_moves(ground)
    gates = gates_of(ground, survival=survival)
    ends, totals = np.zeros(int(gates["max_turns"]) + 1), np.zeros(TOTALS)
    run_forward(
        gates,
        moves.first_field,
        Table(moves.starts, moves.fields, moves.bits, moves.chances, moves.idle),
        moves.retaliation_of,
        _blows(ground, moves, gates),
        _early_fields(ground, moves, gates),
        ends,
        totals,
    )
    return Solution(
        ends=ends,
        timeouts=float(totals[TIMED_OUT]),
        lost=float(totals[LOST]),
        cut=float(totals[CUT]),
        survival=float(totals[SURVIVED]) if survival else None,
    )


def _early_fields(ground: ExactGround, moves: Moves, gates: np.void) -> int:
    """How many of the first fields share the attacker's HP: all before another retaliation, or a wave's end.

    Only where moves never lead back to an earlier place, nothing looks at HP or at what happened since last
    turn, and nobody stops for want of HP.
    """
    reads = ("hp_full", "hp_cost", "leech", "defeat_is_loss")
    if ground.setup["area"] or any(ground.setup[name] for name in reads) or gates["accepted_size"] > 1:
        return 0
    # Where HP is followed at all, it is down to 0: a limit on it would begin elsewhere.
    alike = gates["hp_size"] > 1 and gates["usable_from"] == 0 and gates["usable_to"] == gates["hp_size"]
    if not alike or gates["no_retaliation"]:
        return 0
    places = 0
    first = moves.retaliations[0]
    for place in range(int(ground.foes[0]["wave_end"])):
        if not np.array_equal(moves.retaliations[place], first):
            break
        places += 1
    return int(np.searchsorted(moves.retaliation_of, places, side="left"))


def _blows(ground: ExactGround, moves: Moves, gates: np.void) -> NDArray[np.float64]:
    """The chance of each loss of HP, split by whether the limits accept what the enemies did."""
    mask, split = int(ground.setup["since_mask"]), int(gates["accepted_size"]) > 1
    full = int(ground.setup["attacker_hp"])
    blows = np.zeros((len(moves.retaliations), 2, full + 1))
    for row, chances in enumerate(moves.retaliations):
        blows[row, (mask >> ALL_MISSED) & 1 if split else 0, 0] += chances[0]
        blows[row, (mask >> HIT_UNHARMED) & 1 if split else 0, 0] += chances[1]
        blows[row, (mask >> DAMAGED) & 1 if split else 0, 1:] = chances[2:]
    return blows

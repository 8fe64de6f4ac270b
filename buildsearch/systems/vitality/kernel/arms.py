"""Attacks side by side, as the fight kernel reads them: one attack is a loadout of one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.content import words_of
from buildsearch.systems.vitality.kernel.plan import Plan

# Where the tables of an attack begin.
PLACE = np.dtype(
    [(name, np.int64) for name in ("strikes", "grid", "naturals", "totals", "worth", "criticals")]
)


class Arms(NamedTuple):
    """Attacks by number, in one encounter. Tables stand one after another; `places` says where."""

    fight: NDArray[np.void]  # one record: what all attacks of the encounter have in common
    foes: NDArray[np.void]
    retaliation: NDArray[np.int64]
    setups: NDArray[np.void]
    places: NDArray[np.void]
    contents: NDArray[np.uint64]
    kill_at: NDArray[np.int64]  # by attack and foe
    strikes: NDArray[np.int64]
    grids: NDArray[np.uint16]
    naturals: NDArray[np.int64]
    totals: NDArray[np.int64]
    # For looking ahead. By row of tables and HP: what an attempt takes from its target, and one strike alone.
    worth: NDArray[np.float64]
    criticals: NDArray[np.float64]  # by row: how many of the base strikes are critical
    activation: NDArray[np.float64]


def arms_of(plan: Plan) -> Arms:
    """One attack by itself, for whom there is nothing to choose."""
    nothing = np.zeros(0)
    return Arms(
        fight=plan.setup,
        foes=plan.foes,
        retaliation=plan.retaliation,
        setups=plan.setup,
        places=np.zeros(1, PLACE),
        contents=words_of(plan.content)[None],
        kill_at=plan.foes["kill_at"][None].copy(),
        strikes=plan.strikes.reshape(-1),
        grids=plan.grid.reshape(-1),
        naturals=plan.naturals.reshape(-1),
        totals=plan.totals.reshape(-1),
        worth=nothing,
        criticals=nothing,
        activation=nothing,
    )

"""The damage of eight profiles side by side, and the memory that their recursion works in."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.lanes.vectors import LANES
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.values import row_of
from buildsearch.systems.vitality.exact.moves import BASIC


class Tables(NamedTuple):
    """Rows are actions by class; a number of a row lies at (row * width + damage) * LANES."""

    width: int
    classes: int
    hp: NDArray[np.int64]  # by class
    chances: NDArray[np.float64]  # of damage that does not defeat from full HP; nothing is left out as 0
    at_least: NDArray[np.float64]
    nothing: NDArray[np.float64]  # by row: a miss, and a hit without damage
    touched: NDArray[np.float64]
    # By row, of all lanes: where chances are not 0, and the threshold, which all lanes share.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    kill_at: NDArray[np.int64]


@njit(cache=True, nogil=True)
def tables_for(actions: int, places: Places, damages: Damages) -> Tables:
    """Empty tables for chains of so many actions."""
    hp = np.zeros(damages.classes, np.int64)
    for place in range(len(places.max_hp)):
        hp[places.strike_class[place]] = places.max_hp[place]
    width = hp.max() + 1
    rows = actions * damages.classes
    return Tables(
        width,
        damages.classes,
        hp,
        np.zeros(rows * width * LANES),
        np.zeros(rows * width * LANES),
        np.zeros(rows * LANES),
        np.zeros(rows * LANES),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.int64),
    )


@njit(cache=True, nogil=True)
def fill_tables(
    tables: Tables,
    damages: Damages,
    first_rows: NDArray[np.int64],
    actions: int,
) -> None:
    """The damage of up to eight profiles; lanes that are left over repeat the last of them."""
    chances = tables.chances
    at_least = tables.at_least
    nothing = tables.nothing
    touched = tables.touched
    hps = tables.hp
    all_chances = damages.chances
    all_at_least = damages.at_least
    all_touched = damages.touched
    lows = damages.lowest
    highs = damages.highest
    kill_ats = damages.kill_at
    for action in range(BASIC, actions):
        for strike_class in range(tables.classes):
            which = action * tables.classes + strike_class
            hp = hps[strike_class]
            base = which * tables.width * LANES
            chances[base : base + (hp + 1) * LANES] = 0.0
            low = hp
            high = 0
            for lane in range(LANES):
                first_row = first_rows[min(lane, len(first_rows) - 1)]
                row = row_of(action, strike_class, first_row, damages.classes)
                own_low = lows[row]
                own_high = highs[row]
                low = min(low, own_low)
                high = max(high, own_high)
                at = base + own_low * LANES + lane
                for damage in range(own_low, own_high + 1):
                    chances[at] = all_chances[row, damage]
                    at += LANES
                at = base + lane
                for damage in range(hp + 1):
                    at_least[at] = all_at_least[row, damage]
                    at += LANES
                nothing[which * LANES + lane] = all_chances[row, 0] - all_touched[row]
                touched[which * LANES + lane] = all_touched[row]
                tables.kill_at[which] = kill_ats[row]
            # An even one: sums of even and odd damages stand apart (`dot_pairs_up`).
            tables.lowest[which] = low - low % 2
            tables.highest[which] = high

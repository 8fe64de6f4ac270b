"""How few turns a loadout could take with one more attack, bleeds among them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.gains import Gains, price
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.best_play.savings import Least, least_turns


def least_beside(kits: Kits, rest: NDArray[np.int64], charges: NDArray[np.int64]) -> Least:
    """What is known of every attack beside the rest.

    Where nothing in the rest bleeds, attacks that do not bleed either meet no pending state.
    """
    bleeds = kits.bleeds
    if bleeds[rest].any():
        return _least(kits, price(kits, rest, charges))
    found = _least(kits, price(kits, rest, charges, ~bleeds))
    if bleeds.any():
        own = _least(kits.part(np.flatnonzero(bleeds)), price(kits, rest, charges, bleeds))
        found.turns[bleeds], found.guess[bleeds] = own.turns, own.guess
        found = found._replace(saved=max(found.saved, own.saved))
    return found


def most_saved(kits: Kits, loadout: NDArray[np.int64], charges: NDArray[np.int64]) -> float:
    """The most turns that any attack saves the loadout, also if several come in."""
    return _least(kits, price(kits, loadout, charges)).saved


def _least(kits: Kits, gains: Gains | None) -> Least:
    if gains is None:
        # Nothing is known about it: everything is worth trying.
        return Least(np.zeros(len(kits.rows)), np.zeros(len(kits.rows)), np.inf)
    return least_turns(kits, gains)

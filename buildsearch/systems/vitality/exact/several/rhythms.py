"""Attempts in a rhythm: one attack every so many turns, and nothing in between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.rhythms import Renewal, rhythm_of
from buildsearch.systems.vitality.exact.moves import NOTHING, SPECIAL


def attempts_of(chain: Chain, limit: int) -> tuple[float, NDArray[np.int64]] | None:
    """The chance to activate, and in how many turns so many attempts lie behind; None: no rhythm."""
    if chain.entered.any():
        return None
    rhythm = rhythm_of(chain)
    if rhythm is None:
        return None
    activation = 1.0
    if isinstance(rhythm, Renewal):
        activation, cycle = rhythm.activation, (NOTHING,) * (rhythm.period - 1) + (SPECIAL,)
    elif rhythm.first or sorted(rhythm.cycle) != [NOTHING] * (len(rhythm.cycle) - 1) + [SPECIAL]:
        return None
    else:
        cycle = rhythm.cycle
    attacks = np.array([cycle[turn % len(cycle)] == SPECIAL for turn in range(limit)])
    behind = np.concatenate([[0], np.cumsum(attacks)[:-1]])
    return activation, np.bincount(behind).astype(np.int64)

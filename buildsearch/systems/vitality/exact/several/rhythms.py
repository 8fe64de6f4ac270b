"""Attempts in a rhythm: one attack every so many turns, and nothing in between."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.moves import NOTHING, SPECIAL

_AFTER = ("touched", "damaged", "defeated", "cleared")


def attempts_of(chain: Chain, limit: int) -> tuple[float, NDArray[np.int64]] | None:
    """The chance to activate, and in how many turns so many attempts lie behind; None: no rhythm."""
    if chain.entered.any() or not _is_certain(chain.steps):
        return None
    state, activations = 0, []
    for _ in range(chain.states):
        here = chain.steps[chain.steps["state"] == state]
        acts = here[here["action"] != NOTHING]
        after = set(here["missed"].tolist())
        if len(after) > 1 or len(acts) > 1 or (acts["action"] != SPECIAL).any():
            return None
        activations.append(float(acts["chance"].sum()))
        state = after.pop()
        if state == 0:
            break
    attacks = np.array(activations) > 0.0
    if state != 0 or attacks.sum() != 1:
        return None
    behind = np.concatenate([[0], np.cumsum(np.resize(attacks, limit))[:-1]])
    return max(activations), np.bincount(behind).astype(np.int64)


def _is_certain(steps: NDArray[np.void]) -> bool:
    """Whether neither enemies nor outcomes decide anything: most chains are not, so this is asked first."""
    if (steps["event"] != ALWAYS).any():
        return False
    acts = steps["action"] != NOTHING
    return not any((acts & (steps[name] != steps["missed"])).any() for name in _AFTER)

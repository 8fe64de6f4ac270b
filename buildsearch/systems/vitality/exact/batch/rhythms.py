"""Chains in which no outcome changes what is done next: how often they attack, or what they do first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING, SPECIAL

_AFTER = ("missed", "touched", "damaged", "defeated", "cleared")


class Renewal(NamedTuple):
    """The turns from one attack to the next, and the chance that it activates."""

    period: int
    activation: float


class LeadIn(NamedTuple):
    """What is done in the first turns, and from then on in every turn."""

    actions: tuple[int, ...]
    last: int


Rhythm = Renewal | LeadIn | None


def rhythm_of(chain: Chain) -> Rhythm:
    """The rhythm of a chain from its first state on, None where what happens decides what is done."""
    return _renewal_of(chain) or _lead_in_of(chain)


def _next(here: NDArray[np.void]) -> int:
    """The state after a state with these steps, -1 where there are several or where enemies decide."""
    acts = here[here["action"] != NOTHING]
    after = set(here["missed"].tolist()).union(*(acts[name].tolist() for name in _AFTER))
    certain = (here["event"] == ALWAYS).all() and abs(here["chance"].sum() - 1.0) < 1e-12
    return after.pop() if certain and len(after) == 1 else -1


def _renewal_of(chain: Chain) -> Renewal | None:
    state = 0
    for period in range(1, chain.states + 1):
        here = chain.steps[chain.steps["state"] == state]
        acts = here[here["action"] != NOTHING]
        state = _next(here)
        if state < 0 or len(acts) > 1 or (acts["action"] != SPECIAL).any():
            return None
        if len(acts) == 1:
            return Renewal(period, float(acts[0]["chance"])) if state == 0 else None
    return None


def _lead_in_of(chain: Chain) -> LeadIn | None:
    state = 0
    actions: list[int] = []
    for _ in range(chain.states):
        here = chain.steps[chain.steps["state"] == state]
        following = _next(here)
        if len(here) != 1 or following < 0:
            return None
        action = int(here[0]["action"])
        if following == state:
            return LeadIn(tuple(actions), action) if actions and action >= BASIC else None
        actions.append(action)
        state = following
    return None

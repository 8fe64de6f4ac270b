"""Chains in which no outcome changes what is done next: how often they attack, or what they do when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS
from buildsearch.systems.vitality.exact.moves import NOTHING, SPECIAL

_AFTER = ("touched", "damaged", "defeated", "cleared")


class Renewal(NamedTuple):
    """The turns from one attack to the next, and the chance that it activates."""

    period: int
    activation: float


class Clockwork(NamedTuple):
    """What is done in the first turns, and then over and over again."""

    first: tuple[int, ...]
    cycle: tuple[int, ...]

    def actions(self, turns: int) -> NDArray[np.int64]:
        """What is done in each of so many turns."""
        rest = max(turns - len(self.first), 0)
        times = -(-rest // len(self.cycle))
        return np.array((self.first + self.cycle * times)[:turns], np.int64)


Rhythm = Renewal | Clockwork | None


def rhythm_of(chain: Chain) -> Rhythm:
    """The rhythm of a chain from its first state on, None where what happens decides what is done."""
    return (_renewal_of(chain) or _clockwork_of(chain)) if _is_certain(chain.steps) else None


def _is_certain(steps: NDArray[np.void]) -> bool:
    """Whether neither enemies nor outcomes decide anything: most chains are not, so this is asked first."""
    if (steps["event"] != ALWAYS).any():
        return False
    acts = steps["action"] != NOTHING
    return not any((acts & (steps[name] != steps["missed"])).any() for name in _AFTER)


def _next(here: NDArray[np.void]) -> int:
    """The state after a state with these steps, -1 where there are several."""
    after = set(here["missed"].tolist())
    return after.pop() if len(after) == 1 and abs(here["chance"].sum() - 1.0) < 1e-12 else -1


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


def _clockwork_of(chain: Chain) -> Clockwork | None:
    path: list[int] = []
    actions: list[int] = []
    state = 0
    while state not in path:
        here = chain.steps[chain.steps["state"] == state]
        path.append(state)
        actions.append(int(here[0]["action"]))
        state = _next(here)
        if len(here) != 1 or state < 0:
            return None
    start = path.index(state)
    return Clockwork(tuple(actions[:start]), tuple(actions[start:]))

"""A chain for attacks that bleed: every state twice, with nothing pending and with a bleed pending.

Only HP less what is pending matters (a bleed of one tick that is not renewed, and no threshold), so what a
strike does and what it will do once more are taken off at once: an *echo* of the attack, whose damage is the
turn's and the first damaging strike's again. After it the bleed is pending: the next turn's attack is the
plain one, and then nothing is pending. Where the turn leaves HP but not the bleed, the enemy is doomed: it
falls after the next turn, whatever is done (`lanes.defeats`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain, number_spreads
from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.moves import NOTHING, SPECIAL

_AFTER = ("missed", "touched", "damaged", "defeated", "cleared", "ticked", "splintered")


@inner
def plain_action(action: int) -> int:
    """The action of the chain without echoes."""
    return action if action < SPECIAL else SPECIAL + (action - SPECIAL) // 2


@inner
def is_echo(action: int) -> bool:
    """Whether an action of the chain with echoes is one."""
    return action >= SPECIAL and (action - SPECIAL) % 2 == 1


def with_pending(chain: Chain) -> Chain:
    """The chain with echoes: after the action of each level comes its echo."""
    calm, pending = chain.steps.copy(), chain.steps.copy()
    bleeds = chain.steps["action"] >= SPECIAL
    for steps in (calm, pending):
        steps["action"][bleeds] += steps["action"][bleeds] - SPECIAL
    calm["action"][bleeds] += 1
    calm["damaged"][bleeds] += chain.states
    pending["state"] += chain.states
    pending["missed"] = chain.steps["ticked"]
    pending["touched"] = chain.steps["damaged"]
    steps = np.concatenate([calm, pending])
    reached = _reached(steps, 2 * chain.states, chain.entered)
    steps = steps[reached[steps["state"]]]
    names = np.cumsum(reached) - 1
    for name in ("state", *_AFTER):
        # States that nobody gets into have no name; nor has what only they lead to.
        steps[name] = np.where(reached[steps[name]], names[steps[name]], 0)
    order = np.argsort(steps["state"], kind="stable")
    steps = np.ascontiguousarray(steps[order])
    return Chain(int(reached.sum()), steps, number_spreads(steps), names[chain.entered], chain.reads_events)


def _reached(steps: NDArray[np.void], states: int, entered: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The states that fights get into."""
    reached = np.zeros(states, bool)
    reached[entered] = True
    count = 0
    while count < reached.sum():
        count = int(reached.sum())
        from_here = steps[reached[steps["state"]]]
        acts = from_here["action"] != NOTHING
        reached[from_here["missed"]] = True
        for name in ("touched", "damaged"):
            reached[from_here[name][acts]] = True
        for name in ("defeated", "cleared"):
            reached[from_here[name]] = True
    return reached

"""The strikes of one attack on its target: every way they can go, by what is left of the target.

A base strike may be followed by a Double Tap and an Extra Attack, then comes the next base strike: of a chain
only after one that did damage, and each of several strikes starts a chain of its own. What a strike does and
what it sets off are the steps of `mechanics`, taken for everything that can happen. States are (HP left,
bleed begun this turn, extra attacks made x was it hit); a target that is down leaves them.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.mechanics.strikes import BASE, DOUBLE_TAP, begins, follow_up, strike
from buildsearch.systems.vitality.mechanics.strikes import EXTRA as EXTRA_ATTACK

# Where a strike leads: to the next base strike, to an Extra Attack, to a Double Tap after a base strike
# without damage or with it, on along a chain. Behind the routes is room for the chains that are over.
NEXT, EXTRA, TAP_UNHARMED, TAP, GO_ON = range(5)
ROUTES = 5
ROOM = ROUTES + 1
_BASE = 5  # a stage that nothing leads to

# How strikes go: what `strike_all` reads of a plan and a source.
SWING = np.dtype(
    [
        (name, np.int64)
        for name in (
            "strikes",
            "chain",
            "double_tap",
            "extra_limit",
            "kill_at",
            "max_hp",
            "begins_bleed",
            "replaces",
            "tracks_hit",
            "first_only",  # base strikes after the first set nothing off
        )
    ]
)


@step
def strike_once(
    swing: np.void,
    chances: NDArray[np.float64],
    row: int,
    top: int,
    stage: int,
    quiet: bool,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
) -> float:
    """Follow one strike from every state of `before` to `after[route]`; the chance that it defeats.

    `quiet`: it sets nothing off.
    """
    max_hp = swing["max_hp"]
    extra_limit = 0 if quiet else swing["extra_limit"]
    kill_at = swing["kill_at"]
    double_tap = swing["double_tap"] != 0 and not quiet
    # A bleed that began in this attack is one that is pending.
    lasts = swing["begins_bleed"]
    over = swing["replaces"]
    tracks_hit = swing["tracks_hit"]
    kind = BASE if stage == _BASE else EXTRA_ATTACK if stage == EXTRA else DOUBLE_TAP
    chains = swing["chain"] > 0
    defeats = 0.0
    for hp in range(1, top + 1):
        for bleed in range(min(hp + 1, before.shape[1])):
            for state in range(before.shape[2]):
                weight = before[hp, bleed, state]
                if weight == 0.0:
                    continue
                extras = state >> 1
                if stage == EXTRA:
                    extras += 1
                for i in range(2 * max_hp + 3):
                    chance = chances[row, i]
                    if chance == 0.0:
                        continue
                    hit = i > 0
                    critical = i > max_hp + 1
                    damage = 0
                    if hit:
                        damage = i - 1 if not critical else i - 2 - max_hp
                    left, felled = strike(kill_at, hp, damage)
                    if felled:
                        defeats += weight * chance
                        continue
                    begun = min(bleed, left)
                    if begins(lasts, damage, 1 if bleed > 0 else 0, over):
                        begun = min(damage, left)
                    hit_bit = state & 1
                    if hit and tracks_hit != 0:
                        hit_bit = 1
                    # Whether the base strike did damage: an Extra Attack is made only after one that did.
                    harmed = damage > 0 if stage == _BASE else stage != TAP_UNHARMED
                    then = follow_up(kind, double_tap, critical, extra_limit - extras, harmed, True)
                    route = GO_ON if chains and harmed else NEXT
                    if then == DOUBLE_TAP:
                        route = TAP if harmed else TAP_UNHARMED
                    elif then == EXTRA_ATTACK:
                        route = EXTRA
                    after[route, left, begun, extras * 2 + hit_bit] += weight * chance
    return defeats


@step
def strike_all(
    swing: np.void,
    chances: NDArray[np.float64],
    row: int,
    top: int,
    alive: NDArray[np.float64],
    after: NDArray[np.float64],
) -> tuple[float, float]:
    """All strikes of an attack, `alive` being the states before and after it.

    The answer: the chances that a base strike defeats, and that a triggered one does.
    """
    by_base = 0.0
    by_trigger = 0.0
    quiet = swing["strikes"] < 0  # never at first; a constant would be a type of its own
    for _ in range(swing["strikes"]):
        clear(after[ROUTES], top)
        for _ in range(max(swing["chain"], 1)):
            for route in range(ROUTES):
                clear(after[route], top)
            by_base += strike_once(swing, chances, row, top, np.int64(_BASE), quiet, alive, after)
            # What follows a base strike, in this order. One call for all, or compiling takes a minute.
            for stage in (TAP_UNHARMED, TAP, EXTRA):
                limit = swing["extra_limit"] if stage == EXTRA else swing["double_tap"]
                if limit > 0 and not quiet:
                    by_trigger += strike_once(swing, chances, row, top, stage, quiet, after[stage], after)
            quiet = swing["first_only"] != 0
            _pour(after, top, alive)
        _add(after, top, alive)
    return by_base, by_trigger


@step
def clear(alive: NDArray[np.float64], top: int) -> None:
    """Nobody is left, with up to so many HP."""
    for hp in range(top + 1):
        for bleed in range(alive.shape[1]):
            for state in range(alive.shape[2]):
                alive[hp, bleed, state] = 0.0


@step
def _pour(after: NDArray[np.float64], top: int, alive: NDArray[np.float64]) -> None:
    """Put aside what a chain leaves behind; what goes on is the next strike's beginning."""
    for hp in range(top + 1):
        for bleed in range(after.shape[2]):
            for state in range(after.shape[3]):
                after[ROUTES, hp, bleed, state] += after[NEXT, hp, bleed, state]
                alive[hp, bleed, state] = after[GO_ON, hp, bleed, state]


@step
def _add(after: NDArray[np.float64], top: int, alive: NDArray[np.float64]) -> None:
    for hp in range(top + 1):
        for bleed in range(after.shape[2]):
            for state in range(after.shape[3]):
                alive[hp, bleed, state] += after[ROUTES, hp, bleed, state]

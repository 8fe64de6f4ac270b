"""One strike's damage, quickly. The same chances as `kernel.outcomes.fill_outcomes` (a test says so).

Faces of the accuracy die that mean the same are taken together, and of the effect dice only the totals
between no damage and all of an enemy's HP are looked at one by one.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.batch.compiled import set_all


@step
def _damage(strike: np.void, difference: int) -> int:
    """What is left of an effect roll that exceeds the enemy's durability by this."""
    if strike["condition"] != 0:
        return strike["max_hp"] if difference >= 0 else 0
    if strike["brutal_per"] > 0 and difference >= strike["brutal_threshold"]:
        counted = difference - strike["brutal_threshold"] if strike["brutal_excess"] != 0 else difference
        difference += counted // strike["brutal_per"]
    return min(max(difference, 0), strike["max_hp"])


@step
def _add_effects(
    strike: np.void,
    chance: float,
    added: int,
    dice: NDArray[np.float64],
    beyond: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Add the damage of effect dice with `added` on top; `beyond[i]`: the chance of a total of i or more."""
    max_hp = strike["max_hp"]
    shift = added - strike["resist"]
    if strike["condition"] != 0:
        landed = beyond[min(max(-shift, 0), len(beyond) - 1)]
        out[max_hp] += chance * landed
        out[0] += chance * (beyond[0] - landed)
        return
    size = len(dice)
    first = min(max(1 - shift, 0), size)  # damage from this total on
    out[0] += chance * (beyond[0] - beyond[first])
    if strike["brutal_per"] > 0:
        total = first
        while total < size:
            damage = _damage(strike, total + shift)
            if damage == max_hp:
                break
            out[damage] += chance * dice[total]
            total += 1
        out[max_hp] += chance * beyond[total]
        return
    last = min(max(max_hp - shift, first), size)  # all HP from this total on
    for k in range(last - first):
        out[np.uint64(first + shift + k)] += chance * dice[np.uint64(first + k)]
    out[max_hp] += chance * beyond[last]


@step
def fill_strike(
    strike: np.void,
    naturals: NDArray[np.float64],
    dice: NDArray[np.float64],
    beyond: NDArray[np.float64],
    plain: NDArray[np.float64],
    critical: NDArray[np.float64],
) -> float:
    """The chance of each damage without and with a critical, misses being 0 damage; the answer: of a miss.

    `naturals[i]` is the chance of face i + 1 (or of hitting, where nothing is rolled).
    """
    set_all(plain, 0.0)
    set_all(critical, 0.0)
    fixed = strike["fixed_roll"] != 0
    if strike["auto_hit"] != 0:
        _add_effects(strike, naturals[0], 0 if fixed else strike["effect"], dice, beyond, plain)
        return 0.0
    missed = 0.0
    kept = 0.0
    kept_bonus = 0
    kept_critical = False
    sides = strike["sides"]
    lead = strike["accuracy"] - strike["avoidance"]
    overhit_per = strike["overhit_per"]
    overhit_margin = strike["overhit_margin"]
    critical_from = strike["critical_from"]
    base = 0 if fixed else strike["effect"]
    on_critical = 0 if fixed else strike["critical_effect"]
    for i in range(sides):
        natural = i + 1
        margin = natural + lead
        hit = margin >= 0
        if strike["max_hits"] != 0 and natural == sides:
            hit = True
        if strike["min_misses"] != 0 and natural == 1:
            hit = False
        if not hit:
            missed += naturals[i]
            continue
        bonus = 0
        if not fixed and overhit_per > 0 and margin >= overhit_margin:
            bonus = margin // overhit_per
        is_critical = natural >= critical_from
        if bonus != kept_bonus or is_critical != kept_critical:
            if kept > 0.0:
                added = base + kept_bonus + (on_critical if kept_critical else 0)
                _add_effects(strike, kept, added, dice, beyond, critical if kept_critical else plain)
            kept = 0.0
            kept_bonus = bonus
            kept_critical = is_critical
        kept += naturals[i]
    if kept > 0.0:
        added = base + kept_bonus + (on_critical if kept_critical else 0)
        _add_effects(strike, kept, added, dice, beyond, critical if kept_critical else plain)
    plain[0] += missed
    return missed

"""The damage of every distinct attack, each worked out once."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.bleeding import echoed_damage
from buildsearch.systems.vitality.exact.batch.damage import turn_damage
from buildsearch.systems.vitality.exact.batch.places import NEGLIGIBLE, Damages
from buildsearch.systems.vitality.kernel.dice import exploding_sum, highest_of
from buildsearch.systems.vitality.kernel.outcomes import fill_outcomes
from buildsearch.systems.vitality.rules import VitalityRules


def dice_tables(
    rules: VitalityRules, attacks: NDArray[np.void]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """For each attack the rows of its accuracy and effect dice, and the rows."""
    kinds, natural_of = np.unique(attacks["naturals"], return_inverse=True)
    naturals = [
        np.ones(1) if kind == 0 else highest_of(rules.rolls.accuracy.sides, int(kind)) for kind in kinds
    ]
    kinds, dice_of = np.unique(attacks["dice"], return_inverse=True)
    effects = [_effect_dice(rules, int(kind)) for kind in kinds]
    return natural_of, dice_of, _padded(naturals), _padded(effects)


def _effect_dice(rules: VitalityRules, kind: int) -> NDArray[np.float64]:
    """Index is the total; a flat number is a die that always shows it."""
    if kind < 0:
        flat = np.zeros(max(-kind, 1))
        flat[-1] = 1.0
        return flat
    if kind == 0:
        return np.concatenate([[0.0], highest_of(rules.rolls.condition.sides, 1)])
    return exploding_sum(rules.rolls.damage.count, rules.rolls.damage.sides, kind)


def _padded(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    table = np.zeros((len(rows), max(map(len, rows))))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


@njit(cache=True, nogil=True)
def merge_faces(strike: np.void, naturals: NDArray[np.float64], merged: NDArray[np.float64]) -> None:
    """Give the chance of faces that mean the same to the last of them; eight times less to go through."""
    merged[:] = 0.0
    if strike["auto_hit"] != 0:
        merged[0] = naturals[0]
        return
    kept = 0.0
    for i in range(len(naturals)):
        kept += naturals[i]
        natural = i + 1
        next_same = i + 1 < len(naturals) and _meaning(strike, natural) == _meaning(strike, natural + 1)
        if not next_same:
            merged[i] = kept
            kept = 0.0


@njit(cache=True, nogil=True)
def _meaning(strike: np.void, natural: int) -> int:
    """What a face does: -1 for a miss, else the bonus to the effect and whether it is critical."""
    margin = natural + strike["accuracy"] - strike["avoidance"]
    hit = margin >= 0
    if strike["max_hits"] != 0 and natural == strike["sides"]:
        hit = True
    if strike["min_misses"] != 0 and natural == 1:
        hit = False
    if not hit:
        return -1
    bonus = 0
    if strike["overhit_per"] > 0 and margin >= strike["overhit_margin"]:
        bonus = margin // strike["overhit_per"]
    return 2 * bonus + (1 if natural >= strike["critical_from"] else 0)


@njit(cache=True, nogil=True)
def fill_damages(
    strikes: NDArray[np.void],
    attacks: NDArray[np.void],
    natural_of: NDArray[np.int64],
    dice_of: NDArray[np.int64],
    naturals: NDArray[np.float64],
    dice: NDArray[np.float64],
    damages: Damages,
) -> None:
    """A row for each strike record."""
    merged = np.zeros(naturals.shape[1])
    outcomes = np.zeros(2 * damages.chances.shape[1] + 3)
    for i in range(len(strikes)):
        strike = strikes[i]
        max_hp = strike["max_hp"]
        faces = 1 if strike["auto_hit"] != 0 else naturals.shape[1]
        low = 0
        table = dice[dice_of[i]]
        while table[low] == 0.0:
            low += 1
        high = len(table)
        while table[high - 1] == 0.0:
            high -= 1
        merge_faces(strike, naturals[natural_of[i]][:faces], merged)
        fill_outcomes(strike, merged[:faces], table[low:high], low, outcomes)
        attack = attacks[i]
        total, hit = turn_damage(
            outcomes, max_hp, attack["strikes"], attack["double_tap"], attack["extra_limit"]
        )
        damages.touched[i] = hit
        if len(damages.echoes) > 0:
            echoed = echoed_damage(
                outcomes, max_hp, attack["strikes"], attack["double_tap"], attack["extra_limit"]
            )
            beyond = 0.0
            for damage in range(max_hp, -1, -1):
                beyond += echoed[damage]
                damages.echoes[i, damage] = echoed[damage]
                damages.echo_at_least[i, damage] = beyond
        beyond = 0.0
        for damage in range(max_hp, -1, -1):
            beyond += total[damage]
            damages.chances[i, damage] = total[damage]
            damages.at_least[i, damage] = beyond
            if beyond > NEGLIGIBLE and damages.highest[i] == 0:
                damages.highest[i] = damage
        # The last damage of a class defeats any enemy of it: it is spread nowhere.
        damages.highest[i] = min(damages.highest[i], max_hp - 1)
        while damages.lowest[i] < max_hp and total[damages.lowest[i]] == 0.0:
            damages.lowest[i] += 1

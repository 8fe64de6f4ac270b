"""The damage of every distinct attack, each worked out once."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.bleeding import echoed_damage
from buildsearch.systems.vitality.exact.batch.damage import turn_damage
from buildsearch.systems.vitality.exact.batch.places import NEGLIGIBLE, Damages
from buildsearch.systems.vitality.exact.batch.striking import fill_strike
from buildsearch.systems.vitality.kernel.dice import exploding_sum, highest_of
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
def fill_damages(
    strikes: NDArray[np.void],
    attacks: NDArray[np.void],
    natural_of: NDArray[np.int64],
    dice_of: NDArray[np.int64],
    naturals: NDArray[np.float64],
    dice: NDArray[np.float64],
    cut_from: NDArray[np.int64],
    damages: Damages,
) -> None:
    """A row for each strike record. `cut_from`: the row of more HP that does the same damage, -1: none."""
    size = damages.chances.shape[1]
    beyond = np.zeros((len(dice), dice.shape[1] + 1))
    for i in range(len(dice)):
        for total in range(dice.shape[1] - 1, -1, -1):
            beyond[i, total] = beyond[i, total + 1] + dice[i, total]
    some = np.zeros(size)
    more = np.zeros(size)
    for i in range(len(strikes)):
        if cut_from[i] >= 0:
            continue
        max_hp = strikes[i]["max_hp"]
        plain = some[: max_hp + 1]
        critical = more[: max_hp + 1]
        which = dice_of[i]
        missed = fill_strike(strikes[i], naturals[natural_of[i]], dice[which], beyond[which], plain, critical)
        attack = attacks[i]
        total, damages.touched[i] = turn_damage(
            plain, critical, missed, attack["strikes"], attack["double_tap"], attack["extra_limit"]
        )
        if len(damages.echoes) > 0:
            echoed = echoed_damage(
                plain, critical, attack["strikes"], attack["double_tap"], attack["extra_limit"]
            )
            _fill_echoes(echoed, i, damages)
        _fill_row(total, i, damages)
    for i in range(len(strikes)):
        source = cut_from[i]
        if source < 0:
            continue
        max_hp = strikes[i]["max_hp"]
        cut = np.zeros(max_hp + 1)
        cut[:max_hp] = damages.chances[source, :max_hp]
        cut[max_hp] = damages.at_least[source, max_hp]
        damages.touched[i] = damages.touched[source]
        if len(damages.echoes) > 0:
            echoed = np.zeros(max_hp + 1)
            echoed[:max_hp] = damages.echoes[source, :max_hp]
            echoed[max_hp] = damages.echo_at_least[source, max_hp]
            _fill_echoes(echoed, i, damages)
        _fill_row(cut, i, damages)


@njit(cache=True, nogil=True)
def _fill_echoes(echoed: NDArray[np.float64], row: int, damages: Damages) -> None:
    """The damage of an echo."""
    above = 0.0
    for damage in range(len(echoed) - 1, -1, -1):
        above += echoed[damage]
        damages.echoes[row, damage] = echoed[damage]
        damages.echo_at_least[row, damage] = above


@njit(cache=True, nogil=True)
def _fill_row(total: NDArray[np.float64], row: int, damages: Damages) -> None:
    """Everything that is known of a turn's damage."""
    max_hp = len(total) - 1
    chances = damages.chances[row]
    at_least = damages.at_least[row]
    above = 0.0
    high = 0
    for damage in range(max_hp, -1, -1):
        above += total[damage]
        at_least[damage] = above
        if high == 0 and above > NEGLIGIBLE:
            high = damage
    for damage in range(max_hp + 1):
        chances[np.uint64(damage)] = total[np.uint64(damage)]
    # The last damage of a class defeats any enemy of it: it is spread nowhere.
    damages.highest[row] = min(high, max_hp - 1)
    low = 1
    while low < max_hp and total[low] == 0.0:
        low += 1
    damages.lowest[row] = low

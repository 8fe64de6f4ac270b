"""The damage of every distinct attack, each worked out once: a row of a table."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.batch.turn_damage import turn_damage
from buildsearch.systems.vitality.kernel.outcomes import exploding_sum, fill_outcomes, highest_of
from buildsearch.systems.vitality.rules.model import VitalityRules

# Damage rarer than this in all is left out of values; it stays among what defeats.
NEGLIGIBLE = 1e-14


class Damages(NamedTuple):
    """Turns' damage, each distinct one a row, and where those of basic attacks and of profiles are.

    What is said of a damage below a row's last does not depend on how long the row is.
    """

    chances: NDArray[np.float64]  # by damage; the last of a row is "so much or more"
    at_least: NDArray[np.float64]  # their sums from the end
    touched: NDArray[np.float64]  # a hit without damage
    # Between these all damage lies but for a chance of `NEGLIGIBLE`.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    # The same where the first damaging strike counts twice; empty where nothing bleeds.
    echoes: NDArray[np.float64]
    echo_at_least: NDArray[np.float64]
    echo_highest: NDArray[np.int64]
    # By class of enemy the basic attack's row; level after level the rows of attacks (`Profiles.starts`).
    basic: NDArray[np.int64]
    rungs: NDArray[np.int64]


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
    damages: Damages,
) -> None:
    size = damages.chances.shape[1]
    bleeds = len(damages.echoes) > 0
    outcomes = np.zeros(2 * size + 1)
    for i in range(len(strikes)):
        max_hp = strikes[i]["max_hp"]
        found = outcomes[: 2 * max_hp + 3]
        fill_outcomes(strikes[i], naturals[natural_of[i]], dice[dice_of[i]], 0, found)
        plain = found[1 : max_hp + 2]
        plain[0] += found[0]
        critical = found[max_hp + 2 :]
        attack = attacks[i]
        double_tap = attack["double_tap"]
        extra = attack["extra_limit"]
        total = turn_damage(plain, critical, attack["strikes"], double_tap, extra, 1)
        damages.touched[i] = max(total[0] - found[0] ** attack["strikes"], 0.0)
        if bleeds:
            echoed = turn_damage(plain, critical, attack["strikes"], double_tap, extra, 2)
            high = _fill_row(echoed, damages.echoes[i], damages.echo_at_least[i])
            damages.echo_highest[i] = min(high, max_hp - 1)
        high = _fill_row(total, damages.chances[i], damages.at_least[i])
        # The last damage of a row defeats any enemy that it is for: it is spread nowhere.
        damages.highest[i] = min(high, max_hp - 1)
        low = 1
        while low < max_hp and total[low] == 0.0:
            low += 1
        damages.lowest[i] = low


@step
def _fill_row(total: NDArray[np.float64], chances: NDArray[np.float64], at_least: NDArray[np.float64]) -> int:
    """Chances and their sums from the end; the answer: the highest damage that is not negligible.

    The sums are what those from the start leave, which do not know how long the row is.
    """
    high = 0
    below = 0.0
    for i in range(len(total)):
        damage = np.uint64(i)
        rest = 1.0 - below
        if rest > NEGLIGIBLE:
            at_least[damage] = rest
            high = i
        chances[damage] = total[damage]
        below += total[damage]
    return high

"""One strike's outcomes for every row of turn damage, for Splinter."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.damages import dice_tables
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.kernel.outcomes import fill_outcomes
from buildsearch.systems.vitality.rules import VitalityRules


def splinter_limit(given: Attackers) -> int:
    """How many strikes a turn, 0 where there is never another enemy; -1: not one number, or by base only."""
    if max(map(len, given.encounter.waves)) == 1:
        return 0
    rules = [each.mechanics.splinter for each in given.options.known if each.mechanics.splinter is not None]
    limits = {each.limit_at(given.attacker.tier) for each in rules}
    if len(limits) != 1 or given.rules.rulings.triggered_defeats != "splinter":
        return -1
    return limits.pop()


def splinter_of(rules: VitalityRules, profiles: Profiles, limit: int) -> Splinter:
    """Splinter's strikes of profiles; so many in a turn at most."""
    rows, width = profiles.damages.chances.shape
    found = Splinter(limit, np.zeros(rows), np.zeros((rows, width)), np.zeros(rows))
    tables = dice_tables(rules, profiles.attacks)
    _fill(profiles.strikes, profiles.damages.kill_at, *tables, found)
    return found


@njit(cache=True, nogil=True)
def _fill(
    strikes: NDArray[np.void],
    kill_at: NDArray[np.int64],
    natural_of: NDArray[np.int64],
    dice_of: NDArray[np.int64],
    naturals: NDArray[np.float64],
    dice: NDArray[np.float64],
    found: Splinter,
) -> None:
    outcomes = np.zeros(2 * found.strikes.shape[1] + 3)
    for row in range(len(strikes)):
        strike = strikes[row]
        max_hp = strike["max_hp"]
        faces = 1 if strike["auto_hit"] != 0 else naturals.shape[1]
        table = dice[dice_of[row]]
        low = 0
        while table[low] == 0.0:
            low += 1
        high = len(table)
        while table[high - 1] == 0.0:
            high -= 1
        fill_outcomes(strike, naturals[natural_of[row]][:faces], table[low:high], low, outcomes)
        found.missed[row] = outcomes[0]
        for damage in range(max_hp + 1):
            chance = outcomes[1 + damage] + outcomes[2 + max_hp + damage]
            if damage > 0 and max_hp - damage <= kill_at[row]:
                found.defeats[row] += chance
            else:
                found.strikes[row, damage] = chance

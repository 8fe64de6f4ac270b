"""One strike's outcomes for every row of turn damage, for Splinter."""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.damage_rows import dice_tables
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.striking import fill_strike
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.rules.model import VitalityRules


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
    found = Splinter(limit, np.zeros(rows), np.zeros((rows, width)), np.zeros((rows, width)))
    tables = dice_tables(rules, profiles.attacks)
    _fill(profiles.strikes, *tables, found)
    return found


@njit(cache=True, nogil=True)
def _fill(
    strikes: NDArray[np.void],
    natural_of: NDArray[np.int64],
    dice_of: NDArray[np.int64],
    naturals: NDArray[np.float64],
    dice: NDArray[np.float64],
    found: Splinter,
) -> None:
    size = found.strikes.shape[1]
    beyond = np.zeros((len(dice), dice.shape[1] + 1))
    for i in range(len(dice)):
        for total in range(dice.shape[1] - 1, -1, -1):
            beyond[i, total] = beyond[i, total + 1] + dice[i, total]
    some = np.zeros(size)
    more = np.zeros(size)
    for row in range(len(strikes)):
        max_hp = strikes[row]["max_hp"]
        plain = some[: max_hp + 1]
        critical = more[: max_hp + 1]
        which = dice_of[row]
        found.missed[row] = fill_strike(
            strikes[row], naturals[natural_of[row]], dice[which], beyond[which], plain, critical
        )
        # As rows of damage: what is left of 1 does not know how long the row is.
        rest = 1.0
        for damage in range(max_hp + 1):
            chance = plain[damage] + critical[damage]
            found.at_least[row, damage] = max(rest, 0.0)
            found.strikes[row, damage] = chance if damage > 0 else max(chance - found.missed[row], 0.0)
            rest -= chance

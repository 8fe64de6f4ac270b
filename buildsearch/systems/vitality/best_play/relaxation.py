"""A number that no loadout is below: every attack at hand at once, at any level, as often as liked.

Only the turns of charging stay: an attack that must be charged takes so many turns more, on which nothing
happens to the enemy but a tick that is due. Every way to play a loadout is a way to play this, at no fewer
turns. Bleeds as in `stays`: standing, pending, doomed.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages


def relaxed_value(kits: Kits) -> float:
    """Mean turns with all attacks of the kits."""
    damages, enemies = kits.damages, kits.enemies
    # Lower levels are not always weaker against everybody: all of them are at hand.
    rows, turns, chances = [kits.basic_rows], [np.ones(len(kits.rows))], [np.ones(len(kits.rows))]
    for level in range(int(kits.limits["levels"].max(initial=1))):
        has = kits.limits["levels"] > level
        rows.append(kits.rows[has] + level * damages.classes)
        turns.append(1.0 + kits.limits["charge"][has])
        chances.append(kits.limits["activation"][has])
    whole = np.stack([np.concatenate(each) for each in (rows, turns, chances)], axis=1)
    actions = whole[distinct_rows(whole)[0]]
    after = 0.0
    known: dict[tuple[int, float], float] = {}
    for place in range(len(enemies.max_hp) - 1, -1, -1):
        key = (int(enemies.strike_class[place]), after)
        if key not in known:
            known[key] = _defeat_one(kits, actions, place, after)
        after = known[key]
    return after


def _defeat_one(kits: Kits, actions: NDArray[np.float64], place: int, after: float) -> float:
    top = int(kits.enemies.max_hp[place])
    values = np.zeros(top + 1)
    rows = actions[:, 0].astype(np.int64) + kits.enemies.strike_class[place]
    _least(kits.damages, rows, actions[:, 1].copy(), actions[:, 2].copy(), after, values)
    return float(values[top])


@njit(cache=True, nogil=True)
def _least(
    damages: ClassDamages, rows: NDArray[np.int64], turns: NDArray[np.float64],
    activations: NDArray[np.float64], after: float, values: NDArray[np.float64],
) -> None:  # fmt: skip
    chances = damages.chances
    at_least = damages.at_least
    kill_at = damages.kill_at
    bleeds = False
    for i in range(len(rows)):
        bleeds = bleeds or damages.echo[rows[i]] > 0
    pending = np.zeros(len(values))
    plain = np.zeros(len(rows))
    standing = np.zeros(len(rows))
    for hp in range(1, len(values)):
        best = np.inf
        for i in range(len(rows)):
            row = rows[i]
            lives = kill_at[row] + 1
            down = at_least[row, max(1, hp - kill_at[row])] * after
            total = down
            for left in range(lives, hp):
                total += chances[row, hp - left] * values[left]
            plain[i] = total
            if damages.echo[row] > 0:
                # One more turn where the tick defeats.
                echo = row + damages.echo[row]
                total = down + (at_least[echo, hp] - at_least[row, hp]) * (1.0 + after)
                for left in range(1, hp):
                    total += chances[echo, hp - left] * pending[left]
            standing[i] = total
            leaves = activations[i] * (1.0 - chances[row, 0])
            if leaves > 0.0:
                best = min(best, (turns[i] + activations[i] * total) / leaves)
        values[hp] = best
        if not bleeds:
            continue
        least = 1.0 + best
        for i in range(len(rows)):
            # The tick comes with the first turn; whoever charges finds the enemy standing.
            total = plain[i] if turns[i] == 1.0 else standing[i]
            whole = total + chances[rows[i], 0] * best
            least = min(least, turns[i] + activations[i] * whole + (1.0 - activations[i]) * best)
        pending[hp] = least

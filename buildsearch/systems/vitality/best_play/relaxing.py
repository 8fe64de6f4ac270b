"""A number that no loadout is below: every attack at hand at once, at any level, as often as liked.

Only the turns of charging stay: an attack that must be charged takes so many turns more, on which nothing
happens to the enemy. Every way to play a loadout is a way to play this, at no fewer turns.
"""

from __future__ import annotations

import numpy as np

from buildsearch.systems.vitality.best_play.kits import Kits


def relaxed_value(kits: Kits) -> float:
    """Mean turns with all attacks of the kits."""
    damages, field = kits.damages, kits.field
    classes = damages.classes
    basics = np.unique(kits.basic_rows)
    # Lower levels are not always weaker against everybody: all of them are at hand.
    rows = [
        basics,
        *(kits.rows[kits.limits["levels"] > level] + level * classes for level in range(_most(kits))),
    ]
    turns = [np.ones(len(basics))]
    chances = [np.ones(len(basics))]
    for level in range(_most(kits)):
        has = kits.limits["levels"] > level
        turns.append(1.0 + kits.limits["charge"][has])
        chances.append(kits.limits["activation"][has])
    all_rows, all_turns, all_chances = np.concatenate(rows), np.concatenate(turns), np.concatenate(chances)
    after = 0.0
    for place in range(len(field.max_hp) - 1, -1, -1):
        own = all_rows + field.strike_class[place]
        table, kill_at = damages.chances[own], damages.kill_at[own]
        stays = 1.0 - all_chances * (1.0 - table[:, 0])
        values = np.zeros(int(field.max_hp[place]) + 1)
        for hp in range(1, len(values)):
            down = damages.at_least[own, np.maximum(1, hp - kill_at)]
            reached = hp - np.arange(1, hp)  # HP left after each damage
            lives = reached[None, :] > kill_at[:, None]
            spread = np.where(lives, table[:, 1:hp], 0.0) @ values[reached]
            with np.errstate(divide="ignore", invalid="ignore"):
                found = (all_turns + all_chances * (spread + down * after)) / (1.0 - stays)
            values[hp] = np.nanmin(np.where(stays < 1.0, found, np.inf))
        after = float(values[-1])
    return after


def _most(kits: Kits) -> int:
    return int(kits.limits["levels"].max(initial=1))

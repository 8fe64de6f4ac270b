"""What rulings about limits and strikes make of a plan, wherever they change how it is played.

Where they change nothing a plan stays as it is, so that equal play is equal content.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.rules.rulings import Rulings

_NO_ROLL = 1 << 32
_NO_HP_LIMIT = 1 << 30
# What an attack does besides its first base strike; Explosive Critical goes on with that strike's own dice.
_FURTHER = ("chain", "extra_limit", "double_tap", "ricochet", "splinter_limit")


def apply_rulings(setups: NDArray[np.void], rulings: Rulings, *, beside: bool = False) -> None:
    """Write the fields `RULED` of as many plans as there are; `beside`: other attacks read what this one did.

    An attack that can make no second attempt in one action is written as one strike.
    """
    if rulings.limit_scope == "strike":
        _ask_each_strike(setups)
    several = (setups["strikes"] > 1) | (setups["chain"] > 1)
    triggers = np.any([setups[name] > 0 for name in (*_FURTHER[1:], "explosive")], axis=0)
    setups["first_only"] = several & triggers & (rulings.barrage_triggers == "first")
    setups["area_single"] = several & (setups["area"] > 0) & (rulings.area_strikes == "single")
    is_read = (setups["passive"] > 0) | (setups["levels"] > 1) | beside
    fails = setups["activation"] < _NO_ROLL
    setups["failed_attack"] = fails & is_read & (rulings.failed_activation == "attack")


def _ask_each_strike(setups: NDArray[np.void]) -> None:
    several = (setups["strikes"] > 1) | np.any([setups[name] > 0 for name in _FURTHER], axis=0)
    once = several & ((setups["uses"] == 1) | (setups["cooldown"] > 0))
    setups["strikes"][once] = 1
    for name in (*_FURTHER, "extra_single", "triggered_feed"):
        setups[name][once] = 0
    setups["one_strike"][once] = setups["explosive"][once] == 0
    # No table of single strikes where only triggers on an area would read it.
    setups["strike_bits"][once & (setups["area"] > 0)] = 0
    reads_hp = (setups["hp_at_most"] < _NO_HP_LIMIT) | (setups["hp_full"] > 0)
    changes = (setups["uses"] > 1) | (setups["activation"] < _NO_ROLL) | (setups["hp_cost"] > 0)
    setups["strike_scope"] = several & ~once & (changes | (reads_hp & (setups["leech"] > 0)))

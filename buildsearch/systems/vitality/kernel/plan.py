"""The settings of a compiled plan: records of an attack and of its foes, as the fight kernel reads them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.kernel.content import digest_rows

# Bump when the kernel plays the same plan differently, so that no stored result outlives its meaning.
ENGINE_VERSION = 2

# An attack that cannot be used lets the attacker wait if it is the only one.
WAITS_ALONE = 2

# Kinds of plan, each with a kernel of its own: one strike a turn that triggers nothing, any single-target
# attack, any area, and whatever uses a word that few builds do (`LATER`, or triggers on an area).
PLAIN, TRIGGERED, AREA, RICH = range(4)
LOADOUT = 4  # several attacks, of any kind

# What only some rulings bring (see `plan_rulings`).
RULED = ("strike_scope", "first_only", "area_single", "failed_attack")
# What only rich plans use, the last fields of `SETUP`, in the order in which they came: a new one goes last,
# in a group of its own. An engine that does not follow one has to refuse it.
_LATER = (("chain", "leech", "hp_cost"), RULED, ("vulnerable",))
LATER = tuple(name for group in _LATER for name in group)

SETUP = np.dtype(
    [
        (name, np.int64)
        for name in (
            "max_turns",
            "waves",
            "attacker_hp",
            "defeat_is_loss",
            "target_rule",  # 0 first, 1 lowest HP, 2 highest HP
            "classes",
            "condition",
            # how the attack strikes
            "area",
            "area_limit",
            "strikes",
            "extra_limit",
            "extra_single",
            "double_tap",
            "ricochet",
            "explosive",
            "cluster",
            "splinter_limit",
            "triggered_feed",
            "bleed_ticks",  # 0: no bleed
            "bleed_at_start",
            "bleed_replaces",
            "levels",  # of channelling; 1: none
            # when it may be used
            "unmet_waits",  # 1, or `WAITS_ALONE`
            "first_turn",
            "last_turn",
            "uses",  # -1: no limit
            "cooldown",
            "charge",
            "activation",  # out of 2^32; 2^32: no roll
            "hp_at_most",
            "hp_full",
            "since_mask",
            "passive",
            "last_hit",
            "last_damage",
            "last_defeat",
            # how tables are read
            "strike_bits",
            "natural_bits",
            "total_bits",
            "retaliation_bits",
            "retaliation_cap",
            "one_retaliation_class",
            # what a plan does not use is not looked at
            "kind",
            "rolls_natural",
            "rolls_total",
            "ungated",
            "one_strike",
            "hp_matters",  # whether anything but survival reads the attacker's HP or the retaliation state
            "chain",  # base strikes in a row while each does damage; 0: no chain
            "leech",  # points of damage for one HP back; 0: no leech
            "hp_cost",  # paid at each attempt, which needs more
            "strike_scope",  # each strike is an attempt of its own
            "first_only",  # of several base strikes only the first sets others off
            "area_single",  # all base strikes but the first go at one enemy
            "failed_attack",  # a failed activation counts as an attack made
            "vulnerable",  # so much more damage for whom this attack has hit, from the next hit
        )
    ]
)

FOE = np.dtype(
    [(name, np.int64) for name in ("max_hp", "strike_class", "kill_at", "retaliation_class", "wave_end")]
)


def setup_sizes(setups: NDArray[np.int64]) -> NDArray[np.int64]:
    """How much of each row of settings digests read: not what came later, where nobody uses it.

    So a word more in the vocabulary moves the streams of nobody who does not use it.
    """
    end = setups.shape[1] - len(LATER)
    sizes = np.full(len(setups), end)
    for group in _LATER:
        start, end = end, end + len(group)
        sizes[setups[:, start:end].any(axis=1)] = end
    return sizes


def plan_header(retaliation: NDArray[np.int64]) -> NDArray[np.uint64]:
    """What every plan of an encounter starts its digest with."""
    digest = digest_rows(retaliation.reshape(1, -1).view(np.uint64))[0]
    return np.concatenate([np.array([ENGINE_VERSION], np.uint64), digest])

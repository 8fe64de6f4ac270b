"""A plan: a build in a scenario as records of attack and foes; plans by number, as the kernel reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

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

# What only some rulings bring (see `gating`).
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


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything the kernel needs, as arrays. Rows of tables: basic attack by class, then level by class."""

    setup: NDArray[np.void]
    foes: NDArray[np.void]
    strikes: NDArray[np.int64]
    grid: NDArray[np.uint16]
    naturals: NDArray[np.int64]
    totals: NDArray[np.int64]
    retaliation: NDArray[np.int64]

    @cached_property
    def content(self) -> bytes:
        """A digest of all that can move a result, and nothing else.

        Version and retaliation, settings, foes, and the digests of the rows of tables; which rows there are
        follows from the settings.
        """
        setup = self.setup[0]
        # A plan without a table has no bits to read it with.
        tables: list[NDArray[np.generic]] = [self.strikes] if setup["strike_bits"] else []
        if setup["total_bits"]:
            tables += [self.grid, self.naturals, self.totals]
        settings = self.setup.view(np.int64).reshape(1, -1)
        words = [plan_header(self.retaliation), settings[0, : setup_sizes(settings)[0]].view(np.uint64)]
        words += [self.foes.view(np.uint64)]
        words += [digest_rows(table.reshape(len(table), -1).view(np.uint64)).ravel() for table in tables]
        return digest_rows(np.concatenate(words)[None]).tobytes()

    @cached_property
    def arsenal(self) -> Arsenal:
        """The attack as the only one; kept, as a plan is played block by block."""
        return arsenal_of([self])


# Where the tables of an attack begin, and those of its basic attack.
PLACE = np.dtype(
    [
        (name, np.int64)
        for name in (
            "basic_strikes",
            "strikes",
            "basic_grids",
            "grids",
            "naturals",  # the basic attack's, then its own
            "totals",
            "removal",
        )
    ]
)


class Arsenal(NamedTuple):
    """Attacks of one encounter; a loadout is some of their numbers. They may share tables.

    Strikes and grids have a row for each class of enemy, level by level of channelling.
    """

    setups: NDArray[np.void]
    contents: NDArray[np.uint64]
    foes: NDArray[np.void]  # `kill_at` apart
    kill_at: NDArray[np.int64]  # by attack and foe
    places: NDArray[np.void]
    strikes: NDArray[np.int64]
    grids: NDArray[np.uint16]
    naturals: NDArray[np.int64]
    totals: NDArray[np.int64]
    retaliation: NDArray[np.int64]
    retaliation_in_full: NDArray[np.int64]  # on those who leech
    # For looking ahead, the basic attack first, then by level (see `loadouts.lookahead`).
    removal: NDArray[np.float64] = np.zeros((0, 0, 0, 2))
    criticals: NDArray[np.float64] = np.zeros((0, 0))
    activation: NDArray[np.float64] = np.zeros(0)  # by attack the chance to activate

    @property
    def headers(self) -> NDArray[np.uint64]:
        """What digests start with, without and with a leech."""
        return np.stack([plan_header(self.retaliation), plan_header(self.retaliation_in_full)])


def arsenal_of(plans: Sequence[Plan]) -> Arsenal:
    """Attacks of one encounter."""
    leeching = [bool(plan.setup["leech"][0]) for plan in plans]
    usual, in_full = (plans[leeching.index(leech) if leech in leeching else 0] for leech in (False, True))
    setups = np.concatenate([plan.setup for plan in plans])
    places = np.zeros(len(plans), PLACE)
    places["basic_strikes"], strikes = joined([plan.strikes for plan in plans])
    places["strikes"] = places["basic_strikes"] + (setups["classes"] << setups["strike_bits"])
    places["basic_grids"], grids = joined([plan.grid for plan in plans])
    bits = setups["total_bits"] + setups["natural_bits"]
    places["grids"] = places["basic_grids"] + (setups["classes"] << bits)
    places["naturals"], naturals = joined([plan.naturals for plan in plans])
    places["totals"], totals = joined([plan.totals for plan in plans])
    return Arsenal(
        setups=setups,
        contents=np.concatenate([np.frombuffer(plan.content, "<u8")[None] for plan in plans]),
        foes=plans[0].foes,
        kill_at=np.stack([plan.foes["kill_at"] for plan in plans]),
        places=places,
        strikes=strikes,
        grids=grids,
        naturals=naturals,
        totals=totals,
        retaliation=usual.retaliation,
        retaliation_in_full=in_full.retaliation,
    )


def joined(tables: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Tables one after another, and where each begins."""
    ends = np.cumsum([0, *(table.size for table in tables)])
    return ends[:-1], np.concatenate([table.ravel() for table in tables])

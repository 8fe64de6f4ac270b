"""Limit sets as gating processes: sets that act alike in this encounter are one process."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.kernel.batch.columns import settle
from buildsearch.systems.vitality.kernel.plan import SETUP

NEVER_BINDS = 1 << 30
# By name one number for each set of limits.
Fields = dict[str, NDArray[np.int64]]
# All of a setup that a chain depends on, but for whether there are several waves.
CHAIN_READS = (
    *("unmet_waits", "first_turn", "last_turn", "uses", "cooldown", "charge", "hp_at_most", "hp_full"),
    *("since_mask", "passive", "last_hit", "last_damage", "last_defeat", "condition", "defeat_is_loss"),
)


_LEVELS_READ = tuple(CHAIN_READS.index(name) for name in ("uses", "charge", "cooldown", "passive"))


@dataclass(frozen=True, eq=False)
class Gating:
    """One process: the numbers of its limits and the chance to activate."""

    setup: np.void
    activation: float
    read: tuple[int, ...]

    def levels(self, levels: int) -> int:
        """How many of so many levels of channelling it gets to: `levels_reached` of one, asked very often."""
        uses, *counters = (self.read[i] for i in _LEVELS_READ)
        if any(counters):
            return min(levels, 1)
        return min(levels, uses) if uses > 0 else levels


def gatings_of(
    ground: ExactGround, fields: Fields, chances: NDArray[np.float64]
) -> tuple[list[Gating], NDArray[np.int64]]:
    """The distinct processes of limit sets, given as `all_fields` has them, and the process of each."""
    columns = np.stack([*fields.values(), chances.view(np.int64)], axis=1)
    kinds, of_row = distinct_rows(columns)
    setups = np.zeros(len(kinds), SETUP)
    setups[:] = ground.setup
    for name, values in fields.items():
        setups[name] = values[kinds]
    reads = np.stack([setups[name] for name in CHAIN_READS], axis=1).tolist()
    gatings = [
        Gating(setup, activation, tuple(read))
        for setup, activation, read in zip(setups, chances[kinds].tolist(), reads, strict=True)
    ]
    return gatings, of_row


def levels_reached(
    fields: Fields | NDArray[np.void] | np.void, levels: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many of so many levels of channelling attacks with these limits get to."""
    once = (fields["charge"] > 0) | (fields["cooldown"] > 0) | (fields["passive"] > 0)
    some = np.where(fields["uses"] > 0, np.minimum(levels, fields["uses"]), levels)
    return np.where(once, 1, some)


def all_fields(given: Attackers, has: NDArray[np.bool_]) -> tuple[Fields, NDArray[np.float64]]:
    """`gating_fields` and `activation_chance` of many limit sets at once."""
    numbers, chances = given.numbers(has)
    fields = settle(given.columns, numbers, chances)
    # A limit that full HP meet is none.
    fields["hp_at_most"][fields["hp_at_most"] >= given.attacker.hp] = NEVER_BINDS
    return fields, chances

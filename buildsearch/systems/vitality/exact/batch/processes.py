"""Gatings as processes: a chain, and who comes into it when (at once, or when the attacker's HP are low).

A chain knows the states that it is entered in where it comes into use late.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import SIZES, Chain, chain_of
from buildsearch.systems.vitality.exact.batch.crossing import (
    DEFEATED,
    HARMED,
    KINDS,
    MISSED,
    TOUCHED,
    Arrivals,
    Crossing,
    crossing_of,
    folded,
)
from buildsearch.systems.vitality.exact.batch.gatings import CHAIN_READS, NEVER_BINDS, Gating
from buildsearch.systems.vitality.exact.batch.lumping import lumped
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.kernel.plan import SETUP

# What a chain remembers of the basic attack in the turn of the crossing.
_REMEMBERED: dict[int, dict[str, int]] = {
    MISSED: {},
    TOUCHED: {"hit": 1},
    HARMED: {"hit": 1, "damaged": 1},
    DEFEATED: {"damaged": 1, "defeated": 1},
}
_JUST_DAMAGED = 2

_Known = tuple[Chain, NDArray[np.int64]]


@lru_cache(maxsize=1 << 17)
def entered_chain(
    read: tuple[int, ...],
    levels: int,
    activation: float,
    bleeds: bool,
    several: bool,
    waves: bool,
    splinters: bool,
) -> _Known | None:
    """The chain after the crossing, and its entries by clock and kind of turn before."""
    setup = np.zeros(1, SETUP)
    for name, value in zip(CHAIN_READS, read, strict=True):
        setup[name] = value
    setup["waves"] = 1 + waves
    entries = None
    if int(setup[0]["hp_at_most"]) != NEVER_BINDS:
        entries = _entries(setup[0])
        setup["hp_at_most"], setup["hp_full"] = NEVER_BINDS, 0
    shape = (1, 1) if entries is None else entries.shape[:2]
    flat = None if entries is None else entries.reshape(-1, len(SIZES))
    whole = chain_of(setup[0], levels, activation, entries=flat, splinters=splinters)
    if whole is None:
        return None
    chain = lumped(whole, bleeds=bleeds, several=several, waves=waves)
    return chain, chain.entered.reshape(shape)


def _entries(setup: np.void) -> NDArray[np.int64]:
    """The states at the crossing, by clock and kind of turn before, as rows of `SIZES`."""
    first, last = int(setup["first_turn"]), int(setup["last_turn"])
    clocks = first if last == NEVER_BINDS else max(first, last + 1)
    kinds = 1 if setup["unmet_waits"] else KINDS
    entries = np.zeros((clocks, kinds, len(SIZES)), np.int64)
    # Nobody crosses before the first turn.
    clock = np.maximum(np.arange(clocks), min(1, clocks - 1))
    entries[:, :, SIZES.index("clock")] = clock[:, None]
    entries[:, :, SIZES.index("calm")] = _JUST_DAMAGED
    entries[:, :, SIZES.index("attacked")] = 1 - setup["unmet_waits"]
    for kind in range(kinds):
        for name, value in _REMEMBERED[kind].items():
            entries[:, kind, SIZES.index(name)] = value
    if setup["condition"]:
        entries[:, :, SIZES.index("damaged")] = 0
    return entries


def is_late(gating: Gating) -> bool:
    """Whether the attack waits for the attacker's HP to fall."""
    return int(gating.setup["hp_at_most"]) != NEVER_BINDS


class Processes:
    """The processes of gatings in one encounter, each worked out once."""

    def __init__(self, ground: ExactGround, profiles: Profiles, *, hits_on: bool) -> None:
        """`hits_on`: a defeat may come with a hit on the next target, as with Splinter."""
        self._ground, self._damages, self._hits_on = ground, profiles.damages, hits_on
        self._numbers: dict[tuple[bytes, int, int], int] = {}
        self._chains: list[Chain] = []
        self._masks: list[int] = []
        self._arrivals_of: list[int] = []
        self._folded: dict[tuple[object, ...], int] = {}
        self._arrivals: list[Arrivals] = []

    def chain(self, number: int) -> Chain:
        return self._chains[number]

    def mask(self, number: int) -> int:
        """What its limits accept of what retaliation does; 0 where they do not ask."""
        return self._masks[number]

    def arrivals(self, number: int) -> Arrivals:
        return self._arrivals[self.arrivals_number(number)]

    def arrivals_number(self, number: int) -> int:
        """Of processes into which the same come when, the same number."""
        return self._arrivals_of[number]

    def number_of(self, gating: Gating, levels: int) -> int:
        """The number of a process, -1 where it is no chain."""
        if gating.setup["defeat_is_loss"]:
            return -1
        found = entered_chain(
            gating.read,
            levels,
            gating.activation,
            len(self._damages.echoes) > 0,
            len(self._ground.foes) > 1,
            int(gating.setup["waves"]) > 1,
            self._hits_on,
        )
        if found is None:
            return -1
        chain, entered = found
        arrivals = self._arrivals_number(gating, entered)
        # A chain that asks for no retaliation is the same whatever the mask.
        mask = int(gating.setup["since_mask"]) if chain.reads_events else 0
        number = self._numbers.setdefault((chain.content, mask, arrivals), len(self._chains))
        if number == len(self._chains):
            self._chains.append(chain)
            self._arrivals_of.append(arrivals)
            self._masks.append(mask)
        return number

    def _arrivals_number(self, gating: Gating, entered: NDArray[np.int64]) -> int:
        setup, waits = gating.setup, bool(gating.setup["unmet_waits"])
        room = 0
        if is_late(gating):
            # Few HP and full HP at once: never.
            room = -1 if setup["hp_full"] else int(setup["attacker_hp"]) - int(setup["hp_at_most"])
        key = (room, waits, entered.tobytes())
        if key not in self._folded:
            self._folded[key] = len(self._arrivals)
            self._arrivals.append(folded(self._crossing(room, waits=waits), entered))
        return self._folded[key]

    def _crossing(self, room: int, *, waits: bool) -> Crossing:
        if room == 0:
            # Everybody arrives before the first turn.
            hp = self._ground.foes["max_hp"]
            first = np.zeros((2, 1, int(hp.sum())))
            first[1, 0, hp[0] - 1] = 1.0
            return Crossing(0.0, first)
        return crossing_of(self._ground, room, waits=waits)

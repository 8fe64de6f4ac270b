"""The chain of a gating, and the states that it is entered in where it comes into use late."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import SIZES, Chain, chain_of
from buildsearch.systems.vitality.exact.batch.crossing import DEFEATED, HARMED, KINDS, MISSED, TOUCHED
from buildsearch.systems.vitality.exact.batch.gatings import CHAIN_READS, NEVER_BINDS
from buildsearch.systems.vitality.exact.batch.lumping import lumped
from buildsearch.systems.vitality.kernel.plan import SETUP

# What a chain remembers of the basic attack in the turn of the crossing.
_REMEMBERED: dict[int, dict[str, int]] = {
    MISSED: {},
    TOUCHED: {"hit": 1},
    HARMED: {"hit": 1, "damaged": 1},
    DEFEATED: {"damaged": 1, "defeated": 1},
    # Of an area: somebody fell, and somebody else was hit.
    KINDS: {"hit": 1, "damaged": 1, "defeated": 1},
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
    area: bool = False,
) -> _Known | None:
    """The chain after the crossing, and its entries by clock and kind of turn before.

    With `area` basic attacks are areas too, and there is one kind of turn more.
    """
    setup = np.zeros(1, SETUP)
    for name, value in zip(CHAIN_READS, read, strict=True):
        setup[name] = value
    setup["waves"] = 1 + waves
    entries = None
    if int(setup[0]["hp_at_most"]) != NEVER_BINDS:
        entries = _entries(setup[0], KINDS + area)
        setup["hp_at_most"], setup["hp_full"] = NEVER_BINDS, 0
    shape = (1, 1) if entries is None else entries.shape[:2]
    flat = None if entries is None else entries.reshape(-1, len(SIZES))
    whole = chain_of(setup[0], levels, activation, entries=flat, splinters=splinters, area=area)
    if whole is None:
        return None
    chain = lumped(whole, bleeds=bleeds, several=several, waves=waves)
    return chain, chain.entered.reshape(shape)


def _entries(setup: np.void, kinds: int) -> NDArray[np.int64]:
    """The states at the crossing, by clock and kind of turn before, as rows of `SIZES`."""
    first, last = int(setup["first_turn"]), int(setup["last_turn"])
    clocks = first if last == NEVER_BINDS else max(first, last + 1)
    kinds = 1 if setup["unmet_waits"] else kinds
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

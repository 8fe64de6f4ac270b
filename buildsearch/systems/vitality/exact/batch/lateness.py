"""Gatings that wait for a crossing of the attacker's HP, and builds that splinter: arrivals and chains."""

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
    Crossing,
    crossing_of,
)
from buildsearch.systems.vitality.exact.batch.gatings import CHAIN_READS, NEVER_BINDS, Gating
from buildsearch.systems.vitality.exact.batch.late import GROWTHS, Arrivals, solve_arrivals
from buildsearch.systems.vitality.exact.batch.pairs import BY_VALUE, LEFT
from buildsearch.systems.vitality.exact.batch.places import Damages, Places
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.kernel.plan import SETUP

# What a chain remembers of the basic attack in the turn of the crossing.
_REMEMBERED = {
    MISSED: {},
    TOUCHED: {"hit": 1},
    HARMED: {"hit": 1, "damaged": 1},
    DEFEATED: {"damaged": 1, "defeated": 1},
}
_JUST_DAMAGED = 2


def is_late(gating: Gating) -> bool:
    """Whether the attack waits for the attacker's HP to fall."""
    return int(gating.setup["hp_at_most"]) != NEVER_BINDS


class Late:
    """Solves gatings one by one; what they share is worked out once."""

    def __init__(self, ground: ExactGround, damages: Damages, splinter: Splinter) -> None:
        self._ground, self._damages, self._splinter = ground, damages, splinter
        self._folded: dict[tuple[object, ...], Arrivals] = {}
        self._blows = _blows(ground)

    def concerns(self, gating: Gating) -> bool:
        """Whether this is the way to solve a gating."""
        return self._splinter.limit > 0 or is_late(gating)

    def solve(
        self, gating: Gating, levels: int, places: Places, first_rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mean turns and ways of profiles, given by their first rows."""
        means, ways = np.full(len(first_rows), np.nan), np.full(len(first_rows), LEFT, np.int64)
        setup, max_turns = gating.setup, int(gating.setup["max_turns"])
        if setup["defeat_is_loss"]:
            return means, ways
        if is_late(gating) and setup["hp_full"]:
            # Both at once never hold: basic attacks to the end.
            never = crossing_of(places, np.ones((len(places.max_hp), 1)), 1, self._damages, max_turns,
                                waits=bool(setup["unmet_waits"]))  # fmt: skip
            means[:], ways[:] = never.before, BY_VALUE
            return means, ways
        read = tuple(int(setup[name]) for name in CHAIN_READS)
        found = _chain(read, int(setup["waves"]) > 1, levels, gating.activation, self._splinter.limit > 0)
        if found is None:
            return means, ways
        chain, entered = found
        arrivals = self._arrivals(gating, places, entered)
        solve_arrivals(chain.steps, chain.spreads, chain.states, places, self._damages, self._splinter,
                       arrivals, first_rows, max_turns, means, ways)  # fmt: skip
        return means, ways

    def _arrivals(self, gating: Gating, places: Places, entered: NDArray[np.int64]) -> Arrivals:
        setup = gating.setup
        if not is_late(gating):
            first = np.zeros((2, 1, int(places.max_hp.sum())))
            first[1, 0, places.max_hp[0] - 1] = 1.0
            return _folded(Crossing(0.0, first), np.zeros((1, 1), np.int64))
        room = int(setup["attacker_hp"]) - int(setup["hp_at_most"])
        waits = bool(setup["unmet_waits"])
        key = (room, waits, entered.tobytes())
        if key not in self._folded:
            crossing = crossing_of(
                places, self._blows, room, self._damages, int(setup["max_turns"]), waits=waits
            )
            self._folded[key] = _folded(crossing, entered)
        return self._folded[key]


def _blows(ground: ExactGround) -> NDArray[np.float64]:
    """By place the chance of each loss of HP."""
    places = len(ground.foes)
    if not ground.setup["retaliation_cap"]:
        return np.ones((places, 1))
    rows = [
        ground.alive_retaliation(sorted(ground.order[place : int(ground.foes[place]["wave_end"])]))
        for place in range(places)
    ]
    blows = np.array([row[1:] for row in rows])
    blows[:, 0] += [row[0] for row in rows]
    return blows


@lru_cache(maxsize=1 << 16)
def _chain(
    read: tuple[int, ...], several_waves: bool, levels: int, activation: float, splinters: bool
) -> tuple[Chain, NDArray[np.int64]] | None:
    """The chain after the crossing, and the states it is entered in by clock and kind of turn before."""
    setup = np.zeros(1, SETUP)
    for name, value in zip(CHAIN_READS, read, strict=True):
        setup[name] = value
    setup["waves"] = 1 + several_waves
    late = int(setup[0]["hp_at_most"]) != NEVER_BINDS
    setup["hp_at_most"] = NEVER_BINDS
    if not late:
        chain = chain_of(setup[0], levels, activation, splinters=splinters)
        return None if chain is None else (chain, np.zeros((1, 1), np.int64))
    first, last = int(setup[0]["first_turn"]), int(setup[0]["last_turn"])
    clocks = first if last == NEVER_BINDS else max(first, last + 1)
    kinds = 1 if setup[0]["unmet_waits"] else KINDS
    entries = np.zeros((clocks, kinds, len(SIZES)), np.int64)
    entries[:, :, SIZES.index("clock")] = np.arange(clocks)[:, None]
    entries[:, :, SIZES.index("calm")] = _JUST_DAMAGED
    entries[:, :, SIZES.index("attacked")] = 1 - setup[0]["unmet_waits"]
    for kind in range(kinds):
        for name, value in _REMEMBERED[kind].items():
            entries[:, kind, SIZES.index(name)] = value
    if setup[0]["condition"]:
        entries[:, :, SIZES.index("damaged")] = 0
    # Nobody crosses before the first turn.
    entries = entries[min(1, clocks - 1) :]
    chain = chain_of(
        setup[0], levels, activation, entries=entries.reshape(-1, len(SIZES)), splinters=splinters
    )
    if chain is None:
        return None
    entered = chain.entered.reshape(-1, kinds)
    return chain, np.concatenate([entered[:1]] * (clocks > 1) + [entered])


def _folded(crossing: Crossing, entered: NDArray[np.int64]) -> Arrivals:
    """Arrivals by state: what a chain does not tell apart is added up."""
    given = crossing.arrivals[:, : entered.shape[1]]
    turns = np.flatnonzero(given.any(axis=(1, 2)))
    last = int(turns[-1]) + 1 if len(turns) else 0
    states, compact = np.unique(entered, return_inverse=True)
    compact = compact.reshape(entered.shape)
    by_turn = np.zeros((last, len(states), given.shape[2]))
    for turn in range(1, last):
        for kind in range(given.shape[1]):
            by_turn[turn, compact[min(turn - 1, len(entered) - 1), kind]] += given[turn, kind]
    powers = np.array([[growth ** (turn - 1) for turn in range(last)] for growth in (1.0, *GROWTHS)])
    grown = np.einsum("gt,tsf->gsf", powers.reshape(len(powers), last), by_turn)
    used = grown[0].any(axis=1)
    return Arrivals(
        crossing.before,
        states[used].astype(np.int64),
        np.ascontiguousarray(by_turn[:, used]),
        np.ascontiguousarray(grown[:, used]),
    )

"""Gatings as processes: a chain, and who comes into it when (at once, or when the attacker's HP are low)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.arrivals import Arrivals, folded, packed_arrivals
from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.crossing import Crossing, crossing_of
from buildsearch.systems.vitality.exact.batch.entered_chains import entered_chain
from buildsearch.systems.vitality.exact.batch.gatings import NEVER_BINDS, Gating
from buildsearch.systems.vitality.exact.batch.lanes.solving import solve_pairs
from buildsearch.systems.vitality.exact.batch.lanes.tables import Ladders
from buildsearch.systems.vitality.exact.batch.packing import PackedChains
from buildsearch.systems.vitality.exact.batch.splinter import Splinter
from buildsearch.systems.vitality.exact.batch.tables import Profiles
from buildsearch.systems.vitality.exact.batch.ways import LEFT
from buildsearch.systems.vitality.exact.ground import ExactGround

# Means and ways.
_Found = tuple[NDArray[np.float64], NDArray[np.int64]]


def is_late(gating: Gating) -> bool:
    """Whether the attack waits for the attacker's HP to fall."""
    return int(gating.setup["hp_at_most"]) != NEVER_BINDS


class Processes:
    """The processes of gatings in one encounter, each worked out once."""

    def __init__(
        self, ground: ExactGround, profiles: Profiles, splinter: Splinter, *, hits_on: bool = False
    ) -> None:
        """With `hits_on` a defeat may come with a hit on the next target, as with Splinter."""
        self._ground, self._profiles, self._splinter = ground, profiles, splinter
        self._hits_on = hits_on or splinter.limit > 0
        self._packed = PackedChains(ground)
        self._blows = _blows(ground)
        self._folded: dict[tuple[object, ...], int] = {}
        self._arrivals: list[Arrivals] = []
        self._arrivals_of: list[int] = []

    def solve(
        self, gatings: list[Gating], gating_of: NDArray[np.int64], profile_of: NDArray[np.int64]
    ) -> _Found:
        """Mean turns and ways of pairs of gating and profile; NaN and LEFT where there is none."""
        means, ways = np.full(len(gating_of), np.nan), np.full(len(gating_of), LEFT, np.int64)
        levels = self._profiles.levels[profile_of]
        kinds, kind_of = distinct_rows((gating_of * (int(levels.max()) + 1) + levels)[:, None])
        numbers = [
            self.number_of(gatings[gating], gatings[gating].levels(level))
            for gating, level in zip(gating_of[kinds].tolist(), levels[kinds].tolist(), strict=True)
        ]
        process_of = np.array(numbers, np.int64)[kind_of]
        chosen = np.flatnonzero(process_of >= 0)
        if len(chosen) == 0:
            return means, ways
        count = len(self._profiles.levels)
        pairs, pair_of = distinct_rows((process_of[chosen] * count + profile_of[chosen])[:, None])
        pairs = chosen[pairs]
        found, how = self._solve_distinct(process_of[pairs], profile_of[pairs])
        means[chosen], ways[chosen] = found[pair_of], how[pair_of]
        return means, ways

    def _solve_distinct(self, process_of: NDArray[np.int64], profile_of: NDArray[np.int64]) -> _Found:
        order = self._side_by_side(process_of, profile_of)
        process_of, profile_of, places = process_of[order], profile_of[order], np.argsort(order)
        found, how = np.zeros(len(order)), np.zeros(len(order), np.int64)
        solve_pairs(
            self._packed.packed(),
            packed_arrivals([self._arrivals[i] for i in self._arrivals_of], self._arrivals_of),
            self._profiles.damages,
            self._splinter,
            process_of,
            Ladders(self._profiles.starts[profile_of], self._profiles.kill_at[profile_of]),
            int(self._ground.setup["max_turns"]),
            found,
            how,
        )
        return found[places], how[places]

    def _side_by_side(
        self, process_of: NDArray[np.int64], profile_of: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """In the order of processes, then those that defeat at the same HP, then those who reach as far."""
        profiles, damages = self._profiles, self._profiles.damages
        # By the last class and the first level.
        rows = damages.rungs[profiles.starts[:, -1]]
        return np.lexsort((damages.highest[rows][profile_of], *profiles.kill_at[profile_of].T, process_of))

    def chain(self, number: int) -> Chain:
        """The chain of a process."""
        return self._packed.chain(number)

    def arrivals(self, number: int) -> Arrivals:
        """Who comes into it when."""
        return self._arrivals[self._arrivals_of[number]]

    def number_of(self, gating: Gating, levels: int) -> int:
        """The number of a process, -1 where it is no chain."""
        if gating.setup["defeat_is_loss"]:
            return -1
        found = entered_chain(
            gating.read,
            levels,
            gating.activation,
            len(self._profiles.damages.echoes) > 0,
            len(self._ground.foes) > 1,
            int(gating.setup["waves"]) > 1,
            self._hits_on,
        )
        if found is None:
            return -1
        chain, entered = found
        arrivals = self._arrivals_number(gating, entered)
        number = self._packed.number_of(chain, gating, arrivals)
        if number == len(self._arrivals_of):
            self._arrivals_of.append(arrivals)
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
            self._arrivals.append(folded(self._crossing(gating, room, waits=waits), entered))
        return self._folded[key]

    def _crossing(self, gating: Gating, room: int, *, waits: bool) -> Crossing:
        if room == 0:
            # Everybody arrives before the first turn.
            hp = self._ground.foes["max_hp"]
            first = np.zeros((2, 1, int(hp.sum())))
            first[1, 0, hp[0] - 1] = 1.0
            return Crossing(0.0, first)
        places, turns = gating.places(self._ground), int(gating.setup["max_turns"])
        blows = self._blows if room > 0 else np.ones((len(places.max_hp), 1))
        return crossing_of(places, blows, max(room, 1), self._profiles.damages, turns, waits=waits)


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

"""Limit sets as gating processes: sets that act alike in this encounter are one process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import EVENTS, NO_RETALIATION, Chain, chain_of
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.kernel.gating import activation_chance, gating_fields
from buildsearch.systems.vitality.kernel.plan import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED, SETUP

# All of a setup that a chain depends on, but for whether there are several waves.
CHAIN_READS = (
    *("unmet_waits", "first_turn", "last_turn", "uses", "cooldown", "charge", "hp_at_most", "hp_full"),
    *("since_mask", "passive", "last_hit", "last_damage", "last_defeat", "condition", "defeat_is_loss"),
)
# A limit that never binds.
NEVER_BINDS = 1 << 30


@lru_cache(maxsize=1 << 16)
def _chain(read: tuple[int, ...], several_waves: bool, levels: int, activation: float) -> Chain | None:
    setup = np.zeros(1, SETUP)
    for name, value in zip(CHAIN_READS, read, strict=True):
        setup[name] = value
    setup["waves"] = 1 + several_waves
    return chain_of(setup[0], levels, activation)


@dataclass(frozen=True, eq=False)
class Gating:
    """One process: the numbers of its limits and the chance to activate."""

    setup: np.void
    activation: float

    def chain(self, levels: int) -> Chain | None:
        """The process as a chain, where it is one; other types and scenarios ask for the same again."""
        read = tuple(int(self.setup[name]) for name in CHAIN_READS)
        return _chain(read, int(self.setup["waves"]) > 1, levels, self.activation)

    def places(self, ground: ExactGround) -> Places:
        """The enemies, with what their retaliation means to these limits."""
        foes = ground.foes
        numbers = np.arange(len(foes))
        events = np.zeros((len(foes), EVENTS))
        events[:, NO_RETALIATION] = 1.0
        for place in numbers:
            self._fill_events(ground, int(place), events[place])
        return Places(
            strike_class=foes["strike_class"].copy(),
            max_hp=foes["max_hp"].copy(),
            ends_wave=(foes["wave_end"] == numbers + 1).astype(np.int64),
            events=events,
        )

    def _fill_events(self, ground: ExactGround, place: int, events: NDArray[np.float64]) -> None:
        mask = int(self.setup["since_mask"])
        if not self.setup["retaliation_cap"]:
            events[(mask >> NOT_ATTACKED) & 1] = 1.0
            return
        chances = ground.alive_retaliation(sorted(ground.order[place : int(ground.foes[place]["wave_end"])]))
        events[(mask >> ALL_MISSED) & 1] += chances[0]
        events[(mask >> HIT_UNHARMED) & 1] += chances[1]
        events[((mask >> DAMAGED) & 1) + 2] += chances[2:].sum()


def gatings_of(
    given: Attackers, ground: ExactGround, has: NDArray[np.bool_]
) -> tuple[list[Gating], NDArray[np.int64]]:
    """The distinct processes of limit sets (rows), and the process of each."""
    ids = list(given.rules.enhancements)
    known: dict[tuple[float, ...], int] = {}
    gatings: list[Gating] = []
    of_row = np.zeros(len(has), np.int64)
    for row, columns in enumerate(has):
        parts = given.parts(*(ids[i] for i in np.flatnonzero(columns)))
        fields = gating_fields(parts, given.attacker.tier, given.encounter)
        if fields["hp_at_most"] >= given.attacker.hp:
            fields["hp_at_most"] = NEVER_BINDS
        activation = activation_chance(parts, given.attacker.tier)
        key = (activation, *fields.values())
        if key not in known:
            known[key] = len(gatings)
            setup = ground.setup.copy()
            for name, value in fields.items():
                setup[name] = value
            gatings.append(Gating(setup, activation))
        of_row[row] = known[key]
    return gatings, of_row

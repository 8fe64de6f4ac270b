"""The processes of a batch in flat arrays, so that one call solves all of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import STEP, Chain
from buildsearch.systems.vitality.exact.batch.gatings import Gating
from buildsearch.systems.vitality.exact.batch.places import Places
from buildsearch.systems.vitality.exact.ground import ExactGround


class Packed(NamedTuple):
    """By process: where its steps and spreads start (and end: where the next one's do), and its places."""

    steps: NDArray[np.void]
    first_step: NDArray[np.int64]
    spreads: NDArray[np.int64]
    first_spread: NDArray[np.int64]
    states: NDArray[np.int64]
    places_of: NDArray[np.int64]
    # By places: those of `Places` that depend on limits.
    events: NDArray[np.float64]
    sets: NDArray[np.float64]
    same_as_next: NDArray[np.int64]
    strike_class: NDArray[np.int64]
    max_hp: NDArray[np.int64]
    ends_wave: NDArray[np.int64]


class PackedChains:
    """Processes as they are found: a chain, and places by what retaliation means to it."""

    def __init__(self, ground: ExactGround) -> None:
        self._ground = ground
        self._chains: list[Chain] = []
        self._places: list[Places] = []
        self._places_of: list[int] = []
        self._known: dict[tuple[int, int, int], int] = {}
        self._known_places: dict[int, int] = {}

    def number_of(self, chain: Chain, gating: Gating, arrivals: int = 0) -> int:
        """The number of a gating's chain with these arrivals."""
        # A chain that asks for no retaliation is the same whatever the mask.
        mask = int(gating.setup["since_mask"]) if chain.reads_events else -1
        key = (id(chain), mask, arrivals)
        number = self._known.get(key)
        if number is None:
            if mask not in self._known_places:
                self._known_places[mask] = len(self._places)
                self._places.append(gating.places(self._ground))
            number = self._known[key] = len(self._chains)
            self._chains.append(chain)
            self._places_of.append(self._known_places[mask])
        return number

    def chain(self, number: int) -> Chain:
        """The chain of a process."""
        return self._chains[number]

    def packed(self) -> Packed:
        """All of them."""
        chains, places = self._chains, self._places
        return Packed(
            # As plain numbers: for records numpy compares the types of all of them.
            steps=np.concatenate([chain.steps.view(np.int64) for chain in chains]).view(STEP),
            first_step=_starts([len(chain.steps) for chain in chains]),
            spreads=np.concatenate([chain.spreads for chain in chains]),
            first_spread=_starts([len(chain.spreads) for chain in chains]),
            states=np.array([chain.states for chain in chains], np.int64),
            places_of=np.array(self._places_of, np.int64),
            events=np.stack([each.events for each in places]),
            sets=np.stack([each.sets for each in places]),
            same_as_next=np.stack([each.same_as_next for each in places]),
            strike_class=places[0].strike_class,
            max_hp=places[0].max_hp,
            ends_wave=places[0].ends_wave,
        )


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

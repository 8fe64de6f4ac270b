"""A fight, compiled: the records and tables that the kernel reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest

# Bump when the kernel plays the same plan differently, so that no stored result outlives its meaning.
ENGINE_VERSION = 2

# What a card does.
ATTACK, HEAL, RESOLVE, STATUS = range(4)
# Which stat a status changes.
EVA, RES, TUF, AP = range(4)
GREEDY, AHEAD = range(2)

SETUP = np.dtype(
    [
        (name, np.int64)
        for name in (
            "max_turns",
            "hand",
            "foreseen",
            "lowest_eva",
            "highest_eva",
            "highest_res",
            "strike_bits",
            "heal_bits",
            "statuses",  # whether any deck has one
            "reach",  # the largest change of TUF by a status
            "most_hp",  # of a target; with more, an attack is worth no more
            "most_resolve",  # by which a card lowers the hit counter
            "most_ap",
            "ties",  # whether initiative leaves the order open
        )
    ]
)

FIGHTER = np.dtype(
    [
        (name, np.int64)
        for name in (
            "side",
            "max_hp",
            "eva",
            "res",
            "tuf",
            "ap",
            "play",
            "deck_start",
            "deck_size",
            "acts",  # who acts at this place of the order
            "tie_end",  # up to which place the initiative is the same
        )
    ]
)

CARD = np.dtype(
    [
        (name, np.int64)
        for name in ("ap", "deed", "row", "amount", "stat", "on_self", "keys", "reading", "bit")
    ],
)


class Arrays(NamedTuple):
    """A plan as the kernels take it. Row 0 of the attack tables is the plain attack."""

    setup: NDArray[np.void]
    fighters: NDArray[np.void]
    cards: NDArray[np.void]
    decks: NDArray[np.int64]
    strikes: NDArray[np.int64]  # (attack, eva by res, alias column)
    hits: NDArray[np.float64]  # (attack, eva)
    means: NDArray[np.float64]  # (attack, eva, res)
    heals: NDArray[np.int64]  # (heal, alias column)
    heal_means: NDArray[np.float64]  # (heal, missing)
    prevented: NDArray[np.float64]  # (RES,) what it takes off a plain hit
    keys: NDArray[np.int64]  # greedy play: what each card is worth in each state
    shifts: NDArray[np.int64]  # (set of statuses, stat) what they add


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything the kernels need, and what it is called."""

    arrays: Arrays

    @cached_property
    def content(self) -> bytes:
        """A digest of all that can move a result, and nothing else."""
        return content_digest(str(ENGINE_VERSION).encode(), *(array.tobytes() for array in self.arrays))

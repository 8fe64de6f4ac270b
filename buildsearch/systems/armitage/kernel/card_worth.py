"""Greedy play, compiled: what each card is worth in each state, as integers that the kernel only compares.

A key is a card's worth for its AP on a fine grid, then the card's place in the rules, its AP, and room for
its place in the hand: the greatest key is the best card, and of equals the first in the rules. Zero is a card
not worth playing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.armitage.kernel.look_ahead import EQUAL
from buildsearch.systems.armitage.kernel.plan import AP, ATTACK, EVA, HEAL, RES, RESOLVE, TUF

# By which index a card's keys are read.
BY_TARGET_AND_HP, BY_MISSING, BY_OWN_HITS, BY_SELF, BY_AP_AND_TARGET, BY_TARGET = range(6)
READINGS = 6
_GRID = 1 << 30
_KIND_BITS = 6
LAST_KIND = (1 << _KIND_BITS) - 1
AP_BITS = 4
AP_MASK = (1 << AP_BITS) - 1
SLOT_BITS = 4
SLOTS = 1 << SLOT_BITS


@dataclass(frozen=True, slots=True)
class States:
    """How a combatant can stand: EVA by RES by hits beyond TUF, the last no farther than matters."""

    evas: int
    ress: int
    reach: int  # the largest change of TUF

    @property
    def spans(self) -> int:
        """Places for hits minus TUF, from -reach - 1 to reach."""
        return 2 * self.reach + 2

    @property
    def number(self) -> int:
        """How many there are."""
        return self.evas * self.ress * self.spans


def make_keys(
    setup: NDArray[np.void],
    cards: NDArray[np.void],
    means: NDArray[np.float64],
    heal_means: NDArray[np.float64],
    prevented: NDArray[np.float64],
) -> NDArray[np.int64]:
    """The keys of all cards in one row; sets where each card's begin and how they are read."""
    plan = setup[0]
    states = States(means.shape[1], means.shape[2], int(plan["reach"]))
    parts: list[NDArray[np.int64]] = []
    start = 0
    for kind, card in enumerate(cards):
        worth, reading = _worth(plan, card, states, means, heal_means, prevented)
        each = worth.ravel() / card["ap"]
        place = ((LAST_KIND - kind) << AP_BITS | int(card["ap"])) << SLOT_BITS
        keys = np.rint(each * _GRID).astype(np.int64) << (_KIND_BITS + AP_BITS + SLOT_BITS) | place
        parts.append(np.where(each > 2 * EQUAL, keys, 0))
        card["keys"], card["reading"] = start, reading
        start += len(keys)
    return np.concatenate(parts) if parts else np.zeros(1, np.int64)


def _worth(
    plan: np.void,
    card: np.void,
    states: States,
    means: NDArray[np.float64],
    heal_means: NDArray[np.float64],
    prevented: NDArray[np.float64],
) -> tuple[NDArray[np.float64], int]:
    """A card's worth by its index, and which index that is."""
    deed = card["deed"]
    if deed == ATTACK:
        hp = np.arange(plan["most_hp"] + 1, dtype=np.float64)
        return np.minimum(_mean_damage(means[card["row"]], states), hp[:, None]), BY_TARGET_AND_HP
    if deed == HEAL:
        return heal_means[card["row"]], BY_MISSING
    if deed == RESOLVE:
        # By how much the counter must fall for RES to apply again; 0: it cannot, or need not.
        needed = np.arange(plan["most_resolve"] + 2)
        return prevented[:, None] * ((needed > 0) & (needed <= card["amount"])), BY_OWN_HITS
    now = _mean_damage(means[0], states)
    if card["stat"] == AP:
        on_self = bool(card["on_self"])
        return now * card["amount"] * (1 if on_self else -1), BY_TARGET if on_self else BY_SELF
    change = _mean_damage(means[0], states, int(card["stat"]), int(card["amount"])) - now
    if card["on_self"]:
        return -plan["foreseen"] * change, BY_SELF
    attacks = np.minimum(plan["foreseen"], np.arange(plan["most_ap"] + 1) - card["ap"])
    return attacks[:, None] * change, BY_AP_AND_TARGET


def _mean_damage(
    means: NDArray[np.float64],
    states: States,
    stat: int = AP,
    amount: int = 0,
) -> NDArray[np.float64]:
    """The mean damage of an attack on each state, with one stat changed."""
    eva, res, beyond = (
        grid.ravel()
        for grid in np.meshgrid(
            np.arange(states.evas),
            np.arange(states.ress),
            np.arange(-states.reach - 1, states.reach + 1),
            indexing="ij",
        )
    )
    if stat == EVA:
        # The lowest EVA of the tables is the lowest that statuses reach, and never below 0.
        eva = np.clip(eva + amount, 0, states.evas - 1)
    if stat == RES:
        res = np.clip(res + amount, 0, states.ress - 1)
    if stat == TUF:
        beyond = beyond - amount
    return means[eva, np.where(beyond < 0, res, 0)]

"""Fights of loadouts: checks what it is given, then calls the kernel, on as many threads as asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.parallel import in_parallel
from buildsearch.evaluate.sampling import blocks_of
from buildsearch.evaluate.tally import Tally
from buildsearch.systems.vitality.kernel.arms import Arms
from buildsearch.systems.vitality.kernel.content import WORDS, seed_words
from buildsearch.systems.vitality.kernel.loadouts.choosing import GREEDY, LOOKAHEAD
from buildsearch.systems.vitality.kernel.loadouts.fighting import fight_loadouts, fill_states
from buildsearch.systems.vitality.kernel.plan import plan_header
from buildsearch.systems.vitality.mechanics.actions import ACTIONS
from buildsearch.systems.vitality.results import COUNTS

# So many loadouts are handed to a thread at a time: enough that handing over costs nothing.
_CHUNK = 64


@dataclass(frozen=True, eq=False)
class Played:
    """By loadout: fights by turns, the counts of `results`, and actions by kind and attack."""

    histograms: NDArray[np.int64]
    counts: NDArray[np.int64]
    actions: NDArray[np.int64]

    @property
    def turns(self) -> NDArray[np.int64]:
        """The turns of all fights together."""
        return self.histograms @ np.arange(self.histograms.shape[1])

    @property
    def squares(self) -> NDArray[np.int64]:
        """The squares of the turns, together."""
        return self.histograms @ np.arange(self.histograms.shape[1]) ** 2


def play_loadouts(
    arms: Arms,
    loadouts: NDArray[np.int64],
    play: int,
    *,
    seed: int,
    fights: int,
    first_block: int = 0,
    jobs: int = 1,
) -> Played:
    """Play so many fights of each row of attacks (by their numbers), the blocks from `first_block` on.

    What a row gets depends on seed, attacks and encounter only: not on other rows, nor on `jobs`.
    """
    loadouts = np.ascontiguousarray(loadouts, np.int64)
    if fights < 0:
        raise ValueError(f"cannot play {fights} fights")
    if loadouts.ndim != 2 or loadouts.shape[1] < 1:
        raise ValueError("loadouts are rows of one attack or more")
    if len(loadouts) and not (loadouts.min() >= 0 and loadouts.max() < len(arms.setups)):
        raise ValueError(f"an attack is a number below {len(arms.setups)}")
    if play not in (GREEDY, LOOKAHEAD):
        raise ValueError(f"there is no play {play}")
    blocks = np.array([number for _, number in blocks_of(first_block, fights)], np.int64)
    starts = range(0, max(len(loadouts), 1), _CHUNK)

    def run(start: int) -> Played:
        return _play(arms, loadouts[start : start + _CHUNK], play, seed, first_block, blocks)

    parts = in_parallel(run, starts, 1 if len(starts) == 1 else jobs)
    return Played(
        np.concatenate([part.histograms for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.actions for part in parts]),
    )


def run_block(arms: Arms, play: int, seed: int, block: int, fights: int) -> Tally:
    """One block of fights of all attacks together; behind the counts stand those of actions."""
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    loadout = np.arange(len(arms.setups))[None]
    found = _play(arms, loadout, play, seed, block, np.array([fights], np.int64))
    return Tally(found.histograms[0], np.concatenate([found.counts[0], found.actions.ravel()]))


def _play(
    arms: Arms,
    loadouts: NDArray[np.int64],
    play: int,
    seed: int,
    first_block: int,
    fights: NDArray[np.int64],
) -> Played:
    number, size = loadouts.shape
    found = Played(
        np.zeros((number, int(arms.fight["max_turns"][0]) + 1), np.int64),
        np.zeros((number, COUNTS), np.int64),
        np.zeros((number, ACTIONS, size), np.int64),
    )
    states = np.zeros((number, len(fights), WORDS), np.uint64)
    header = plan_header(arms.retaliation)
    # Only without the JIT (for coverage) would numpy warn that digests wrap around, as they must.
    with np.errstate(over="ignore"):
        fill_states(header, arms.contents, loadouts, play, seed_words(seed), first_block, states)
        fight_loadouts(arms, loadouts, play, states, fights, found.histograms, found.counts, found.actions)
    return found

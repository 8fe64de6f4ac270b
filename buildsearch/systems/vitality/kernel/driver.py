"""Fights of loadouts, one attack being a loadout of one: checks what it is given, then calls the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.sampling import Tally, blocks_of
from buildsearch.evaluate.threads import in_parallel
from buildsearch.systems.vitality.kernel.content import digest_rows, stream_states
from buildsearch.systems.vitality.kernel.fighting import KERNELS
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY, LOOKAHEAD
from buildsearch.systems.vitality.kernel.plan import LOADOUT, Arsenal, Plan
from buildsearch.systems.vitality.mechanics.limits import ACTIONS
from buildsearch.systems.vitality.results import COUNTS

# Bump when the same attacks are played differently.
LOADOUT_VERSION = 1
# So many loadouts are handed to a thread at a time: enough that handing over costs nothing.
_CHUNK = 64
_FIRST = np.zeros(1, np.int64)


@dataclass(frozen=True, eq=False)
class Played:
    """By loadout: fights by turns, the counts of `results`, and actions by kind and attack."""

    histograms: NDArray[np.int64]
    counts: NDArray[np.int64]
    actions: NDArray[np.int64]

    @property
    def turns(self) -> NDArray[np.int64]:
        return self.histograms @ np.arange(self.histograms.shape[1])

    @property
    def squares(self) -> NDArray[np.int64]:
        return self.histograms @ np.arange(self.histograms.shape[1]) ** 2


def run_block(plan: Plan, seed: int, block: int, fights: int) -> Tally:
    """One block of fights of one attack, from the stream of (seed, content of the plan, block)."""
    found = play_attacks(plan.arsenal, _FIRST, seed, _block(block, fights))
    return Tally(found.histograms[0], found.counts[0])


def run_loadout_block(arsenal: Arsenal, play: int, seed: int, block: int, fights: int) -> Tally:
    """One block of fights of all attacks together; behind the counts stand those of actions."""
    loadout = np.arange(len(arsenal.setups))[None]
    found = _play_loadouts(arsenal, loadout, play, seed, _block(block, fights))
    return Tally(found.histograms[0], np.concatenate([found.counts[0], found.actions.ravel()]))


def play_attacks(
    arsenal: Arsenal, attacks: NDArray[np.int64], seed: int, blocks: NDArray[np.int64]
) -> Played:
    """Blocks (number, fights) of each of these attacks alone, played greedily."""
    kinds = arsenal.setups["kind"][attacks]
    return _play(arsenal, attacks[:, None], kinds, GREEDY, arsenal.contents[attacks], seed, blocks)


def play_loadouts(
    arsenal: Arsenal,
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
    if len(loadouts) and not (loadouts.min() >= 0 and loadouts.max() < len(arsenal.setups)):
        raise ValueError(f"an attack is a number below {len(arsenal.setups)}")
    if play not in (GREEDY, LOOKAHEAD):
        raise ValueError(f"there is no play {play}")
    blocks = np.array(blocks_of(first_block, fights), np.int64).reshape(-1, 2)
    starts = range(0, max(len(loadouts), 1), _CHUNK)

    def run(start: int) -> Played:
        return _play_loadouts(arsenal, loadouts[start : start + _CHUNK], play, seed, blocks)

    parts = in_parallel(run, starts, 1 if len(starts) == 1 else jobs)
    return Played(
        np.concatenate([part.histograms for part in parts]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.actions for part in parts]),
    )


def _play_loadouts(
    arsenal: Arsenal, loadouts: NDArray[np.int64], play: int, seed: int, blocks: NDArray[np.int64]
) -> Played:
    """Streams start from the attacks in order, who decides, and the retaliation."""
    number, size = loadouts.shape
    leeching = (arsenal.setups["leech"][loadouts] > 0).any(axis=1)
    about = np.tile(np.array([LOADOUT_VERSION, play, size], np.uint64), (number, 1))
    words = [
        arsenal.headers[leeching.astype(np.int64)],
        about,
        arsenal.contents[loadouts].reshape(number, -1),
    ]
    contents = digest_rows(np.concatenate(words, axis=1))
    return _play(arsenal, loadouts, np.full(number, LOADOUT), play, contents, seed, blocks)


def _play(
    arsenal: Arsenal,
    loadouts: NDArray[np.int64],
    kinds: NDArray[np.int64],
    play: int,
    contents: NDArray[np.uint64],
    seed: int,
    blocks: NDArray[np.int64],
) -> Played:
    number, size = loadouts.shape
    found = Played(
        np.zeros((number, int(arsenal.setups["max_turns"][0]) + 1), np.int64),
        np.zeros((number, COUNTS), np.int64),
        np.zeros((number, ACTIONS, size), np.int64),
    )
    states = stream_states(seed, contents, blocks[:, 0])
    fights = blocks[:, 1].copy()
    # Only without the JIT (for coverage) would numpy warn that the generator wraps around, as it must.
    with np.errstate(over="ignore"):
        for kind in set(kinds.tolist()):
            rows = np.flatnonzero(kinds == kind)
            KERNELS[kind](
                arsenal, loadouts, rows, play, states, fights, found.histograms, found.counts, found.actions
            )
    return found


def _block(block: int, fights: int) -> NDArray[np.int64]:
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    return np.array([[block, fights]], np.int64)

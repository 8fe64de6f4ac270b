"""Fights of many loadouts, each from a random stream of its own."""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.kernel.arms import Arms
from buildsearch.systems.vitality.kernel.content import WORDS, digest_into, stream_into
from buildsearch.systems.vitality.kernel.fighting import fight_loadout

# Bump when the same attacks are played differently.
LOADOUT_VERSION = 1


@njit(cache=True, nogil=True)
def fight_loadouts(
    arms: Arms,
    loadouts: NDArray[np.int64],
    play: int,
    states: NDArray[np.uint64],
    fights: NDArray[np.int64],
    histograms: NDArray[np.int64],
    counts: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> None:
    """Add the results of each loadout's fights to its histogram of turns, its counts and its actions.

    `states`: by loadout and block, where the generator starts; `fights`: how many a block has.
    """
    for i in range(len(loadouts)):
        for block in range(len(fights)):
            fight_loadout(
                arms, loadouts[i], play, states[i, block], fights[block], histograms[i], counts[i], actions[i]
            )


@inner
def loadout_content(
    header: NDArray[np.uint64],
    contents: NDArray[np.uint64],
    members: NDArray[np.int64],
    play: int,
    digest: NDArray[np.uint64],
) -> None:
    """What the streams of a loadout start from: its attacks in order, who decides, and the retaliation."""
    size = len(members)
    words = np.zeros(len(header) + 3 + WORDS * size, np.uint64)
    at = len(header)
    for i in range(at):
        words[i] = header[i]
    words[at] = np.uint64(LOADOUT_VERSION)
    words[at + 1] = np.uint64(play)
    words[at + 2] = np.uint64(size)
    at += 3
    for k in range(size):
        for j in range(WORDS):
            words[at + WORDS * k + j] = contents[members[k], j]
    digest_into(words, digest)


@njit(cache=True, nogil=True)
def fill_states(
    header: NDArray[np.uint64],
    contents: NDArray[np.uint64],
    loadouts: NDArray[np.int64],
    play: int,
    seed: NDArray[np.uint64],
    first_block: int,
    states: NDArray[np.uint64],
) -> None:
    """Where the generator starts: by loadout and block, from the first block on."""
    content = np.zeros(WORDS, np.uint64)
    for i in range(len(loadouts)):
        loadout_content(header, contents, loadouts[i], play, content)
        for block in range(states.shape[1]):
            stream_into(seed, content, first_block + block, states[i, block])

"""Plans of a pack, one after another: their rows gathered from the shared tables, their fights played."""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.kernel.arms import PLACE, Arms
from buildsearch.systems.vitality.kernel.content import WORDS, stream_into
from buildsearch.systems.vitality.kernel.fighting import fight_area, fight_plain, fight_rich, fight_triggered
from buildsearch.systems.vitality.kernel.loadouts.choosing import GREEDY
from buildsearch.systems.vitality.kernel.pack import Pack
from buildsearch.systems.vitality.kernel.plan import AREA, PLAIN, RICH, TRIGGERED
from buildsearch.systems.vitality.mechanics.actions import ACTIONS

_PLACES = np.zeros(1, PLACE)


def _part(kernel: Callable[..., None]) -> Callable[..., None]:
    """The same fights as a part of what plays them, which numba takes half as long to compile."""
    return inner(getattr(kernel, "py_func", kernel))


_fight_plain, _fight_triggered = _part(fight_plain), _part(fight_triggered)
_fight_area, _fight_rich = _part(fight_area), _part(fight_rich)


def fight_many(
    pack: Pack,
    which: NDArray[np.int64],
    seed: NDArray[np.uint64],
    blocks: NDArray[np.int64],
    sums: NDArray[np.int64],
    counts: NDArray[np.int64],
    histograms: NDArray[np.int64],
) -> None:
    """Play blocks (number, fights) of each plan named: sums of turns and of their squares, and the counts.

    `histograms` may have no rows; then none are kept. Kinds that do not occur are not compiled either.
    """
    kinds = pack.setups["kind"][which]
    for kind, play in _PLAYERS.items():
        (rows,) = np.nonzero(kinds == kind)
        if len(rows) > 0:
            play(pack, _PLACES, which, rows, seed, blocks, sums, counts, histograms)


def _player(kind: int) -> Callable[..., None]:
    """What plays the plans of one kind."""

    @njit(cache=True, nogil=True)
    def play(
        pack: Pack,
        places: NDArray[np.void],
        which: NDArray[np.int64],
        rows_of_kind: NDArray[np.int64],
        seed: NDArray[np.uint64],
        blocks: NDArray[np.int64],
        sums: NDArray[np.int64],
        counts: NDArray[np.int64],
        histograms: NDArray[np.int64],
    ) -> None:
        # Everything in locals: reading an array out of a tuple counts references.
        setups = pack.setups
        contents = pack.contents
        first_row = pack.first_row
        row_numbers = pack.rows
        shared_strikes = pack.strikes
        shared_grids = pack.grids
        grid_at = pack.grid_at
        usual_retaliation = pack.retaliation
        retaliation_in_full = pack.retaliation_in_full
        width = shared_strikes.shape[1]
        most_rows = 0
        for i in rows_of_kind:
            most_rows = max(most_rows, first_row[which[i] + 1] - first_row[which[i]])
        strikes_space = np.zeros(most_rows * width, np.int64)
        grid_space = np.zeros(4, np.uint16)
        # Plans come sorted by attack: most of the rows gathered for one serve the next.
        held_strikes = np.full(most_rows, -1, np.int64)
        held_grids = np.full(most_rows, -1, np.int64)
        held_width = 0
        held_size = 0
        state = np.zeros(WORDS, np.uint64)
        alone = np.zeros(1, np.int64)
        actions = np.zeros((ACTIONS, 1), np.int64)
        nothing = np.zeros(0)
        for i in rows_of_kind:
            plan = which[i]
            setup = setups[plan : plan + 1]
            first = first_row[plan]
            rows = first_row[plan + 1] - first
            natural_bits = setup[0]["natural_bits"]
            total_bits = setup[0]["total_bits"]
            if setup[0]["strike_bits"] > 0:
                used = 1 << setup[0]["strike_bits"]
                if used != held_width:
                    held_strikes[:] = -1
                    held_width = used
                for row in range(rows):
                    number = row_numbers[first + row]
                    if held_strikes[row] != number:
                        held_strikes[row] = number
                        for k in range(used):
                            strikes_space[row * used + k] = shared_strikes[number, k]
            if total_bits > 0:
                size = 1 << (natural_bits + total_bits)
                if rows * size > len(grid_space) or size != held_size:
                    grid_space = np.zeros(max(rows * size, len(grid_space)), np.uint16)
                    held_grids[:] = -1
                    held_size = size
                for row in range(rows):
                    number = row_numbers[first + row]
                    if held_grids[row] != number:
                        held_grids[row] = number
                        at = grid_at[number]
                        for k in range(size):
                            grid_space[row * size + k] = shared_grids[at + k]
            dice = pack.dice_of[plan]
            foes = pack.foes[pack.foes_of[plan]]
            kill_at = np.zeros((1, len(foes)), np.int64)
            for foe in range(len(foes)):
                kill_at[0, foe] = foes[foe]["kill_at"]
            arms = Arms(
                setup,
                foes,
                retaliation_in_full if setup[0]["leech"] > 0 else usual_retaliation,
                setup,
                places,
                contents[plan : plan + 1],
                kill_at,
                strikes_space,
                grid_space,
                pack.naturals[dice, :, : 1 << natural_bits].copy().reshape(-1),
                pack.totals[dice, :, : 1 << total_bits].copy().reshape(-1),
                nothing,
                nothing,
                nothing,
            )
            histogram = np.zeros(setup[0]["max_turns"] + 1, np.int64)
            for block in range(len(blocks)):
                stream_into(seed, contents[plan], blocks[block, 0], state)
                fights = blocks[block, 1]
                if kind == PLAIN:
                    _fight_plain(arms, alone, GREEDY, state, fights, histogram, counts[i], actions)
                if kind == TRIGGERED:
                    _fight_triggered(arms, alone, GREEDY, state, fights, histogram, counts[i], actions)
                if kind == AREA:
                    _fight_area(arms, alone, GREEDY, state, fights, histogram, counts[i], actions)
                if kind == RICH:
                    _fight_rich(arms, alone, GREEDY, state, fights, histogram, counts[i], actions)
            for turns in range(len(histogram)):
                sums[i, 0] += turns * histogram[turns]
                sums[i, 1] += turns * turns * histogram[turns]
                if len(histograms) > 0:
                    histograms[i, turns] = histogram[turns]

    return play


_PLAYERS = {kind: _player(kind) for kind in (PLAIN, TRIGGERED, AREA, RICH)}

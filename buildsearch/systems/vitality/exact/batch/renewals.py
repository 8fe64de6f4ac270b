"""Attacks that are made every so many turns, whatever happens: turns are counted in attacks, enemy by enemy.

Plain and charged attacks, also where they may fail to activate: nothing that an attack does changes when the
next one is made, so an enemy takes K attacks (`lanes.attempts`), enemies one after another take independent
numbers of them, and with a period of c turns a fight takes c times their sum. Where the turn limit n is near,
the mean is

    c E min(sum K, m) + (n - c m) P(sum K > m),  m = n // c

Enemies alike in row of damage and HP take alike numbers: sums of K from convolutions over attacks, and with A
all of them but one, E min(A + B, m) = sum over a of P(A = a) (a + E min(B, m - a)).
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.arrivals import BELOW, GROWTHS, NEARLY, TOLERANCE
from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.distinct import distinct_rows
from buildsearch.systems.vitality.exact.batch.lanes.attempts import Items, lasting_attempts, mean_attempts
from buildsearch.systems.vitality.exact.batch.lanes.bleeding_attempts import lasting_bleeding, mean_bleeding
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.batch.rhythms import Renewal
from buildsearch.systems.vitality.exact.batch.ways import BY_COUNTS, BY_VALUE


def renewal_means(
    damages: Damages,
    renewal: Renewal,
    rows: NDArray[np.int64],
    heights: NDArray[np.int64],
    enemies: NDArray[np.int64],
    limit: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Mean turns and ways; by attack and class of enemy the row of damage, and the HP that are to be lost.

    `enemies`: how many there are of each class. What bleeds is made every turn, as bleeds tick in turns.
    """
    asked = _asked(damages, rows, heights)
    period, activation = renewal
    bleeds = len(damages.echoes) > 0
    mean_of = mean_bleeding if bleeds else mean_attempts
    values = np.zeros(len(asked.items.heights))
    mean_of(damages, asked.items, activation, 1.0, values)
    means = period * _over_enemies(values[asked.of], enemies)
    ways = np.full(len(means), BY_COUNTS, np.int64)
    firsts = np.full(len(means), np.inf)
    for number, growth in enumerate(GROWTHS):
        # The proof is a factor of two away at least: it is not looked for in vain.
        wanted = (ways == BY_COUNTS) & (2 * means <= limit)
        if number > 0:
            wanted &= firsts < NEARLY if number < BELOW[0] else firsts == np.inf
        tried = np.flatnonzero(wanted)
        if len(tried) == 0:
            continue
        part = asked.part(tried)
        moments = np.zeros(len(part.items.heights))
        mean_of(damages, part.items, activation, growth**period, moments)
        log_moment = _over_enemies(np.log(moments)[part.of], enemies)
        bounds = np.exp(log_moment - limit * math.log(growth)) / (math.e * math.log(growth))
        if number == 0:
            firsts[tried] = bounds
        proved = bounds < TOLERANCE
        means[tried[proved]] -= bounds[proved] / 2
        ways[tried[proved]] = BY_VALUE
    near = np.flatnonzero(ways == BY_COUNTS)
    if len(near) > 0:
        means[near] = _counted(damages, renewal, asked.part(near), enemies, limit)
    return means, ways


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked, each thing once, rows that reach as far together; by attack and class its number."""

    items: Items
    of: NDArray[np.int64]

    def part(self, chosen: NDArray[np.int64]) -> _Asked:
        """For some of the attacks only."""
        items, of = self.items, self.of[chosen]
        used = np.zeros(len(items.heights), bool)
        used[of] = True
        counts = np.add.reduceat(used, items.first[:-1], dtype=np.int64)
        first = np.append(0, np.cumsum(counts[counts > 0]))
        return _Asked(Items(items.rows[counts > 0], first, items.heights[used]), (np.cumsum(used) - 1)[of])


def _asked(damages: Damages, rows: NDArray[np.int64], heights: NDArray[np.int64]) -> _Asked:
    width = int(heights.max()) + 1
    numbers = (damages.highest[rows] * len(damages.highest) + rows) * width + heights
    kinds, kind_of = distinct_rows(numbers.reshape(-1, 1))
    of_kind = rows.ravel()[kinds]
    begins = np.flatnonzero(np.diff(of_kind, prepend=-1))
    first = np.append(begins, len(kinds)).astype(np.int64)
    return _Asked(Items(of_kind[begins], first, heights.ravel()[kinds]), kind_of.reshape(rows.shape))


def _over_enemies(values: NDArray[np.float64], enemies: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sum over all enemies. Class by class: how a product of matrices adds up may depend on its size."""
    found = np.zeros(len(values))
    for i, number in enumerate(enemies.tolist()):
        found += number * values[:, i]
    return found


def _counted(
    damages: Damages, renewal: Renewal, asked: _Asked, enemies: NDArray[np.int64], limit: int
) -> NDArray[np.float64]:
    """The limit respected."""
    lasts = np.zeros((len(asked.items.heights), limit // renewal.period + 1))
    lasting = lasting_bleeding if len(damages.echoes) > 0 else lasting_attempts
    lasting(damages, asked.items, renewal.activation, lasts)
    found = np.zeros(len(asked.of))
    _combine(lasts, asked.of, enemies, renewal.period, limit, found)
    return found


@inner
def _convolve(first: NDArray[np.float64], second: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """The chance of each sum that there is a place for."""
    size = len(out)
    last = size - 1
    while last > 0 and second[last] == 0.0:
        last -= 1
    begin = 0
    while begin < last and second[begin] == 0.0:
        begin += 1
    out[:] = 0.0
    for i in range(size):
        chance = first[i]
        if chance == 0.0:
            continue
        for k in range(min(last + 1, size - i) - begin):
            out[np.uint64(i + begin + k)] += chance * second[np.uint64(begin + k)]


@njit(cache=True, nogil=True)
def _combine(
    lasts: NDArray[np.float64],
    item_of: NDArray[np.int64],
    enemies: NDArray[np.int64],
    period: int,
    limit: int,
    means: NDArray[np.float64],
) -> None:
    """The mean of each attack from the chances that one enemy of each class stands after m attacks."""
    most = lasts.shape[1] - 1
    falls = np.zeros(most + 1)
    taken = np.zeros(most + 1)
    scratch = np.zeros(most + 1)
    alone = 0
    for i in range(len(enemies)):
        if enemies[i] > 0:
            alone = i
    for number in range(len(item_of)):
        taken[:] = 0.0
        taken[0] = 1.0
        for which in range(len(enemies)):
            left = enemies[which] - (1 if which == alone else 0)
            if left == 0:
                continue
            stands = lasts[item_of[number, which]]
            falls[0] = 0.0
            for m in range(1, most + 1):
                falls[m] = stands[m - 1] - stands[m]
            while left > 0:
                if left % 2 == 1:
                    _convolve(taken, falls, scratch)
                    taken, scratch = scratch, taken
                left //= 2
                if left > 0:
                    _convolve(falls, falls, scratch)
                    falls, scratch = scratch, falls
        stands = lasts[item_of[number, alone]]
        # Those who have not fallen to the attacks before take all of the turns that there are.
        mean = 0.0
        beyond = 1.0
        reach = 0.0
        for m in range(most, -1, -1):
            # `reach`: E min(B, most - m).
            chance = taken[m]
            mean += chance * (m + reach)
            beyond -= chance * (1.0 - stands[most - m])
            reach += stands[most - m]
        total = 0.0
        for m in range(most + 1):
            total += taken[m]
        mean += most * (1.0 - total)
        means[number] = period * mean + (limit - period * most) * beyond

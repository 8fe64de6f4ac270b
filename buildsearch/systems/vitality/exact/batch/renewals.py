"""Attacks that are made every so many turns, whatever happens: turns are counted in attacks, enemy by enemy.

Plain and charged attacks, also where they may fail to activate: nothing that an attack does changes when the
next one is made, so an enemy takes K attacks (`lanes.attempts`), enemies one after another take independent
numbers of them, and with a period of c turns a fight takes c times their sum. Where the turn limit n is near,
the mean is

    c E min(sum K, m) + (n - c m) P(sum K > m),  m = n // c
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.asked import Asked, asked_of
from buildsearch.systems.vitality.exact.batch.lanes.attempts import lasting_attempts, mean_attempts
from buildsearch.systems.vitality.exact.batch.lanes.bleeding_attempts import lasting_bleeding, mean_bleeding
from buildsearch.systems.vitality.exact.batch.lanes.in_turn import one_after_another
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.batch.rhythms import Renewal


class Renewals:
    """How turns are counted (`counting.Counting`) of attacks that are made over and over again.

    By pair and class of enemy the row of damage, and the HP that are to be lost; by enemy the class. What
    bleeds is made every turn, as bleeds tick in turns.
    """

    def __init__(
        self,
        damages: Damages,
        renewal: Renewal,
        rows: NDArray[np.int64],
        heights: NDArray[np.int64],
        class_of: NDArray[np.int64],
    ) -> None:
        self._damages, self._renewal, self._class_of = damages, renewal, class_of
        self._asked = asked_of(damages, rows, heights)
        self._bleeds = len(damages.echoes) > 0

    def means(self) -> NDArray[np.float64]:
        """E N, c times the sum of E K."""
        return self._renewal.period * self._over_enemies(self._by_item(self._asked, 1.0), self._asked)

    def log_moments(self, chosen: NDArray[np.int64], growth: float) -> NDArray[np.float64]:
        """The sum of log E growth^(c K)."""
        asked = self._asked.part(chosen)
        return self._over_enemies(np.log(self._by_item(asked, growth**self._renewal.period)), asked)

    def limited_means(self, chosen: NDArray[np.int64], limit: int) -> NDArray[np.float64]:
        """The limit respected."""
        asked, period = self._asked.part(chosen), self._renewal.period
        most = limit // period
        lasts = np.zeros((len(asked.items.heights), most + 1))
        lasting = lasting_bleeding if self._bleeds else lasting_attempts
        lasting(self._damages, asked.items, self._renewal.activation, lasts)
        means, beyond = np.zeros(len(chosen)), np.zeros(len(chosen))
        one_after_another(lasts[:, None, :], asked.of, self._class_of, means, beyond)
        found: NDArray[np.float64] = period * means + (limit - period * most) * beyond
        return found

    def _by_item(self, asked: Asked, growth: float) -> NDArray[np.float64]:
        found = np.zeros(len(asked.items.heights))
        mean_of = mean_bleeding if self._bleeds else mean_attempts
        mean_of(self._damages, asked.items, self._renewal.activation, growth, found)
        return found

    def _over_enemies(self, values: NDArray[np.float64], asked: Asked) -> NDArray[np.float64]:
        """The sum over enemies. Class by class: how a product of matrices adds up may depend on its size."""
        found = np.zeros(len(asked.of))
        for i, number in enumerate(np.bincount(self._class_of).tolist()):
            found += number * values[asked.of[:, i]]
        return found

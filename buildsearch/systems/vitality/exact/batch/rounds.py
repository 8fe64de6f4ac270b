"""Attacks that are made once in a round of several turns, with basic attacks between them: cooldowns.

An enemy is met in some phase of a round. How many attacks and basic attacks are made in t turns is known from
there on, so `lanes.rounds` says who lasts them, and the phase in which the next enemy is met is known from t.
With s_t = P(T > t) and c turns a round

    E T = sum of s_t,  E growth^T for T = k modulo c: sum of growth^t (s_(t-1) - s_t) over t = k modulo c

Sums of growth^t s_t over t = k modulo c are few numbers for each row of damage and phase, and enemies one
after another multiply them, as matrices of the phases. A threshold does not go this way: what is left of an
enemy then depends on whether an attack or a basic attack came last.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.asked import Asked, asked_of
from buildsearch.systems.vitality.exact.batch.lanes.in_turn import one_after_another
from buildsearch.systems.vitality.exact.batch.lanes.rounds import Basics, stand_by_round, stand_in_all
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.moves import BASIC, SPECIAL


class Cycle:
    """What is done in a round, by the phase that an enemy is met in."""

    def __init__(self, actions: tuple[int, ...]) -> None:
        self.turns = len(actions)
        self.basics = actions.count(BASIC)
        thrice = np.array(actions * 3)
        # By phase: the turns before the first attack; the basic attacks of the first t turns, by t.
        self.waits = [int(np.argmax(thrice[phase:] >= SPECIAL)) for phase in range(self.turns)]
        self.made = [np.append(0, np.cumsum(thrice[phase:] == BASIC)) for phase in range(self.turns)]


def attack_in(actions: tuple[int, ...]) -> int | None:
    """The attack of a cycle that has one; None where it has none or several, or no basic attack."""
    attacks = [action for action in actions if action >= SPECIAL]
    return attacks[0] if len(attacks) == 1 and BASIC in actions else None


class Rounds:
    """How turns are counted (`counting.Counting`) of attacks that are made once in a round.

    By pair and class of enemy the row of damage; by class the HP; by enemy the class. Nobody has a threshold.
    """

    def __init__(
        self,
        damages: Damages,
        actions: tuple[int, ...],
        rows: NDArray[np.int64],
        class_hp: NDArray[np.int64],
        class_of: NDArray[np.int64],
    ) -> None:
        self._damages, self._cycle, self._class_of = damages, Cycle(actions), class_of
        self._rows, self._class_hp = rows, class_hp
        # Classes that basic attacks do the same to are asked about together.
        self._kinds = np.unique(damages.basic)
        self._columns = [np.flatnonzero(damages.basic == kind) for kind in self._kinds]
        self._basics = [self._basics_of(int(kind)) for kind in self._kinds]
        heights = np.broadcast_to(class_hp, rows.shape)
        self._asked = [asked_of(damages, rows[:, own], heights[:, own]) for own in self._columns]

    def means(self) -> NDArray[np.float64]:
        """E N."""
        held, stuck, item_of = self._held(self._asked, 1.0)
        means = np.zeros(len(item_of))
        _chain(held, held.sum(axis=2), 1.0, item_of, self._class_of, means, np.zeros(len(item_of)))
        return np.where(stuck[item_of].any(axis=1), np.inf, means)

    def log_moments(self, chosen: NDArray[np.int64], growth: float) -> NDArray[np.float64]:
        """log E growth^N."""
        held, stuck, item_of = self._held([asked.part(chosen) for asked in self._asked], growth)
        moments = np.zeros(len(chosen))
        _chain(held, held[:, :, 0].copy(), growth, item_of, self._class_of, np.zeros(len(chosen)), moments)
        return np.where(stuck[item_of].any(axis=1), np.inf, np.log(moments))

    def limited_means(self, chosen: NDArray[np.int64], limit: int) -> NDArray[np.float64]:
        """The limit respected."""
        cycle, parts, items = self._cycle, [], []
        for asked, basics in zip([asked.part(chosen) for asked in self._asked], self._basics, strict=True):
            found = np.zeros((len(asked.items.heights), limit // cycle.turns + 1, len(basics.do_less)))
            stand_by_round(self._damages, asked.items, basics, found)
            lasts = np.zeros((len(found), cycle.turns, limit + 1))
            for phase in range(cycle.turns):
                first, made = cycle.waits[phase] + 1, cycle.made[phase]
                turns = np.arange(min(first, limit + 1))
                lasts[:, phase, turns] = basics.do_less[made[turns][None, :], asked.items.heights[:, None]]
                number, rest = np.divmod(np.arange(limit + 1 - len(turns)), cycle.turns)
                lasts[:, phase, len(turns) :] = found[:, number, made[first + rest]]
            parts.append(lasts)
            items.append(asked)
        means = np.zeros(len(chosen))
        item_of = self._item_of(items)
        one_after_another(np.concatenate(parts), item_of, self._class_of, means, np.zeros(len(chosen)))
        return means

    def _held(
        self, asked: list[Asked], growth: float
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
        """By item, phase and k the sum of growth^t P(T > t) over t = k modulo c; where there is none.

        Then the item of each pair and class.
        """
        cycle, parts = self._cycle, []
        for each, basics in zip(asked, self._basics, strict=True):
            heights = each.items.heights
            found = np.zeros((len(heights), len(basics.do_less)))
            stand_in_all(self._damages, each.items, basics, growth**cycle.turns, found)
            held = np.zeros((len(heights), cycle.turns, cycle.turns))
            for phase in range(cycle.turns):
                wait, made = cycle.waits[phase], cycle.made[phase]
                for t in range(wait + cycle.turns + 1):
                    stands = basics.do_less[made[t], heights] if t <= wait else found[:, made[t]]
                    held[:, phase, t % cycle.turns] += growth**t * stands
            parts.append(held)
        whole = np.concatenate(parts)
        stuck = np.isinf(whole).any(axis=(1, 2))
        whole[stuck] = 0.0
        return whole, stuck, self._item_of(asked)

    def _item_of(self, asked: list[Asked]) -> NDArray[np.int64]:
        """By pair and class the item, those of one kind of basic attack behind those of another."""
        item_of, before = np.zeros((len(asked[0].of), len(self._class_hp)), np.int64), 0
        for each, own in zip(asked, self._columns, strict=True):
            item_of[:, own] = each.of + before
            before += len(each.items.heights)
        return item_of

    def _basics_of(self, row: int) -> Basics:
        """So many basic attacks as there are before and after an attack, and one more round's."""
        height = int(self._class_hp.max())
        once = self._damages.chances[row, :height]
        sums = [np.append(1.0, np.zeros(height - 1))]
        for _ in range(2 * self._cycle.basics):
            sums.append(np.convolve(sums[-1], once)[:height])
        do_less = np.zeros((len(sums), height + 1))
        do_less[:, 1:] = np.cumsum(sums, axis=1)
        return Basics(sums[self._cycle.basics], do_less)


@njit(cache=True, nogil=True)
def _chain(
    held: NDArray[np.float64],
    turns: NDArray[np.float64],
    growth: float,
    item_of: NDArray[np.int64],
    class_of: NDArray[np.int64],
    means: NDArray[np.float64],
    moments: NDArray[np.float64],
) -> None:
    """By pair the mean of what `turns` says by item and phase, and of growth ** N; enemy after enemy."""
    phases = held.shape[1]
    now = np.zeros(phases)
    then = np.zeros(phases)
    for pair in range(len(item_of)):
        now[:] = 0.0
        now[0] = 1.0
        for place in range(len(class_of)):
            item = item_of[pair, class_of[place]]
            then[:] = 0.0
            for phase in range(phases):
                means[pair] += now[phase] * turns[item, phase]
                for k in range(phases):
                    # P(T > -1) is 1, and T = 0 is never.
                    before = held[item, phase, k - 1] * growth + (1.0 if k == 0 else 0.0)
                    then[(phase + k) % phases] += now[phase] * (before - held[item, phase, k])
            now, then = then, now
        for phase in range(phases):
            moments[pair] += now[phase]

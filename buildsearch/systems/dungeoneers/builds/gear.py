"""Every legal set of gear as a mask: slots and exclusions by the combinatorics of builds, then the hands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.masks import Masks, NamedSets
from buildsearch.builds.subsets import (
    SubsetProblem,
    iter_subsets,
    subset_costs,
    subset_neighbours,
)
from buildsearch.systems.dungeoneers.builds.grammar import gear_order
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules, Limits


class GearSets(NamedSets):
    """What can be taken together: bits are places in `names`."""

    def __init__(self, rules: DungeoneersRules, settings: Limits) -> None:
        self.rules = rules
        self.settings = settings
        best = rules.ranks.index(settings.rank)
        super().__init__(
            name
            for name in gear_order(rules)
            if name not in rules.weapons
            or (rank := rules.weapons[name].rank) is None
            or rules.ranks.index(rank) <= best
        )
        self.costs = np.array([rules.gear[name].cost for name in self.names], np.int64)
        self.hands = np.array([rules.gear[name].hands for name in self.names], np.int64)
        self.power = np.array([getattr(rules.gear[name], "power", 0) for name in self.names], np.int64)
        self.is_weapon = np.array([name in rules.weapons for name in self.names])
        self.is_spell = np.array([name in rules.spells for name in self.names])
        self._problem = self._limited((), ())

    def _limited(self, required: tuple[str, ...], refused: tuple[str, ...]) -> SubsetProblem:
        kinds = [self._kind(name) for name in self.names]
        pairs = [
            (i, j)
            for i in range(len(kinds))
            for j in range(i)
            if (kinds[i] == kinds[j] and kinds[i] is not None)
            or self.hands[i] + self.hands[j] > self.rules.hero.hands
        ]
        allowed = [i for i, name in enumerate(self.names) if name not in refused]
        needed = [self.place[name] for name in required]
        return SubsetProblem.from_pairs(self.costs, pairs, self.settings.gear, allowed, needed)

    def _kind(self, name: str) -> str | None:
        """What there may be one of."""
        if name in self.rules.weapons:
            return "weapon"
        return self.rules.armour[name].slot if name in self.rules.armour else None

    def listed(self, required: tuple[str, ...] = (), refused: tuple[str, ...] = ()) -> Masks:
        """All of them, in the order of subsets; the power that they need is another matter."""
        found = [
            chunk[self._fits(chunk), 0] for chunk in iter_subsets(self._limited(required, refused), 1 << 18)
        ]
        return np.concatenate([np.empty(0, np.uint64), *found])

    def _fits(self, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Pairs are legal; what is left are sums: one weapon, so many hands, so many spells."""
        bits = self.bits(masks[:, 0]).astype(np.int64)
        return np.asarray(
            (bits @ self.is_weapon == 1)
            & (bits @ self.hands <= self.rules.hero.hands)
            & (bits @ self.is_spell <= self.settings.max_spells)
        )

    def needed_power(self, masks: Masks) -> NDArray[np.int64]:
        """The power that each set needs."""
        return np.asarray((self.bits(masks) * self.power).max(axis=1, initial=0))

    def cost(self, masks: Masks) -> NDArray[np.int64]:
        """Points of gear."""
        return subset_costs(self._problem, np.ascontiguousarray(masks).reshape(-1, 1))

    def neighbours(self, gear: tuple[str, ...]) -> list[tuple[str, ...]]:
        """One piece dropped, added or swapped."""
        rows = subset_neighbours(self._problem, np.array([self.mask(gear)], np.uint64))
        return [self.named(row[0]) for row in rows[self._fits(rows)]]

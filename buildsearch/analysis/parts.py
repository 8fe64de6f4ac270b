"""What builds are said to have: an option, or at least so many of a card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.population import Population


@dataclass(frozen=True, slots=True)
class Part:
    """At least `at_least` of a feature. Parts that come with a group are not chosen."""

    name: str
    feature: int
    at_least: int
    is_chosen: bool

    def of(self, population: Population) -> NDArray[np.bool_]:
        """Which builds have it."""
        found: NDArray[np.bool_] = population.levels[self.feature] >= self.at_least
        return found


def parts_of(population: Population) -> list[Part]:
    """Every part that some builds have: chosen ones first, then those that come with a group."""
    chosen = set(population.free.tolist())
    parts = []
    for feature in [*chosen_in_order(population), *_others(population, chosen)]:
        for level in range(1, int(population.most[feature]) + 1):
            name = population.names[feature] + (f" x{level}" if level > 1 else "")
            parts.append(Part(name, feature, level, feature in chosen))
    return parts


def chosen_in_order(population: Population) -> list[int]:
    """The features that builds choose, in the order of the rules."""
    return [int(feature) for feature in population.free]


def _others(population: Population, chosen: set[int]) -> list[int]:
    present = np.flatnonzero(population.most > 0)
    return [int(feature) for feature in present if int(feature) not in chosen]

"""What dropping a part changes, fight by fight: the ground for calling a rule dead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.analysis.population import NO_PART, Population

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Drops:
    """By place in `population.free` and fight; a context is a build with the part and the same without it.

    `exact` counts contexts where both scores are exact, `changed` those of them that differ, `furthest` their
    largest difference. `sampled` counts the others, and `furthest_z` is their largest difference in standard
    errors. `gain` is the mean of how much better the part makes the fight. `helps` counts, over all fights at
    once, the builds that are better in some fight with the part than without it: 0 means that it never helps.
    """

    exact: Ints
    changed: Ints
    furthest: Floats
    sampled: Ints
    furthest_z: Floats
    gain: Floats
    helps: Ints

    @property
    def contexts(self) -> Ints:
        contexts: Ints = (self.exact + self.sampled).max(axis=1)
        return contexts


def drops(population: Population, tolerance: float, sure: float) -> Drops:
    """Look at every build and everything that can be dropped from it. `sure`: standard errors to believe."""
    shape = (len(population.free), population.means.shape[1])
    place = np.full(len(population.names), -1, dtype=np.int64)
    place[population.free] = np.arange(len(population.free))
    counts = np.zeros((3, *shape), dtype=np.int64)
    numbers = np.zeros((3, *shape))
    helps = np.zeros(shape[0], dtype=np.int64)
    _compare(
        population.items,
        population.down,
        place,
        population.means,
        population.errors,
        tolerance,
        sure,
        counts,
        numbers,
        helps,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = numbers[2] / (counts[0] + counts[2])
    return Drops(counts[0], counts[1], numbers[0], counts[2], numbers[1], gain, helps)


@njit(cache=True, nogil=True)
def _compare(
    items: NDArray[np.int16],
    down: NDArray[np.int32],
    place: Ints,
    means: Floats,
    errors: Floats,
    tolerance: float,
    sure: float,
    counts: Ints,
    numbers: Floats,
    helps: Ints,
) -> None:
    for row in range(len(items)):
        for i in range(items.shape[1]):
            part = items[row, i]
            if part == NO_PART:
                break
            other = down[row, i]
            if other < 0 or (i and part == items[row, i - 1]):
                continue
            at = place[part]
            helped = False
            for fight in range(means.shape[1]):
                gain = means[other, fight] - means[row, fight]
                noise = errors[row, fight] ** 2 + errors[other, fight] ** 2
                numbers[2, at, fight] += gain
                if noise == 0:
                    counts[0, at, fight] += 1
                    numbers[0, at, fight] = max(numbers[0, at, fight], abs(gain))
                    if abs(gain) > tolerance:
                        counts[1, at, fight] += 1
                        helped = helped or gain > 0
                else:
                    counts[2, at, fight] += 1
                    z = abs(gain) / np.sqrt(noise)
                    numbers[1, at, fight] = max(numbers[1, at, fight], z)
                    helped = helped or (gain > tolerance and z > sure)
            helps[at] += helped

"""Options that another of no higher cost outclasses in every legal context.

A is outclassed by B when, for every build with A (and room for B), the build with B in A's place is no worse
in any scenario and costs no more; where that build is illegal, the build without A must be no worse. B is
"nothing" where leaving A out is always as good.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.exchange_kernels import compare_exchanges
from buildsearch.analysis.population import Population

# Sampled scores may hide a small difference: claims rest on the comparisons that cannot.
_MOSTLY = 0.5
# Many small differences in one direction are a difference: so many standard errors of their sum.
_POOLED = 4.0


@dataclass(frozen=True, slots=True)
class Outclassed:
    """`by` is None where leaving it out does as well. Of `compared` builds `better` are so in some fight.

    `alone` counts builds in which B could not stand for A and leaving A out did as well. `certain` is the
    share of comparisons in which every fight is exact or further apart than sampling errors explain; the
    others only do not speak against it. `gain` is the mean gain in log score of the exchange.
    """

    part: int
    by: int | None
    compared: int
    better: int
    alone: int
    certain: float
    gain: float

    @property
    def is_proven(self) -> bool:
        """Whether most comparisons are beyond doubt; none speaks against it either way."""
        return self.certain >= _MOSTLY


def outclassed(population: Population, tolerance: float, sure: float) -> list[Outclassed]:
    """Every pair (A, B), and A against nothing. What is dead is for others to say."""
    parts = len(population.free)
    place = np.full(len(population.names), -1, dtype=np.int64)
    place[population.free] = np.arange(parts)
    # One column more, for nothing.
    alive = np.ones((parts, parts + 1), dtype=np.bool_)
    alive[np.arange(parts), np.arange(parts)] = False
    counts = np.zeros((4, parts, parts + 1), dtype=np.int64)
    # The gain in log score; and over sampled fights, the sum of differences and of their variances.
    gains = np.zeros((3, parts, parts + 1))
    # In an order that has nothing to do with the parts, so that most pairs meet their counterexample soon.
    rows = np.random.default_rng(0).permutation(len(population))
    compare_exchanges(
        rows,
        population.items,
        population.down,
        population.levels,
        population.most,
        population.free,
        (population.keys, population.strides, population.slots),
        place,
        population.means,
        population.errors,
        population.scores.cost,
        population.log_loss,
        (tolerance, sure),
        alive,
        counts,
        gains,
    )
    found = []
    for a, b in zip(*np.nonzero(alive), strict=True):
        compared, better, alone, certain = (int(count[a, b]) for count in counts)
        if better == 0 or gains[1, a, b] < -_POOLED * np.sqrt(gains[2, a, b]):
            continue
        found.append(
            Outclassed(
                part=int(population.free[a]),
                by=None if b == parts else int(population.free[b]),
                compared=compared,
                better=better,
                alone=alone,
                certain=certain / compared,
                gain=float(gains[0, a, b]) / compared,
            )
        )
    return found

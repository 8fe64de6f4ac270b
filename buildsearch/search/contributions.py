"""What each part of a build does for it: the score without the part, from the scores at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.space import BuildSpace
from buildsearch.search.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Contribution:
    """How much worse (in the objective, smaller is better) a build is without a part."""

    feature: str
    loss: float


def contributions(
    space: BuildSpace, ledger: Ledger, costs: NDArray[np.float64], build: Any
) -> list[Contribution]:
    """The parts that can be dropped, the weightiest first; parts that no legal build lacks are left out."""
    row = ledger.find(space.encode(build))
    found = []
    for feature in space.features(build):
        dropped = space.drop(build, feature.name)
        other = ledger.find(space.encode(dropped)) if dropped is not None else None
        if row is not None and other is not None and not np.isnan(costs[other]):
            found.append(Contribution(feature.name, float(costs[other] - costs[row])))
    return sorted(found, key=lambda each: -each.loss)

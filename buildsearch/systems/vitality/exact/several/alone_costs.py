"""What solving one attack takes, guessed from what it is and whom it meets."""

from __future__ import annotations

from collections import Counter
from math import prod

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.exact.several.areas.multisets import count_multisets
from buildsearch.systems.vitality.rules.model import VitalityRules

# Most attacks take some 30 ms. So many fields of an area take as long, all turns together; and Ricochet.
_FIELDS = 6_000
_RICOCHET = 150.0


def alone_costs(rules: VitalityRules, chunk: Chunk, encounter: Encounter) -> NDArray[np.float64]:
    """By attack how many times as long it takes as most."""
    costs = np.ones(len(chunk))
    if max(map(len, encounter.waves)) == 1:
        return costs
    kind = rules.attack_types[chunk.group]
    if kind.area and not kind.auto_hit:
        costs[:] = max(1.0, _area_fields(encounter) / _FIELDS)
    for i, option in enumerate(rules.enhancements.values()):
        if option.mechanics.ricochet is not None:
            has_it = (chunk.codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1)
            costs[has_it == 1] = _RICOCHET
    return costs


def _area_fields(encounter: Encounter) -> int:
    """How many fields an area has in its largest wave."""
    waves = [Counter((foe.max_hp, foe.stats) for foe in wave) for wave in encounter.waves]
    return max(prod(count_multisets(hp, number) for (hp, _), number in wave.items()) for wave in waves)

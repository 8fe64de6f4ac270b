"""What solving one attack takes, guessed from what it is and whom it meets."""

from __future__ import annotations

from collections import Counter
from math import prod

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.exact.nodes.areas.multisets import count_multisets
from buildsearch.systems.vitality.rules.model import VitalityRules

# Most attacks take some 30 ms. So many fields of an area, or of enemies who may bleed when criticals explode,
# take as long, all turns together; and Ricochet, which takes two to four seconds.
_FIELDS, _BLEEDING_FIELDS = 6_000, 600
_RICOCHET = 100.0


def alone_costs(rules: VitalityRules, chunk: Chunk, encounter: Encounter) -> NDArray[np.float64]:
    """By attack how many times as long it takes as most."""
    costs = np.ones(len(chunk))
    if max(map(len, encounter.waves)) == 1:
        return costs
    kind = rules.attack_types[chunk.group]
    if kind.area and not kind.auto_hit:
        costs[:] = max(1.0, _area_fields(encounter) / _FIELDS)
    explodes, bleeds, bounces = (np.zeros(len(chunk), bool) for _ in range(3))
    for i, option in enumerate(rules.enhancements.values()):
        has_it = (chunk.codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1) == 1
        explodes |= has_it & option.mechanics.explosive_critical
        bleeds |= has_it & option.mechanics.bleed
        bounces |= has_it & (option.mechanics.ricochet is not None)
    costs[explodes & bleeds & (not kind.area)] = max(1.0, _bleeding_fields(encounter) / _BLEEDING_FIELDS)
    costs[bounces] = _RICOCHET
    return costs


def _bleeding_fields(encounter: Encounter) -> int:
    """How many fields a front and the classes behind it have, each HP with a bleed or without."""
    size = 0
    for wave in encounter.waves:
        for place, foe in enumerate(wave):
            behind = {(other.max_hp, other.stats) for other in wave[place + 1 :]}
            size += 2 * foe.max_hp * prod(1 + 2 * hp for hp, _ in behind)
    return size


def _area_fields(encounter: Encounter) -> int:
    """How many fields an area has in its largest wave."""
    waves = [Counter((foe.max_hp, foe.stats) for foe in wave) for wave in encounter.waves]
    return max(prod(count_multisets(hp, number) for (hp, _), number in wave.items()) for wave in waves)

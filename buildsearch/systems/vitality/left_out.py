"""Which attacks a search for loadouts leaves out, and why."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.kits import Group
from buildsearch.systems.vitality.exact.batch.distinct import mask_where
from buildsearch.systems.vitality.rules import VitalityRules

AREA = "areas among several enemies: best play is not worked out, `score --play optimal` looks ahead"
JUMPS = "ricochet, explosive critical among several enemies: `score --play optimal` looks ahead"
BLEED = "bleed: `score --play optimal` is exact, too slow to search"
SPLINTER = "splinter among several enemies: `score --play optimal` is exact, too slow to search"
OTHER = "words that best play does not know"
_WORDS = {JUMPS: ("ricochet", "explosive_critical"), BLEED: ("bleed",), SPLINTER: ("splinter",)}


def reasons_of(rules: VitalityRules, groups: Sequence[Group], ready: NDArray[np.bool_]) -> dict[str, int]:
    """How many attacks that are not ready are left out for which reason; the first one counts."""
    found = dict.fromkeys((AREA, JUMPS, BLEED, SPLINTER, OTHER), 0)
    start = 0
    for name, codes in groups:
        left = ~ready[start : start + len(codes)]
        start += len(codes)
        if rules.attack_types[name].area:
            found[AREA] += int(left.sum())
            continue
        for reason, words in _WORDS.items():
            has = left & _has(rules, codes, words)
            found[reason] += int(has.sum())
            left &= ~has
        found[OTHER] += int(left.sum())
    return {reason: number for reason, number in found.items() if number}


def _has(rules: VitalityRules, codes: NDArray[np.uint64], words: Sequence[str]) -> NDArray[np.bool_]:
    """Attacks with an option that has one of these mechanics."""
    options = [
        any(bool(getattr(each.mechanics, word)) for word in words) for each in rules.enhancements.values()
    ]
    mask = mask_where(np.array(options, bool), codes.shape[1])
    return np.asarray(((codes & mask) != 0).any(axis=1), np.bool_)

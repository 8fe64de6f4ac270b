"""Which attacks a search for loadouts leaves out, and why."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import mask_where
from buildsearch.systems.vitality.best_play.kits import Group
from buildsearch.systems.vitality.rules.model import VitalityRules

AREA = "areas among several enemies: best play is not worked out, the best alone are tried with a look ahead"
JUMPS = "ricochet, explosive critical among several enemies: the best alone are tried with a look ahead"
BLEED = "bleed with a threshold, splinter or other rulings: exact under optimal play, but too slow to search"
SPLINTER = "splinter among several enemies: too slow to try all, the best alone are tried"
OTHER = "words or rulings that best play does not follow"
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


def sampled_kinds(
    rules: VitalityRules, attack_type: str, codes: NDArray[np.uint64]
) -> list[tuple[str, NDArray[np.bool_]]]:
    """Kinds of attacks that among several enemies only fights can value, and which of these are of them."""
    if rules.attack_types[attack_type].area:
        return [(attack_type, np.ones(len(codes), bool))]
    return [(word, _has(rules, codes, (word,))) for word in _WORDS[JUMPS]]


def only_slow(rules: VitalityRules, attack_type: str, codes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Attacks at one enemy with splinter that the slow solver values in some thousandths of a second.

    With a bleed, or a limit that follows the attacker's HP down, it takes a hundred times as long.
    """
    if rules.attack_types[attack_type].area:
        return np.zeros(len(codes), bool)
    follows_hp = [each.conditions.hp_at_most is not None for each in rules.enhancements.values()]
    other = _has(rules, codes, (*_WORDS[JUMPS], *_WORDS[BLEED])) | _any_of(codes, follows_hp)
    return _has(rules, codes, _WORDS[SPLINTER]) & ~other


def _has(rules: VitalityRules, codes: NDArray[np.uint64], words: Sequence[str]) -> NDArray[np.bool_]:
    """Attacks with an option that has one of these mechanics."""
    return _any_of(
        codes,
        [any(bool(getattr(each.mechanics, word)) for word in words) for each in rules.enhancements.values()],
    )


def _any_of(codes: NDArray[np.uint64], options: list[bool]) -> NDArray[np.bool_]:
    mask = mask_where(np.array(options, bool), codes.shape[1])
    return np.asarray(((codes & mask) != 0).any(axis=1), np.bool_)

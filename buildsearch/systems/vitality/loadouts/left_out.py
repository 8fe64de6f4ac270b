"""Which attacks a search for loadouts leaves out, and why; and those that only a slow solver follows.

Splinter among several enemies is too slow to try all of it, so the best alone under greedy play are tried.
Nothing is proved about the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import mask_where
from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.best_play.kits import Group
from buildsearch.systems.vitality.best_play.optimum import TooManyStatesError, solve_best_play
from buildsearch.systems.vitality.best_play.support import why_not_exact
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import all_means
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


def slow_attacks(
    rules: VitalityRules,
    space: VitalitySpace,
    bouts: list[Bout],
    groups: list[Group],
    ready: NDArray[np.bool_],
    most: int,
) -> list[Attack]:
    """The best alone in any fight or on the whole, of those that are not ready for want of speed only."""
    found: list[tuple[str, NDArray[np.uint64]]] = []
    start = 0
    for name, codes in groups:
        left = ~ready[start : start + len(codes)]
        start += len(codes)
        rows = left & only_slow(rules, name, codes)
        if rows.any():
            found.append((name, codes[rows]))
    if not found or most == 0:
        return []
    effect = space.settings.effect
    fights = [(bout.attacker, bout.encounter) for bout in bouts]
    means = np.concatenate([all_means(rules, fights, name, codes, effect) for name, codes in found])
    weights = np.array([bout.weight for bout in bouts])
    ranked = np.column_stack([means, means @ (weights / weights.sum())])
    order = np.argsort(np.where(np.isnan(ranked), np.inf, ranked), axis=0, kind="stable")
    kept = np.unique(order[: max(1, most // ranked.shape[1])].ravel())
    attacks = _chosen(space, found, kept if len(means) > most else np.arange(len(means)))
    return [
        attack
        for attack in attacks
        if all(why_not_exact(rules, Build((attack,)), b.attacker, b.encounter) is None for b in bouts)
    ]


def _chosen(space: VitalitySpace, groups: list[Group], kept: NDArray[np.int64]) -> list[Attack]:
    attacks, start = [], 0
    for name, codes in groups:
        rows = kept[(kept >= start) & (kept < start + len(codes))] - start
        attacks += [build.attacks[0] for build in space.builds(Chunk(name, codes[rows]))]
        start += len(codes)
    return attacks


def slow_value(rules: VitalityRules, build: Build, bout: Bout) -> float:
    """Mean turns of best play by the slow solver; NaN: too many states."""
    try:
        return solve_best_play(rules, build, bout.attacker, bout.encounter).mean
    except TooManyStatesError:
        return float("nan")


def slow_values(rules: VitalityRules, builds: list[Build], bout: Bout, jobs: int) -> NDArray[np.float64]:
    return np.array(in_parallel(lambda build: slow_value(rules, build, bout), builds, jobs), float)


def fewest_turns(rules: VitalityRules, attacks: list[Attack], bout: Bout) -> float:
    """By counting: enemies over those that one turn can fell, a strike's, its splinters and a bleed's."""
    tier = bout.attacker.tier
    mechanics = [rules.enhancements[name].mechanics for attack in attacks for name in attack.enhancements]
    splinters = max((each.splinter.limit_at(tier) for each in mechanics if each.splinter), default=0)
    felled = 1 + splinters + any(each.bleed for each in mechanics)
    return float(sum(-(-len(wave) // felled) for wave in bout.encounter.waves))

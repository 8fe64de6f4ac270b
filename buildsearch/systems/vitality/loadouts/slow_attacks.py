"""Attacks that best play follows only by its slow solver: splinter among several enemies.

Too slow to try all of them, so the best alone under greedy play are tried. Nothing is proved about the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.best_play.kits import Group
from buildsearch.systems.vitality.best_play.optimum import TooManyStatesError, solve_best_play
from buildsearch.systems.vitality.best_play.support import why_not_exact
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import all_means
from buildsearch.systems.vitality.loadouts.left_out import only_slow
from buildsearch.systems.vitality.rules.model import VitalityRules


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
    """Mean turns of each."""
    return np.array(in_parallel(lambda build: slow_value(rules, build, bout), builds, jobs), float)


def fewest_turns(rules: VitalityRules, attacks: list[Attack], bout: Bout) -> float:
    """By counting: enemies over those that one turn can fell, a strike's, its splinters and a bleed's."""
    tier = bout.attacker.tier
    mechanics = [rules.enhancements[name].mechanics for attack in attacks for name in attack.enhancements]
    splinters = max((each.splinter.limit_at(tier) for each in mechanics if each.splinter), default=0)
    felled = 1 + splinters + any(each.bleed for each in mechanics)
    return float(sum(-(-len(wave) // felled) for wave in bout.encounter.waves))

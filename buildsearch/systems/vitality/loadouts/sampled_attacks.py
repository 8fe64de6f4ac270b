"""Attacks that only fights can value among several enemies (areas, strikes that jump): which are tried.

Too many to try all of them beside others, so the best alone under greedy play are: of each kind on the whole
and in each fight, and with each limit, since what is used rarely is worth more beside another attack than
alone. Nothing is proved about the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of
from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.best_play.kits import Group
from buildsearch.systems.vitality.best_play.support import why_not_known
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import all_means
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.loadouts.left_out import sampled_kinds
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import Conditions

# Two looks: fights of every such attack, then of those that did best. How many of each kind are kept: in
# each fight; on the whole thrice as many; with each limit.
_LOOKS = ((32, 12, 3), (512, 4, 1))
_ON_THE_WHOLE = 3


@dataclass(frozen=True, eq=False)
class _Tried:
    """Attacks of one type and kind, as rows of bits."""

    kind: str
    name: str
    codes: NDArray[np.uint64]


def sampled_attacks(
    rules: VitalityRules,
    space: VitalitySpace,
    bouts: Sequence[Bout],
    groups: Sequence[Group],
    *,
    seed: int,
    jobs: int,
) -> list[Attack]:
    """The attacks to try; none where nobody ever fights several enemies at once."""
    if max(len(wave) for bout in bouts for wave in bout.encounter.waves) == 1:
        return []
    tried = [
        _Tried(kind, name, codes[has])
        for name, codes in groups
        for kind, has in sampled_kinds(rules, name, codes)
        if has.any()
    ]
    weights = np.array([bout.weight for bout in bouts])
    for fights, in_a_fight, with_a_limit in _LOOKS:
        means = [_means(rules, space, bouts, each, fights, seed, jobs) for each in tried]
        kept = []
        for kind in dict.fromkeys(each.kind for each in tried):
            own = [i for i, each in enumerate(tried) if each.kind == kind]
            ranked = np.concatenate([means[i] for i in own])
            ranked = np.column_stack([ranked, ranked @ (weights / weights.sum())])
            limits = np.concatenate([_limits(rules, tried[i].codes) for i in own])
            chosen = _best(ranked, limits, in_a_fight, with_a_limit)
            start = 0
            for i in own:
                each = tried[i]
                rows = chosen[(chosen >= start) & (chosen < start + len(each.codes))] - start
                start += len(each.codes)
                if len(rows):
                    kept.append(_Tried(kind, each.name, each.codes[rows]))
        tried = kept
    attacks = [build.attacks[0] for each in tried for build in space.builds(Chunk(each.name, each.codes))]
    return [attack for attack in dict.fromkeys(attacks) if why_not_known(rules, Build((attack,))) is None]


def _best(
    ranked: NDArray[np.float64], limits: NDArray[np.bool_], in_a_fight: int, with_a_limit: int
) -> NDArray[np.int64]:
    """Rows that are among the first in a column (the last is the whole), or on the whole with a limit."""
    order = np.argsort(ranked, axis=0, kind="stable")
    chosen = [order[:in_a_fight, :-1].ravel(), order[: _ON_THE_WHOLE * in_a_fight, -1]]
    whole = order[:, -1]
    for limit in range(limits.shape[1]):
        chosen.append(whole[limits[whole, limit]][:with_a_limit])
    found = np.unique(np.concatenate(chosen))
    return np.asarray(found[np.isfinite(ranked[found, -1])], np.int64)


def _limits(rules: VitalityRules, codes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """By attack: which limits it has."""
    is_limit = [each.conditions != Conditions() for each in rules.enhancements.values()]
    return np.asarray(bits_of(codes, len(is_limit))[:, is_limit], np.bool_)


def _means(
    rules: VitalityRules,
    space: VitalitySpace,
    bouts: Sequence[Bout],
    tried: _Tried,
    fights: int,
    seed: int,
    jobs: int,
) -> NDArray[np.float64]:
    """Mean turns alone under greedy play by attack and fight; infinite where nobody can tell."""
    effect = space.settings.effect
    alone = [(bout.attacker, bout.encounter) for bout in bouts]
    found = all_means(rules, alone, tried.name, tried.codes, effect)
    for column, bout in enumerate(bouts):
        rest = np.flatnonzero(np.isnan(found[:, column]))
        if len(rest):
            played = sample_batch(
                rules, bout.attacker, bout.encounter, tried.name, tried.codes[rest], effect,
                seed=seed, fights=fights, jobs=jobs,
            )  # fmt: skip
            found[rest, column] = np.where(played.supported, played.turns / fights, np.inf)
    return found

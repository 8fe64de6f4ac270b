"""Attacks that only fights can value among several enemies (areas, strikes that jump): which are tried.

Too many to try all of them beside others, so the best alone under greedy play are: of each kind on the whole
and in each fight, and with each limit, since what is used rarely is worth more beside another attack than
alone. Nothing is proved about the rest.
A loadout is exact where best play is known, else sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.evaluate.distinct_rows import bits_of
from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.loadouts import Use
from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.best_play.kits import Group, Kits, make_kits
from buildsearch.systems.vitality.best_play.policy_text import letter
from buildsearch.systems.vitality.best_play.support import why_not_known
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.solving import all_means
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.kernel.driver import Played, play_loadouts
from buildsearch.systems.vitality.kernel.loadouts.lookahead import (
    LOOKAHEAD,
    LoadoutAttack,
    compile_attack,
    loadout_arsenal,
)
from buildsearch.systems.vitality.loadouts.left_out import sampled_kinds
from buildsearch.systems.vitality.mechanics.limits import ATTACK, BASIC, CHARGE
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


# Rows of numbers of attacks, as the scorer counts them.
Rows = NDArray[np.int64]


class SampledLoadouts:
    """Remembers compiled attacks. `attack_of` says which attack a number is."""

    def __init__(
        self,
        rules: VitalityRules,
        space: VitalitySpace,
        bouts: Sequence[Bout],
        attack_of: Callable[[int], Attack],
        *,
        seed: int,
        jobs: int,
    ) -> None:
        self._rules, self._space, self._bouts = rules, space, bouts
        self._attack_of = attack_of
        self._seed, self._jobs = seed, jobs
        self._attacks: list[dict[int, LoadoutAttack]] = [{} for _ in bouts]
        self._kits = LruCache[tuple[int, bytes], tuple[Kits, NDArray[np.int64]]](len(bouts))

    def exact(self, fight: int, loadouts: Rows) -> NDArray[np.float64]:
        """Mean turns of best play; NaN where the fast solver does not know it and one turn may not do."""
        numbers, which = np.unique(loadouts, return_inverse=True)
        kits, place = self._prepared(fight, numbers)
        rows = place[which.reshape(loadouts.shape)]
        found = np.full(len(loadouts), np.nan)
        # Dealt out in turn: loadouts that stand side by side take alike long.
        parts = in_parallel(lambda i: kits.values(rows[i :: self._jobs]), range(self._jobs), self._jobs)
        for i, part in enumerate(parts):
            found[i :: self._jobs] = part
        at_once = np.array([self._attack(fight, int(number)).fells_all_at_once for number in numbers])
        found[at_once[which.reshape(loadouts.shape)].any(axis=1)] = 1.0
        return found

    def play(self, fight: int, loadouts: Rows, fights: int, first_block: int = 0) -> Played:
        """Fights with one turn of look-ahead."""
        numbers, which = np.unique(loadouts, return_inverse=True)
        arsenal = loadout_arsenal([self._attack(fight, int(number)) for number in numbers])
        return play_loadouts(
            arsenal,
            which.reshape(loadouts.shape),
            LOOKAHEAD,
            seed=self._seed,
            fights=fights,
            first_block=first_block,
            jobs=self._jobs,
        )

    def uses(self, fight: int, loadouts: Rows, fights: int) -> list[list[Use]]:
        """By loadout: how often each action is taken in so many fights, the most frequent first.

        An attack that fells everybody on turn 1 for sure is all there is to do.
        """
        found = []
        for loadout, actions in zip(
            loadouts.tolist(), self.play(fight, loadouts, fights).actions, strict=True
        ):
            sure = [part for part, one in enumerate(loadout) if self._attack(fight, one).fells_all_at_once]
            if sure:
                found.append([Use(sure[0], letter(sure[0]), 1.0)])
                continue
            build = Build(tuple(map(self._attack_of, loadout)))
            shares: dict[tuple[int | None, str], float] = {}
            for (kind, attack), number in np.ndenumerate(actions):
                if number:
                    named = _named(build, kind, attack)
                    shares[named] = shares.get(named, 0.0) + float(number / actions.sum())
            ordered = sorted(shares.items(), key=lambda item: -item[1])
            found.append([Use(part, action, share) for (part, action), share in ordered])
        return found

    def _attack(self, fight: int, number: int) -> LoadoutAttack:
        known, bout = self._attacks[fight], self._bouts[fight]
        if number not in known:
            known[number] = compile_attack(
                self._rules, self._attack_of(number), bout.attacker, bout.encounter
            )
        return known[number]

    def _prepared(self, fight: int, numbers: NDArray[np.int64]) -> tuple[Kits, NDArray[np.int64]]:
        """The attacks for the fast solver, and where each of them stands there; the last are remembered."""
        return self._kits.get((fight, numbers.tobytes()), lambda: self._prepare(fight, numbers))

    def _prepare(self, fight: int, numbers: NDArray[np.int64]) -> tuple[Kits, NDArray[np.int64]]:
        chunks = [self._space.encode(Build((self._attack_of(int(number)),))) for number in numbers]
        names = list(dict.fromkeys(chunk.group for chunk in chunks))
        order = [i for name in names for i, chunk in enumerate(chunks) if chunk.group == name]
        place = np.zeros(len(numbers), np.int64)
        place[order] = np.arange(len(order))
        groups = [
            (name, np.concatenate([chunk.codes for chunk in chunks if chunk.group == name])) for name in names
        ]
        bout, effect = self._bouts[fight], self._space.settings.effect
        return make_kits(self._rules, bout.attacker, bout.encounter, groups, effect), place


def _named(build: Build, kind: int, attack: int) -> tuple[int | None, str]:
    """An action as best play calls it: whose use it is, and its words."""
    if kind == ATTACK:
        return attack, letter(attack)
    if kind == CHARGE:
        return None, f"charge {letter(attack)}"
    return None, f"basic {build.attacks[attack].type}" if kind == BASIC else "wait"

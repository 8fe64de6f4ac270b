"""Loadouts with attacks that only fights can value: exact where best play is known, else sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.loadouts import Use
from buildsearch.systems.vitality.best_play.kits import Kits, make_kits
from buildsearch.systems.vitality.best_play.policy_text import letter
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.kernel.driver import Played, play_loadouts
from buildsearch.systems.vitality.kernel.loadouts.attacks import (
    LoadoutAttack,
    compile_attack,
    loadout_arsenal,
)
from buildsearch.systems.vitality.kernel.loadouts.lookahead import LOOKAHEAD
from buildsearch.systems.vitality.mechanics.actions import ATTACK, BASIC, CHARGE
from buildsearch.systems.vitality.rules.model import VitalityRules

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

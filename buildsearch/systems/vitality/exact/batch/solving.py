"""Arrays of builds in, arrays of mean turns out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.batch.case import (
    BY_VALUE,
    BY_WALK,
    LEFT,
    BatchSolver,
    Case,
    Rows,
    Shared,
    share,
)
from buildsearch.systems.vitality.exact.batch.left_rows import left_rows
from buildsearch.systems.vitality.exact.batch.options import Options, options_of
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, classes_of
from buildsearch.systems.vitality.exact.batch.solvers import solvers_in_use
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

__all__ = ["BY_VALUE", "BY_WALK", "LEFT", "Batch", "BatchMeans", "all_means", "batch_means"]


@dataclass(frozen=True, eq=False)
class BatchMeans:
    """Mean turns by build; NaN where `ways` says LEFT: those are for the general engine, or for none."""

    means: NDArray[np.float64]
    ways: NDArray[np.int64]


class Batch:
    """Builds of one type, as rows of bits over the enhancements in rules-file order, in several fights.

    What fights have in common is worked out once, when it is first asked for; threads may ask at once. An
    area's shape is its type's first where none is given. Builds that hurt several enemies at once take most
    of the time: without `several` they are left to whoever solves one build at a time.
    """

    def __init__(
        self,
        rules: VitalityRules,
        fights: Sequence[tuple[Attacker, Encounter]],
        attack_type: str,
        masks: NDArray[np.uint64],
        effect: Effect = "damage",
        *,
        shape: str | None = None,
        several: bool = True,
    ) -> None:
        self._several = several
        self._rules, self._type, self._masks, self._effect = rules, attack_type, masks, effect
        self._shape = shape or next(iter(rules.attack_types[attack_type].shapes), None)
        options = {attacker: options_of(rules, attacker) for attacker in {fight[0] for fight in fights}}
        self._given = [self._attackers(*fight, options[fight[0]]) for fight in fights]
        self._shared: dict[tuple[object, ...], Shared] = {}
        self._lock = Lock()

    def _attackers(
        self, attacker: Attacker, encounter: Encounter, options: Options | None
    ) -> Attackers | None:
        if options is None:
            return None
        classes = classes_of([encounter])
        return Attackers(self._rules, attacker, encounter, self._type, self._effect, options, classes)

    def means(self, fight: int) -> BatchMeans:
        """Mean turns of all builds in the fight of this number."""
        masks, given = self._masks, self._given[fight]
        result = BatchMeans(np.full(len(masks), np.nan), np.full(len(masks), LEFT, np.int64))
        if given is None:
            return result
        ground = self._ground(given)
        case = Case(given, ground, masks, self._shape, partial(self._shared_by, given))
        for solver in solvers_in_use(several=self._several):
            # Whoever is asked first takes it.
            rows = solver.supports(case) & (result.ways == LEFT)
            if rows.any():
                result.means[rows], result.ways[rows] = solver.solve(case, rows)
        return result

    def left(self, fight: int) -> dict[str, Rows]:
        """By reason the builds that are left in this fight whatever their numbers, each under one reason."""
        given = self._given[fight]
        if given is None:
            everybody = np.ones(len(self._masks), bool)
            return {"an option that is an upgrade and a limit, or takes damage away": everybody}
        return left_rows(given, self._ground(given), self._masks, several=self._several)

    def _ground(self, given: Attackers) -> ExactGround:
        attack = Attack(self._type, effect=self._effect)
        return exact_ground(self._rules, Build((attack,)), given.attacker, given.encounter)

    def _shared_by(self, given: Attackers, solver: BatchSolver) -> Shared:
        """What a solver's builds are made of in all fights of the attacker that are alike but for enemies."""
        common = _in_common(given)
        key = (*common, solver.name)
        with self._lock:
            if key not in self._shared:
                alike = [other for other in self._given if other is not None and _in_common(other) == common]
                # A build that no fight can take is not looked at.
                known = np.logical_or.reduce([solver.knows(other, self._masks) for other in alike])
                everybody = replace(given, classes=classes_of([other.encounter for other in alike]))
                self._shared[key] = share(everybody, self._masks, np.flatnonzero(known), bleeds=solver.bleeds)
            return self._shared[key]


def batch_means(
    rules: VitalityRules,
    attacker: Attacker,
    encounter: Encounter,
    attack_type: str,
    masks: NDArray[np.uint64],
    effect: Effect = "damage",
    *,
    shape: str | None = None,
) -> BatchMeans:
    """Mean turns of a `Batch` in one fight."""
    return Batch(rules, [(attacker, encounter)], attack_type, masks, effect, shape=shape).means(0)


def all_means(
    rules: VitalityRules,
    fights: Sequence[tuple[Attacker, Encounter]],
    attack_type: str,
    masks: NDArray[np.uint64],
    effect: Effect = "damage",
) -> NDArray[np.float64]:
    """Mean turns of a `Batch`, a column for each fight."""
    batch = Batch(rules, fights, attack_type, masks, effect)
    return np.stack([batch.means(number).means for number in range(len(fights))], axis=1)


def _in_common(given: Attackers) -> tuple[object, ...]:
    """All of a fight that profiles and limits depend on, but for the enemies."""
    return given.attacker, given.encounter.adjacent, given.encounter.max_turns

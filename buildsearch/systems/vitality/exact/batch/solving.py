"""Arrays of builds in, arrays of mean turns out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct import bits_of, distinct_rows, mask_where
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.exact.batch.areas import area_means
from buildsearch.systems.vitality.exact.batch.gatings import (
    Fields,
    all_fields,
    gatings_of,
    levels_reached,
)
from buildsearch.systems.vitality.exact.batch.options import Options, options_of
from buildsearch.systems.vitality.exact.batch.processes import Processes
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, class_of, classes_of
from buildsearch.systems.vitality.exact.batch.ruled_rows import ruled_rows
from buildsearch.systems.vitality.exact.batch.splinter import no_splinter
from buildsearch.systems.vitality.exact.batch.splinter_rows import splinter_limit, splinter_of
from buildsearch.systems.vitality.exact.batch.tables import Profiles, profiles_of
from buildsearch.systems.vitality.exact.batch.ways import BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.exact.several.batch import Explosions
from buildsearch.systems.vitality.exact.several.support import unknown_ruling, why_not_explosions
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

__all__ = ["BY_VALUE", "BY_WALK", "LEFT", "Batch", "BatchMeans", "all_means", "batch_means"]
_HIGHEST_HP = 2
_LARGE = 1 << 20


@dataclass(frozen=True, eq=False)
class BatchMeans:
    """Mean turns by build; NaN where `ways` says LEFT: those are for the general engine, or for none."""

    means: NDArray[np.float64]
    ways: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Shared:
    """What builds of one kind are made of, whatever the encounter.

    `rows`: which builds they are; by these the set of limits and the row of `profiles.of_row`.
    """

    rows: NDArray[np.int64]
    limits: tuple[Fields, NDArray[np.float64]]
    limit_of: NDArray[np.int64]
    kind_of: NDArray[np.int64]
    profiles: Profiles
    classes: dict[tuple[object, ...], int]

    def against(self, classes: list[Foe]) -> Profiles:
        """The profiles where only these classes of enemies are met."""
        return self.profiles.against(np.array([self.classes[class_of(foe)] for foe in classes]))


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
        self._shared: dict[tuple[object, ...], _Shared] = {}
        self._lock = Lock()

    def _attackers(
        self, attacker: Attacker, encounter: Encounter, options: Options | None
    ) -> Attackers | None:
        if options is None:
            return None
        classes = classes_of([encounter])
        return Attackers(self._rules, attacker, encounter, options, self._type, self._effect, classes)

    def means(self, fight: int) -> BatchMeans:
        """Mean turns of all builds in the fight of this number."""
        masks, given = self._masks, self._given[fight]
        result = BatchMeans(np.full(len(masks), np.nan), np.full(len(masks), LEFT, np.int64))
        if given is None:
            return result
        attack = Attack(self._type, effect=self._effect)
        ground = exact_ground(self._rules, Build((attack,)), given.attacker, given.encounter)
        if ground.setup["area"]:
            result.means[:] = area_means(given, ground, masks, self._shape)
            result.ways[~np.isnan(result.means)] = BY_WALK
            return result
        if int(ground.setup["target_rule"]) == _HIGHEST_HP:
            return result
        fits, bleeds, splinters = _fits(given, masks), _bleeds(given, masks), _splinters(given, masks)
        limit = splinter_limit(given)
        for bleeding in (False, True):
            for splintering in (False, True):
                is_chosen = fits & (bleeds == bleeding) & (splinters == splintering)
                if not is_chosen.any() or (splintering and (limit < 0 or (bleeding and limit > 0))):
                    continue
                shared = self._shared_by(given, bleeding=bleeding, splintering=splintering)
                chosen = np.flatnonzero(is_chosen[shared.rows])
                found = _part(given, ground, shared, chosen, splinter=limit if splintering else 0)
                result.means[shared.rows[chosen]], result.ways[shared.rows[chosen]] = found
        explode = _explode(given, ground, masks) if self._several else np.zeros(len(masks), bool)
        if explode.any():
            shared = self._shared_by(given, bleeding=False, splintering=False, exploding=True)
            chosen = np.flatnonzero(explode[shared.rows])
            found = _exploding(given, ground, shared, chosen)
            result.means[shared.rows[chosen]], result.ways[shared.rows[chosen]] = found
        return result

    def _shared_by(
        self, given: Attackers, *, bleeding: bool, splintering: bool, exploding: bool = False
    ) -> _Shared:
        """What these builds are made of in all fights of the attacker that are alike but for enemies."""
        common = _in_common(given)
        key = (*common, bleeding, splintering, exploding)
        with self._lock:
            if key not in self._shared:
                alike = [other for other in self._given if other is not None and _in_common(other) == common]
                # A build that no fight can take is not looked at.
                fitting = _known_but_for_others if exploding else _fits
                fits = np.logical_or.reduce([fitting(other, self._masks) for other in alike])
                fits &= _bleeds(given, self._masks) == bleeding
                fits &= _splinters(given, self._masks) == splintering
                everybody = replace(given, classes=classes_of([other.encounter for other in alike]))
                self._shared[key] = _share(everybody, self._masks, np.flatnonzero(fits), bleeds=bleeding)
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


def _share(given: Attackers, masks: NDArray[np.uint64], rows: NDArray[np.int64], *, bleeds: bool) -> _Shared:
    """Distinct sets of limits, and distinct profiles."""
    options, words, masks = given.options, masks.shape[1], masks[rows]
    limits, limit_of = distinct_rows(masks & mask_where(options.is_limit, words))
    _, upgrade_of = distinct_rows(masks & mask_where(~options.is_limit, words))
    limit_bits = bits_of(masks[limits], len(options.known)) & options.is_limit
    fields, chances = all_fields(given, limit_bits)
    levels = levels_reached(fields, np.array(_LARGE))
    # Limits with the same modifiers, that let channelling get as far, make the same profile.
    modifiers = [limit_bits @ options.modifiers[roll] for roll in ("accuracy", given.roll)]
    added = np.stack([*modifiers, levels], axis=1)
    sums, sum_of = distinct_rows(added)
    kinds, kind_of = distinct_rows((upgrade_of * len(sums) + sum_of[limit_of])[:, None])
    upgrades = bits_of(masks[kinds], len(options.known)) & ~options.is_limit
    extra = added[limit_of[kinds]]
    profiles = profiles_of(given, upgrades, extra[:, :2], bleeds=bleeds, most_levels=extra[:, 2])
    classes = {class_of(foe): i for i, foe in enumerate(given.classes)}
    return _Shared(rows, (fields, chances), limit_of, kind_of, profiles, classes)


def _part(
    given: Attackers, ground: ExactGround, shared: _Shared, chosen: NDArray[np.int64], *, splinter: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Builds that all bleed or splinter, or none of them, in one fight: distinct gatings and pairs."""
    profiles = shared.against(given.classes)
    gatings, gating_of = gatings_of(ground, *shared.limits)
    limit_of, profile_of = shared.limit_of[chosen], profiles.of_row[shared.kind_of[chosen]]
    pairs, pair_of = distinct_rows((gating_of[limit_of] * len(profiles.levels) + profile_of)[:, None])
    strikes = splinter_of(given.rules, profiles, splinter) if splinter else no_splinter()
    gating_of, profile_of = gating_of[limit_of[pairs]], profile_of[pairs]
    processes = Processes(ground, profiles, strikes)
    means, ways = processes.solve(gatings, gating_of, profile_of)
    return means[pair_of], ways[pair_of]


def _explode(given: Attackers, ground: ExactGround, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds hurt several enemies at once in ways that `several` knows."""
    numbers = given.options.numbers
    nobody = np.zeros(len(masks), bool)
    if max(map(len, given.encounter.waves)) == 1 or given.rules.attack_types[given.attack_type].auto_hit:
        return nobody
    explosive = numbers["explosive"] >= 0
    others = (numbers["needs_others"] >= 0) & ~explosive
    refused = others | (numbers["bleed"] >= 0) | (numbers["splinter"] >= 0) | (numbers["double_tap"] >= 0)
    chosen = _has_any(masks, explosive) & ~_has_any(masks, refused) & _known_but_for_others(given, masks)
    refused_here = why_not_explosions(ground, given.encounter.cluster) is not None
    if not chosen.any() or refused_here or unknown_ruling(given.rules.rulings) is not None:
        return nobody
    return chosen


def _known_but_for_others(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds are made of words and rulings that chains know, whoever else they may hurt."""
    unknown = given.options.is_unknown | (given.options.numbers["extra_limit"] > 1)
    return ~ruled_rows(given, masks) & ~_has_any(masks, unknown)


def _exploding(
    given: Attackers, ground: ExactGround, shared: _Shared, chosen: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Builds whose criticals explode among several enemies, in one fight."""
    profiles = shared.against(given.classes)
    gatings, gating_of = gatings_of(ground, *shared.limits)
    limit_of, profile_of = shared.limit_of[chosen], profiles.of_row[shared.kind_of[chosen]]
    pairs, pair_of = distinct_rows((gating_of[limit_of] * len(profiles.levels) + profile_of)[:, None])
    explosions = Explosions(given.rules, ground, profiles, gatings)
    means, ways = explosions.means(gating_of[limit_of[pairs]], profile_of[pairs])
    return means[pair_of], ways[pair_of]


def _fits(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds strike in ways that chains know."""
    numbers = given.options.numbers
    other = given.options.is_unknown | (numbers["extra_limit"] > 1)
    if max(map(len, given.encounter.waves)) > 1:
        other |= numbers["needs_others"] >= 0
    rulings = given.rules.rulings
    simple = rulings.bleed_ticks == 1 and rulings.bleed_overlap == "ignore" and rulings.bleed_tick == "end"
    fits = ~ruled_rows(given, masks)
    # A tick triggers nothing, so with a threshold HP and what is pending do not add up.
    with_threshold = _has_any(masks, given.options.has_threshold)
    return fits & ~_has_any(masks, other) & (~_bleeds(given, masks) | (simple & ~with_threshold))


def _bleeds(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds bleed."""
    return _has_any(masks, (given.options.numbers["bleed"] >= 0) & (given.effect == "damage"))


def _splinters(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds splinter, if there is somebody to."""
    return _has_any(masks, given.options.numbers["splinter"] >= 0)


def _has_any(masks: NDArray[np.uint64], options: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (masks & mask_where(options, masks.shape[1])) != 0
    return np.asarray(found.any(axis=1))

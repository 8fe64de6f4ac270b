"""Arrays of builds in, arrays of mean turns out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.exact.batch.alone_pairs import alone_means
from buildsearch.systems.vitality.exact.batch.areas import area_means
from buildsearch.systems.vitality.exact.batch.distinct import bits_of, distinct_rows, mask_where
from buildsearch.systems.vitality.exact.batch.gatings import Gating, gatings_of
from buildsearch.systems.vitality.exact.batch.options import options_of
from buildsearch.systems.vitality.exact.batch.packing import PackedChains
from buildsearch.systems.vitality.exact.batch.processes import Processes
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.splinter import no_splinter
from buildsearch.systems.vitality.exact.batch.splinter_rows import splinter_limit, splinter_of
from buildsearch.systems.vitality.exact.batch.tables import Profiles, profiles_of
from buildsearch.systems.vitality.exact.batch.ways import BY_COUNTS, BY_VALUE, BY_WALK, LEFT
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.kernel.profile import kill_threshold
from buildsearch.systems.vitality.rules import Effect, VitalityRules

__all__ = ["BY_COUNTS", "BY_VALUE", "BY_WALK", "LEFT", "BatchMeans", "batch_means"]
_HIGHEST_HP = 2
_LARGE = 1 << 20


@dataclass(frozen=True, eq=False)
class BatchMeans:
    """Mean turns by build; NaN where `ways` says LEFT: those are for the general engine, or for none."""

    means: NDArray[np.float64]
    ways: NDArray[np.int64]


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
    """Mean turns of builds of one type, given as rows of bits over the enhancements in rules-file order.

    An area's shape is its type's first where none is given.
    """
    result = BatchMeans(np.full(len(masks), np.nan), np.full(len(masks), LEFT, np.int64))
    options = options_of(rules, attacker)
    ground = exact_ground(rules, Build((Attack(attack_type, effect=effect),)), attacker, encounter)
    if options is None:
        return result
    given = Attackers(rules, attacker, encounter, options, attack_type, effect, _classes(encounter))
    if ground.setup["area"]:
        shapes = rules.attack_types[attack_type].shapes
        result.means[:] = area_means(given, ground, masks, shape or next(iter(shapes), None))
        result.ways[~np.isnan(result.means)] = BY_WALK
        return result
    if int(ground.setup["target_rule"]) == _HIGHEST_HP:
        return result
    fits, bleeds, limit = _fits(given, masks), _bleeds(given, masks), splinter_limit(given)
    splinters = _has_any(masks, options.numbers["splinter"] >= 0) & (limit != 0)
    for bleeding, splintering in ((False, False), (False, True), (True, False)):
        chosen = np.flatnonzero(fits & (bleeds == bleeding) & (splinters == splintering))
        if len(chosen) > 0 and (not splintering or limit > 0):
            part = _part(given, ground, masks[chosen], bleeds=bleeding, splinter=limit if splintering else 0)
            result.means[chosen], result.ways[chosen] = part
    return result


def _part(
    given: Attackers, ground: ExactGround, masks: NDArray[np.uint64], *, bleeds: bool, splinter: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Builds that all bleed or splinter, or none of them: distinct profiles, gatings and pairs."""
    options, words = given.options, masks.shape[1]
    limits, limit_of = distinct_rows(masks & mask_where(options.is_limit, words))
    _, upgrade_of = distinct_rows(masks & mask_where(~options.is_limit, words))
    limit_bits = bits_of(masks[limits], len(options.known)) & options.is_limit
    added = np.stack(
        [limit_bits @ options.modifiers["accuracy"], limit_bits @ options.modifiers[given.roll]], axis=1
    )
    # Limits with the same modifiers make the same profile of the same upgrades.
    sums, sum_of = distinct_rows(added)
    kinds, kind_of = distinct_rows((upgrade_of * len(sums) + sum_of[limit_of])[:, None])
    upgrades = bits_of(masks[kinds], len(options.known)) & ~options.is_limit
    profiles = profiles_of(given, upgrades, added[limit_of[kinds]], bleeds=bleeds)
    gatings, gating_of = gatings_of(given, ground, limit_bits)
    profile_of = profiles.of_row[kind_of]
    pairs, pair_of = distinct_rows((gating_of[limit_of] * len(profiles.levels) + profile_of)[:, None])
    strikes = splinter_of(given.rules, profiles, splinter) if splinter else no_splinter()
    gating_of, profile_of = gating_of[limit_of[pairs]], profile_of[pairs]
    processes = Processes(ground, profiles, strikes)
    # Against one enemy counting attacks needs no proof about the turn limit, and no walk.
    alone = len(ground.foes) == 1 and not bleeds
    means, ways = processes.solve(gatings, gating_of, profile_of, walks=not alone)
    rest = np.flatnonzero(np.isnan(means))
    if alone and len(rest) > 0:
        means[rest] = _by_counts(ground, gatings, gating_of[rest], profiles, profile_of[rest])
        ways[rest] = BY_COUNTS
        rest = np.flatnonzero(np.isnan(means))
        if len(rest) > 0:
            means[rest], ways[rest] = processes.solve(gatings, gating_of[rest], profile_of[rest])
    return means[pair_of], ways[pair_of]


def _classes(encounter: Encounter) -> list[Foe]:
    """One enemy of each class, in the order of the ground's classes."""
    found: dict[object, Foe] = {}
    for wave in encounter.waves:
        for foe in wave:
            found.setdefault((foe.max_hp, foe.stats), foe)
    return list(found.values())


def _fits(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds strike in ways that chains know."""
    numbers = given.options.numbers
    other = given.options.is_unknown | (numbers["extra_limit"] > 1)
    if max(map(len, given.encounter.waves)) > 1:
        other |= numbers["needs_others"] >= 0
    rulings = given.rules.rulings
    simple = rulings.bleed_ticks == 1 and rulings.bleed_overlap == "ignore" and rulings.bleed_tick == "end"
    # A tick triggers nothing, so with a threshold HP and what is pending do not add up.
    thresholds = [kill_threshold([each], _LARGE) > 0 for each in given.options.known]
    with_threshold = _has_any(masks, np.array(thresholds, bool))
    return ~_has_any(masks, other) & (~_bleeds(given, masks) | (simple & ~with_threshold))


def _bleeds(given: Attackers, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds bleed."""
    return _has_any(masks, (given.options.numbers["bleed"] >= 0) & (given.effect == "damage"))


def _has_any(masks: NDArray[np.uint64], options: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (masks & mask_where(options, masks.shape[1])) != 0
    return np.asarray(found.any(axis=1))


def _by_counts(
    ground: ExactGround,
    gatings: list[Gating],
    gating_of: NDArray[np.int64],
    profiles: Profiles,
    profile_of: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Pairs of gating and profile against one enemy by counting attacks; NaN where that is not the way."""
    means = np.full(len(gating_of), np.nan)
    levels = profiles.levels[profile_of]
    kinds, kind_of = distinct_rows((gating_of * (int(levels.max(initial=1)) + 1) + levels)[:, None])
    packed = PackedChains(ground)
    process_of = np.array(
        [
            packed.add(gatings[gating], level, several=False)
            for gating, level in zip(gating_of[kinds].tolist(), levels[kinds].tolist(), strict=True)
        ],
        np.int64,
    )[kind_of]
    chosen = np.flatnonzero(process_of >= 0)
    if len(chosen) == 0:
        return means
    pairs, pair_of = distinct_rows((process_of[chosen] * len(profiles.levels) + profile_of[chosen])[:, None])
    pairs = chosen[pairs]
    means[chosen] = alone_means(
        packed.packed(),
        profiles.damages,
        process_of[pairs],
        profiles.first_rows[profile_of[pairs]],
        int(ground.setup["max_turns"]),
    )[pair_of]
    return means

"""The solvers of many builds at once, the fastest first; each can be switched off by name (`solving`).

Attacks at one enemy at a time, plain, bleeding or splintering; those whose criticals explode among
several enemies; areas that roll nothing. Of these an action has one result, so builds that do the same
damage are one: there are few, and the general engine is quick on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of, distinct_rows
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.exact.batch.case import (
    BY_WALK,
    LEFT,
    BatchSolver,
    Case,
    Found,
    Rows,
    has_any,
    ruled_rows,
)
from buildsearch.systems.vitality.exact.batch.class_rows import class_damages
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, gatings_of
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, modifiers_of
from buildsearch.systems.vitality.exact.batch.tables import Profiles, profiles_of
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.explosions import Explosions
from buildsearch.systems.vitality.exact.nodes.single_targets import SingleTargets
from buildsearch.systems.vitality.exact.nodes.support import unknown_ruling, why_not_explosions
from buildsearch.systems.vitality.exact.solving import is_on, solve, why_not_exact
from buildsearch.systems.vitality.rules.rulings import Rulings

HIGHEST_HP = 2


@dataclass(frozen=True)
class ChainSolver:
    """Builds that all bleed or splinter, or do neither."""

    name: str
    bleeds: bool = False
    splinters: bool = False

    def knows(self, given: Attackers, masks: NDArray[np.uint64]) -> Rows:
        """Those that strike in ways that chains know."""
        bleeding = has_any(masks, (given.options.numbers["bleed"] >= 0) & (given.effect == "damage"))
        chosen = bleeding if self.bleeds else (_splintering(given, masks) == self.splinters) & ~bleeding
        return chosen & _strikes_known(given, masks, bleeding)

    def supports(self, case: Case) -> Rows:
        """Unless they go at the one with most HP; Splinter where its strikes are counted and bleed not."""
        given, setup = case.given, case.ground.setup
        found = self.knows(given, case.masks)
        if setup["area"] or int(setup["target_rule"]) == HIGHEST_HP:
            found[:] = False
        limit = splinter_limit(given)
        if self.splinters and limit < 0:
            found[:] = False
        if self.bleeds and limit != 0:
            found &= ~_splintering(given, case.masks)
        return found

    def solve(self, case: Case, rows: Rows) -> Found:
        pairs = case.pairs(self, rows)
        limit = splinter_limit(case.given) if self.splinters else 0
        solver = SingleTargets(case.given.rules, case.ground, pairs.profiles, pairs.gatings, limit)
        means, ways = solver.means(pairs.gating_of, pairs.profile_of, len(pairs.of))
        return means[pairs.of], ways[pairs.of]


def splinter_limit(given: Attackers) -> int:
    """How many strikes a turn, 0 where there is never another enemy; -1: not one number, or by base only."""
    if max(map(len, given.encounter.waves)) == 1:
        return 0
    rules = [each.mechanics.splinter for each in given.options.known if each.mechanics.splinter is not None]
    limits = {each.limit_at(given.attacker.tier) for each in rules}
    if len(limits) != 1 or given.rules.rulings.triggered_defeats != "splinter":
        return -1
    return limits.pop()


def ruling_against_bleeds(rulings: Rulings) -> str | None:
    """A ruling under which more than HP less what is pending matters; None: there is none."""
    for name, simple in (("bleed_ticks", 1), ("bleed_overlap", "ignore"), ("bleed_tick", "end")):
        if getattr(rulings, name) != simple:
            return f"{name}={getattr(rulings, name)}"
    return None


def _splintering(given: Attackers, masks: NDArray[np.uint64]) -> Rows:
    return has_any(masks, given.options.numbers["splinter"] >= 0)


def _strikes_known(given: Attackers, masks: NDArray[np.uint64], bleeding: Rows) -> Rows:
    numbers, rulings = given.options.numbers, given.rules.rulings
    other = given.options.is_unknown | (numbers["extra_limit"] > 1)
    if max(map(len, given.encounter.waves)) > 1:
        other |= numbers["needs_others"] >= 0
    simple = ruling_against_bleeds(rulings) is None
    # A tick triggers nothing, so with a threshold HP and what is pending do not add up.
    bled = ~bleeding | (simple & ~has_any(masks, given.options.has_threshold))
    return ~ruled_rows(given, masks) & ~has_any(masks, other) & bled


class ExplosionSolver:
    """Builds that hurt several enemies at once in ways that `several` knows."""

    name = "batch-explosive"
    bleeds = False

    def knows(self, given: Attackers, masks: NDArray[np.uint64]) -> Rows:
        """Those made of words and rulings that chains know, whoever else they may hurt."""
        numbers = given.options.numbers
        unknown = given.options.is_unknown | (numbers["extra_limit"] > 1)
        explosive = numbers["explosive"] >= 0
        refused = (numbers["needs_others"] >= 0) & ~explosive
        for word in ("bleed", "splinter", "double_tap"):
            refused = refused | (numbers[word] >= 0)
        known = has_any(masks, explosive) & ~has_any(masks, refused | unknown)
        return known & ~ruled_rows(given, masks)

    def supports(self, case: Case) -> Rows:
        """Where there are several enemies, and the encounter is not in the way."""
        given, ground, nobody = case.given, case.ground, np.zeros(len(case.masks), bool)
        if ground.setup["area"] or max(map(len, given.encounter.waves)) == 1:
            return nobody
        found = self.knows(given, case.masks)
        refused = given.rules.attack_types[given.attack_type].auto_hit or not found.any()
        if refused or why_not_explosions(ground, given.encounter.cluster) is not None:
            return nobody
        return nobody if unknown_ruling(given.rules.rulings) is not None else found

    def solve(self, case: Case, rows: Rows) -> Found:
        pairs = case.pairs(self, rows)
        explosions = Explosions(case.given.rules, case.ground, pairs.profiles, pairs.gatings)
        means, ways = explosions.means(pairs.gating_of, pairs.profile_of, len(pairs.of))
        return means[pairs.of], ways[pairs.of]


# On an area these act once for the whole area: what is alike there is not worked out here.
ONE_TARGET = ("double_tap", "needs_others", "splinter", "extra_limit")


class FlatAreaSolver:
    """Builds that catch everybody, and always for the same damage."""

    name = "batch-flat-area"
    bleeds = False

    def knows(self, given: Attackers, masks: NDArray[np.uint64]) -> Rows:
        """Those without dice, and without enhancements for single targets."""
        if not given.rules.attack_types[given.attack_type].auto_hit:
            return np.zeros(len(masks), bool)
        numbers = given.options.numbers
        other = given.options.is_unknown | np.any([numbers[name] >= 0 for name in ONE_TARGET], axis=0)
        return ~has_any(masks, other)

    def supports(self, case: Case) -> Rows:
        """The same wherever they are areas."""
        known = self.knows(case.given, case.masks)
        return known if case.ground.setup["area"] else np.zeros(len(known), bool)

    def solve(self, case: Case, rows: Rows) -> Found:
        given, options = case.given, case.given.options
        has = bits_of(case.masks[rows], len(options.known))
        limits, limit_of = distinct_rows(has & options.is_limit)
        limit_bits = has[limits] & options.is_limit
        _, gating_of = gatings_of(case.ground, *all_fields(given, limit_bits))
        profiles = profiles_of(
            given, has & ~options.is_limit, modifiers_of(given, limit_bits)[limit_of], bleeds=False
        )
        bleeds = (has & (options.numbers["bleed"] >= 0)).any(axis=1)
        alike = _alike(profiles, given.class_hp)[profiles.of_row]
        kinds, kind_of = distinct_rows(
            np.stack([gating_of[limit_of], alike, bleeds.astype(np.int64)], axis=1)
        )
        means = np.array([_mean(given, has[kind], case.shape) for kind in kinds])[kind_of]
        return means, np.where(np.isnan(means), LEFT, BY_WALK)


def _alike(profiles: Profiles, class_hp: NDArray[np.int64]) -> NDArray[np.int64]:
    """Profiles by what a turn and its strikes do to each class of enemy, level by level."""
    damages, first_rows, rows = class_damages(profiles, class_hp)
    strikes = profiles.attacks["strikes"][rows]
    columns = np.concatenate([damages.chances, damages.kill_at[:, None], strikes[:, None]], axis=1)
    known: dict[bytes, int] = {}
    ends = first_rows + profiles.levels * damages.classes
    keys = [columns[start:end].tobytes() for start, end in zip(first_rows, ends, strict=True)]
    return np.array([known.setdefault(key, len(known)) for key in keys], np.int64)


def _mean(given: Attackers, has: NDArray[np.bool_], shape: str | None) -> float:
    """By the general engine, NaN where it does not solve it."""
    ids = list(given.rules.enhancements)
    attack = Attack(given.attack_type, tuple(ids[i] for i in np.flatnonzero(has)), given.effect, shape)
    ground = exact_ground(given.rules, Build((attack,)), given.attacker, given.encounter)
    return float("nan") if why_not_exact(ground) else solve(ground, survival=False).mean


SOLVERS: tuple[BatchSolver, ...] = (
    ChainSolver("batch-single"),
    ChainSolver("batch-splinter", splinters=True),
    ChainSolver("batch-bleed", bleeds=True),
    ExplosionSolver(),
    FlatAreaSolver(),
)


def solvers_in_use(*, several: bool) -> list[BatchSolver]:
    """Those that are not switched off; `several`: also those that hurt several enemies at once."""
    return [
        solver
        for solver in SOLVERS
        if is_on(solver.name) and (several or not isinstance(solver, ExplosionSolver))
    ]

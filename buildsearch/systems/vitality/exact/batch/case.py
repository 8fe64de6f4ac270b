"""Builds of one type in one fight, as solvers of many builds get them; and whom rulings leave out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of, distinct_rows, mask_where
from buildsearch.systems.vitality.encounter import Foe
from buildsearch.systems.vitality.exact.batch.gatings import (
    Fields,
    Gating,
    all_fields,
    gatings_of,
    levels_reached,
)
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, class_of, modifiers_of
from buildsearch.systems.vitality.exact.batch.tables import Profiles, profiles_of
from buildsearch.systems.vitality.exact.ground import ExactGround

_LARGE = 1 << 20

Rows = NDArray[np.bool_]
# Mean turns and ways, by build.
Found = tuple[NDArray[np.float64], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class Shared:
    """What builds of one solver are made of, whatever the encounter.

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


@dataclass(frozen=True, eq=False)
class Case:
    """`shared` gives what a solver's builds are made of, in all fights that are alike but for enemies."""

    given: Attackers
    ground: ExactGround
    masks: NDArray[np.uint64]
    shape: str | None
    shared: Callable[[BatchSolver], Shared]

    def pairs(self, solver: BatchSolver, rows: Rows) -> Pairs:
        """The distinct pairs of gating and profile among the chosen builds."""
        shared = self.shared(solver)
        chosen = np.flatnonzero(rows[shared.rows])
        profiles = shared.against(self.given.classes)
        gatings, gating_of = gatings_of(self.ground, *shared.limits)
        limit_of, profile_of = shared.limit_of[chosen], profiles.of_row[shared.kind_of[chosen]]
        pairs, pair_of = distinct_rows((gating_of[limit_of] * len(profiles.levels) + profile_of)[:, None])
        return Pairs(profiles, gatings, gating_of[limit_of[pairs]], profile_of[pairs], pair_of)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of gating and profile; `of` gives the pair of each build."""

    profiles: Profiles
    gatings: list[Gating]
    gating_of: NDArray[np.int64]
    profile_of: NDArray[np.int64]
    of: NDArray[np.int64]


class BatchSolver(Protocol):
    """A way to solve many builds at once."""

    @property
    def name(self) -> str:
        """What it is switched off by (`solving`)."""

    @property
    def bleeds(self) -> bool:
        """Whether its rows of damage have echoes."""

    def knows(self, given: Attackers, masks: NDArray[np.uint64]) -> Rows:
        """The builds that it may take in some fight."""

    def supports(self, case: Case) -> Rows:
        """The builds that it takes in this fight."""

    def solve(self, case: Case, rows: Rows) -> Found:
        """Means and ways of these, one after the other."""


def share(given: Attackers, masks: NDArray[np.uint64], rows: NDArray[np.int64], *, bleeds: bool) -> Shared:
    """Distinct sets of limits, and distinct profiles."""
    options, words, masks = given.options, masks.shape[1], masks[rows]
    limits, limit_of = distinct_rows(masks & mask_where(options.is_limit, words))
    _, upgrade_of = distinct_rows(masks & mask_where(~options.is_limit, words))
    limit_bits = bits_of(masks[limits], len(options.known)) & options.is_limit
    fields, chances = all_fields(given, limit_bits)
    levels = levels_reached(fields, np.array(_LARGE))
    # Limits with the same modifiers, that let channelling get as far, make the same profile.
    added = np.concatenate([modifiers_of(given, limit_bits), levels[:, None]], axis=1)
    sums, sum_of = distinct_rows(added)
    kinds, kind_of = distinct_rows((upgrade_of * len(sums) + sum_of[limit_of])[:, None])
    upgrades = bits_of(masks[kinds], len(options.known)) & ~options.is_limit
    extra = added[limit_of[kinds]]
    profiles = profiles_of(given, upgrades, extra[:, :2], bleeds=bleeds, most_levels=extra[:, 2])
    classes = {class_of(foe): i for i, foe in enumerate(given.classes)}
    return Shared(rows, (fields, chances), limit_of, kind_of, profiles, classes)


def has_any(masks: NDArray[np.uint64], options: Rows) -> Rows:
    found: Rows = (masks & mask_where(options, masks.shape[1])) != 0
    return np.asarray(found.any(axis=1))


BY_VALUE, BY_WALK, LEFT = range(3)


STRIKE_SCOPE = "limit_scope=strike"
_TRIGGERS = ("extra_limit", "double_tap", "splinter", "needs_others")


def ruled_rows(given: Attackers, masks: NDArray[np.uint64], *, beside: bool = False) -> NDArray[np.bool_]:
    """Which rows of bits those are; `beside`: other attacks look on."""
    found = [np.zeros(len(masks), bool), *rows_by_ruling(given, masks, beside=beside).values()]
    return np.asarray(np.logical_or.reduce(found))


def rows_by_ruling(
    given: Attackers, masks: NDArray[np.uint64], *, beside: bool = False
) -> dict[str, NDArray[np.bool_]]:
    """By ruling which rows of bits those are, by the plans of `kernel.gating`."""
    rulings, numbers = given.rules.rulings, given.options.numbers

    several = numbers["strikes"] > 1
    triggers = np.any([numbers[name] > 0 for name in _TRIGGERS], axis=0)
    asked = [each.conditions for each in given.options.known]
    rolls = np.array([each.activation_roll is not None for each in asked], bool)
    found: dict[str, NDArray[np.bool_]] = {}
    if rulings.limit_scope == "strike":
        spends = np.array([bool(each.uses or each.cooldown or each.hp_cost) for each in asked], bool)
        found[STRIKE_SCOPE] = has_any(masks, several | triggers) & has_any(masks, spends | rolls)
    if rulings.barrage_triggers == "first":
        found["barrage_triggers=first"] = has_any(masks, several) & has_any(masks, triggers)
    if rulings.failed_activation == "attack":
        reads = np.array([each.no_attack_last_turn for each in asked], bool) | (numbers["channel"] >= 0)
        found["failed_activation=attack"] = has_any(masks, rolls) & (has_any(masks, reads) | beside)
    return found

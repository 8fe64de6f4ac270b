"""Areas that roll nothing: an action has one result, so builds that do the same damage are one.

There are few of them and the general engine is quick on them; what is found here is which are alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of, distinct_rows
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.exact.batch.case import Case, Found, Rows, has_any
from buildsearch.systems.vitality.exact.batch.class_rows import class_damages
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, gatings_of
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.tables import Profiles, profiles_of
from buildsearch.systems.vitality.exact.batch.ways import BY_WALK, LEFT
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve, why_not_exact

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
        """One of each kind by the general engine; NaN where it solves none of it."""
        given, options = case.given, case.given.options
        has = bits_of(case.masks[rows], len(options.known))
        limits, limit_of = distinct_rows(has & options.is_limit)
        limit_bits = has[limits] & options.is_limit
        extra = np.stack(
            [limit_bits @ options.modifiers["accuracy"], limit_bits @ options.modifiers[given.roll]], axis=1
        )
        _, gating_of = gatings_of(case.ground, *all_fields(given, limit_bits))
        profiles = profiles_of(given, has & ~options.is_limit, extra[limit_of], bleeds=False)
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

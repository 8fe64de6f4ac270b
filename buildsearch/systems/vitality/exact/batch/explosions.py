"""Attacks whose criticals explode among several enemies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.case import Case, Found, Rows, has_any
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.ruled_rows import ruled_rows
from buildsearch.systems.vitality.exact.nodes.explosions import Explosions
from buildsearch.systems.vitality.exact.nodes.support import unknown_ruling, why_not_explosions


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
        """Distinct gatings and profiles."""
        pairs = case.pairs(self, rows)
        explosions = Explosions(case.given.rules, case.ground, pairs.profiles, pairs.gatings)
        means, ways = explosions.means(pairs.gating_of, pairs.profile_of, len(pairs.of))
        return means[pairs.of], ways[pairs.of]

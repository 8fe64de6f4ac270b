"""Attacks that go at one enemy at a time, by chains and a recursion over HP: plain, bleeding, splintering."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.case import Case, Found, Rows, has_any
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.ruled_rows import ruled_rows
from buildsearch.systems.vitality.exact.nodes.single_targets import SingleTargets
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
        """Distinct gatings and profiles."""
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

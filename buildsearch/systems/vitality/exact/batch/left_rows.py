"""Which builds no solver of many takes, and why: they are sampled, or solved one at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.case import STRIKE_SCOPE, Rows, has_any, rows_by_ruling
from buildsearch.systems.vitality.exact.batch.profiles import Attackers
from buildsearch.systems.vitality.exact.batch.solvers import (
    HIGHEST_HP,
    ONE_TARGET,
    ruling_against_bleeds,
    splinter_limit,
)
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.support import unknown_ruling, why_not_explosions


class _Reasons:
    """Rows by the first reason that holds for them."""

    def __init__(self, size: int) -> None:
        self.found: dict[str, Rows] = {}
        self._taken = np.zeros(size, bool)

    def add(self, reason: str, rows: Rows) -> None:
        own = rows & ~self._taken
        if own.any():
            self.found[reason] = self.found.get(reason, False) | own
            self._taken |= own


def left_rows(
    given: Attackers, ground: ExactGround, masks: NDArray[np.uint64], *, several: bool
) -> dict[str, Rows]:
    """By reason the builds that it holds for. `several`: explosions are solved in bulk too.

    Not in it: the few that turn out to have too many states, or a turn limit that is near.
    """
    reasons, everybody = _Reasons(len(masks)), np.ones(len(masks), bool)
    options, setup = given.options, ground.setup
    names, numbers = list(given.rules.enhancements), np.arange(len(options.known))
    for option in np.flatnonzero(options.is_unknown):
        reasons.add(f"{names[option]}, which only slower engines know", has_any(masks, numbers == option))
    by_ruling = rows_by_ruling(given, masks)
    if setup["area"]:
        if not given.rules.attack_types[given.attack_type].auto_hit:
            reasons.add("an area that rolls, among several enemies", everybody)
        triggers = np.any([options.numbers[name] >= 0 for name in ONE_TARGET], axis=0)
        reasons.add("an area with an option that is for single targets", has_any(masks, triggers))
        if STRIKE_SCOPE in by_ruling:
            # One use, or a cooldown: there is no second attempt in an action, so nothing differs.
            asked = [each.conditions for each in options.known]
            once = np.array([each.uses == 1 or bool(each.cooldown) for each in asked], bool)
            reasons.add(f"the ruling {STRIKE_SCOPE}", by_ruling[STRIKE_SCOPE] & ~has_any(masks, once))
        return reasons.found
    if setup["defeat_is_loss"]:
        reasons.add("the ruling attacker_defeat=loss", everybody)
    if int(setup["target_rule"]) == HIGHEST_HP:
        reasons.add("the ruling target=highest_hp", everybody)
    for ruling, rows in by_ruling.items():
        reasons.add(f"the ruling {ruling}", rows)
    reasons.add("several Extra Attacks a turn", has_any(masks, options.numbers["extra_limit"] > 1))
    if max(map(len, given.encounter.waves)) > 1:
        _add_others(reasons, given, ground, masks, several=several)
    _add_bleeds(reasons, given, masks)
    return reasons.found


def _add_others(
    reasons: _Reasons, given: Attackers, ground: ExactGround, masks: NDArray[np.uint64], *, several: bool
) -> None:
    numbers = given.options.numbers
    explosive = numbers["explosive"] >= 0
    reasons.add("ricochet among several enemies", has_any(masks, (numbers["needs_others"] >= 0) & ~explosive))
    exploding = has_any(masks, explosive)
    for word in ("bleed", "splinter", "double_tap"):
        reasons.add(f"explosive_critical with {word}", exploding & has_any(masks, numbers[word] >= 0))
    if not exploding.any():
        return
    ruling = unknown_ruling(given.rules.rulings)
    against = why_not_explosions(ground, given.encounter.cluster)
    if given.rules.attack_types[given.attack_type].auto_hit:
        reasons.add("explosive_critical on an attack that always hits", exploding)
    if against is not None:
        reasons.add(f"explosive_critical: {against}", exploding)
    if ruling is not None:
        reasons.add(f"explosive_critical under the ruling {ruling}", exploding)
    if not several:
        reasons.add("explosive_critical in a space of this many builds", exploding)


def _add_bleeds(reasons: _Reasons, given: Attackers, masks: NDArray[np.uint64]) -> None:
    numbers, limit = given.options.numbers, splinter_limit(given)
    bleeding = has_any(masks, (numbers["bleed"] >= 0) & (given.effect == "damage"))
    splintering = has_any(masks, numbers["splinter"] >= 0)
    ruling = ruling_against_bleeds(given.rules.rulings)
    if ruling is not None:
        reasons.add(f"bleed under the ruling {ruling}", bleeding)
    reasons.add("bleed with a threshold", bleeding & has_any(masks, given.options.has_threshold))
    if limit != 0:
        reasons.add("bleed with splinter, among several enemies", bleeding & splintering)
    if limit < 0:
        reasons.add("the ruling triggered_defeats=none with splinter", splintering)

"""Attacks that a ruling makes play in a way that only slower engines follow; few under each ruling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import mask_where
from buildsearch.systems.vitality.exact.batch.profiles import Attackers

STRIKE_SCOPE = "limit_scope=strike"
_TRIGGERS = ("extra_limit", "double_tap", "splinter", "needs_others")


def ruled_rows(given: Attackers, masks: NDArray[np.uint64], *, beside: bool = False) -> NDArray[np.bool_]:
    """Which rows of bits those are; `beside`: other attacks look on."""
    found = [np.zeros(len(masks), bool), *rows_by_ruling(given, masks, beside=beside).values()]
    return np.asarray(np.logical_or.reduce(found))


def rows_by_ruling(
    given: Attackers, masks: NDArray[np.uint64], *, beside: bool = False
) -> dict[str, NDArray[np.bool_]]:
    """By ruling which rows of bits those are, by the plans of `kernel.plan_rulings`."""
    rulings, numbers = given.rules.rulings, given.options.numbers

    def has(options: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(((masks & mask_where(options, masks.shape[1])) != 0).any(axis=1))

    several = numbers["strikes"] > 1
    triggers = np.any([numbers[name] > 0 for name in _TRIGGERS], axis=0)
    asked = [each.conditions for each in given.options.known]
    rolls = np.array([each.activation_roll is not None for each in asked], bool)
    found: dict[str, NDArray[np.bool_]] = {}
    if rulings.limit_scope == "strike":
        spends = np.array([bool(each.uses or each.cooldown or each.hp_cost) for each in asked], bool)
        found[STRIKE_SCOPE] = has(several | triggers) & has(spends | rolls)
    if rulings.barrage_triggers == "first":
        found["barrage_triggers=first"] = has(several) & has(triggers)
    if rulings.failed_activation == "attack":
        reads = np.array([each.no_attack_last_turn for each in asked], bool) | (numbers["channel"] >= 0)
        found["failed_activation=attack"] = has(rolls) & (has(reads) | beside)
    return found

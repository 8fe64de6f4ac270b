"""Every option of the rules as a row of numbers, so that builds are columns and not objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.encounter import Attacker
from buildsearch.systems.vitality.kernel.known_words import SOLVED_WORDS
from buildsearch.systems.vitality.kernel.profile import kill_threshold
from buildsearch.systems.vitality.rules.model import Enhancement, VitalityRules
from buildsearch.systems.vitality.rules.vocabulary import Conditions, Mechanics, words_of

_NONE = -1
# HP of which every share is something.
_LARGE = 1 << 20


@dataclass(frozen=True, eq=False)
class Options:
    """Options in rules-file order, which is the order of a build's bits."""

    known: list[Enhancement]
    is_limit: NDArray[np.bool_]
    # One number for each option that has the mechanic, -1 for the others.
    numbers: dict[str, NDArray[np.int64]]
    # Whether it defeats some enemies that have HP left.
    has_threshold: NDArray[np.bool_]
    # Whether it has a word that batches do not know: builds with it are left to other engines.
    is_unknown: NDArray[np.bool_]


def options_of(rules: VitalityRules, attacker: Attacker) -> Options | None:
    """The table; None where the factoring does not hold: an option that is both an upgrade and a limit.

    Flat damage below nothing has no place in the table either.
    """
    known = list(rules.enhancements.values())
    is_limit = np.array([each.conditions != Conditions() for each in known], bool)
    if any(each.mechanics != Mechanics() for each, limit in zip(known, is_limit, strict=True) if limit):
        return None
    tier = attacker.tier
    flat = [each.mechanics.flat_damage for each in known]
    flat += [each.flat_damage for each in rules.attack_types.values()]
    if any(amount is not None and amount.at(tier) < 0 for amount in flat):
        return None
    numbers = [_numbers(each.mechanics) for each in known]
    return Options(
        known=known,
        is_limit=is_limit,
        numbers={
            name: np.array([each[name] for each in numbers], np.int64) for name in _numbers(Mechanics())
        },
        has_threshold=np.array([kill_threshold([each], _LARGE) > 0 for each in known], bool),
        is_unknown=np.array([bool(words_of(e.mechanics, e.conditions) - SOLVED_WORDS) for e in known], bool),
    )


def _numbers(has: Mechanics) -> dict[str, int]:
    """The mechanics that say how an attack strikes, with which dice."""
    return {
        "accuracy_dice": _NONE if has.accuracy_dice is None else has.accuracy_dice,
        "explode_on": _NONE if has.explode_on is None else has.explode_on,
        "strikes": _NONE if has.strikes is None else has.strikes,
        "extra_limit": _NONE if has.extra_attack is None else has.extra_attack.per_turn,
        "double_tap": 1 if has.double_tap else _NONE,
        # Flat damage may be any number: the option's own place stands for it.
        "flat_damage": _NONE if has.flat_damage is None else 0,
        "channel": _NONE if has.channel is None else 0,
        "bleed": 1 if has.bleed else _NONE,
        "needs_others": 1 if has.ricochet or has.explosive_critical else _NONE,
        "explosive": 1 if has.explosive_critical else _NONE,
        "splinter": 1 if has.splinter else _NONE,
    }

"""When an attack may be used, as the numbers that the kernel checks; and what rulings make of a plan.

Where rulings change nothing a plan stays as it is, so that equal play is equal content.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.kernel.profile import Parts
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.rules.rulings import Rulings
from buildsearch.systems.vitality.rules.vocabulary import LastTurn, SinceLastTurn

_NEVER_BINDS = 1 << 30
_ACCEPTED = {
    SinceLastTurn.HIT: 1 << HIT_UNHARMED | 1 << DAMAGED,
    SinceLastTurn.DAMAGED: 1 << DAMAGED,
    SinceLastTurn.HIT_UNHARMED: 1 << HIT_UNHARMED,
    SinceLastTurn.ALL_MISSED: 1 << ALL_MISSED,
    SinceLastTurn.NOT_DAMAGED: 1 << ALL_MISSED | 1 << HIT_UNHARMED | 1 << NOT_ATTACKED,
    SinceLastTurn.NOT_ATTACKED: 1 << NOT_ATTACKED,
}
_ANYTHING = 1 << ALL_MISSED | 1 << HIT_UNHARMED | 1 << DAMAGED | 1 << NOT_ATTACKED


def activation_chance(parts: Parts, tier: int) -> float:
    """The chance that every activation roll of an attempt succeeds."""
    die = parts.rules.rolls.activation
    chance = 1.0
    for option in parts.options:
        if option.conditions.activation_roll is not None:
            faces = die.sides + 1 - (option.conditions.activation_roll - die.bonus.at(tier))
            chance *= min(max(faces, 0), die.sides) / die.sides
    return chance


def gating_fields(parts: Parts, tier: int, encounter: Encounter) -> dict[str, int]:
    """The conditions of all enhancements together: every one must hold."""
    conditions = [option.conditions for option in parts.options]
    since = _ANYTHING
    for condition in conditions:
        if condition.since_last_turn is not None:
            since &= _ACCEPTED[condition.since_last_turn]
    ranges = [condition.turn for condition in conditions if condition.turn is not None]
    last_turn = {condition.last_turn for condition in conditions}
    fields = {
        "unmet_waits": parts.rules.rulings.waits(1),
        "first_turn": max((turns.first or 1 for turns in ranges), default=1),
        "last_turn": min((turns.last or _NEVER_BINDS for turns in ranges), default=_NEVER_BINDS),
        "uses": min((c.uses for c in conditions if c.uses is not None), default=-1),
        "cooldown": max((c.cooldown or 0 for c in conditions), default=0),
        "charge": max((c.charge or 0 for c in conditions), default=0),
        "activation": round(activation_chance(parts, tier) * (1 << 32)),
        "hp_at_most": min(
            (c.hp_at_most for c in conditions if c.hp_at_most is not None), default=_NEVER_BINDS
        ),
        "hp_full": any(condition.hp_full for condition in conditions),
        "hp_cost": sum(condition.hp_cost or 0 for condition in conditions),
        "since_mask": since,
        "passive": any(condition.no_attack_last_turn for condition in conditions),
        "last_hit": LastTurn.HIT_TARGET in last_turn,
        "last_damage": LastTurn.DEALT_DAMAGE in last_turn,
        "last_defeat": LastTurn.DEFEATED_ENEMY in last_turn,
    }
    numbers = {name: int(value) for name, value in fields.items()}
    if numbers["last_turn"] >= encounter.max_turns:
        numbers["last_turn"] = _NEVER_BINDS
    always = {
        "first_turn": 1,
        "last_turn": _NEVER_BINDS,
        "uses": -1,
        "cooldown": 0,
        "charge": 0,
        "hp_at_most": _NEVER_BINDS,
        "hp_full": 0,
        "hp_cost": 0,
        "since_mask": _ANYTHING,
        "passive": 0,
        "last_hit": 0,
        "last_damage": 0,
        "last_defeat": 0,
    }
    numbers["ungated"] = int(all(numbers[name] == value for name, value in always.items()))
    if numbers["ungated"]:
        numbers["unmet_waits"] = 0  # never asked
    numbers["hp_matters"] = int(
        numbers["hp_at_most"] != _NEVER_BINDS
        or numbers["hp_full"] == 1
        or numbers["hp_cost"] > 0
        or since != _ANYTHING
    )
    return numbers


_NO_ROLL = 1 << 32
_NO_HP_LIMIT = 1 << 30
# What an attack does besides its first base strike; Explosive Critical goes on with that strike's own dice.
_FURTHER = ("chain", "extra_limit", "double_tap", "ricochet", "splinter_limit")


def apply_rulings(setups: NDArray[np.void], rulings: Rulings, *, beside: bool = False) -> None:
    """Write the fields `RULED` of as many plans as there are; `beside`: other attacks read what this one did.

    An attack that can make no second attempt in one action is written as one strike.
    """
    if rulings.limit_scope == "strike":
        _ask_each_strike(setups)
    several = (setups["strikes"] > 1) | (setups["chain"] > 1)
    triggers = np.any([setups[name] > 0 for name in (*_FURTHER[1:], "explosive")], axis=0)
    setups["first_only"] = several & triggers & (rulings.barrage_triggers == "first")
    setups["area_single"] = several & (setups["area"] > 0) & (rulings.area_strikes == "single")
    is_read = (setups["passive"] > 0) | (setups["levels"] > 1) | beside
    fails = setups["activation"] < _NO_ROLL
    setups["failed_attack"] = fails & is_read & (rulings.failed_activation == "attack")


def _ask_each_strike(setups: NDArray[np.void]) -> None:
    several = (setups["strikes"] > 1) | np.any([setups[name] > 0 for name in _FURTHER], axis=0)
    once = several & ((setups["uses"] == 1) | (setups["cooldown"] > 0))
    setups["strikes"][once] = 1
    for name in (*_FURTHER, "extra_single", "triggered_feed"):
        setups[name][once] = 0
    setups["one_strike"][once] = setups["explosive"][once] == 0
    # No table of single strikes where only triggers on an area would read it.
    setups["strike_bits"][once & (setups["area"] > 0)] = 0
    reads_hp = (setups["hp_at_most"] < _NO_HP_LIMIT) | (setups["hp_full"] > 0)
    changes = (setups["uses"] > 1) | (setups["activation"] < _NO_ROLL) | (setups["hp_cost"] > 0)
    setups["strike_scope"] = several & ~once & (changes | (reads_hp & (setups["leech"] > 0)))

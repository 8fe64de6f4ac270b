"""Numbers of Vitality that change fights: bonuses, penalties, thresholds, uses, damage of types.

The rules' own scale is the step: one point, or one tier where an amount grows with tier.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from pydantic import BaseModel, ValidationError

from buildsearch.model.levers import Lever, Value, number_lever
from buildsearch.systems.vitality.rules.model import VitalityRules

# So many steps up and down.
_FAR = 3
# What an entry is made of besides its price. Modifiers may be penalties; nothing else goes below one.
_PARTS = ("modifiers", "adjacent_modifiers", "flat_damage", "mechanics", "conditions")
_SIGNED = {"accuracy", "damage", "condition", "flat", "tier"}
# Words of which more is better, and of which more is worse; tests/balance/test_monotone.py shows it for each.
# What is in neither is not claimed.
_BETTER = {"accuracy", "damage", "condition", "flat_damage", "accuracy_dice", "strikes"}
_WORSE = {"margin", "per", "explode_on", "threshold", "critical_range", "activation_roll"}
# What acts on some enemies only is not claimed either: who falls first is another then.
_SOME_ENEMIES = {"slayer"}
# Conditions that a quicker fight may take away: an attack with one of them may do worse for more damage.
_FICKLE = ("hp_at_most", "hp_cost", "since_last_turn", "no_attack_last_turn", "last_turn")


def number_levers(rules: VitalityRules) -> list[Lever]:
    """One for each number that the rules file has; what it does not say is not added."""
    data = rules.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    fickle = tuple(name for name, entry in data.get("limits", {}).items() if _is_fickle(entry))
    found = []
    for shelf in ("attack_types", "upgrades", "limits"):
        for name, entry in data.get(shelf, {}).items():
            title = entry.get("name", name)
            shape = type(getattr(rules, shelf)[name])
            for path, value in _numbers({part: entry[part] for part in _PARTS if part in entry}):
                dotted = ".".join(path)
                least = -_FAR + value if _SIGNED & set(path) else 1
                found.append(
                    number_lever(
                        f"{name}.{dotted}",
                        name,
                        value,
                        range(max(least, value - _FAR), value + _FAR + 1),
                        (shelf, name, *path),
                        f"Change {dotted} of {title}",
                        fits=partial(_fits, shape, entry, path),
                        grows=_grows(path),
                        unless=fickle,
                    )
                )
    return found


def _is_fickle(entry: dict[str, Any]) -> bool:
    return any(word in entry.get("conditions", {}) for word in _FICKLE)


def _grows(path: tuple[str, ...]) -> int:
    words = set(path)
    if words & _SOME_ENEMIES:
        return 0
    return 1 if words & _BETTER else -1 if words & _WORSE else 0


def _fits(shape: type[BaseModel], entry: dict[str, Any], path: tuple[str, ...], value: Value) -> bool:
    """Whether an entry of the rules may have this number: engines have bounds of their own."""
    edited = copy.deepcopy(entry)
    inner = edited
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        shape.model_validate_json(json.dumps(edited))
    except ValidationError:
        return False
    return True


def _numbers(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _numbers(value, (*path, str(key)))
    elif isinstance(data, int) and not isinstance(data, bool):
        yield path, data

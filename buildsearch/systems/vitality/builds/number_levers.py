"""Numbers of Vitality that change fights: bonuses, penalties, thresholds, uses, damage of types.

The rules' own scale is the step: one point, or one tier where an amount grows with tier.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from buildsearch.model.levers import Lever, number_lever
from buildsearch.systems.vitality.rules.model import VitalityRules

# So many steps up and down.
_FAR = 3
# What an entry is made of besides its price. Modifiers may be penalties; nothing else goes below one.
_PARTS = ("modifiers", "adjacent_modifiers", "flat_damage", "mechanics", "conditions")
_SIGNED = {"accuracy", "damage", "condition", "flat", "tier"}


def number_levers(rules: VitalityRules) -> list[Lever]:
    """One for each number that the rules file has; what it does not say is not added."""
    data = rules.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    found = []
    for shelf in ("attack_types", "upgrades", "limits"):
        for name, entry in data.get(shelf, {}).items():
            title = entry.get("name", name)
            for path, value in _numbers({part: entry[part] for part in _PARTS if part in entry}):
                dotted = ".".join(path)
                least = -_FAR + value if _SIGNED & set(path) else 1
                shape = type(getattr(rules, shelf)[name])
                others = [
                    other
                    for other in range(max(least, value - _FAR), value + _FAR + 1)
                    if _fits(shape, entry, path, other)
                ]
                words = f"Change {dotted} of {title}"
                found.append(
                    number_lever(f"{name}.{dotted}", name, value, others, (shelf, name, *path), words)
                )
    return found


def _fits(shape: type[BaseModel], entry: dict[str, Any], path: tuple[str, ...], value: int) -> bool:
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

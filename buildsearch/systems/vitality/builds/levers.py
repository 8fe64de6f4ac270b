"""What may be moved in Vitality: prices, exclusions, bans on types, cost factors, budgets, numbers.

The rules' own scale is the step: one point, or one tier where an amount grows with tier.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from buildsearch.model.levers import (
    SECTION,
    Account,
    Add,
    Lever,
    budget_lever,
    factor_lever,
    pair_lever,
    price_lever,
    type_lever,
)
from buildsearch.model.number_levers import Path, entry_levers
from buildsearch.systems.vitality.rules.model import VitalityRules

# So many steps up and down.
_FAR = 3
# What an entry is made of besides its price. Modifiers may be penalties; nothing else goes below one.
_PARTS = ("modifiers", "adjacent_modifiers", "flat_damage", "mechanics", "conditions")
_SIGNED = {"accuracy", "damage", "condition", "flat", "tier"}
# Words of which more is better, and of which more is worse: tests/balancing/test_monotone.py shows it.
# What is in neither is not claimed.
_BETTER = {"accuracy", "damage", "condition", "flat_damage", "accuracy_dice", "strikes"}
_WORSE = {"margin", "per", "explode_on", "threshold", "critical_range", "activation_roll"}
# What acts on some enemies only is not claimed either: who falls first is another then.
_SOME_ENEMIES = {"slayer"}
# An attack with one of these may do worse for more damage: conditions that a quicker fight takes away, and
# what hits others besides the target, which does less the sooner they fall.
_FICKLE_CONDITIONS = ("hp_at_most", "hp_cost", "since_last_turn", "no_attack_last_turn", "last_turn")
_FICKLE_MECHANICS = ("explosive_critical", "ricochet", "splinter")


def number_levers(rules: VitalityRules) -> list[Lever]:
    """One for each number that the rules file has; what it does not say is not added."""
    fickle = tuple(name for name, entry in rules.enhancements.items() if _is_fickle(entry))
    return [
        lever
        for shelf in ("attack_types", "upgrades", "limits")
        for name, entry in getattr(rules, shelf).items()
        for lever in entry_levers(
            name,
            entry,
            (shelf, name),
            title=entry.name,
            parts=_PARTS,
            far=_FAR,
            is_signed=lambda path: bool(_SIGNED & set(path)),
            grows=_unclaimed if name in fickle else _grows,
            unless=fickle,
        )
    ]


def _is_fickle(entry: Any) -> bool:
    words = [(entry.mechanics, word) for word in _FICKLE_MECHANICS]
    words += [(entry.conditions, word) for word in _FICKLE_CONDITIONS]
    return any(getattr(part, word, None) not in (None, False) for part, word in words)


def _unclaimed(_path: Path) -> int:
    return 0


def _grows(path: Path) -> int:
    words = set(path)
    if words & _SOME_ENEMIES:
        return 0
    return 1 if words & _BETTER else -1 if words & _WORSE else 0


_POINTS = "points"


def accounts(rules: VitalityRules, space: Any) -> tuple[Account, ...]:
    """Points for each attack, times the factor of its type."""
    return (
        Account(
            _POINTS,
            space.settings.budget,
            {name: enhancement.cost for name, enhancement in rules.enhancements.items()},
            {name: attack_type.cost_factor for name, attack_type in rules.attack_types.items()},
        ),
    )


def levers(rules: VitalityRules, space: Any) -> tuple[Lever, ...]:
    """All of them, in the order of the rules."""
    (account,) = accounts(rules, space)
    settings, catalogue = space.settings, space.catalogue
    titles = {name: kind.name for name, kind in rules.attack_types.items()}
    titles |= {name: enhancement.name for name, enhancement in rules.enhancements.items()}
    shelf = {name: "upgrades" if name in rules.upgrades else "limits" for name in rules.enhancements}
    found = [
        price_lever(account, name, (shelf[name], name, "cost"), title=titles[name])
        for name in rules.enhancements
    ]
    found += [
        pair_lever(a, b, Add(("exclusions",), {"section": SECTION, "group": [a, b]}), titles)
        for a, b in combinations(rules.enhancements, 2)
        if frozenset((a, b)) not in catalogue.exclusion_sections
    ]
    found += [
        type_lever(
            kind, name, Add(("restrictions",), {"section": SECTION, "types": [kind], "ban": [name]}), titles
        )
        for kind in rules.attack_types
        for name in rules.enhancements
        if (kind, name) not in catalogue.ban_sections
    ]
    found += [
        factor_lever(account, kind, ("attack_types", kind, "cost_factor"), title=titles[kind])
        for kind in rules.attack_types
    ]
    archetype = rules.archetypes[settings.archetype]
    # A budget of the command line stands in no file.
    if archetype.budgets.get(settings.tier) == settings.budget:
        path = ("archetypes", settings.archetype, "budgets", str(settings.tier))
        found.append(budget_lever(account, path))
    return (*found, *number_levers(rules))

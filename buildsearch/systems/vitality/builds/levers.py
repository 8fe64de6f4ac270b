"""What may be moved in Vitality: prices, exclusions, bans on types, cost factors, budgets, numbers."""

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
from buildsearch.systems.vitality.builds.number_levers import number_levers
from buildsearch.systems.vitality.rules.model import VitalityRules

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

"""What may be moved in Dungeoneers: prices of gear and spells, points, ranks, spells, numbers of fights."""

from __future__ import annotations

from typing import Any

from buildsearch.model.levers import Account, Lever, budget_lever, limit_lever, price_lever
from buildsearch.model.number_levers import entry_levers
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DICE, DungeoneersRules

# Numbers that change fights, by shelf; ranks, hands and the power that one needs say which builds there are.
_PARTS = {
    "weapons": ("hit", "pierce", "wounds"),
    "armour": ("av", "sr", "bane"),
    "spells": ("base", "attack", "save", "pierce", "harm", "stress", "armor", "mend", "calm"),
}


def accounts(rules: DungeoneersRules, space: Any) -> tuple[Account, ...]:
    """Points of attributes, all spent; points of gear; so many spells."""
    settings = space.settings
    costs = {name: int(cost) for name, cost in zip(space.gear.names, space.gear.costs, strict=True)}
    spells = {name: 1 for name in space.gear.names if name in rules.spells}
    return (
        Account("attributes", settings.points, dict.fromkeys(ATTRIBUTES, 1), is_spent=True),
        Account("gear", settings.gear, costs),
        Account("spells", settings.max_spells, spells),
    )


def levers(rules: DungeoneersRules, space: Any) -> tuple[Lever, ...]:
    """Prices of gear, budgets, and how high attributes go; limits of the command line stand in no file."""
    points, gear, spells = accounts(rules, space)
    settings, limits = space.settings, rules.limits
    shelves = [
        (shelf, name, entry)
        for shelf, entries in rules.shelves.items()
        for name, entry in entries.items()
        if name in gear.prices
    ]
    found = [
        price_lever(gear, name, (shelf, name, "cost"), title=entry.name) for shelf, name, entry in shelves
    ]
    for account, name in ((points, "points"), (gear, "gear"), (spells, "max_spells")):
        if getattr(settings, name) == getattr(limits, name):
            found.append(budget_lever(account, ("limits", name), name=name))
    if settings.max_rank == limits.max_rank:
        # Builds count points above the base, the file counts ranks.
        found.append(
            limit_lever(
                "max_rank",
                ATTRIBUTES,
                limits.max_rank - rules.hero.base,
                ("limits", "max_rank"),
                words="Let no attribute go above",
                base=rules.hero.base,
            )
        )
    # The rules' own scale is the step. What it does to every hero is not claimed: fights are won by play.
    for shelf, name, entry in shelves:
        where, parts = (shelf, name), _PARTS[shelf]
        found += entry_levers(name, entry, where, title=entry.name, parts=parts, far=2, scale=DICE)
    return tuple(found)

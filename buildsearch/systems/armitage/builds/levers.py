"""What may be moved in Armitage: points of stats, copies of cards, and with fights the values of cards."""

from __future__ import annotations

from typing import Any

from buildsearch.model.levers import Account, Lever, budget_lever, limit_lever, price_lever
from buildsearch.model.number_levers import Path, entry_levers
from buildsearch.systems.armitage.rules.model import ArmitageRules

_VALUES = ("ap", "attack", "heal", "resolve", "status")


def accounts(rules: ArmitageRules, space: Any) -> tuple[Account, ...]:
    """The points of the stat line; cards cost nothing."""
    prices: dict[str, int] = {name: entry.cost for name, entry in rules.raises.items()}
    return (Account("points", rules.points, prices, is_spent=space.settings.spend_all),)


def levers(rules: ArmitageRules, space: Any) -> tuple[Lever, ...]:
    """Prices and limits of stats, the points, the copies of a card, AP and what cards do."""
    (account,) = accounts(rules, space)
    found = [
        price_lever(account, name, ("raises", name, "cost"), title=entry.name, least=1)
        for name, entry in rules.raises.items()
    ]
    found += [
        limit_lever(
            f"{name}.most",
            (name,),
            entry.most,
            ("raises", name, "most"),
            words=f"Allow raises of {entry.name} up to",
        )
        for name, entry in rules.raises.items()
    ]
    copies = rules.deck.copies
    if copies is not None:
        words = "Allow copies of a card up to"
        least = -(-rules.deck.size // len(space.cards))  # fewer would not fill a deck
        found.append(
            limit_lever("deck.copies", space.cards, copies, ("deck", "copies"), words=words, least=least)
        )
    found.append(budget_lever(account, ("points",), name="points"))
    for name, card in rules.cards.items():
        if name in space.cards:
            where = ("cards", name)
            found += entry_levers(name, card, where, title=card.name, parts=_VALUES, far=1, is_signed=_signed)
    return tuple(found)


def _signed(path: Path) -> bool:
    return path[0] in ("attack", "status")

"""What a card or a stat does, in words and numbers, from the same model that the engines read."""

from __future__ import annotations

from buildsearch.model.rules_file import Option
from buildsearch.systems.armitage.rules.chances import damage_chances, hit_chance
from buildsearch.systems.armitage.rules.expectations import say_chance
from buildsearch.systems.armitage.rules.model import ArmitageRules, Card, Raise

_MEANING = {
    "hth": "health; at 0 or less a combatant is defeated",
    "eva": "attack rolls must reach it",
    "res": "taken off the damage of each hit while it lasts",
    "tuf": "number of hits that benefit from RES",
    "ap": "action points a turn",
    "initiative": "the higher acts first, a coin decides ties",
}


def describe_options(rules: ArmitageRules) -> tuple[Option, ...]:
    """Everything the rules offer."""
    return (
        *(_stat(name, entry, rules) for name, entry in rules.raises.items()),
        *(_card(name, card, rules) for name, card in rules.cards.items()),
    )


def _stat(name: str, entry: Raise, rules: ArmitageRules) -> Option:
    base = getattr(rules.base, name)
    facts = [("Base", str(base)), ("At most", f"{base + entry.most} (+{entry.most})")]
    return Option(
        id=name,
        kind="stat",
        name=entry.name,
        summary=_MEANING[name],
        cost=entry.cost,
        facts=tuple((label, text) for label, text in [*facts, ("Section", entry.section)] if text),
    )


def _card(name: str, card: Card, rules: ArmitageRules) -> Option:
    facts = [("AP", str(card.ap))]
    if card.attack is not None:
        facts += _attack_facts(card, rules)
    if card.status is not None and not rules.status_cards:
        facts.append(("Switch", "only with -p status_cards=on"))
    return Option(
        id=name,
        kind="status card" if card.status is not None else "card",
        name=card.name,
        summary=f"{card.ap} AP: {_deed(card, rules)}",
        facts=tuple((label, text) for label, text in [*facts, ("Section", card.section)] if text),
    )


def _deed(card: Card, rules: ArmitageRules) -> str:
    sides = rules.dice.sides
    if card.attack is not None:
        to_hit = f" {card.attack.to_hit:+d}" if card.attack.to_hit else ""
        damage = f" {card.attack.damage:+d}" if card.attack.damage else ""
        dice = rules.dice
        return f"{dice.attack}d{sides}{to_hit} against EVA, {dice.damage}d{sides}{damage} damage minus RES"
    if card.heal is not None:
        return f"recover {card.heal}d{sides} HTH, up to the maximum"
    if card.resolve is not None:
        return f"hitCounter falls by {card.resolve}, not below 0"
    assert card.status is not None  # noqa: S101 - the model has exactly one of the four
    whose = "one's own" if card.status.bearer == "self" else "an opponent's"
    return f"{card.status.amount:+d} {whose} {card.status.stat.upper()} until the end of their next turn"


def _attack_facts(card: Card, rules: ArmitageRules) -> list[tuple[str, str]]:
    assert card.attack is not None  # noqa: S101 - asked before
    base = rules.base
    means = []
    for label, res in ((f"RES {base.res}", base.res), ("RES expired", 0)):
        chances = damage_chances(rules, card.attack, base.eva, res)
        mean = sum(damage * chance for damage, chance in chances.items() if damage is not None)
        means.append(f"{float(mean):.3g} ({label})")
    return [
        ("Hits", f"{say_chance(hit_chance(rules, card.attack, base.eva))} at EVA {base.eva}"),
        ("Mean damage", ", ".join(means)),
    ]

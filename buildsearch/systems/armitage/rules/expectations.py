"""Named events whose probability a text may state, and what it really is."""

from __future__ import annotations

from fractions import Fraction

from buildsearch.systems.armitage.rules.chances import alike_chances, hit_chance
from buildsearch.systems.armitage.rules.model import ArmitageRules


def event_chances(rules: ArmitageRules) -> dict[str, Fraction]:
    """Every event by name: alike dice of an attack roll, and each attack's hit at the base EVA."""
    alike = alike_chances(rules.dice.attack, rules.dice.sides)
    events = {
        "three_alike": sum((chance for number, chance in alike.items() if number >= 3), Fraction(0)),
        "exactly_two_alike": alike.get(2, Fraction(0)),
        "all_different": alike.get(1, Fraction(0)),
    }
    for name, card in rules.cards.items():
        if card.attack is not None:
            events[f"hit_{name}"] = hit_chance(rules, card.attack, rules.base.eva)
    return events


def say_chance(chance: Fraction) -> str:
    """`41.7 % (5/12)`."""
    return f"{float(chance):.1%} ({chance})"

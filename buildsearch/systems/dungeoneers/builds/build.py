"""A build as an object: points of attributes, and gear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from buildsearch.builds.lines import Raises
from buildsearch.systems.dungeoneers.rules.model import SLOTS, DungeoneersRules, Piece, Spell, Weapon


@dataclass(frozen=True, slots=True)
class Build:
    """An attribute line, and the names of its gear in canonical order."""

    raises: Raises
    gear: tuple[str, ...]


def gear_order(rules: DungeoneersRules) -> tuple[str, ...]:
    """Everything that a build can take: weapons, armour by slot, spells; what does nothing is left out."""
    pieces = [
        name
        for slot in SLOTS
        for name, piece in rules.armour.items()
        if piece.slot == slot and not piece.does_nothing
    ]
    return (*rules.weapons, *pieces, *rules.spells)


def in_order(gear: Iterable[str], order: tuple[str, ...]) -> tuple[str, ...]:
    """Gear in canonical order."""
    wanted = set(gear)
    return tuple(name for name in order if name in wanted)


def entry(rules: DungeoneersRules, name: str) -> Weapon | Piece | Spell:
    """A piece of gear as the rules have it."""
    return rules.weapons.get(name) or rules.armour.get(name) or rules.spells[name]


def gear_power(rules: DungeoneersRules, name: str) -> int:
    """The power that it needs."""
    return rules.armour[name].power if name in rules.armour else 0

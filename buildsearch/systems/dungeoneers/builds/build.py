"""A build as an object: points of attributes, and gear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from buildsearch.systems.dungeoneers.rules.model import (
    ATTRIBUTES,
    SLOTS,
    DungeoneersRules,
    Piece,
    Spell,
    Weapon,
)

# (attribute, points), none of them zero, in the order of the attributes.
Raises = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Build:
    """An attribute line, and the names of its gear in canonical order."""

    raises: Raises
    gear: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hero:
    """A build as it enters fights: every number that rolls and effects read."""

    attributes: tuple[int, ...]  # in the order of ATTRIBUTES
    weapon: str
    spells: tuple[str, ...]
    av: int
    sr: int
    bane: int


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


def gear_cost(rules: DungeoneersRules, name: str) -> int:
    """Points of gear."""
    return _entry(rules, name).cost


def gear_hands(rules: DungeoneersRules, name: str) -> int:
    """Hands that it takes."""
    return _entry(rules, name).hands


def gear_power(rules: DungeoneersRules, name: str) -> int:
    """The power that it needs."""
    return rules.armour[name].power if name in rules.armour else 0


def _entry(rules: DungeoneersRules, name: str) -> Weapon | Piece | Spell:
    return rules.weapons.get(name) or rules.armour.get(name) or rules.spells[name]


def hero_of(rules: DungeoneersRules, build: Build) -> Hero:
    """The build's numbers. AV, SR and bane are sums over the pieces."""
    points = dict(build.raises)
    pieces = [rules.armour[name] for name in build.gear if name in rules.armour]
    return Hero(
        attributes=tuple(rules.hero.base + points.get(name, 0) for name in ATTRIBUTES),
        weapon=next(name for name in build.gear if name in rules.weapons),
        spells=tuple(name for name in build.gear if name in rules.spells),
        av=sum(piece.av for piece in pieces),
        sr=sum(piece.sr for piece in pieces),
        bane=sum(piece.bane for piece in pieces),
    )

"""Chunks of builds as rows of numbers, and rows as single words."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.space import Chunk
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.exact.template import (
    AV,
    BANE,
    HIT,
    KNOWN,
    PIERCE,
    ROW,
    SR,
    TYPE,
    WEAPON_WOUNDS,
)
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DAMAGES, DICE, DungeoneersRules

Rows = NDArray[np.int64]


class HeroRows:
    """Numbers of each piece of gear, added up by what a build has."""

    def __init__(self, rules: DungeoneersRules, space: DungeoneersSpace) -> None:
        self.rules = rules
        self.space = space

    def rows(self, chunk: Chunk) -> Rows:
        """A row for each build of the chunk."""
        # Sums of small whole numbers: as floats they are as exact, and a library multiplies them.
        found = (self.space.gear.bits(chunk.codes[:, 0]).astype(np.float64) @ self._gear).astype(np.int64)
        points = dict(self.space.line_named(chunk.group))
        found[:, : len(ATTRIBUTES)] = [self.rules.hero.base + points.get(name, 0) for name in ATTRIBUTES]
        return found

    @cached_property
    def _gear(self) -> NDArray[np.float64]:
        """(names, columns): exactly one weapon is taken, so that its dice may be summed like armour."""
        rules = self.rules
        found = np.zeros((len(self.space.gear.names), ROW), np.int64)
        spells = tuple(rules.spells)
        for row, name in zip(found, self.space.gear.names, strict=True):
            if name in rules.weapons:
                weapon = rules.weapons[name]
                row[HIT], row[PIERCE] = DICE.index(weapon.hit), DICE.index(weapon.pierce)
                row[WEAPON_WOUNDS], row[TYPE] = weapon.wounds, DAMAGES.index(weapon.type)
            elif name in rules.armour:
                piece = rules.armour[name]
                row[AV], row[SR], row[BANE] = piece.av, piece.sr, piece.bane
            else:
                row[KNOWN] = 1 << spells.index(name)
        return found.astype(np.float64)

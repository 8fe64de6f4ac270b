"""Builds as the rows of numbers that engines take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.dungeoneers.builds.build import Build, hero_of
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


def hero_row(rules: DungeoneersRules, build: Build) -> NDArray[np.int64]:
    """One build."""
    hero = hero_of(rules, build)
    weapon = rules.weapons[hero.weapon]
    row = np.zeros(ROW, np.int64)
    row[: len(ATTRIBUTES)] = hero.attributes
    row[AV], row[SR], row[BANE] = hero.av, hero.sr, hero.bane
    row[HIT], row[PIERCE] = DICE.index(weapon.hit), DICE.index(weapon.pierce)
    row[WEAPON_WOUNDS], row[TYPE] = weapon.wounds, DAMAGES.index(weapon.type)
    spells = tuple(rules.spells)
    row[KNOWN] = sum(1 << spells.index(name) for name in hero.spells)
    return row

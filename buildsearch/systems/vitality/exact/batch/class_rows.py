"""Rows of damage by profile, level and class of enemy, each cut off at the class's HP, one after the other.

Best play reads them so: whatever is asked about an attack lies at a fixed distance from its first row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.tables import Profiles


class ClassDamages(NamedTuple):
    """Turns' damage. Rows 0 to classes - 1 are the basic attack's; a profile's follow, level by class."""

    chances: NDArray[np.float64]  # by damage; the last of a class is "all HP or more"
    at_least: NDArray[np.float64]  # their sums from the end
    touched: NDArray[np.float64]  # a hit without damage
    kill_at: NDArray[np.int64]  # damage that leaves so many HP or fewer defeats
    # Between these all damage lies but for a chance of `NEGLIGIBLE`.
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    # How far behind a row its echo stands, the same where the first damaging strike counts twice; 0: nowhere.
    echo: NDArray[np.int64]
    classes: int
    # `chances` from the last damage to the first, so that a sum over damage runs upwards in both arrays;
    # empty where nobody asked for it.
    backwards: NDArray[np.float64]


def class_damages(
    profiles: Profiles, class_hp: NDArray[np.int64]
) -> tuple[ClassDamages, NDArray[np.int64], NDArray[np.int64]]:
    """The rows of all levels, by profile its first row, and by row which of the profiles' rows it is."""
    damages, levels, classes = profiles.damages, profiles.levels, len(class_hp)
    ends = np.cumsum(levels)
    profile = np.repeat(np.arange(len(levels)), levels)
    level = np.arange(len(profile)) - (ends - levels)[profile]
    special = damages.rungs[profiles.starts[profile] + level[:, None]]
    rows = np.concatenate([damages.basic, special.ravel()])
    hp = np.tile(class_hp, len(rows) // classes)
    width = int(class_hp.max()) + 1
    chances, at_least = _cut(damages.chances, damages.at_least, rows, hp, width)
    found = ClassDamages(
        chances=chances,
        at_least=at_least,
        touched=damages.touched[rows],
        kill_at=np.concatenate([np.zeros(classes, np.int64), profiles.kill_at[profile].ravel()]),
        lowest=np.minimum(damages.lowest[rows], hp),
        highest=np.minimum(damages.highest[rows], hp - 1),
        echo=np.zeros(len(rows), np.int64),
        classes=classes,
        backwards=np.zeros((0, width)),
    )
    if len(damages.echoes) > 0:
        chances, at_least = _cut(damages.echoes, damages.echo_at_least, rows, hp, width)
        chances[:, 0] = found.chances[:, 0]
        highest = np.minimum(damages.echo_highest[rows], hp - 1)
        echoes = found._replace(chances=chances, at_least=at_least, highest=highest)
        found = joined([found._replace(echo=np.full(len(rows), len(rows))), echoes])
    return found, classes * (1 + ends - levels), rows


def joined(parts: list[ClassDamages]) -> ClassDamages:
    """The rows of all of them, one part after the other."""
    whole = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ClassDamages._fields
        if name != "classes"
    }
    return ClassDamages(**whole, classes=parts[0].classes)


def _cut(
    chances: NDArray[np.float64],
    at_least: NDArray[np.float64],
    rows: NDArray[np.int64],
    hp: NDArray[np.int64],
    width: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """These rows, all from so many HP on together."""
    damage = np.arange(width)
    found, sums = chances[rows, :width], at_least[rows, :width]
    found[damage > hp[:, None]] = 0.0
    sums[damage > hp[:, None]] = 0.0
    all_hp = damage == hp[:, None]
    found[all_hp] = sums[all_hp]
    return found, sums

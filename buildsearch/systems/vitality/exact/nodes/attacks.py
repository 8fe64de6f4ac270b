"""The rolls of an attack: by roll and class of the front a table of outcomes, and their chances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import Dice, ExactGround
from buildsearch.systems.vitality.exact.nodes.maps import Table
from buildsearch.systems.vitality.exact.nodes.outcomes import (
    Outcomes,
    apart_outcomes,
    placed,
    shifted_outcomes,
    single_outcomes,
)
from buildsearch.systems.vitality.kernel.outcomes import fill_outcomes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Roll:
    """One roll at fronts of each class."""

    tables: tuple[Table, ...]
    chances: tuple[Floats, ...]


def caps_of(ground: ExactGround) -> Ints:
    """By class of the front the most HP that it or anybody behind it has."""
    foes = ground.foes
    caps = np.zeros(int(foes["strike_class"].max()) + 1, np.int64)
    for place, foe in enumerate(foes):
        most = int(foes["max_hp"][place : int(foe["wave_end"])].max())
        caps[foe["strike_class"]] = max(caps[foe["strike_class"]], most)
    return caps


def is_alike(strikes: NDArray[np.void]) -> bool:
    """Whether records by class differ in HP alone, so that one roll does the same to everybody."""
    numbers = strikes.copy()
    numbers["max_hp"] = 0
    return bool((numbers == numbers[0]).all())


def strike_chances(strike: np.void, dice: Dice, cap: int) -> Floats:
    """The chances of a miss, a hit of each damage, a critical of each damage."""
    counted = strike.copy()
    counted["max_hp"] = cap
    found = np.zeros(2 * cap + 3)
    fill_outcomes(counted, np.array(dice[0]), np.array(dice[1]), 0, found)
    return found


def without_criticals(found: Floats) -> Floats:
    """The chances of a miss and of a hit of each damage, be it a critical or not."""
    most = len(found) // 2 - 1
    together = found[: most + 2].copy()
    together[1:] += found[most + 2 :]
    return together


def single_roll(
    strikes: NDArray[np.void], dice: Dice, kill_at: Ints, caps: Ints, *, bleeds: bool = False
) -> Roll:
    """A strike at the front alone. `strikes`: by class the strike record."""
    tables, chances = [], []
    for front, cap in enumerate(caps.tolist()):
        found = strike_chances(strikes[front], dice, cap)
        tables.append(Table(front, single_outcomes(cap, len(caps)), kill_at, bleeds))
        chances.append(without_criticals(found))
    return Roll(tuple(tables), tuple(chances))


def no_roll(kill_at: Ints) -> Roll:
    """A turn without a strike: nobody is hit, and bleeds that are due tick."""
    nobody, classes = np.zeros(1, np.int64), len(kill_at)
    outcomes = Outcomes(nobody, np.zeros((1, classes), np.int64), nobody, nobody)
    return Roll(tuple(Table(front, outcomes, kill_at) for front in range(classes)), (np.ones(1),) * classes)


def exploding_roll(
    strikes: NDArray[np.void], dice: Dice, kill_at: Ints, caps: Ints, *, bleeds: bool = False
) -> Roll:
    """A strike at the front whose criticals go at everybody."""
    tables, chances = [], []
    alike = is_alike(strikes)
    added = strikes["effect"] + strikes["critical_effect"] - strikes["resist"]
    shifts = tuple(int(each) for each in added - added.min())
    for front, cap in enumerate(caps.tolist()):
        # The list that most attacks share, so that they go side by side.
        outcomes = shifted_outcomes(cap, front, shifts)
        found: Floats | None
        if alike:
            found = strike_chances(strikes[front], dice, cap)
        else:
            own, own_chances = apart_outcomes(strikes, front, *dice, cap)
            found = placed(own, own_chances, outcomes)
            if found is None:
                outcomes, found = own, own_chances
        tables.append(Table(front, outcomes, kill_at, bleeds))
        chances.append(found)
    return Roll(tuple(tables), tuple(chances))


def rolls_of(ground: ExactGround, levels: int) -> list[Roll]:
    """The rolls of the basic attack and of a turn without one, then of each level its two."""
    classes, caps = int(ground.setup["classes"]), caps_of(ground)
    kill_at = kill_at_of(ground)
    basic = single_roll(ground.strikes[:classes], ground.dice[0], np.zeros_like(kill_at), caps)
    bleeds = bool(ground.setup["bleed_ticks"])
    rolls = [basic, no_roll(np.zeros_like(kill_at)) if bleeds else basic]
    for level in range(1, levels + 1):
        strikes = ground.strikes[level * classes : (level + 1) * classes]
        rolls.append(exploding_roll(strikes, ground.dice[1], kill_at, caps, bleeds=bleeds))
        rolls.append(single_roll(strikes, ground.dice[1], kill_at, caps, bleeds=bleeds))
    return rolls


def kill_at_of(ground: ExactGround) -> Ints:
    """By class the HP that the attack defeats at."""
    found = np.zeros(int(ground.setup["classes"]), np.int64)
    found[ground.foes["strike_class"]] = ground.foes["kill_at"]
    return found

"""Fields where the others are only ever hurt together: the front, and the common HP of the others of a class.

Explosive Critical gives everybody but its target the same die and the same dice, so enemies of a class who
are not the target always have the same HP. A field is (who is in front, its HP, by class the HP of those
behind it; 0: all of them are down). The numbers rise with HP: whatever is hurt, the field's number falls.
Field 0 is the end of the fight. A wave that is just coming is a field of its own, as nobody retaliates
before it.

With a bleed that is made by one strike a turn, only HP less what is pending matters: who would fall to D + b
falls this turn, be it to the strike or to the tick that ends it. So everybody has twice as many `values`:
first those of a pending bleed, from 0 HP (doomed) to all but one, then those without one, from 1 HP to all.
Where nobody can bleed a value is HP.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround

Ints = NDArray[np.int64]

MOST_FIELDS = 200_000


@dataclass(frozen=True, eq=False)
class Fields:
    """By field its front, the front's HP, the HP of the others by class, where doing nothing leads.

    By place (an enemy as the front): its class, the first number and the steps of its fields. By wave the
    fields in which it is just coming (the first: the fight's beginning) and has come.
    """

    place: Ints
    hp: Ints
    others: Ints
    rest: Ints
    class_of: Ints
    class_hp: Ints
    wave_end: Ints
    base: Ints
    hp_step: Ints
    other_step: Ints
    coming: Ints
    # By place the wave that it belongs to.
    wave: Ints
    bleeds: bool

    def __len__(self) -> int:
        return len(self.place)

    def whole(self, place: Ints, hp: Ints) -> Ints:
        """The fields of fronts with so many HP, and nobody behind them hurt."""
        others = self.other_step[place] @ self.class_hp
        return np.asarray(self.base[place] + (hp - 1) * self.hp_step[place] + others)

    def living(self, field: int) -> list[int]:
        """The places of those who live, in order."""
        front = int(self.place[field])
        behind = range(front + 1, int(self.wave_end[front]))
        return [front, *(i for i in behind if self.others[field, self.class_of[i]] > 0)]


def count_fields(ground: ExactGround) -> int:
    """How many fields there are."""
    return 1 + sum(size for _, size in _blocks(ground))


def _blocks(ground: ExactGround) -> list[tuple[list[int], int]]:
    """By place the classes behind it, and how many fields it takes; a wave's first has one more."""
    foes, blocks = ground.foes, []
    for place, foe in enumerate(foes):
        behind = sorted({int(other["strike_class"]) for other in foes[place + 1 : int(foe["wave_end"])]})
        size = _values(ground, int(foe["max_hp"]))
        for one in behind:
            size *= 1 + _hp_of(ground, one)
        begins = place == 0 or int(foes[place - 1]["wave_end"]) == place
        blocks.append((behind, size + begins))
    return blocks


def _values(ground: ExactGround, hp: int) -> int:
    """How many values somebody of so many HP has, who lives."""
    return 2 * hp if ground.setup["bleed_ticks"] else hp


def _hp_of(ground: ExactGround, strike_class: int) -> int:
    of_class = ground.foes["strike_class"] == strike_class
    return _values(ground, int(ground.foes["max_hp"][of_class][0]))


def fields_of(ground: ExactGround) -> Fields:
    """Every field of an encounter, the last front's first."""
    foes, classes = ground.foes, int(ground.foes["strike_class"].max()) + 1
    blocks = _blocks(ground)
    size = count_fields(ground)
    place, hp, others = (
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((size, classes), np.int64),
    )
    base, hp_step = np.zeros(len(foes), np.int64), np.zeros(len(foes), np.int64)
    other_step = np.zeros((len(foes), classes), np.int64)
    rest = np.arange(size)
    class_hp = np.array([_hp_of(ground, one) for one in range(classes)], np.int64)
    waves = np.unique(foes["wave_end"], return_inverse=True)[1].astype(np.int64)
    coming = np.zeros(int(waves.max()) + 1, np.int64)
    first = 1
    for number in range(len(foes) - 1, -1, -1):
        behind, count = blocks[number]
        begins = number == 0 or waves[number - 1] != waves[number]
        plain = count - begins
        sizes = [_values(ground, int(foes[number]["max_hp"])), *(1 + class_hp[one] for one in behind)]
        numbers = np.array(np.unravel_index(np.arange(plain), sizes))
        rows = slice(first, first + plain)
        place[first : first + count] = number
        hp[rows] = numbers[0] + 1
        steps = np.cumprod([1, *sizes[:0:-1]])[::-1]
        base[number], hp_step[number] = first, steps[0]
        for i, one in enumerate(behind):
            others[rows, one] = numbers[1 + i]
            other_step[number, one] = steps[1 + i]
        if begins:
            # As the field before it in all but retaliation.
            last = first + plain
            hp[last], others[last], rest[last] = hp[last - 1], others[last - 1], last - 1
            coming[waves[number]] = last
        first += count
    return Fields(
        place, hp, others, rest, foes["strike_class"].astype(np.int64), class_hp,
        foes["wave_end"].astype(np.int64), base, hp_step, other_step, coming, waves,
        bool(ground.setup["bleed_ticks"]),
    )  # fmt: skip

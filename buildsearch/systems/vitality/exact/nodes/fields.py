"""Fields: who is in front, its HP, and by class the common HP of the others, who are only hurt together.

Explosive Critical gives everybody but its target the same die and the same dice, so enemies of a class who
are not the target always have the same HP (0: all of them are down). An attack at one enemy at a time hurts
nobody else, so those behind the front are whole. The numbers rise with HP: whatever is hurt, the field's
number falls. Field 0 is the end of the fight. A wave that is just coming is a field of its own, as nobody
retaliates before it.

With a bleed of one tick that is not renewed while it is pending, only HP less what is pending matters, if
one attack a turn makes it and nothing defeats above 0 HP: with D the turn's damage and b that of the first
strike that did any, who has D HP or fewer is down at once, who has D + b or fewer is doomed, and else the
bleed is pending at HP less D + b; the next turn's damage comes off that, and then nothing is pending. So
everybody has twice as many `values`: 1 (doomed), then for each HP 2 HP (nothing is pending) and 2 HP + 1
(pending, less what is pending): also when a bleed is over values fall. Where nobody can bleed a value is HP.

`Kinds`: what a roll did, as far as the rest of the turn and the next turn's choice ask for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
        """The fields of fronts with so many HP and nothing pending, and nobody behind them hurt."""
        others = self.other_step[place] @ self.class_hp
        values = 2 * hp if self.bleeds else hp
        return np.asarray(self.base[place] + (values - 1) * self.hp_step[place] + others)

    def living(self, field: int) -> list[int]:
        """The places of those who live, in order."""
        front = int(self.place[field])
        behind = range(front + 1, int(self.wave_end[front]))
        return [front, *(i for i in behind if self.others[field, self.class_of[i]] > 0)]


def count_fields(ground: ExactGround) -> int:
    bleeds = bool(ground.setup["bleed_ticks"])
    return 1 + sum(size for _, size in _blocks(ground, alone=False, bleeds=bleeds))


def _blocks(ground: ExactGround, *, alone: bool, bleeds: bool) -> list[tuple[list[int], int]]:
    """By place the classes behind it that may be hurt, and its fields; a wave's first has one more."""
    foes, blocks = ground.foes, []
    for place, foe in enumerate(foes):
        behind = sorted({int(other["strike_class"]) for other in foes[place + 1 : int(foe["wave_end"])]})
        size = _values(int(foe["max_hp"]), bleeds)
        behind = [] if alone else behind
        for one in behind:
            size *= 1 + _hp_of(ground, one, bleeds)
        begins = place == 0 or int(foes[place - 1]["wave_end"]) == place
        blocks.append((behind, size + begins))
    return blocks


def _values(hp: int, bleeds: bool) -> int:
    """How many values somebody of so many HP has, who lives."""
    return 2 * hp if bleeds else hp


def _hp_of(ground: ExactGround, strike_class: int, bleeds: bool) -> int:
    of_class = ground.foes["strike_class"] == strike_class
    return _values(int(ground.foes["max_hp"][of_class][0]), bleeds)


def fields_of(ground: ExactGround, *, bleeds: bool, alone: bool = False) -> Fields:
    """Every field of an encounter, the last front's first; `alone`: only the front is ever hurt."""
    foes, classes = ground.foes, int(ground.foes["strike_class"].max()) + 1
    blocks = _blocks(ground, alone=alone, bleeds=bleeds)
    size = 1 + sum(count for _, count in blocks)
    place, hp, others = (
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros((size, classes), np.int64),
    )
    base, hp_step = np.zeros(len(foes), np.int64), np.zeros(len(foes), np.int64)
    other_step = np.zeros((len(foes), classes), np.int64)
    rest = np.arange(size)
    class_hp = np.array([_hp_of(ground, one, bleeds) for one in range(classes)], np.int64)
    waves = np.unique(foes["wave_end"], return_inverse=True)[1].astype(np.int64)
    coming = np.zeros(int(waves.max()) + 1, np.int64)
    first = 1
    for number in range(len(foes) - 1, -1, -1):
        behind, count = blocks[number]
        begins = number == 0 or waves[number - 1] != waves[number]
        plain = count - begins
        sizes = [_values(int(foes[number]["max_hp"]), bleeds), *(1 + class_hp[one] for one in behind)]
        numbers = np.array(np.unravel_index(np.arange(plain), sizes))
        rows = slice(first, first + plain)
        place[first : first + count] = number
        hp[rows] = numbers[0] + 1
        steps = np.cumprod([1, *sizes[:0:-1]])[::-1]
        base[number], hp_step[number] = first, steps[0]
        whole = foes["strike_class"][number + 1 : int(foes[number]["wave_end"])]
        others[first : first + count, whole] = class_hp[whole]
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
        bleeds,
    )  # fmt: skip


# While the front lives: it was missed; hit without damage to anybody; hit unharmed, others hurt; the same,
# and some of the others fell; the front was hurt; the front was hurt and others fell; a bleed hurt it, which
# was not hit.
MISSED, TOUCHED, OTHERS, OTHERS_FELL, HARMED, HARMED_FELL, TICKED = range(7)
ALIVE = 7

# How far a turn has got while the front lives: nothing, a hit, a tick, damage, a defeat.
LEVEL = (0, 1, 3, 4, 3, 4, 2)


@dataclass(frozen=True)
class Kinds:
    """Numbers of kinds. Where Combo Move asks who was hit, `classes` is how many classes are told apart.

    While the front lives a kind is (what happened, which classes of others were hit). Then come: the front
    fell and the new one is of this class, and this roll hit it or not; the wave is over, the next one comes.
    Where Splinter goes on from there, all these come again by how many fell, up to `fallen`, and which
    classes were hit stays told apart when the front fell; those who fell behind it are `counted` or not. The
    last kind leads nowhere: of outcomes that are there for other fields.
    """

    classes: int
    fallen: int = 0
    counted: bool = True

    @cached_property
    def patterns(self) -> int:
        return 1 << self.classes

    @cached_property
    def down(self) -> int:
        """The first kind after the front fell."""
        return ALIVE * self.patterns

    @cached_property
    def fronts(self) -> int:
        """How many kinds there are after the front fell for each class of the new one."""
        return self.patterns if self.fallen else 2

    @cached_property
    def cleared(self) -> int:
        """The kind after the last of a wave, or of all, fell."""
        return self.down + self.fronts * max(self.classes, 1)

    @cached_property
    def block(self) -> int:
        """How many kinds there are for each number of the fallen."""
        return self.cleared + 1

    @cached_property
    def nowhere(self) -> int:
        """The kind that leads nowhere."""
        return self.block * (1 + self.fallen)

    @cached_property
    def size(self) -> int:
        return self.nowhere + 1

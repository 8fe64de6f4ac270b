"""A creature in a fight, and what wounds and stress do to it. Text, Wounds and Stress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Build, hero_of
from buildsearch.systems.dungeoneers.rules.compact import NamedFoe
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules, Stress


@dataclass(slots=True, eq=False)
class Creature:
    """Hero or foe."""

    name: str
    is_hero: bool
    attributes: Mapping[str, int]
    maximum: int
    av: int
    sr: int
    bane: int
    hit: int
    pierce: int
    dodge: int
    wounds_dealt: int
    damage: str
    bonus: int
    weak: Mapping[str, int]
    resistant: Mapping[str, int]
    ap: int
    spells: tuple[str, ...]
    may_buy: bool
    magica: int
    rule: Stress
    wounds: int = 0
    stress: int = 0
    is_dead: bool = False
    is_defending: bool = False
    armor: int = 0

    def copy(self) -> Creature:
        """As it is now: to see what an effect would do."""
        return replace(self)

    @property
    def capacity(self) -> int:
        """Stress that it can handle."""
        return self.attributes["endurance"]

    @property
    def is_over(self) -> bool:
        """Strictly above the capacity."""
        return self.stress > self.capacity

    @property
    def room(self) -> int:
        """Stress that can still absorb wounds."""
        return max(0, self.capacity - self.stress)

    @property
    def life(self) -> int:
        """What is left of it."""
        return 0 if self.is_dead else 1 + (self.maximum - self.wounds) + self.room

    def can_cast(self) -> bool:
        """A creature with spell - bane < 1 cannot cast at all."""
        return bool(self.spells) and self.attributes["spell"] - self.bane >= 1

    def sustain(self, number: int) -> None:
        """Wounds at once: dead with more than the maximum, or with any when already there."""
        if number < 1:
            return
        if number > self.maximum or self.wounds == self.maximum:
            self.is_dead = True
        else:
            self.wounds = min(self.maximum, self.wounds + number)

    def suffer(self, number: int, damage: str, bonus: int = 0) -> int:
        """An effect of wounds of a type; gives how many it was in the end."""
        if self.is_over:
            number *= self.rule.wounds_factor
        number = max(0, number + bonus + self.weak.get(damage, 0) - self.resistant.get(damage, 0))
        absorbed = min(number, self.room)
        self.stress += absorbed
        self.sustain(number - absorbed)
        return number

    def gain(self, number: int) -> None:
        """Stress bought or put on it."""
        if number < 1:
            return
        self.stress += self.gained(number)
        if self.stress > self.rule.breaking * self.capacity:
            self.sustain(self.rule.breaking_wounds * self.rule.wounds_factor)

    def gained(self, number: int) -> int:
        """How much stress so much is."""
        return number * self.rule.gain_factor if self.is_over else number

    def __str__(self) -> str:
        if self.is_dead:
            return f"{self.name} dead"
        more = "".join(
            [
                f", {self.magica} magica" if self.can_cast() else "",
                ", armored" if self.armor else "",
                ", defending" if self.is_defending else "",
            ]
        )
        stress = f"{self.stress}/{self.capacity} stress{' over' if self.is_over else ''}"
        return f"{self.name} {self.wounds}/{self.maximum} wounds, {stress}{more}"


def make_hero(rules: DungeoneersRules, build: Build, bout: Bout) -> Creature:
    """The build."""
    hero = hero_of(rules, build)
    weapon = rules.weapons[hero.weapon]
    attributes: dict[str, int] = dict(zip(ATTRIBUTES, hero.attributes, strict=True))
    return Creature(
        name="hero",
        is_hero=True,
        attributes=attributes,
        maximum=rules.sizes[rules.hero.size],
        av=hero.av,
        sr=hero.sr,
        bane=hero.bane if bout.rulings.spellbane == "on" else 0,
        hit=_sides(weapon.hit),
        pierce=_sides(weapon.pierce),
        dodge=_sides(rules.hero.dodge),
        wounds_dealt=weapon.wounds,
        damage=weapon.type,
        bonus=0,
        weak={},
        resistant={},
        ap=rules.hero.ap,
        spells=hero.spells,
        may_buy=True,
        magica=attributes["mind"],
        rule=rules.stress,
    )


def make_foe(rules: DungeoneersRules, named: NamedFoe, number: int) -> Creature:
    """A foe, told apart by its number."""
    foe = named.foe
    return Creature(
        name=f"{named.name} #{number}",
        is_hero=False,
        attributes={name: getattr(foe, name) for name in ATTRIBUTES},
        maximum=rules.sizes[foe.size],
        av=foe.av,
        sr=foe.sr,
        bane=0,
        hit=_sides(foe.hit),
        pierce=_sides(foe.pierce),
        dodge=_sides(foe.dodge),
        wounds_dealt=foe.wounds,
        damage=foe.type,
        bonus=foe.bonus,
        weak=dict[str, int](foe.weak.items()),
        resistant=dict[str, int](foe.resistant.items()),
        ap=foe.ap,
        # Whoever wrote them: spells are weighed in the order of the table.
        spells=tuple(name for name in rules.spells if name in foe.spells),
        may_buy=foe.buys == 1,
        magica=foe.mind,
        rule=rules.stress,
    )


def _sides(die: str) -> int:
    return int(die[1:])

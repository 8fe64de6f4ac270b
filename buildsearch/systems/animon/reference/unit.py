"""Somebody in a fight: numbers of the form now, and the conditions. Text, Conditions."""

from __future__ import annotations

from dataclasses import dataclass, field

from buildsearch.systems.animon.bouts.bout import Combatant
from buildsearch.systems.animon.builds.build import Form
from buildsearch.systems.animon.rules.model import Effect


@dataclass(slots=True, eq=False)
class Unit:
    """A combatant as it is now."""

    who: Combatant
    number: int
    stage: int
    hp: int
    bond: int
    spent: int = 0
    used_efficient: set[int] = field(default_factory=set)  # places of its attacks
    has_evolved: bool = False
    has_devolved: bool = False
    has_acted: bool = False
    has_poisoned: bool = False
    is_defending: bool = False
    is_weakened: bool = False
    is_boosted: bool = False
    is_stunned: bool = False
    is_incapacitated: bool = False
    poison: int | None = None
    vulnerable_by: Unit | None = None
    is_vulnerable_from_before: bool = False  # caused in an earlier slot of its causer
    disoriented_by: Unit | None = None
    marks: set[Effect] = field(default_factory=set)  # what was caused in this encounter

    @property
    def form(self) -> Form:
        """The numbers of the stage now."""
        return self.who.forms[self.stage]

    @property
    def is_down(self) -> bool:
        """At 0 HP."""
        return self.hp <= 0

    @property
    def uses_left(self) -> int:
        """Uses of signature attacks."""
        return max(0, self.form.uses - self.spent)

    @property
    def missing(self) -> int:
        """HP up to the maximum."""
        return max(0, self.form.hp - self.hp)

    def end_conditions(self) -> None:
        """All but poison, which stays as long as the encounter does."""
        self.is_defending = self.is_weakened = self.is_boosted = False
        self.is_stunned = self.is_incapacitated = False
        self.vulnerable_by = self.disoriented_by = None

    def fall(self) -> None:
        """Down: nothing of it matters but its stage, and the bond points."""
        self.hp = 0
        self.end_conditions()
        self.poison = None

    def __str__(self) -> str:
        if self.is_down:
            return f"{self.who.name} down"
        words = [
            "defending" if self.is_defending else "",
            "vulnerable" if self.vulnerable_by else "",
            "disoriented" if self.disoriented_by else "",
            "weakened" if self.is_weakened else "",
            "boosted" if self.is_boosted else "",
            "stunned" if self.is_stunned else "",
            "incapacitated" if self.is_incapacitated else "",
            f"poisoned {self.poison}" if self.poison is not None else "",
            f"{self.uses_left} uses" if self.who.attacks else "",
            f"{self.bond} bond points" if self.bond else "",
        ]
        return ", ".join([f"{self.who.name} {self.hp}/{self.form.hp} HP", *(word for word in words if word)])


def stand_up(who: Combatant, number: int) -> Unit:
    """As it enters the fight."""
    return Unit(who, number, who.start, who.forms[who.start].hp, who.bond)

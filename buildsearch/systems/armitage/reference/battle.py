"""The state of a fight: everybody's HP, piles and statuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.armitage.bouts import Fighter
from buildsearch.systems.armitage.reference.events import Standing
from buildsearch.systems.armitage.rules.model import ArmitageRules, Card

Emit = Callable[[Event], None]


@dataclass(slots=True, eq=False)
class Body:
    """A combatant in the fight."""

    index: int
    fighter: Fighter
    hp: int
    draw_pile: list[str]
    hand: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    hit_counter: int = 0
    # Statuses by the card that placed them: how many ends of the bearer's own turns they will see.
    statuses: dict[str, int] = field(default_factory=dict)

    @property
    def side(self) -> int:
        """Which party."""
        return self.fighter.side

    @property
    def alive(self) -> bool:
        """Text, Failure & Victory Conditions: defeated when HTH <= 0."""
        return self.hp > 0

    @property
    def standing(self) -> Standing:
        """As events show it."""
        return self.index, self.fighter.name, self.hp, self.fighter.stats.hth


@dataclass(slots=True)
class Battle:
    """A fight under way."""

    rules: ArmitageRules
    bodies: list[Body]
    dice: Dice
    emit: Emit | None
    turn: int = 0
    round: int = 0

    def stat(self, body: Body, name: str) -> int:
        """A stat with the statuses that change it; none falls below 0."""
        value: int = getattr(body.fighter.stats, name)
        for card in body.statuses:
            status = self.rules.cards[card].status
            if status is not None and status.stat == name:
                value += status.amount
        return max(0, value)

    def card(self, name: str) -> Card:
        """A card by name."""
        return self.rules.cards[name]

    def opponents(self, body: Body) -> list[Body]:
        """Who can be hit."""
        return [other for other in self.bodies if other.alive and other.side != body.side]

    def over(self) -> bool:
        """Text, Failure & Victory Conditions: ends when only one side is left."""
        return len({body.side for body in self.bodies if body.alive}) < 2

"""The state of a fight: what changes from turn to turn, and who stands there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.reference.events import ActionKind, Standing
from buildsearch.systems.vitality.reference.setting import Combatant, Setting

Emit = Callable[[Event], None]
NEVER = -1


@dataclass(slots=True)
class Bleeding:
    """Damage that an enemy will take again."""

    damage: int
    ticks_left: int
    next_tick: int
    enhancement: str


@dataclass(slots=True, eq=False)
class Enemy:
    """An enemy in the fight. One on whom a condition landed is out of it with HP left."""

    index: int
    combatant: Combatant
    hp: int
    living: bool = True
    last_hit: int = NEVER
    bleeding: Bleeding | None = None
    exposed: int = 0  # so much more damage from the next strike that hits it

    @property
    def standing(self) -> Standing:
        """The enemy as events show it."""
        return self.index, self.combatant.foe.name, self.hp, self.combatant.foe.max_hp


@dataclass(slots=True)
class Memory:
    """What one attack of the loadout remembers. Spec: also of two equal ones, each its own."""

    attempts: int = 0
    last_attempt: int | None = None
    charge: int = 0
    channel: int = 0


@dataclass(slots=True)
class OwnTurn:
    """What the attacker did on a turn, whichever attack it was."""

    made_attack: bool = False
    dealt_damage: bool = False
    defeated_enemy: bool = False


@dataclass(slots=True)
class Reprisal:
    """What the enemies' attacks since last turn did."""

    was_attacked: bool = False
    was_hit: bool = False
    was_damaged: bool = False


class Choice(NamedTuple):
    """What to do, with which attack of the loadout, and why.

    A basic attack names the attack whose type it has; None is the first one's.
    """

    kind: ActionKind
    attack: int | None
    reason: str


@dataclass(slots=True)
class Battle:
    """A fight under way."""

    setting: Setting
    dice: Dice
    emit: Emit | None
    attacker_hp: int
    memories: tuple[Memory, ...]
    turn: int = 0
    waves_seen: int = 0
    # The living enemies of the wave that stands there, in order; replaced, never changed in place.
    living: list[Enemy] = field(default_factory=list)
    previous: OwnTurn = field(default_factory=OwnTurn)
    current: OwnTurn = field(default_factory=OwnTurn)
    reprisal: Reprisal = field(default_factory=Reprisal)
    # Who chooses each turn's action; None: greedy play.
    policy: Callable[[Battle], Choice] | None = None

    def chosen_target(self) -> Enemy:
        """Whom a single-target attack goes at."""
        # Ruling target; min and max keep the first of equals.
        match self.setting.rules.rulings.target:
            case "first":
                return self.living[0]
            case "lowest_hp":
                return min(self.living, key=lambda enemy: enemy.hp)
            case "highest_hp":
                return max(self.living, key=lambda enemy: enemy.hp)

    def defeat(self, enemy: Enemy) -> None:
        """Out of the fight: not targeted, not retaliating, not bleeding."""
        enemy.living = False
        self.living = [other for other in self.living if other is not enemy]
        enemy.bleeding = None
        self.current.defeated_enemy = True

    def next_wave(self) -> None:
        """The next wave stands there. Spec: nothing reaches it before."""
        first = sum(len(wave) for wave in self.setting.waves[: self.waves_seen])
        wave = self.setting.waves[self.waves_seen]
        self.living = [Enemy(first + i, each, each.foe.max_hp) for i, each in enumerate(wave)]
        self.waves_seen += 1

    @property
    def waves_left(self) -> bool:
        """Whether another wave will come."""
        return self.waves_seen < len(self.setting.waves)

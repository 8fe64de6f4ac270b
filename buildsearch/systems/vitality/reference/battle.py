"""The state of a fight: who stands there, what changes, and what is worked out once for many fights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.reference.events import ActionKind, Standing
from buildsearch.systems.vitality.reference.profile import Profile, make_profile
from buildsearch.systems.vitality.reference.strike import StrikeMemory
from buildsearch.systems.vitality.rules.model import VitalityRules


@dataclass(frozen=True, slots=True)
class Combatant:
    """An enemy and its retaliation."""

    foe: Foe
    retaliation: Profile
    known: StrikeMemory


@dataclass(frozen=True, slots=True)
class Setting:
    """The rules, the loadout in the attacker's hands, and the enemies in theirs."""

    rules: VitalityRules
    attacker: Attacker
    attacker_as_foe: Foe
    encounter: Encounter
    profiles: tuple[Profile, ...]
    known: tuple[StrikeMemory, ...]
    # By attack: the basic attack of its type and effect.
    basics: tuple[tuple[Profile, StrikeMemory], ...]
    waves: tuple[tuple[Combatant, ...], ...]


class _Same:
    """A cache key of objects by identity: some of them hold dictionaries and cannot be hashed."""

    __slots__ = ("parts",)

    def __init__(self, *parts: object) -> None:
        self.parts = parts

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.parts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and all(a is b for a, b in zip(self.parts, other.parts, strict=True))


def make_setting(rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> Setting:
    """The setting of a fight; that of a fight between the same objects is remembered."""
    return _remembered(_Same(rules, build, attacker, encounter))


@lru_cache(maxsize=64)
def _remembered(key: _Same) -> Setting:
    return _work_out(*key.parts)  # type: ignore[arg-type]  # what make_setting put in


def _work_out(rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> Setting:
    def in_attackers_hands(attack: Attack) -> Profile:
        # Spec, Who fights: `adjacent` concerns the attacker's attacks, not the enemies'.
        return make_profile(rules, attack, attacker.tier, attacker.stats, adjacent=encounter.adjacent)

    def combatant(foe: Foe) -> Combatant:
        # Spec, Who fights: enemies have the attacker's tier.
        profile = make_profile(rules, Attack(rules.retaliation.type), attacker.tier, foe.stats)
        return Combatant(foe, profile, StrikeMemory(profile))

    profiles = tuple(in_attackers_hands(attack) for attack in build.attacks)
    # Spec, Greedy play: "a basic attack of the same type, with no upgrades or limits", for a loadout of the
    # first attack's type. It keeps the effect: with condition builds Relentless never holds.
    plain = [in_attackers_hands(replace(attack, enhancements=())) for attack in build.attacks]

    return Setting(
        rules=rules,
        attacker=attacker,
        attacker_as_foe=Foe("attacker", attacker.hp, attacker.stats),
        encounter=encounter,
        profiles=profiles,
        known=tuple(map(StrikeMemory, profiles)),
        basics=tuple((profile, StrikeMemory(profile)) for profile in plain),
        waves=tuple(tuple(map(combatant, wave)) for wave in encounter.waves),
    )


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
        return self.waves_seen < len(self.setting.waves)

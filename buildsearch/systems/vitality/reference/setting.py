"""What does not change during a fight, worked out once for many fights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.reference.profile import Profile, make_profile
from buildsearch.systems.vitality.reference.remembered import StrikeMemory
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

"""A fight that is ready to be fought: scenario and rules brought together, names resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.systems.vitality.rules.model import StatChanges, Stats, VitalityRules
from buildsearch.systems.vitality.rules.scenarios import Enemy, Scenario, VitalityScenarios, fight_name


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy as it enters the fight."""

    name: str
    max_hp: int
    stats: Stats


@dataclass(frozen=True, slots=True)
class Attacker:
    """Who makes the attack. Enemies share the attacker's tier."""

    tier: int
    stats: Stats
    hp: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """Waves of foes in order, and what the scenario says about the ground."""

    name: str
    waves: tuple[tuple[Foe, ...], ...]
    max_turns: int
    area_targets: Mapping[str, int]
    cluster: int | None = None
    adjacent: bool = False
    weight: float = 1.0

    @property
    def total_hp(self) -> int:
        return sum(foe.max_hp for wave in self.waves for foe in wave)


def make_attacker(rules: VitalityRules, tier: int, changes: StatChanges | None = None) -> Attacker:
    """The attacker of the rules, with other stats where told."""
    stats = (changes or StatChanges()).applied_to(rules.character.stats)
    return Attacker(tier=tier, stats=stats, hp=rules.character.hp)


def make_foe(rules: VitalityRules, name: str, enemy: Enemy, *changes: StatChanges) -> Foe:
    """A foe with the usual stats, then the enemy's own, then each change."""
    own = StatChanges(**enemy.model_dump(exclude={"hp"}))
    stats = rules.character.stats
    for change in (own, *changes):
        stats = change.applied_to(stats)
    return Foe(name=name, max_hp=enemy.hp, stats=stats)


def make_encounters(
    rules: VitalityRules, scenarios: VitalityScenarios, enemy_changes: StatChanges | None = None
) -> dict[str, Encounter]:
    """Every fight of a scenario set by name; profiles multiply them."""
    profiles = scenarios.profiles or {"": StatChanges()}
    return {
        fight_name(name, profile): _encounter(
            rules, scenarios, fight_name(name, profile), scenario, profile_changes, enemy_changes
        )
        for name, scenario in scenarios.scenarios.items()
        for profile, profile_changes in profiles.items()
    }


def _encounter(
    rules: VitalityRules,
    scenarios: VitalityScenarios,
    name: str,
    scenario: Scenario,
    profile: StatChanges,
    enemy_changes: StatChanges | None,
) -> Encounter:
    changes = (profile, enemy_changes or StatChanges())
    return Encounter(
        name=name,
        waves=tuple(
            tuple(make_foe(rules, enemy, scenarios.enemies[enemy], *changes) for enemy in wave)
            for wave in scenario.all_waves
        ),
        max_turns=scenario.max_turns or rules.max_turns,
        area_targets=scenario.area_targets,
        cluster=scenario.cluster,
        adjacent=scenario.adjacent,
        weight=scenario.weight,
    )

"""What an effect does to the enemy that it is rolled against."""

from __future__ import annotations

from dataclasses import replace

from buildsearch.systems.vitality.reference.battle import Battle, Bleeding, Enemy
from buildsearch.systems.vitality.reference.events import Healed
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.strike import EffectResult


def apply_effect(battle: Battle, profile: Profile, enemy: Enemy, effect: EffectResult) -> str | None:
    """Apply damage or condition; the answer is what defeated the enemy, if it was defeated."""
    if not effect.landed:
        return None
    if profile.attack.effect == "condition":
        # Spec, Condition builds: out of the fight, counted as defeated; HP does not matter.
        battle.defeat(enemy)
        return "condition"
    battle.current.dealt_damage = True
    enemy.hp -= effect.damage
    defeated_by = _death(profile, enemy)
    if defeated_by is not None:
        enemy.hp = 0
        battle.defeat(enemy)
    elif profile.single.bleed:
        _bleed(battle, profile, enemy, effect.damage)
    return defeated_by


def expose(profile: Profile, enemy: Enemy, effect: EffectResult) -> EffectResult:
    """Word `vulnerable`: an enemy that was hit takes so much more damage from the next strike that hits it.

    Whoever strikes next, with a basic attack too; only an attack that has the word exposes it anew.
    """
    exposed, enemy.exposed = enemy.exposed, profile.single.vulnerable or 0
    return (
        replace(effect, damage=effect.damage + exposed, landed=True, exposed=exposed) if exposed else effect
    )


def leech(battle: Battle, profile: Profile, effect: EffectResult) -> None:
    """Text v1, Leech: "Recover HP equal to half damage dealt".

    Spec v1: of the full number, whatever the enemy had left, rounded down; up to max HP, and below 0 too.
    """
    rule = profile.single.leech
    assert rule is not None  # noqa: S101 - the caller looked
    healed = min(effect.damage // rule.per, battle.setting.attacker.hp - battle.attacker_hp)
    if healed > 0:
        battle.attacker_hp += healed
        if battle.emit is not None:
            battle.emit(Healed(healed, battle.attacker_hp, (profile.owners["leech"],)))


def _death(profile: Profile, enemy: Enemy) -> str | None:
    """Spec, An attack: damage, then Finishing Blow, then Culling Strike."""
    if enemy.hp <= 0:
        return "damage"
    # Text, Finishing Blow: "reduces enemy to 10 HP or below".
    if profile.finishing is not None and enemy.hp <= profile.finishing[0]:
        return profile.finishing[1]
    # Text, Culling Strike: "below 1/5 maximum HP", strictly unless the rules say inclusive.
    if (culling := profile.single.culling_strike) is not None:
        parts, whole = enemy.hp * culling.one_in, enemy.combatant.foe.max_hp
        if parts < whole or (culling.inclusive and parts == whole):
            return profile.owners["culling_strike"]
    return None


def _bleed(battle: Battle, profile: Profile, enemy: Enemy, damage: int) -> None:
    """Text, Bleed: "identical damage again at end of your next turn", one instance at a time."""
    rulings = profile.rules.rulings
    # Ruling bleed_overlap, ignore: no new bleed while one is pending; replace: the new one, whole.
    if enemy.bleeding is None or rulings.bleed_overlap == "replace":
        enemy.bleeding = Bleeding(damage, rulings.bleed_ticks, battle.turn + 1, profile.owners["bleed"])

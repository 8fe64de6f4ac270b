"""The enemies attack back. Text, Combat Resolution 5; spec, A turn 4."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.battle import Battle, Enemy, Reprisal
from buildsearch.systems.vitality.reference.events import Retaliation
from buildsearch.systems.vitality.reference.volley import roll_accuracy, roll_damage


def retaliate(battle: Battle) -> bool:
    """Each of the first few living enemies attacks; the answer is whether the attacker still stands."""
    battle.reprisal = Reprisal()
    rulings = battle.setting.rules.rulings
    for enemy in battle.living[: rulings.retaliation_cap]:
        _attack_back(battle, enemy)
        # Ruling attacker_defeat, loss: the fight ends at once; ignore: it goes on below 0 HP.
        if battle.attacker_hp <= 0 and rulings.attacker_defeat == "loss":
            break
    return battle.attacker_hp > 0


def _attack_back(battle: Battle, enemy: Enemy) -> None:
    """A plain attack: the enemy's stats against the attacker's, with the dice and criticals of the rules."""
    profile, known = enemy.combatant.retaliation, enemy.combatant.known
    attacker = battle.setting.attacker_as_foe
    accuracy = known.accuracy(attacker, max(roll_accuracy(battle.dice, profile), default=0), 0)
    battle.reprisal.was_attacked = True
    dice: tuple[int, ...] = ()
    damage = 0
    if accuracy.hit:
        battle.reprisal.was_hit = True
        dice = roll_damage(battle.dice, profile)
        damage = known.damage(attacker, sum(dice), accuracy, 0).damage
    if damage > 0:
        battle.reprisal.was_damaged = True
        battle.attacker_hp -= damage
    if battle.emit is not None:
        event = Retaliation(
            enemy=enemy.index,
            enemy_name=enemy.combatant.foe.name,
            natural=accuracy.natural,
            total=accuracy.total,
            avoidance=profile.avoidance(attacker),
            hit=accuracy.hit,
            critical=accuracy.critical,
            dice=dice,
            damage=damage,
            attacker_hp_after=battle.attacker_hp,
        )
        battle.emit(event)

"""Bleeds that are due deal their damage again."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.battle import Battle, Enemy
from buildsearch.systems.vitality.reference.events import BleedTick


def tick_bleeds(battle: Battle) -> None:
    """Every bleed that is due this turn, in the enemies' order."""
    for enemy in battle.living:
        if enemy.bleeding is not None and enemy.bleeding.next_tick == battle.turn:
            _tick(battle, enemy)


def _tick(battle: Battle, enemy: Enemy) -> None:
    bleeding = enemy.bleeding
    assert bleeding is not None  # noqa: S101 - the caller looked
    # Spec, Action limits: ticks count as damage dealt and as defeats, not as hits; they trigger nothing,
    # so neither Finishing Blow nor Culling Strike nor Splinter follows.
    battle.current.dealt_damage = True
    enemy.hp = max(0, enemy.hp - bleeding.damage)
    bleeding.ticks_left -= 1
    bleeding.next_tick += 1
    if bleeding.ticks_left == 0:
        enemy.bleeding = None
    if enemy.hp == 0:
        battle.defeat(enemy)
    if battle.emit is not None:
        foe, fired = enemy.combatant.foe, (bleeding.enhancement,)
        battle.emit(
            BleedTick(enemy.index, foe.name, foe.max_hp, bleeding.damage, enemy.hp, not enemy.living, fired)
        )

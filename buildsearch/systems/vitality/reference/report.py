"""A strike as an event."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.events import Cause, Strike
from buildsearch.systems.vitality.reference.fired import fired_in_strike
from buildsearch.systems.vitality.reference.swing import Outcome, Swing


def report_strike(swing: Swing, outcome: Outcome, cause: Cause) -> Strike:
    """Everything that a reader of the trace may want to check."""
    profile, enemy, accuracy, effect = swing.profile, outcome.enemy, outcome.accuracy, outcome.effect
    foe = enemy.combatant.foe
    damages = profile.attack.effect == "damage"
    return Strike(
        attack=swing.attack,
        label=profile.label,
        cause=cause,
        target=enemy.index,
        target_name=foe.name,
        target_max_hp=foe.max_hp,
        channel_turns=swing.channel_turns,
        auto_hit=profile.type.auto_hit,
        natural_dice=outcome.naturals,
        natural=accuracy.natural,
        accuracy_modifiers=accuracy.modifiers,
        accuracy_total=accuracy.total,
        avoidance=profile.avoidance(foe),
        hit=accuracy.hit,
        critical=accuracy.critical,
        effect=profile.attack.effect,
        effect_dice=outcome.dice,
        flat=profile.flat_damage if damages and effect is not None else None,
        effect_modifiers=effect.modifiers if effect is not None else (),
        effect_total=effect.total if effect is not None else None,
        effect_defence=effect.defence if effect is not None else None,
        brutal=effect.brutal if effect is not None else 0,
        exposed=effect.exposed if effect is not None else 0,
        damage=effect.damage if effect is not None else 0,
        landed=outcome.landed,
        hp_before=outcome.hp_before,
        hp_after=enemy.hp,
        defeated=outcome.defeated_by is not None,
        defeated_by=outcome.defeated_by,
        fired=fired_in_strike(swing, outcome, cause),
    )

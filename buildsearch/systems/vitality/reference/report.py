"""A strike as an event, with the enhancements that changed a roll, damage or a death in it.

Always-on modifiers and mechanics are not among them: they have no trigger (see `triggers.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.systems.vitality.reference.events import Cause, Strike
from buildsearch.systems.vitality.reference.swing import Outcome, Swing


def fired_in_strike(swing: Swing, outcome: Outcome, cause: Cause) -> tuple[str, ...]:
    """The ids, in the build's order."""
    profile = swing.profile
    fired = {limit.enhancement for limit in profile.limits}  # the attack was really made
    if cause != "base":
        fired.add(profile.owners[cause])
    fired.update(_in_accuracy(swing, outcome))
    fired.update(_in_effect(swing, outcome))
    if outcome.defeated_by is not None:
        fired.add(outcome.defeated_by)
    return tuple(name for name in profile.attack.enhancements if name in fired)


def _in_accuracy(swing: Swing, outcome: Outcome) -> Iterator[str]:
    profile, accuracy = swing.profile, outcome.accuracy
    if profile.type.auto_hit:
        return
    yield from profile.accuracy.at(outcome.enemy.combatant.foe.max_hp, swing.channel_turns).occasional
    if accuracy.critical and accuracy.natural < profile.rules.critical.range:
        for name, enhancement in profile.enhancements:
            lowest = enhancement.mechanics.critical_range
            if lowest is not None and accuracy.natural >= lowest:
                yield name


def _in_effect(swing: Swing, outcome: Outcome) -> Iterator[str]:
    profile, effect = swing.profile, outcome.effect
    if effect is None:
        return
    max_hp, critical = outcome.enemy.combatant.foe.max_hp, outcome.accuracy.critical
    additions = profile.damage if profile.attack.effect == "damage" else profile.condition
    if effect.modifiers:  # none where a flat number replaces the whole roll
        yield from additions.at(max_hp, swing.channel_turns, critical).occasional
    if effect.overhit:
        yield profile.owners["overhit"]
    if effect.brutal:
        yield profile.owners["brutal"]
    if effect.exposed and "vulnerable" in profile.owners:
        yield profile.owners["vulnerable"]


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

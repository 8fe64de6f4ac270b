"""Which enhancements mattered in a strike: those that changed a roll, damage or a death.

Always-on modifiers and mechanics are not among them: they have no trigger (see `triggers.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from buildsearch.systems.vitality.reference.events import Cause
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

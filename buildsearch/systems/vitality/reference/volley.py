"""Strikes at one or several targets that share their damage dice, each with its own accuracy roll.

Text, Multi-target handling: "AOE attacks use shared damage dice but individual accuracy rolls per target".
A single-target strike is a volley at one target.
"""

from __future__ import annotations

from collections.abc import Sequence

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.reference.battle import Battle, Enemy
from buildsearch.systems.vitality.reference.dice import roll_exploding
from buildsearch.systems.vitality.reference.events import Cause
from buildsearch.systems.vitality.reference.impact import apply_effect, expose, leech
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.report import report_strike
from buildsearch.systems.vitality.reference.strike import AccuracyResult, resolve_condition
from buildsearch.systems.vitality.reference.swing import Outcome, Swing


def volley(battle: Battle, swing: Swing, targets: Sequence[Enemy], cause: Cause) -> list[Outcome]:
    """New rolls: accuracy for every target in order, then, if any was hit, the effect."""
    profile = swing.profile
    aimed, anybody_hit = [], False
    for enemy in targets:
        naturals = roll_accuracy(battle.dice, profile)
        natural = max(naturals, default=0)
        accuracy = swing.known.accuracy(enemy.combatant.foe, natural, swing.channel_turns)
        anybody_hit = anybody_hit or accuracy.hit
        aimed.append((enemy, naturals, accuracy))
    shared = roll_damage(battle.dice, profile) if anybody_hit else ()
    return [_land(battle, swing, *each, shared, cause) for each in aimed]


def echo(battle: Battle, swing: Swing, base: Outcome, targets: Sequence[Enemy]) -> list[Outcome]:
    """Explosive Critical: the base strike's dice against others, where they would also hit.

    Spec, More than one strike: modifiers, Overhit, Brutal and on-hit effects are worked out for each. The
    same die makes each hit a critical. Nothing is rolled but the check of a condition, for each target.
    """
    outcomes = []
    for enemy in targets:
        natural = base.accuracy.natural
        accuracy = swing.known.accuracy(enemy.combatant.foe, natural, swing.channel_turns)
        if accuracy.hit:
            naturals = (natural,)
            outcomes.append(_land(battle, swing, enemy, naturals, accuracy, base.dice, "explosive_critical"))
    return outcomes


def roll_accuracy(dice: Dice, profile: Profile) -> tuple[int, ...]:
    """Text, Reliable Accuracy: "roll 2d20, take higher roll"; direct attacks roll none."""
    if profile.type.auto_hit:
        return ()
    sides = profile.rules.rolls.accuracy.sides
    if profile.accuracy_dice == 1:
        return (dice.roll(sides),)
    return tuple(dice.roll(sides) for _ in range(profile.accuracy_dice))


def roll_damage(dice: Dice, profile: Profile) -> tuple[int, ...]:
    """The damage dice; none where damage is flat or the effect is a condition."""
    if profile.flat_damage is not None or profile.attack.effect == "condition":
        return ()
    rule = profile.rules.rolls.damage
    return roll_exploding(dice, rule.count, rule.sides, profile.explode_on)


def _land(
    battle: Battle,
    swing: Swing,
    enemy: Enemy,
    naturals: tuple[int, ...],
    accuracy: AccuracyResult,
    shared: tuple[int, ...],
    cause: Cause,
) -> Outcome:
    """The effect on one target of a strike whose accuracy is known."""
    profile, foe, hp_before = swing.profile, enemy.combatant.foe, enemy.hp
    dice: tuple[int, ...] = ()
    effect = None
    defeated_by = None
    if accuracy.hit:
        enemy.last_hit = battle.turn  # for Combo Move: "damage or not"
        if profile.attack.effect == "condition":
            # Spec, Condition builds: "the check is rolled for each target".
            dice = (battle.dice.roll(profile.rules.rolls.condition.sides),)
            effect = resolve_condition(profile, foe, dice[0], accuracy, swing.channel_turns)
        else:
            dice = shared
            effect = swing.known.damage(foe, sum(dice), accuracy, swing.channel_turns)
            effect = expose(profile, enemy, effect)
        defeated_by = apply_effect(battle, profile, enemy, effect)
    outcome = Outcome(enemy, naturals, accuracy, dice, effect, hp_before, defeated_by)
    if battle.emit is not None:
        battle.emit(report_strike(swing, outcome, cause))
    if effect is not None and profile.single.leech is not None:
        leech(battle, profile, effect)
    return outcome

"""Strikes at one or several targets that share their damage dice, each with its own accuracy roll.

Text, Multi-target handling: "AOE attacks use shared damage dice but individual accuracy rolls per
target". A single-target strike is a volley at one target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.reference.battle import Battle, Bleeding, Enemy
from buildsearch.systems.vitality.reference.events import Cause, Healed
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.report import report_strike
from buildsearch.systems.vitality.reference.strike import AccuracyResult, EffectResult, resolve_condition
from buildsearch.systems.vitality.reference.swing import Outcome, Swing


def roll_exploding(dice: Dice, count: int, sides: int, explode_on: int) -> tuple[int, ...]:
    """All dice in the order in which they fall, those that explosions added included.

    Text, Key Game Mechanics; spec, An attack: each die explodes, again and again.
    """
    rolls: list[int] = []
    for _ in range(count):
        value = dice.roll(sides)
        rolls.append(value)
        while value >= explode_on:
            value = dice.roll(sides)
            rolls.append(value)
    return tuple(rolls)


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

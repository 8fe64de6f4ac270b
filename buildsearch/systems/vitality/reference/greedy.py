"""Greedy play: what the attacker does with a turn. Spec, The attacker's action."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.battle import Battle, Choice
from buildsearch.systems.vitality.reference.events import LimitChecked
from buildsearch.systems.vitality.reference.limits import Kind, Situation

__all__ = ["Choice", "choose", "failing", "report_limits", "situation"]


def choose(battle: Battle) -> Choice:
    """The first attack in order that can attack or charge; else wait for Passive, or a basic attack."""
    lacks_only_passive = False
    for attack in range(len(battle.memories)):
        lacking = failing(battle, attack)
        if not lacking:
            return Choice("attack", attack, "every limit holds")
        if lacking == {Kind.CHARGE}:
            return Choice("charge", attack, "every limit holds, and charge is owed")
        lacks_only_passive = lacks_only_passive or lacking - {Kind.CHARGE} == {Kind.PASSIVE}
    if lacks_only_passive:
        return Choice("wait", None, "only a turn without an attack is missing")
    # Ruling unmet_limit.
    if battle.setting.rules.rulings.waits(len(battle.memories)):
        return Choice("wait", None, "a limit does not hold")
    return Choice("basic", None, "a limit does not hold")


def failing(battle: Battle, attack: int) -> set[Kind]:
    """The kinds of clause that stand in the way of this attack."""
    limits = battle.setting.profiles[attack].limits
    if not limits:
        return set()
    now = situation(battle, attack)
    return {clause.kind for limit in limits for clause in limit.clauses if not clause.met(now)}


def situation(battle: Battle, attack: int) -> Situation:
    """This moment as the limits of this attack see it."""
    memory, previous, reprisal = battle.memories[attack], battle.previous, battle.reprisal
    return Situation(
        turn=battle.turn,
        hp=battle.attacker_hp,
        max_hp=battle.setting.attacker.hp,
        attempts=memory.attempts,
        last_attempt=memory.last_attempt,
        charge=memory.charge,
        was_attacked=reprisal.was_attacked,
        was_hit=reprisal.was_hit,
        was_damaged=reprisal.was_damaged,
        made_attack=previous.made_attack,
        dealt_damage=previous.dealt_damage,
        defeated_enemy=previous.defeated_enemy,
        target_was_hit=_target_was_hit(battle, attack),
    )


def _target_was_hit(battle: Battle, attack: int) -> bool:
    """Spec, Combo Move: this turn's target was hit last turn; for an area: some living enemy was."""
    area = battle.setting.profiles[attack].type.area
    aimed_at = battle.living if area else [battle.chosen_target()]
    return any(enemy.last_hit == battle.turn - 1 for enemy in aimed_at)


def report_limits(battle: Battle) -> None:
    """Tell of every limit of every attack, also of those that no choice depends on."""
    assert battle.emit is not None  # noqa: S101 - the caller looked
    for attack, profile in enumerate(battle.setting.profiles):
        now = situation(battle, attack)
        for limit in profile.limits:
            battle.emit(LimitChecked(attack, limit.enhancement, limit.met(now), limit.why))

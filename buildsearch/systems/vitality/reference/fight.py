"""A fight, turn by turn. Spec, A turn."""

from __future__ import annotations

from collections.abc import Callable

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.reference.action import act, idle
from buildsearch.systems.vitality.reference.battle import Battle, Choice, Emit, Memory, OwnTurn
from buildsearch.systems.vitality.reference.bleed import tick_bleeds
from buildsearch.systems.vitality.reference.events import FightEnded, FightResult, TurnStarted, WaveArrived
from buildsearch.systems.vitality.reference.retaliation import retaliate
from buildsearch.systems.vitality.reference.setting import make_setting
from buildsearch.systems.vitality.rules.model import VitalityRules

__all__ = ["FightResult", "fight"]


def fight(
    rules: VitalityRules,
    build: Build,
    attacker: Attacker,
    encounter: Encounter,
    dice: Dice,
    emit: Emit | None = None,
    policy: Callable[[Battle], Choice] | None = None,
) -> FightResult:
    """One fight, under greedy play unless told. With `emit`, everything that happens is told."""
    setting = make_setting(rules, build, attacker, encounter)
    memories = tuple(Memory() for _ in build.attacks)
    battle = Battle(setting, dice, emit, attacker.hp, memories, policy=policy)
    result = _fight_out(battle)
    if emit is not None:
        emit(FightEnded(result))
    return result


def _fight_out(battle: Battle) -> FightResult:
    max_turns, rulings = battle.setting.encounter.max_turns, battle.setting.rules.rulings
    survived = True
    for turn in range(1, max_turns + 1):
        _begin(battle, turn)
        if _own_turn(battle):
            return FightResult(turn, True, survived, False, battle.attacker_hp)
        # Survival: HP never <= 0 after any retaliation; the last turn's counts too.
        survived = retaliate(battle) and survived
        if not survived and rulings.attacker_defeat == "loss":
            return FightResult(max_turns, False, False, False, battle.attacker_hp)
    return FightResult(max_turns, False, survived, True, battle.attacker_hp)


def _begin(battle: Battle, turn: int) -> None:
    """Spec, Who fights: a wave stands there from the turn after the last enemy of the previous fell."""
    battle.turn = turn
    battle.previous, battle.current = battle.current, OwnTurn()
    arrives = not battle.living
    if arrives:
        battle.next_wave()
    if battle.emit is not None:
        standing = tuple(enemy.standing for enemy in battle.living)
        battle.emit(TurnStarted(turn, battle.attacker_hp, standing))
        if arrives and turn > 1:
            battle.emit(WaveArrived(battle.waves_seen, standing))


def _own_turn(battle: Battle) -> bool:
    """The attacker's part of a turn; the answer is whether it won the fight."""
    # Ruling bleed_tick, start: ticks open the turn and belong to it; end: they close it.
    at_start = battle.setting.rules.rulings.bleed_tick == "start"
    if at_start:
        tick_bleeds(battle)
    if battle.living:
        act(battle)
    elif battle.waves_left:
        idle(battle)
    if not at_start:
        tick_bleeds(battle)
    return not battle.living and not battle.waves_left

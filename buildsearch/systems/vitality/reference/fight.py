"""A fight, turn by turn. Spec, A turn.

Bleeds that are due; the attacker's choice and action; the enemies' retaliation (text, Combat Resolution
5).
"""

from __future__ import annotations

from collections.abc import Callable

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.reference.attack import attempt, make_attack
from buildsearch.systems.vitality.reference.battle import (
    Battle,
    Emit,
    Enemy,
    Memory,
    OwnTurn,
    Reprisal,
    make_setting,
)
from buildsearch.systems.vitality.reference.events import (
    ActionChosen,
    BleedTick,
    FightEnded,
    FightResult,
    Retaliation,
    TurnStarted,
    WaveArrived,
)
from buildsearch.systems.vitality.reference.greedy import Choice, choose, report_limits
from buildsearch.systems.vitality.reference.swing import Swing
from buildsearch.systems.vitality.reference.volley import roll_accuracy, roll_damage
from buildsearch.systems.vitality.rules.model import VitalityRules


def act(battle: Battle) -> None:
    """One action, and what it means for charges and channels."""
    if battle.emit is not None:
        report_limits(battle)
    choice = (battle.policy or choose)(battle)
    if battle.emit is not None:
        attack = None if choice.kind == "basic" else choice.attack
        battle.emit(ActionChosen(choice.kind, attack, _label(battle, choice), choice.reason))
    made = False
    if choice.kind == "basic":
        profile, known = battle.setting.basics[choice.attack or 0]
        battle.current.made_attack = True
        make_attack(battle, Swing(None, profile, known, 0))
    elif choice.kind == "attack" and choice.attack is not None:
        made = _attempt(battle, choice.attack)
    _keep_or_lose(battle, choice, made)


def idle(battle: Battle) -> None:
    """A turn on which nobody stands there to be attacked."""
    _keep_or_lose(battle, Choice("wait", None, "no enemy is there"), made=False)


def _attempt(battle: Battle, attack: int) -> bool:
    """Try to make an attack; the answer is whether it counts as made."""
    rulings = battle.setting.rules.rulings
    memory, profile = battle.memories[attack], battle.setting.profiles[attack]
    swing = Swing(attack, profile, battle.setting.known[attack], memory.channel)
    # Ruling limit_scope, strike: each strike is an attempt, and the attack is made if one succeeds.
    if rulings.limit_scope == "strike":
        make_attack(battle, swing)
    elif attempt(battle, attack):
        swing.made = True
        make_attack(battle, swing)
    # Ruling failed_activation, none: a failed roll makes no attack; attack: it counts as one made.
    made = swing.made or rulings.failed_activation == "attack"
    battle.current.made_attack = battle.current.made_attack or made
    return made


def _keep_or_lose(battle: Battle, choice: Choice, made: bool) -> None:
    """Spec: a charge is lost, and a channel broken, on any turn that does not go on with it."""
    for attack, memory in enumerate(battle.memories):
        mine = choice.attack == attack
        # Every attempt spends the charge, waiting, basic and other attacks lose it.
        memory.charge = memory.charge + 1 if mine and choice.kind == "charge" else 0
        # Text, Channeled: "If you don't make the channeled attack on a turn, you lose your bonus".
        memory.channel = memory.channel + 1 if mine and made else 0


def _label(battle: Battle, choice: Choice) -> str:
    if choice.kind == "basic":
        return battle.setting.basics[choice.attack or 0][0].label
    return "" if choice.attack is None else battle.setting.profiles[choice.attack].label


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

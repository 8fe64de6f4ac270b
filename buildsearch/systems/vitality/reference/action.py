"""The attacker's turn: choose, and do it."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.attack import make_attack
from buildsearch.systems.vitality.reference.battle import Battle
from buildsearch.systems.vitality.reference.events import ActionChosen, ActivationRolled, HpPaid
from buildsearch.systems.vitality.reference.greedy import Choice, choose, report_limits
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.swing import Swing


def act(battle: Battle) -> None:
    """One action, and what it means for charges and channels."""
    if battle.emit is not None:
        report_limits(battle)
    choice = choose(battle)
    if battle.emit is not None:
        battle.emit(ActionChosen(choice.kind, choice.attack, _label(battle, choice), choice.reason))
    made = False
    if choice.kind == "basic":
        _strike_out(battle, Swing(None, battle.setting.basic, battle.setting.basic_known, 0))
    elif choice.kind == "attack" and choice.attack is not None:
        made = _attempt(battle, choice.attack)
    _keep_or_lose(battle, choice, made)


def idle(battle: Battle) -> None:
    """A turn on which nobody stands there to be attacked."""
    _keep_or_lose(battle, Choice("wait", None, "nobody stands there"), made=False)


def _attempt(battle: Battle, attack: int) -> bool:
    """Try to make an attack; the answer is whether it was made."""
    memory, profile = battle.memories[attack], battle.setting.profiles[attack]
    # Spec, The attacker's action: this holds "even when the Unreliable roll fails".
    memory.attempts += 1
    memory.last_attempt = battle.turn
    if profile.hp_cost:
        _pay(battle, profile)
    if profile.activation and not _activates(battle, profile):
        return False
    _strike_out(battle, Swing(attack, profile, battle.setting.known[attack], memory.channel))
    return True


def _pay(battle: Battle, profile: Profile) -> None:
    """Spec v1, Attrition: paid before any roll; it lowers HP and is not damage taken."""
    battle.attacker_hp -= profile.hp_cost
    if battle.emit is not None:
        battle.emit(HpPaid(profile.hp_cost, battle.attacker_hp))


def _activates(battle: Battle, profile: Profile) -> bool:
    """Text, Random Activation Limits: once when the attack is made; each rolls its own die."""
    die, success = profile.rules.rolls.activation, True
    bonus = die.bonus.at(profile.tier)
    for enhancement, needed in profile.activation:
        roll = battle.dice.roll(die.sides)
        enough = roll + bonus >= needed
        success = success and enough
        if battle.emit is not None:
            battle.emit(ActivationRolled(enhancement, roll, bonus, needed, enough))
    return success


def _strike_out(battle: Battle, swing: Swing) -> None:
    battle.current.made_attack = True
    make_attack(battle, swing)


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
        return battle.setting.basic.label
    return "" if choice.attack is None else battle.setting.profiles[choice.attack].label

"""The attacker's turn: choose, and do it."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.attack import make_attack
from buildsearch.systems.vitality.reference.attempt import attempt
from buildsearch.systems.vitality.reference.battle import Battle
from buildsearch.systems.vitality.reference.events import ActionChosen
from buildsearch.systems.vitality.reference.greedy import Choice, choose, report_limits
from buildsearch.systems.vitality.reference.swing import Swing


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

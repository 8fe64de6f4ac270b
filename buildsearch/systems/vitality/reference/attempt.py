"""An attempt: what it spends and rolls, once for an action or for each strike (ruling limit_scope)."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.battle import Battle
from buildsearch.systems.vitality.reference.events import ActivationRolled, Cause, HpPaid, StrikeLost
from buildsearch.systems.vitality.reference.greedy import situation
from buildsearch.systems.vitality.reference.limits import Kind
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.swing import Swing


def attempt(battle: Battle, attack: int) -> bool:
    """Spend a use, start the cooldown, pay and roll; the answer is whether it may go on."""
    memory, profile = battle.memories[attack], battle.setting.profiles[attack]
    # Spec, The attacker's action: this holds "even when the Unreliable roll fails".
    memory.attempts += 1
    memory.last_attempt = battle.turn
    if profile.hp_cost:
        _pay(battle, profile)
    return not profile.activation or _activates(battle, profile)


def may_strike(battle: Battle, swing: Swing, cause: Cause) -> bool:
    """Ruling limit_scope, strike: each strike is an attempt of its own, "one that fails is lost".

    What looks at earlier turns (Charge Up, Passive, Combo Move and the like) is as it was when the action
    was chosen; uses, the cooldown and the attacker's HP are as the strikes before have left them.
    """
    if swing.attack is None or battle.setting.rules.rulings.limit_scope == "action":
        return True
    now = situation(battle, swing.attack)
    clauses = (clause for limit in swing.profile.limits for clause in limit.clauses)
    if all(clause.holds(now) for clause in clauses if clause.kind is Kind.STATE):
        if attempt(battle, swing.attack):
            swing.made = True
            return True
        why = "its activation roll failed"
    else:
        why = "a limit does not hold any more"
    if battle.emit is not None:
        battle.emit(StrikeLost(cause, why))
    return False


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

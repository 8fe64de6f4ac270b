"""An attack: what an attempt spends and rolls, its base strikes, and what each of them sets off."""

from __future__ import annotations

from buildsearch.systems.vitality.reference.battle import Battle, Enemy
from buildsearch.systems.vitality.reference.events import ActivationRolled, Cause, HpPaid, StrikeLost
from buildsearch.systems.vitality.reference.greedy import situation
from buildsearch.systems.vitality.reference.limits import Kind
from buildsearch.systems.vitality.reference.profile import Profile
from buildsearch.systems.vitality.reference.swing import Outcome, Swing
from buildsearch.systems.vitality.reference.volley import echo, volley


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


def make_attack(battle: Battle, swing: Swing) -> None:
    """Every base strike (on an area type: every area attack) with its triggers.

    Spec, Barrage: all on the same target; what is left when it dies is lost. Spec v1, Quick Strikes and
    Barrage: each of the strikes starts a chain of its own.
    """
    target = battle.chosen_target()
    rulings = battle.setting.rules.rulings
    # Ruling area_strikes, single: the strikes after the first go at the first living enemy.
    narrows = swing.profile.type.area and rulings.area_strikes == "single"
    is_first = True
    for _ in range(_base_strikes(swing)):
        for link in range(_longest_chain(swing)):
            if narrows and not is_first and battle.living:
                swing.alone, target = True, battle.chosen_target()
            targets = _aim(battle, swing, target)
            if not targets:
                return
            base = _strike(battle, swing, targets, "chain" if link else "base")
            # Ruling barrage_triggers, every: each base strike can trigger others; first: only the first.
            if base and swing.profile.owners and (is_first or rulings.barrage_triggers == "every"):
                _set_off(battle, swing, base, target)
            is_first = False
            if not any(outcome.landed for outcome in base):
                break


def _strike(battle: Battle, swing: Swing, targets: list[Enemy], cause: Cause) -> list[Outcome]:
    """A strike at one enemy or several, unless it is lost (ruling limit_scope)."""
    return volley(battle, swing, targets, cause) if may_strike(battle, swing, cause) else []


def _set_off(battle: Battle, swing: Swing, base: list[Outcome], target: Enemy) -> None:
    """What a base strike triggers. Spec, More than one strike: in this order."""
    triggered = [
        *_double_tap(battle, swing, base, target),
        *_extra_attack(battle, swing, base, target),
        *_ricochet(battle, swing, base),
        *_explosive_critical(battle, swing, base),
    ]
    _splinter(battle, swing, base, triggered)


def _base_strikes(swing: Swing) -> int:
    """Text, Barrage: "Make same attack three times"."""
    profile = swing.profile
    # Ruling area_strikes, repeat: three full area attacks; once: one.
    if profile.type.area and profile.rules.rulings.area_strikes == "once":
        return 1
    return profile.single.strikes or 1


def _longest_chain(swing: Swing) -> int:
    """Text v1, Barrage: "hit + effect on each attack enables the next attack, up to 3 attacks total"."""
    profile = swing.profile
    # Ruling area_strikes, once: several strikes of an area are one area attack.
    if profile.single.chain is None or (profile.type.area and profile.rules.rulings.area_strikes == "once"):
        return 1
    return profile.single.chain.strikes


def _aim(battle: Battle, swing: Swing, target: Enemy) -> list[Enemy]:
    """Whom the attack goes at now: its target while it lives, or who stands in the area."""
    if not swing.profile.type.area or swing.alone:
        return [target] if target.living else []
    # Spec, Who fights: areas catch every living enemy, or the first k, chosen anew for each area attack.
    shape = swing.profile.attack.shape or next(iter(swing.profile.type.shapes), "")
    return battle.living[: battle.setting.encounter.area_targets.get(shape)]


def _double_tap(battle: Battle, swing: Swing, base: list[Outcome], target: Enemy) -> list[Outcome]:
    """Text, Double Tap: "trigger same attack again against same target", on a critical."""
    if not swing.profile.single.double_tap or _first_critical(base) is None:
        return []
    targets = _aim(battle, swing, target)
    return _strike(battle, swing, targets, "double_tap") if targets else []


def _extra_attack(battle: Battle, swing: Swing, base: list[Outcome], target: Enemy) -> list[Outcome]:
    """Text, Extra Attack: "Successful hit with successful effect allows identical attack"."""
    rule = swing.profile.single.extra_attack
    landed = [outcome.enemy for outcome in base if outcome.landed]
    if rule is None or not landed or swing.extra_attacks == rule.per_turn:
        return []
    targets = _aim(battle, swing, target)
    # Ruling area_extra_attack, area: the whole area again; single: the first damaged enemy that lives.
    if swing.profile.type.area and swing.profile.rules.rulings.area_extra_attack == "single":
        targets = [enemy for enemy in landed if enemy.living][:1]
    if not targets:
        return []
    swing.extra_attacks += 1
    return _strike(battle, swing, targets, "extra_attack")


def _ricochet(battle: Battle, swing: Swing, base: list[Outcome]) -> list[Outcome]:
    """Text, Ricochet: a critical triggers attacks "against up to 2 different targets"."""
    rule, critical = swing.profile.single.ricochet, _first_critical(base)
    if rule is None or critical is None:
        return []
    others = _others(battle, critical)[: rule.targets]
    return [outcome for enemy in others for outcome in _strike(battle, swing, [enemy], "ricochet")]


def _explosive_critical(battle: Battle, swing: Swing, base: list[Outcome]) -> list[Outcome]:
    """Text, Explosive Critical: a critical goes at everybody near "if it would also hit them"."""
    critical = _first_critical(base)
    if not swing.profile.single.explosive_critical or critical is None:
        return []
    # Spec, Who fights: `cluster` is how many others it reaches, the first k living.
    return echo(battle, swing, critical, _others(battle, critical)[: battle.setting.encounter.cluster])


def _splinter(battle: Battle, swing: Swing, base: list[Outcome], triggered: list[Outcome]) -> None:
    """Text, Splinter: each defeat triggers an attack, at most Tier/2 (rounded up) a turn."""
    rule = swing.profile.single.splinter
    if rule is None:
        return
    # Ruling triggered_defeats, splinter: defeats by triggered strikes, Splinter's own too, count; none:
    # only those by base strikes.
    chains = swing.profile.rules.rulings.triggered_defeats == "splinter"
    owed = _defeats(base) + (_defeats(triggered) if chains else 0)
    while owed and swing.splinters < rule.limit_at(swing.profile.tier) and battle.living:
        owed -= 1
        swing.splinters += 1
        outcomes = _strike(battle, swing, [battle.chosen_target()], "splinter")
        owed += _defeats(outcomes) if chains else 0


def _first_critical(outcomes: list[Outcome]) -> Outcome | None:
    return next((outcome for outcome in outcomes if outcome.accuracy.critical), None)


def _others(battle: Battle, outcome: Outcome) -> list[Enemy]:
    return [enemy for enemy in battle.living if enemy is not outcome.enemy]


def _defeats(outcomes: list[Outcome]) -> int:
    return sum(outcome.defeated_by is not None for outcome in outcomes)

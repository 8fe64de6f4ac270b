"""One fight, as the rules read. Chance comes from `roll(sides)` alone, so that tests can script it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.animon.bouts.bout import OURS, THEIRS, Bout, combatants
from buildsearch.systems.animon.builds.build import Build
from buildsearch.systems.animon.reference import events as happened
from buildsearch.systems.animon.reference.attacks import (
    BREAKING,
    Strike,
    Transfer,
    attack_dice,
    attack_net,
    damage_of,
    dodge_net,
    dodger_of,
    effects_of,
    is_free,
    splash_of,
    splashed,
    targets_of,
)
from buildsearch.systems.animon.reference.greedy import (
    Defend,
    can_poison,
    decide,
    exhausts,
    reached,
    stage_to_evolve_to,
    with_bond_die,
)
from buildsearch.systems.animon.reference.unit import Unit, stand_up
from buildsearch.systems.animon.rules.model import STAGES, AnimonRules, Effect

Emit = Callable[[Event], None]
_CONDITIONS: dict[Effect, str] = {
    "stunning_strike": "stunned",
    "misdirect": "disoriented",
    "sap": "weakened",
    "block_break": "vulnerable",
}
_FLEDGLING, _BASIC = 0, 1


class Battle:
    """A fight under way."""

    def __init__(self, rules: AnimonRules, build: Build, bout: Bout, dice: Dice, emit: Emit) -> None:
        self.rules = rules
        self.bout = bout
        self.dice = dice
        self.emit = emit
        self.units = [stand_up(who, number) for number, who in enumerate(combatants(rules, bout, build))]
        self.wave = 0
        self.round = 0
        self.gauge = 0

    def standing(self, side: int) -> list[Unit]:
        """Who of a side stands, in this wave."""
        return [
            each
            for each in self.units
            if each.who.side == side and not each.is_down and (side == OURS or each.who.wave == self.wave)
        ]

    @property
    def is_over(self) -> bool:
        """Whether a side has nobody standing."""
        return not self.standing(OURS) or not self.standing(THEIRS)

    def roll(self, unit: Unit, number: int) -> tuple[int, ...]:
        """So many dice; each 6 of a player's animon fills the critical gauge."""
        found = tuple(self.dice.roll(self.rules.dice.sides) for _ in range(number))
        if unit.who.is_pc:
            self.gauge += found.count(self.rules.dice.sides)
        return found

    def successes(self, dice: Sequence[int], net: int = 0) -> int:
        """How many dice succeed at a net boost."""
        most = self.rules.dice.most_boost
        needed = self.rules.dice.success - max(-most, min(most, net))
        return sum(die >= needed for die in dice)


def fight(
    rules: AnimonRules, build: Build, bout: Bout, dice: Dice, emit: Emit | None = None
) -> happened.FightResult:
    """Play it out."""
    battle = Battle(rules, build, bout, dice, emit or (lambda _: None))
    while True:
        _wave(battle)
        is_won = not battle.standing(THEIRS)
        if not is_won or battle.wave == len(bout.waves) - 1 or battle.round >= bout.max_rounds:
            break
        _between(battle)
        battle.wave += 1
    outcome = "drawn"
    if not battle.standing(OURS):
        outcome = "lost"
    elif not battle.standing(THEIRS) and battle.wave == len(bout.waves) - 1:
        outcome = "won"
    result = happened.FightResult(outcome, battle.round, battle.units[0].hp, battle.gauge)
    battle.emit(happened.FightEnded(result))
    return result


def _wave(battle: Battle) -> None:
    order = _order(battle, [*battle.standing(OURS), *battle.standing(THEIRS)])
    while battle.round < battle.bout.max_rounds:
        battle.round += 1
        for unit in order:
            _slot(battle, unit)
            if battle.is_over:
                return


def _order(battle: Battle, units: list[Unit]) -> list[Unit]:
    """Text, Initiative. Ties are rolled again among the tied only; without any dice the first goes first."""
    surprised = {"nobody": None, "us": OURS, "them": THEIRS}[battle.bout.surprised]
    shown: dict[Unit, int] = {}

    def net(unit: Unit) -> int:
        return -1 if battle.wave == 0 and unit.who.side == surprised else 0

    def sort(tied: list[Unit]) -> list[Unit]:
        if len(tied) == 1 or not any(each.form.initiative for each in tied):
            return tied
        found: dict[int, list[Unit]] = {}
        for unit in tied:
            number = battle.successes(battle.roll(unit, unit.form.initiative), net(unit))
            shown.setdefault(unit, number)
            found.setdefault(number, []).append(unit)
        groups = [found[number] for number in sorted(found, reverse=True)]
        if battle.rules.rulings.initiative_ties == "number":
            return [unit for group in groups for unit in group]
        return [unit for group in groups for unit in sort(group)]

    order = sort(units)
    battle.emit(
        happened.OrderSet(battle.wave + 1, tuple((unit.who.name, shown.get(unit, 0)) for unit in order))
    )
    return order


def _slot(battle: Battle, me: Unit) -> None:
    """Spec, A fight: the slot of a unit, step by step."""
    me.is_defending = False
    for each in battle.units:
        if each.disoriented_by is me:
            each.disoriented_by = None
    if not me.is_down:
        standing = (*battle.standing(OURS), *battle.standing(THEIRS))
        names = tuple(str(each) for each in standing)
        battle.emit(happened.SlotStarted(battle.round, me.who.name, names))
        if me.is_stunned:
            me.is_stunned = me.is_incapacitated = False
            battle.emit(happened.Missed(me.who.name, "stunned"))
        else:
            _turn(battle, me)
            if battle.is_over:
                return
    for each in battle.units:
        if each.vulnerable_by is me and battle.rules.rulings.vulnerable == "causer":
            if each.is_vulnerable_from_before:
                each.vulnerable_by = None
            else:
                each.is_vulnerable_from_before = True
    if battle.rules.rulings.vulnerable == "target":
        me.vulnerable_by = None
    me.is_weakened = me.is_boosted = False
    if not me.is_down and me.poison is not None:
        _harm(battle, me, me.poison, "poison")


def _turn(battle: Battle, me: Unit) -> None:
    rules = battle.rules
    stage = stage_to_evolve_to(rules, me)
    if stage is not None:
        _evolve(battle, me, stage)
    if me.is_incapacitated:
        me.is_incapacitated = False
        battle.emit(happened.Missed(me.who.name, "incapacitated"))
        return
    side = me.who.side
    if stage is None or rules.rulings.evolving == "free":
        decision = decide(rules, me, battle.standing(side), battle.standing(1 - side))
        if isinstance(decision, Strike):
            _strike(battle, me, with_bond_die(rules, me, decision))
        elif isinstance(decision, Transfer):
            _transfer(battle, me, decision)
        elif isinstance(decision, Defend):
            me.is_defending = True
            battle.emit(happened.Defended(me.who.name))
    me.has_acted = True


def _evolve(battle: Battle, me: Unit, stage: int) -> None:
    """Text, Evolution in Combat."""
    cost = battle.rules.bond.evolving if stage == me.who.top else 0
    me.bond -= cost
    me.stage = stage
    me.has_evolved = True
    if battle.bout.first_evolution:
        me.hp = me.form.hp
    battle.emit(happened.Evolved(me.who.name, STAGES[stage], cost, str(me)))


def _pay(battle: Battle, me: Unit, place: int, uses: int, *, is_bought: bool) -> None:
    if is_bought:
        me.bond -= battle.rules.bond.extra_use
        return
    me.spent += uses - int(is_free(me, place))
    if "efficient" in effects_of(me, place):
        me.used_efficient.add(place)


def _strike(battle: Battle, me: Unit, strike: Strike) -> None:
    """Roll, dodge, and what a hit does to each target in turn; then the splash."""
    rules, effects = battle.rules, effects_of(me, strike.place)
    enemies = battle.standing(1 - me.who.side)
    targets = targets_of(me, strike, enemies)
    if strike.place is not None:
        incapacitates = exhausts(rules, me, strike)
        _pay(battle, me, strike.place, strike.uses, is_bought=strike.is_bought)
        me.is_incapacitated = me.is_incapacitated or incapacitates
    if strike.has_bond_die:
        me.bond -= rules.bond.extra_die
    dodger = dodger_of(targets)
    ours = battle.roll(me, attack_dice(me, strike))
    theirs = battle.roll(dodger, dodger.form.dodge)
    margin = battle.successes(ours, attack_net(rules, me, strike, dodger)) - battle.successes(
        theirs, dodge_net(dodger)
    )
    margin = max(0, margin)
    battle.emit(
        happened.Attacked(
            who=me.who.name,
            target=", ".join(each.who.name for each in targets),
            place=strike.place,
            attack="attack" if strike.place is None else f"{'+'.join(effects)} ({strike.element})",
            uses=strike.uses,
            bought_use=strike.is_bought,
            bought_die=strike.has_bond_die,
            dice=ours,
            dodge_dice=theirs,
            margin=margin,
        )
    )
    if not margin:
        return
    for target in targets:
        _hit(battle, me, strike, target, margin, is_first=target is targets[0])
    if "explosive" in effects:
        for other in splashed(rules, targets, enemies):
            _harm(battle, other, splash_of(me), "splash")


def _hit(battle: Battle, me: Unit, strike: Strike, target: Unit, margin: int, *, is_first: bool) -> None:
    """Damage, energy drain, 0 HP, and conditions if the target still stands."""
    effects = effects_of(me, strike.place)
    damage = damage_of(battle.rules, me, strike, target, margin)
    if damage > 0 and "energy_drain" in effects:
        regained = min(target.who.level, me.missing)
        me.hp += regained
        battle.emit(happened.Drained(me.who.name, regained))
    _harm(battle, target, damage, "damage")
    if target.is_down:
        return
    for effect, condition in _CONDITIONS.items():
        has_it = effect in effects or (effect == "block_break" and any(e in effects for e in BREAKING))
        if has_it and effect not in target.marks:
            target.marks.add(effect)
            _afflict(target, effect, me)
            battle.emit(happened.Caused(target.who.name, condition))
    if "poison_strike" in effects and is_first and can_poison(me, target):
        target.poison = me.form.power
        me.has_poisoned = True
        battle.emit(happened.Caused(target.who.name, "poisoned"))


def _afflict(target: Unit, effect: Effect, causer: Unit) -> None:
    if effect == "stunning_strike":
        target.is_stunned = True
    elif effect == "misdirect":
        target.disoriented_by = causer
    elif effect == "sap":
        target.is_weakened = True
    else:
        target.vulnerable_by, target.is_vulnerable_from_before = causer, False


def _harm(battle: Battle, unit: Unit, damage: int, cause: str) -> None:
    """Spec, 0 HP: fight on, devolve, or down."""
    rules = battle.rules
    unit.hp -= damage
    fell = unit.hp <= 0
    if fell and unit.who.is_pc and unit.bond >= rules.bond.fight_on:
        unit.bond -= rules.bond.fight_on
        unit.hp = 1
        battle.emit(happened.FoughtOn(unit.who.name, rules.bond.fight_on))
        fell = False
    dice: tuple[int, ...] | None = None
    if fell:
        battle.gauge += int(unit.who.is_pc)
        lowest = STAGES.index(rules.hearts.devolving_from)
        if unit.who.is_pc and battle.bout.zero_hp == "devolve" and unit.stage >= lowest:
            dice = battle.roll(unit, unit.form.heart)
            passed = battle.successes(dice) >= rules.hearts.devolving
            unit.stage = _BASIC if passed else _FLEDGLING
            unit.hp = unit.form.hp
            unit.has_devolved = True
        else:
            unit.fall()
    battle.emit(happened.Harmed(unit.who.name, cause, damage, str(unit), unit.is_down))
    if dice is not None:
        battle.emit(happened.Devolved(unit.who.name, dice, STAGES[unit.stage]))


def _transfer(battle: Battle, me: Unit, transfer: Transfer) -> None:
    others = reached(battle.rules, me, transfer.place, battle.standing(me.who.side))
    _pay(battle, me, transfer.place, 1, is_bought=transfer.is_bought)
    for each in others:
        each.is_boosted = True
    battle.emit(happened.Transferred(me.who.name, transfer.place, tuple(each.who.name for each in others)))


def _between(battle: Battle) -> None:
    """Spec, Waves."""
    ours = [each for each in battle.units if each.who.side == OURS]
    for each in ours:
        each.end_conditions()
    if battle.bout.between == "extended":
        return
    for each in ours:
        _catch_breath(battle, each)
    battle.emit(happened.Breathed(tuple(str(each) for each in ours)))


def _catch_breath(battle: Battle, unit: Unit) -> None:
    """Text, Catching Your Breath."""
    hearts = battle.rules.hearts
    if unit.is_down and unit.who.is_pc:
        if unit.stage >= STAGES.index(hearts.devolving_from):
            passed = battle.successes(battle.roll(unit, unit.form.heart)) >= hearts.devolving
            unit.stage = _BASIC if passed else _FLEDGLING
        elif unit.stage == _BASIC:
            passed = battle.successes(battle.roll(unit, unit.form.heart)) >= hearts.staying_basic
            unit.stage = _BASIC if passed else _FLEDGLING
    elif unit.has_evolved and not unit.has_devolved:
        unit.stage = unit.who.start
        unit.hp = min(unit.hp, unit.form.hp)
    unit.hp += min(hearts.breath + unit.form.heart, unit.missing)
    unit.spent = 0
    unit.used_efficient.clear()
    unit.marks.clear()
    unit.poison = None
    unit.has_evolved = unit.has_devolved = unit.has_acted = unit.has_poisoned = False

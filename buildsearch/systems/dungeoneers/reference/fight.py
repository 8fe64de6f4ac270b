"""One fight, as the rules read. Chance comes from `roll(sides)` alone, so that tests can script it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from buildsearch.evaluate.events import Event
from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.build import Build
from buildsearch.systems.dungeoneers.reference import events as happened
from buildsearch.systems.dungeoneers.reference.creature import Creature, make_foe, make_hero
from buildsearch.systems.dungeoneers.reference.greedy import (
    Attack,
    Cast,
    Defend,
    decide,
    dodge_dice,
    from_pool,
    opposed_dice,
    pierce_dice,
    strike_with,
)
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules

Emit = Callable[[Event], None]


@dataclass(slots=True)
class Battle:
    """A fight under way."""

    rules: DungeoneersRules
    bout: Bout
    hero: Creature
    foes: list[Creature]
    dice: Dice
    emit: Emit

    def roll(self, number: int, sides: int) -> tuple[int, ...]:
        """So many dice; none of 0 or fewer."""
        return tuple(self.dice.roll(sides) for _ in range(max(0, number)))

    @property
    def living(self) -> list[Creature]:
        """Foes that stand."""
        return [foe for foe in self.foes if not foe.is_dead]

    @property
    def is_over(self) -> bool:
        """When the hero is dead, or the last foe."""
        return self.hero.is_dead or not self.living


def fight(
    rules: DungeoneersRules, build: Build, bout: Bout, dice: Dice, emit: Emit | None = None
) -> happened.FightResult:
    """Play it out."""
    foes = [make_foe(rules, named, number) for number, named in enumerate(bout.foes, 1)]
    battle = Battle(rules, bout, make_hero(rules, build, bout), foes, dice, emit or (lambda _: None))
    order = _order(battle)
    battle.emit(happened.OrderSet(tuple((each.name, each.attributes["prowess"]) for each in order)))
    rounds = 0
    while rounds < bout.numbers.rounds and not battle.is_over:
        rounds += 1
        for creature in order:
            if not creature.is_dead and not battle.is_over:
                _turn(battle, creature, rounds)
    outcome = "lost" if battle.hero.is_dead else "drawn" if battle.living else "won"
    result = happened.FightResult(outcome, rounds, battle.hero.life)
    battle.emit(happened.FightEnded(result))
    return result


def _order(battle: Battle) -> list[Creature]:
    """By prowess, highest first; the hero at any place among its equals, all equally likely."""
    hero = battle.hero
    foes = sorted(battle.foes, key=lambda foe: -foe.attributes["prowess"])
    first = battle.bout.rulings.first
    if first == "hero":
        return [hero, *foes]
    if first == "foes":
        return [*foes, hero]
    prowess = hero.attributes["prowess"]
    above = [foe for foe in foes if foe.attributes["prowess"] > prowess]
    equal = [foe for foe in foes if foe.attributes["prowess"] == prowess]
    below = [foe for foe in foes if foe.attributes["prowess"] < prowess]
    place = battle.dice.roll(len(equal) + 1) - 1 if equal else 0
    return [*above, *equal[:place], hero, *equal[place:], *below]


def _turn(battle: Battle, me: Creature, number: int) -> None:
    """Defending ends, magica +1, then up to `ap` actions, each decided in the state as it is."""
    me.is_defending = False
    if battle.bout.rulings.magica_cap == "none" or me.magica < me.attributes["mind"]:
        me.magica += 1
    standing = tuple(str(each) for each in (battle.hero, *battle.living))
    battle.emit(happened.TurnStarted(number, me.name, standing))
    for _ in range(me.ap):
        target = _target(battle) if me.is_hero else battle.hero
        decision = decide(battle.rules, battle.bout, me, target)
        if decision is None:
            battle.emit(happened.Rested(me.name))
            return
        if isinstance(decision, Attack):
            _attack(battle, me, target, decision.bought)
        elif isinstance(decision, Cast):
            _cast(battle, me, target, decision)
        elif isinstance(decision, Defend):
            me.is_defending = True
            battle.emit(happened.Defended(me.name))
        if battle.is_over:
            return


def _target(battle: Battle) -> Creature:
    """The first living foe, or the one with the least life, ties the first."""
    if battle.bout.rulings.target == "weakest":
        return min(battle.living, key=lambda foe: foe.life)
    return battle.living[0]


def _attack(battle: Battle, me: Creature, target: Creature, bought: int) -> None:
    """Text, Making an Attack: hit, pierce, wounds. Stress is bought before any dice are rolled."""
    me.gain(bought)
    if me.is_dead:
        battle.emit(happened.Broke(me.name, bought))
        return
    ours = battle.roll(me.attributes["prowess"] + bought, me.hit)
    theirs = battle.roll(dodge_dice(target), target.dodge)
    hit = sum(ours) >= sum(theirs)
    pierce: tuple[int, ...] = ()
    pierced, wounds = False, 0
    if hit:
        pierce = battle.roll(me.attributes["power"], me.pierce)
        if me.is_over:
            pierce += battle.roll(1, int(me.rule.pierce_die[1:]))
        pierced = sum(pierce) >= target.av + target.armor
    if pierced:
        wounds = target.suffer(me.wounds_dealt, me.damage, me.bonus)
    battle.emit(
        happened.Attacked(
            who=me.name,
            target=target.name,
            bought=bought,
            hit_dice=ours,
            dodge_dice=theirs,
            hit=hit,
            pierce_dice=pierce,
            av=target.av + target.armor,
            pierced=pierced,
            wounds=wounds,
            after=str(target),
            defeated=target.is_dead,
        )
    )


def _cast(battle: Battle, me: Creature, target: Creature, cast: Cast) -> None:
    """Text, Casting a Spell: the magica is spent whatever is rolled."""
    spell = battle.rules.spells[cast.spell]
    me.magica -= from_pool(spell, cast.extra, battle.bout)
    if spell.is_self:
        if spell.armor is not None:
            me.armor = spell.armor
        if spell.mend is not None:
            me.wounds = max(0, me.wounds - spell.mend)
        if spell.calm is not None:
            me.stress = max(0, me.stress - spell.calm)
        battle.emit(happened.SpellOnSelf(me.name, cast.spell, me.magica, str(me)))
        return
    own, other = opposed_dice(me, target, spell)
    ours, theirs = battle.roll(*own), battle.roll(*other)
    hit = sum(ours) >= sum(theirs)
    pierce = battle.roll(*pierce_dice(me, spell, cast.extra)) if hit else ()
    through = hit and sum(pierce) >= target.sr
    if through:
        strike_with(spell, target)
    battle.emit(
        happened.SpellCast(
            who=me.name,
            target=target.name,
            spell=cast.spell,
            extra=cast.extra,
            magica=me.magica,
            test_dice=ours,
            against_dice=theirs,
            hit=hit,
            pierce_dice=pierce,
            sr=target.sr,
            through=through,
            after=str(target),
            defeated=target.is_dead,
        )
    )

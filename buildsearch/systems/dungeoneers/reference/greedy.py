"""What a creature decides under greedy play, action point by action point. Spec, Greedy play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.reference.chances import contest, reach
from buildsearch.systems.dungeoneers.reference.creature import Creature
from buildsearch.systems.dungeoneers.rules.model import DungeoneersRules, Spell

TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack with so much stress bought."""

    bought: int


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell with so much extra magica."""

    spell: str
    extra: int


@dataclass(frozen=True, slots=True)
class Defend:
    """One more dodge die."""


Decision = Attack | Cast | Defend | None  # None: the turn ends


def from_pool(spell: Spell, extra: int, bout: Bout) -> int:
    """What is left to pay after the ambient magica."""
    return max(0, spell.base + extra - bout.numbers.ambient)


def decide(rules: DungeoneersRules, bout: Bout, me: Creature, target: Creature) -> Decision:
    """The decision for one action point."""
    on_self = _self_spell(rules, bout, me)
    if on_self is not None:
        return on_self
    best: tuple[float, Attack | Cast] | None = None
    for option, worth in _options(rules, bout, me, target):
        if best is None or worth > best[0] + TIE:
            best = worth, option
    if best is None or (best[0] < bout.numbers.defend_below - TIE and not me.is_defending):
        return Defend()
    return best[1] if best[0] > TIE else None


def _self_spell(rules: DungeoneersRules, bout: Bout, me: Creature) -> Cast | None:
    if not me.can_cast():
        return None
    for name in me.spells:
        spell = rules.spells[name]
        if spell.is_self and from_pool(spell, 0, bout) <= me.magica:
            moment = (
                (spell.armor is not None and not me.armor)
                or (spell.mend is not None and me.wounds == me.maximum > 0)
                or (spell.calm is not None and me.stress >= me.capacity and me.stress > 0)
            )
            if moment:
                return Cast(name, 0)
    return None


def _options(
    rules: DungeoneersRules, bout: Bout, me: Creature, target: Creature
) -> Iterator[tuple[Attack | Cast, float]]:
    numbers = bout.numbers
    is_desperate = me.life == 1
    price = numbers.desperate_price if is_desperate else numbers.stress_price
    limit = me.rule.breaking * me.capacity if is_desperate else me.capacity
    after = target.copy()
    after.suffer(me.wounds_dealt, me.damage, me.bonus)
    for bought in range(numbers.stress_per_attack + 1 if me.may_buy else 1):
        gained = me.gained(bought)
        if bought == 0 or me.stress + gained <= limit:
            chance = attack_chance(me, target, bought, me.stress + gained > me.capacity)
            yield Attack(bought), chance * (target.life - after.life) - price * gained
    if not me.can_cast():
        return
    for name in me.spells:
        spell = rules.spells[name]
        if spell.is_self:
            continue
        after = target.copy()
        strike_with(spell, after)
        extra = max(0, numbers.ambient - spell.base)
        while from_pool(spell, extra, bout) <= me.magica:
            worth = spell_chance(me, target, spell, extra) * (target.life - after.life)
            yield Cast(name, extra), worth - numbers.magica_price * from_pool(spell, extra, bout)
            extra += 1


def strike_with(spell: Spell, target: Creature) -> None:
    """A spell's effect on its target."""
    if spell.harm is not None:
        target.suffer(spell.harm.wounds, spell.harm.type)
    if spell.stress is not None:
        target.gain(spell.stress)


def attack_chance(me: Creature, target: Creature, bought: int, is_over: bool) -> float:
    """That an attack hits and pierces."""
    hit = contest(((me.attributes["prowess"] + bought, me.hit),), ((dodge_dice(target), target.dodge),))
    extra = ((1, int(me.rule.pierce_die[1:])),) if is_over else ()
    pierce = reach(((me.attributes["power"], me.pierce), *extra), target.av + target.armor)
    return float(hit * pierce)


def spell_chance(me: Creature, target: Creature, spell: Spell, extra: int) -> float:
    """That a spell passes its test and the spell resistance."""
    ours, theirs = opposed_dice(me, target, spell)
    return float(contest((ours,), (theirs,)) * reach((pierce_dice(me, spell, extra),), target.sr))


def dodge_dice(creature: Creature) -> int:
    """How many it rolls."""
    return creature.attributes["prowess"] + (1 if creature.is_defending else 0)


def opposed_dice(me: Creature, target: Creature, spell: Spell) -> tuple[tuple[int, int], tuple[int, int]]:
    """(number, sides) of the caster and of the defender."""
    if spell.attack is not None:
        return (me.attributes["spell"] - me.bane, int(spell.attack[1:])), (dodge_dice(target), target.dodge)
    sides = int(str(spell.save)[1:])
    return (me.attributes["mind"] - me.bane, sides), (target.attributes[str(spell.against)], sides)


def pierce_dice(me: Creature, spell: Spell, extra: int) -> tuple[int, int]:
    """(number, sides) against spell resistance."""
    return extra + 1 - me.bane, int(str(spell.pierce)[1:])

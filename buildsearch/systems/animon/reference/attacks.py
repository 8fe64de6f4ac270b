"""Attacks: whom they reach, how many dice, how much damage. Spec, Dice and Hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buildsearch.systems.animon.bouts.bout import Attack
from buildsearch.systems.animon.reference.unit import Unit
from buildsearch.systems.animon.rules.model import ELEMENTS, AnimonRules, Effect, Element

HALVING: tuple[Effect, ...] = ("block_break", "sap", "explosive")
HARMLESS: tuple[Effect, ...] = ("poison_strike", "stunning_strike")
BREAKING: tuple[Effect, ...] = ("block_break", "tough_break")


@dataclass(frozen=True, slots=True)
class Strike:
    """An attack at somebody: plain, or a signature of one's own by its place, with an element and uses."""

    target: Unit
    place: int | None = None
    element: Element | None = None
    uses: int = 1
    is_bought: bool = False
    has_bond_die: bool = False


@dataclass(frozen=True, slots=True)
class Transfer:
    """Power for the allies."""

    place: int
    is_bought: bool = False


def attack_of(me: Unit, place: int | None) -> Attack | None:
    """The signature attack; None for a plain one."""
    return None if place is None else me.who.attacks[place]


def effects_of(me: Unit, place: int | None) -> tuple[Effect, ...]:
    """The effects of an attack; a plain one has none."""
    return () if place is None else me.who.attacks[place].signature.effects


def elements_of(rules: AnimonRules, me: Unit, place: int) -> tuple[Element, ...]:
    """What a signature attack may be made of."""
    signature = me.who.attacks[place].signature
    if rules.rulings.multi_element == "any" and "multi_element" in signature.effects:
        return ELEMENTS
    return signature.elements


def matchup(rules: AnimonRules, ours: Element | None, theirs: Element) -> int:
    """+1 for an element that is strong against the other's, -1 for the other way round."""
    if ours is None:
        return 0
    strong = rules.elements[ours].strong_against == theirs
    weak = rules.elements[theirs].strong_against == ours
    return int(strong) - int(weak)


def stage_difference(rules: AnimonRules, me: Unit, target: Unit) -> int:
    """Text, Stage Differences: two or more are double."""
    most = rules.dice.most_boost
    return max(-most, min(most, me.stage - target.stage))


def attack_net(rules: AnimonRules, me: Unit, strike: Strike, target: Unit) -> int:
    """The net boost of an attack roll."""
    net = matchup(rules, strike.element or me.who.element, target.who.element)
    net += stage_difference(rules, me, target)
    net += int(me.is_boosted) - int(me.disoriented_by is not None)
    if "quick_strike" in effects_of(me, strike.place) and not target.has_acted:
        net += 1
    return net


def dodge_net(target: Unit) -> int:
    """The net boost of a dodge roll."""
    return int(target.is_defending) + int(target.is_boosted) - int(target.vulnerable_by is not None)


def attack_dice(me: Unit, strike: Strike) -> int:
    """Power and quality, the rank of a signature attack, a die that was bought."""
    attack = attack_of(me, strike.place)
    return me.form.attack + (attack.rank if attack else 0) + int(strike.has_bond_die)


def targets_of(me: Unit, strike: Strike, enemies: Sequence[Unit]) -> list[Unit]:
    """The chosen one, and with multi_hit the first others."""
    if "multi_hit" not in effects_of(me, strike.place):
        return [strike.target]
    others = [each for each in enemies if each is not strike.target]
    return [strike.target, *others[: strike.uses - 1]]


def dodger_of(targets: Sequence[Unit]) -> Unit:
    """Who dodges for all: most dodge dice, of equals the first."""
    return max(targets, key=lambda each: (each.form.dodge, -each.number))


def damage_of(rules: AnimonRules, me: Unit, strike: Strike, target: Unit, margin: int) -> int:
    """Spec, Dice: damage score and margin, halved by effects once and by weakness again."""
    attack, effects = attack_of(me, strike.place), effects_of(me, strike.place)
    if any(each in effects for each in HARMLESS):
        return 0
    damage = me.form.damage * (strike.uses if "overcharge" in effects else 1) + margin
    if attack is not None and "heavy_strike" in effects:
        damage += (rules.effects["heavy_strike"].extra or 0) + attack.rank
    halved = any(each in effects for each in HALVING)
    if "tough_break" in effects:
        halved |= "block_break" not in target.marks or rules.rulings.tough_break == "half"
    if halved:
        damage //= 2
    return damage // 2 if me.is_weakened else damage


def splash_of(me: Unit) -> int:
    """What an explosion does to the others."""
    return me.who.level // 2 if me.is_weakened else me.who.level


def splashed(rules: AnimonRules, targets: Sequence[Unit], enemies: Sequence[Unit]) -> list[Unit]:
    """Who else an explosion reaches: standing enemies that were no targets."""
    others = [each for each in enemies if each not in targets and not each.is_down]
    reach = rules.rulings.adjacent
    return others if reach == "all" else others[: int(reach)]


def is_free(me: Unit, place: int) -> bool:
    """Whether an efficient attack is used for the first time."""
    return "efficient" in effects_of(me, place) and place not in me.used_efficient

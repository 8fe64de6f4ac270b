"""From a hero's numbers to a plan: every chance looked up, the bits of states laid out; compiled for bulk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.exact.layout import (
    ACTIONS,
    AMBIENT,
    AMOUNT,
    ARMOR,
    AT_ARMOR,
    AT_DEFENDING,
    AT_MAGICA,
    AT_STRESS,
    AT_WOUNDS,
    BASE,
    BREAKING,
    BUYS,
    CALM,
    CAPACITY,
    CHANGE,
    DEED,
    GAIN_FACTOR,
    HARM,
    LAWS,
    LIMIT,
    MAGICA,
    MAGICA_TOP,
    MEND,
    MOST,
    OURS,
    PER_ATTACK,
    SPELL_WIDTH,
    SPELLS,
    STRESS,
    STRESS_TOP,
    TAKES,
    THEIRS,
    WEAKEST,
    WIDTH,
    WOUNDS,
    WOUNDS_FACTOR,
    Ints,
    Plan,
)
from buildsearch.systems.dungeoneers.mechanics.rolls import MOST_DICE, PIERCE_DICE, rolls
from buildsearch.systems.dungeoneers.rules.model import (
    ATTRIBUTES,
    DAMAGES,
    DICE,
    MOST_SCORE,
    DungeoneersRules,
    Spell,
)

# A hero's row: attributes, then these; the spells are the bits of the last word, in table order.
POWER, PROWESS, ENDURANCE, RESISTANCE, SPELL, MIND = range(6)
AV, SR, BANE, HIT, PIERCE, WEAPON_WOUNDS, TYPE, KNOWN = range(6, 14)
ROW = 14
# Columns of `foes`: a row as the hero's, then these.
DODGE, EXTRA_WOUNDS, FOE_ACTIONS, FOE_BUYS, FOE_MOST = range(14, 19)
FOE_ROW = 19
# Columns of `book`, a row for each spell of the rules.
BOOK_DEED, BOOK_AMOUNT, BOOK_BASE, TEST, DIE, AGAINST, BOOK_PIERCE, BOOK_TYPE = range(8)
BOOK_WIDTH = 8
SAVES = 1


class Template(NamedTuple):
    """A fight without its hero, and the tables of rolls. `changes[foe, type]`: of wounds that it takes."""

    law: NDArray[np.int64]
    prices: NDArray[np.float64]
    hero: NDArray[
        np.int64
    ]  # most wounds, actions, dodge die, rounds, whether bane counts, whether magica is capped
    foes: NDArray[np.int64]
    changes: NDArray[np.int64]
    book: NDArray[np.int64]
    armor: int
    beats: NDArray[np.float64]
    reaches: NDArray[np.float64]


def make_template(rules: DungeoneersRules, bout: Bout) -> Template:
    """Everything about a fight that no build changes."""
    numbers, rulings, stress = bout.numbers, bout.rulings, rules.stress
    law = np.zeros(LAWS, np.int64)
    law[WOUNDS_FACTOR], law[GAIN_FACTOR], law[LIMIT] = (
        stress.wounds_factor,
        stress.gain_factor,
        stress.breaking,
    )
    law[BREAKING] = stress.breaking_wounds * stress.wounds_factor  # beyond the limit is over, too
    law[PER_ATTACK], law[AMBIENT] = numbers.stress_per_attack, numbers.ambient
    law[WEAKEST] = rulings.target == "weakest"
    prices = (numbers.stress_price, numbers.desperate_price, numbers.magica_price, numbers.defend_below)
    hero = (
        rules.sizes[rules.hero.size],
        rules.hero.ap,
        DICE.index(rules.hero.dodge),
        numbers.rounds,
        rulings.spellbane == "on",
        rulings.magica_cap == "mind",
    )
    foes = np.zeros((len(bout.foes), FOE_ROW), np.int64)
    changes = np.zeros((len(bout.foes), len(DAMAGES)), np.int64)
    spells = tuple(rules.spells)
    for row, change, each in zip(foes, changes, bout.foes, strict=True):
        foe = each.foe
        row[: len(ATTRIBUTES)] = [getattr(foe, name) for name in ATTRIBUTES]
        row[AV], row[SR], row[HIT], row[PIERCE] = foe.av, foe.sr, DICE.index(foe.hit), DICE.index(foe.pierce)
        row[WEAPON_WOUNDS], row[DODGE], row[EXTRA_WOUNDS] = foe.wounds, DICE.index(foe.dodge), foe.bonus
        row[KNOWN] = sum(1 << spells.index(name) for name in set(foe.spells))
        row[FOE_ACTIONS], row[FOE_BUYS], row[FOE_MOST] = foe.ap, foe.buys, rules.sizes[foe.size]
        change[:] = [foe.weak.get(damage, 0) - foe.resistant.get(damage, 0) for damage in DAMAGES]
    tables = rolls(int(stress.pierce_die[1:]))
    return Template(
        law=law,
        prices=np.array(prices, np.float64),
        hero=np.array(hero, np.int64),
        foes=foes,
        changes=changes,
        book=np.array([_page(spell) for spell in rules.spells.values()], np.int64).reshape(-1, BOOK_WIDTH),
        armor=max((spell.armor or 0 for spell in rules.spells.values()), default=0),
        beats=tables.beats,
        reaches=tables.reaches,
    )


def _page(spell: Spell) -> list[int]:
    deeds = {
        HARM: None if spell.harm is None else spell.harm.wounds,
        STRESS: spell.stress,
        ARMOR: spell.armor,
        MEND: spell.mend,
        CALM: spell.calm,
    }
    ((deed, amount),) = ((deed, amount) for deed, amount in deeds.items() if amount is not None)
    die = spell.attack or spell.save
    return [
        deed,
        amount,
        spell.base,
        SAVES if spell.save is not None else 0,
        DICE.index(die) if die is not None else 0,
        ATTRIBUTES.index(spell.against) if spell.against is not None else 0,
        DICE.index(spell.pierce) if spell.pierce is not None else 0,
        DAMAGES.index(spell.harm.type) if spell.harm is not None else 0,
    ]


def empty_plan(template: Template) -> Plan:
    """Room for a plan; `fill_plan` writes a hero into it."""
    creatures = len(template.foes) + 1
    slots = max(1, len(template.book))
    extra = most_extra(template)
    bought = int(template.law[PER_ATTACK]) + 1
    return Plan(
        law=template.law,
        prices=template.prices,
        who=np.zeros((creatures, WIDTH), np.int64),
        spells=np.zeros((creatures, slots, SPELL_WIDTH), np.int64),
        spell_change=np.zeros((creatures, slots), np.int64),
        strike=np.zeros((2, creatures, bought, 2, 2, 2)),
        cast=np.zeros((2, creatures, slots, 2, extra)),
    )


def most_extra(template: Template) -> int:
    """So many different amounts of extra magica can be spent at most."""
    held = MOST_SCORE if template.hero[5] else MOST_SCORE + int(template.hero[3])
    return held + int(template.law[AMBIENT]) + 2


@step
def _magic(template: Template, row: Ints, bane: int, slots: Ints) -> int:
    """Fill the spells that a creature can ever cast; gives how many."""
    known, book, ambient = 0, template.book, template.law[AMBIENT]
    if row[SPELL] - bane < 1:  # Spec, Armour: cannot cast at all
        return 0
    top = row[MIND] if template.hero[5] else row[MIND] + template.hero[3]
    for number in range(len(book)):
        if (row[KNOWN] >> number) & 1 and max(0, book[number, BOOK_BASE] - ambient) <= top:
            slots[known] = number
            known += 1
    return known


@step
def _fill_pair(
    side: int,
    foe: int,
    attacker: Ints,
    defender: Ints,
    die: int,
    bane: int,
    template: Template,
    plan: Plan,
    slots: Ints,
) -> None:
    """The chances of one creature's attacks and spells at another."""
    law, _, _, _, changes, book, armor, beats, reaches = template
    _, _, _, _, spell_change, strike, cast = plan
    known = _magic(template, attacker, bane, slots)
    for k in range(law[PER_ATTACK] + 1):
        for defending in range(2):
            dice, against = (
                min(MOST_DICE, attacker[PROWESS] + k),
                min(MOST_DICE, defender[PROWESS] + defending),
            )
            hit = beats[attacker[HIT], dice, die, against]
            for over in range(2):
                for armored in range(2):
                    number = defender[AV] + armored * armor
                    pierce = reaches[attacker[PIERCE], attacker[POWER], over, number]
                    strike[side, foe, k, defending, over, armored] = hit * pierce
    for j in range(known):
        page = book[slots[j]]
        if page[BOOK_DEED] >= ARMOR:
            continue
        if side == OURS:
            spell_change[foe, j] = changes[foe - 1, page[BOOK_TYPE]]
        for defending in range(2):
            if page[TEST] == SAVES:
                dice, against, die_against = attacker[MIND], defender[page[AGAINST]], page[DIE]
            else:
                dice, against, die_against = attacker[SPELL], defender[PROWESS] + defending, die
            test = beats[page[DIE], min(MOST_DICE, max(0, dice - bane)), die_against, min(MOST_DICE, against)]
            for extra in range(cast.shape[4]):
                through = reaches[
                    page[BOOK_PIERCE], min(PIERCE_DICE, max(0, extra + 1 - bane)), 0, defender[SR]
                ]
                cast[side, foe, j, defending, extra] = test * through


@step
def _fill_body(
    template: Template, creature: int, row: Ints, mine: Ints, bane: int, plan: Plan, slots: Ints
) -> bool:
    """Who somebody is, but for the bits of the state; whether its spells put stress on others."""
    _, _, who, spells, _, _, _ = plan
    is_hero = creature == 0
    known = _magic(template, mine, bane, slots)
    who[creature, MOST] = template.hero[0] if is_hero else mine[FOE_MOST]
    who[creature, CAPACITY] = mine[ENDURANCE]
    who[creature, ACTIONS] = template.hero[1] if is_hero else mine[FOE_ACTIONS]
    who[creature, BUYS] = 1 if is_hero else mine[FOE_BUYS]
    who[creature, WOUNDS] = mine[WEAPON_WOUNDS]
    who[creature, CHANGE] = 0 if is_hero else mine[EXTRA_WOUNDS]
    who[creature, TAKES] = 0 if is_hero else template.changes[creature - 1, row[TYPE]]
    who[creature, SPELLS] = known
    who[creature, MAGICA] = mine[MIND] if known > 0 else 0
    top = mine[MIND] if template.hero[5] else mine[MIND] + template.hero[3]
    who[creature, MAGICA_TOP] = top if known > 0 else 0
    stresses = False
    for j in range(known):
        page = template.book[slots[j]]
        spells[creature, j, DEED] = page[BOOK_DEED]
        spells[creature, j, AMOUNT] = page[BOOK_AMOUNT]
        spells[creature, j, BASE] = page[BOOK_BASE]
        stresses = stresses or page[BOOK_DEED] == STRESS
    return stresses


@step
def _lay_out(template: Template, creature: int, gains: bool, plan: Plan, at: int) -> int:
    """Give the parts of somebody's state their bits, from a bit on; gives the next free one.

    More stress than one beyond the limit is no other state, but for those who can calm down again: for them
    it takes as much more as they can lose in the whole fight. Absorbed wounds stay within the capacity.
    """
    law, _, who, spells, _, _, _ = plan
    has_armor, calms = 0, 0
    for j in range(who[creature, SPELLS]):
        if spells[creature, j, DEED] == ARMOR:
            has_armor = 1
        elif spells[creature, j, DEED] == CALM:
            calms = spells[creature, j, AMOUNT] * who[creature, ACTIONS] * template.hero[3]
    who[creature, STRESS_TOP] = who[creature, CAPACITY]
    if gains:
        who[creature, STRESS_TOP] = law[LIMIT] * who[creature, CAPACITY] + 1 + calms
    tops = (who[creature, MOST] + 1, who[creature, STRESS_TOP], who[creature, MAGICA_TOP], has_armor, 1)
    fields = (AT_WOUNDS, AT_STRESS, AT_MAGICA, AT_ARMOR, AT_DEFENDING)
    for i in range(5):
        width = 0
        while (tops[i] >> width) > 0:
            width += 1
        who[creature, fields[i]] = min(at, 62)  # with more bits than that nobody explores it
        who[creature, fields[i] + 1] = (1 << width) - 1
        at += width
    return at


@njit(cache=True, nogil=True)
def fill_plan(template: Template, row: Ints, plan: Plan, slots: Ints) -> tuple[int, int, int]:
    """Write a hero into a plan; gives (starting state, most life, bits of a state)."""
    who, foes = plan.who, template.foes
    bane = row[BANE] if template.hero[4] else 0
    start, at = 0, 0
    stresses = False
    for creature in range(len(who)):
        if creature == 0:
            stresses = _fill_body(template, creature, row, row, bane, plan, slots)
            at = _lay_out(template, creature, True, plan, at)
        else:
            foe = foes[creature - 1]
            _fill_body(template, creature, row, foe, 0, plan, slots)
            at = _lay_out(template, creature, stresses or foe[FOE_BUYS] == 1, plan, at)
            _fill_pair(OURS, creature, row, foe, foe[DODGE], bane, template, plan, slots)
            _fill_pair(THEIRS, creature, foe, row, template.hero[2], 0, template, plan, slots)
        start |= who[creature, MAGICA] << who[creature, AT_MAGICA]
    return start, 1 + template.hero[0] + row[ENDURANCE], at

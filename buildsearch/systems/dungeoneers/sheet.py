"""From rules and builds to the tables that the statement reads: every chance is looked up once a build."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.lines import Raises
from buildsearch.engines.statement import Statement, Terms, records, rule
from buildsearch.model.space import Chunk
from buildsearch.systems.dungeoneers import statement as stated
from buildsearch.systems.dungeoneers.bouts import Bout
from buildsearch.systems.dungeoneers.builds.grammar import Build
from buildsearch.systems.dungeoneers.builds.space import DungeoneersSpace
from buildsearch.systems.dungeoneers.rolls import MOST_DICE, PIERCE_DICE, rolls
from buildsearch.systems.dungeoneers.rules.model import (
    ATTRIBUTES,
    DAMAGES,
    DICE,
    MOST_SCORE,
    DungeoneersRules,
    Foe,
    Spell,
    Weapon,
)
from buildsearch.systems.dungeoneers.statement import ARMOR, CALM, OURS, STRESS, Fight

Ints = NDArray[np.int64]


class Source(NamedTuple):
    """What builds are made to fights with."""

    foes: Any  # SHEET; the first is nobody
    given: Any  # GIVEN: what no build chooses
    order: Ints  # order[hero's prowess, i, place]
    orders: Ints
    beats: NDArray[np.float64]  # see rolls.py
    reaches: NDArray[np.float64]
    armor: int  # AV of magic armour
    counts_bane: int
    is_capped: int


def hero_row(rules: DungeoneersRules, build: Build) -> Ints:
    """The sheet of one build: its attributes, and what its gear adds up to."""
    return _attributes(rules, build.raises) + sum(_gear(rules, name) for name in build.gear)


def hero_rows(rules: DungeoneersRules, space: DungeoneersSpace, chunk: Chunk) -> Ints:
    """A sheet for each build of a chunk."""
    # Sums of small whole numbers: as floats they are as exact, and a library multiplies them.
    gear = np.array([_gear(rules, name) for name in space.gear.names], np.float64)
    found = space.gear.bits(chunk.codes[:, 0]).astype(np.float64) @ gear
    return found.astype(np.int64) + _attributes(rules, space.lines.read(chunk.group))


def _attributes(rules: DungeoneersRules, raises: Raises) -> Ints:
    points = dict(raises)
    scores = [rules.hero.base + points.get(name, 0) for name in ATTRIBUTES]
    return np.array([*scores, *(0,) * (len(stated.SHEET) - len(scores))])


def _gear(rules: DungeoneersRules, name: str) -> Ints:
    """What a piece adds to a sheet. Each build has one weapon, so its dice may be summed like armour."""
    row = np.zeros(len(stated.SHEET), np.int64)
    if name in rules.weapons:
        row[9:13] = _weapon(rules.weapons[name])
    elif name in rules.armour:
        row[6:9] = rules.armour[name].av, rules.armour[name].sr, rules.armour[name].bane
    else:
        row[13] = _bits(rules, (name,))
    return row


def _bits(rules: DungeoneersRules, spells: tuple[str, ...]) -> int:
    """Spells in the order of the book."""
    return sum(1 << number for number, name in enumerate(rules.spells) if name in spells)


def _weapon(arm: Weapon | Foe) -> tuple[int, int, int, int]:
    return DICE.index(arm.hit), DICE.index(arm.pierce), arm.wounds, DAMAGES.index(arm.type)


def make_terms(rules: DungeoneersRules, bout: Bout) -> Terms:
    """A fight without its hero."""
    numbers, rulings, hero = bout.numbers, bout.rulings, rules.hero
    foes = [each.foe for each in bout.foes]
    actors, spells = len(foes) + 1, max(1, len(rules.spells))
    orders = [np.array(bout.order(prowess), np.int64) for prowess in range(MOST_SCORE + 1)]
    order = np.zeros((len(orders), actors, actors), np.int64)
    for prowess, some in enumerate(orders):
        order[prowess, : len(some)] = some
    weak = [[foe.weak.get(each, 0) - foe.resistant.get(each, 0) for each in DAMAGES] for foe in foes]
    given = [(DICE.index(hero.dodge), 0, hero.ap, 1, rules.sizes[hero.size])]
    given += [(DICE.index(foe.dodge), foe.bonus, foe.ap, foe.buys, rules.sizes[foe.size]) for foe in foes]
    tables, is_capped = rolls(int(rules.stress.pierce_die[1:])), int(rulings.magica_cap == "mind")
    # What somebody holds, what is in the air, and none at all.
    extra = MOST_SCORE + (0 if is_capped else numbers.rounds) + numbers.ambient + 2
    fight = Fight(
        who=records([(0,) * len(stated.BODY)] * actors, stated.BODY),
        turn=np.zeros((actors, actors), np.int64),
        turns=np.zeros(1, np.int64),
        hit=np.zeros((2, actors, numbers.stress_per_attack + 1, 2)),
        pierced=np.zeros((2, actors, 2, 2)),
        test=np.zeros((2, actors, spells, 2)),
        through=np.zeros((2, actors, spells, extra)),
        book=records([_page(spell) for spell in rules.spells.values()], stated.SPELL),
        weak=np.array([[0] * len(DAMAGES), *weak], np.int64),
        aims_at_weakest=int(rulings.target == "weakest"),
        **numbers.model_dump(),
        **rules.stress.model_dump(exclude={"pierce_die"}),
    )
    source = Source(
        foes=records([(0,) * len(stated.SHEET), *(_foe(rules, foe) for foe in foes)], stated.SHEET),
        given=records(given, stated.GIVEN),
        order=order,
        orders=np.array([len(some) for some in orders], np.int64),
        beats=tables.beats,
        reaches=tables.reaches,
        armor=max((spell.armor or 0 for spell in rules.spells.values()), default=0),
        counts_bane=int(rulings.spellbane == "on"),
        is_capped=is_capped,
    )
    most = (1, 1, 1, 1 + rules.sizes[hero.size] + MOST_SCORE)
    options = 2 + actors * (numbers.stress_per_attack + 1 + spells * extra)
    return Terms(DUNGEONEERS, fight, actors, numbers.rounds, most, {}, spells, options, source)


def _foe(rules: DungeoneersRules, foe: Foe) -> tuple[int, ...]:
    attributes = (getattr(foe, name) for name in ATTRIBUTES)
    return (*attributes, foe.av, foe.sr, 0, *_weapon(foe), _bits(rules, foe.spells))


def _page(spell: Spell) -> tuple[int, ...]:
    harm, die = spell.harm, spell.attack or spell.save
    deeds = (harm.wounds if harm else None, spell.stress, spell.armor, spell.mend, spell.calm)
    ((deed, amount),) = ((deed, amount) for deed, amount in enumerate(deeds) if amount is not None)
    against = ATTRIBUTES.index(spell.against) if spell.against else 0
    test, pierce = DICE.index(die) if die else 0, DICE.index(spell.pierce) if spell.pierce else 0
    of_type = DAMAGES.index(harm.type) if harm else 0
    return deed, amount, spell.base, int(spell.save is not None), test, against, pierce, of_type


# Compiled: once a build ---------------------------------------------------------------------------


@rule
def _body(g: Fight, source: Source, i: int, a: Any) -> None:
    """Who fights, but for stress: numbers, and the spells that it can ever cast."""
    who, own = g.who[i], source.given[i]
    who.most, who.endurance, who.ap, who.buys = own.most, a.endurance, own.ap, own.buys
    who.harm, who.bonus = a.harm, own.bonus
    top = a.mind + (0 if source.is_capped else g.rounds)
    if a.spell - a.bane * source.counts_bane >= 1:  # Spec, Armour: else it cannot cast at all
        for j in range(len(g.book)):
            if (a.known >> j) & 1 and max(0, g.book[j].base - g.ambient) <= top:
                who.spells |= 1 << j
                who.magica, who.magica_top = a.mind, top
                who.armors = max(who.armors, 1 if g.book[j].deed == ARMOR else 0)


@rule
def _amount(g: Fight, i: int, deed: int) -> int:
    """Of a spell of this kind that it can cast; 0: it has none."""
    amount = 0
    for j in range(len(g.book)):
        if (g.who[i].spells >> j) & 1 and g.book[j].deed == deed:
            amount = g.book[j].amount
    return amount


@rule
def _pair(g: Fight, source: Source, whose: int, foe: int, a: Any, d: Any) -> None:
    """The chances of an actor's attacks and spells at another: those that can be asked for, no others."""
    me, it = (0, foe) if whose == OURS else (foe, 0)
    who, dodge, bane = g.who[me], source.given[it].dodge, a.bane * source.counts_bane
    beats, reaches = source.beats, source.reaches
    for defending in range(2):
        against = min(MOST_DICE, d.prowess + defending)
        for k in range(g.stress_per_attack + 1 if who.buys else 1):
            g.hit[whose, foe, k, defending] = beats[a.hit, min(MOST_DICE, a.prowess + k), dodge, against]
    for over in range(2 if who.stress_top > who.endurance else 1):
        for armored in range(1 + g.who[it].armors):
            number = d.av + armored * source.armor
            g.pierced[whose, foe, over, armored] = reaches[a.pierce, a.power, over, number]
    for j in range(len(g.book)):
        s = g.book[j]
        if not (who.spells >> j) & 1 or s.deed >= ARMOR:
            continue
        for defending in range(2):
            ours, theirs, die = a.spell - bane, d.prowess + defending, dodge
            if s.saves:
                scores = (d.power, d.prowess, d.endurance, d.resistance, d.spell, d.mind)
                ours, theirs, die = a.mind - bane, scores[s.against], s.die
            ours = min(MOST_DICE, max(0, ours))
            g.test[whose, foe, j, defending] = beats[s.die, ours, die, min(MOST_DICE, theirs)]
        for extra in range(max(0, g.ambient - s.base), who.magica_top + g.ambient - s.base + 1):
            number = min(PIERCE_DICE, max(0, extra + 1 - bane))
            g.through[whose, foe, j, extra] = reaches[s.pierce, number, 0, d.sr]


@rule
def prepare(g: Fight, source: Source, sheet: Any) -> None:
    """A hero into the tables.

    More stress than one beyond the limit is no other state, but for those who can calm down again: for them
    it takes as much more as they can lose in a whole fight. Absorbed wounds stay within the capacity.
    """
    g.turns[0] = source.orders[sheet.prowess]
    for i in range(g.turns[0]):
        for place in range(len(g.who)):
            g.turn[i, place] = source.order[sheet.prowess, i, place]
    for i in range(len(g.who)):
        _body(g, source, i, sheet if i == 0 else source.foes[i])
        who = g.who[i]
        who.takes = g.weak[i, sheet.type]
        who.stress_top = who.endurance
        if who.buys or _amount(g, 0, STRESS) > 0:  # the hero comes first
            who.stress_top = g.breaking * who.endurance + 1 + _amount(g, i, CALM) * who.ap * g.rounds
    for whose in range(2):
        for i in range(1, len(g.who)):
            foe = source.foes[i]
            _pair(g, source, whose, i, sheet if whose == OURS else foe, foe if whose == OURS else sheet)


DUNGEONEERS = Statement(
    name="dungeoneers",
    table=("order", "place", "ap"),
    actor=("wounds", "stress", "magica", "armor", "defending"),
    metrics=("win", "draw", "loss", "life"),
    begin=stated.begin,
    decide=stated.greedy,
    act=stated.act,
    measure=stated.measure,
    ranges=stated.ranges,
    options=stated.options,
    prepare=prepare,
    sheet=stated.SHEET,
    own=("who", "turn", "turns", "hit", "pierced", "test", "through"),
)

"""From rules, combatants and builds to the tables that the statement reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.statement import Statement, Terms, records, rule
from buildsearch.systems.animon import attacks as its
from buildsearch.systems.animon import policies
from buildsearch.systems.animon import statement as stated
from buildsearch.systems.animon.attacks import (
    ATTACK_LESS,
    ATTACK_MORE,
    ATTACKS,
    CHANGES,
    DODGE_LESS,
    DODGE_MORE,
    FORMS,
    HALVED,
    QUICK_STRIKE,
    Fight,
    attack_of,
    clamp,
    margin_row,
)
from buildsearch.systems.animon.bouts.bout import Bout, Combatant, combatants
from buildsearch.systems.animon.builds.build import Build, Form, Signature, forms_of, signature_stages
from buildsearch.systems.animon.chances import tables_of
from buildsearch.systems.animon.rules.model import (
    EFFECTS,
    ELEMENTS,
    MOST_EFFECTS,
    MOST_HP,
    STAGES,
    AnimonRules,
    Element,
)

Ints = NDArray[np.int64]

_MANY = 99
# Combatants of a wave whose orders of slots can be gone through: there are 120.
MOST_IN_ORDER = 5
# Columns of an attack in a sheet. Of elements: how many, then four bits each.
S_EFFECTS, S_RANK, S_STAGE, S_ELEMENTS, S_WIDTH = range(5)
_LISTS = (("form", (FORMS, len(its.FORM))), ("attack", (ATTACKS, S_WIDTH)))


class Source(NamedTuple):
    """What builds are made to fights with."""

    innate: Ints  # innate[actor]
    elements: Ints  # elements[attack]
    versus: Ints  # versus[element, element]
    start: int  # the stage in which builds start, if they have it
    base_bond: int  # and by level, or neither
    level_bond: int


def numbers_of(form: Form) -> tuple[int, ...]:
    """In the order of its.FORM."""
    return tuple(getattr(form, name) for name in its.FORM)


def effect_bits(effects: Sequence[str]) -> int:
    """A bit for each effect."""
    return sum(1 << i for i, name in enumerate(EFFECTS) if name in effects)


def elements_of(rules: AnimonRules, effects: Sequence[str], elements: Sequence[Element]) -> int:
    """Those that an attack can be of: how many, then four bits each."""
    if rules.rulings.multi_element == "any" and "multi_element" in effects:
        choices = list(range(len(ELEMENTS)))
    else:  # a power transfer has no element, and one place where it would be
        choices = [ELEMENTS.index(each) for each in elements] or [0]
    return len(choices) + sum(each << 4 * i for i, each in enumerate(choices, 1))


def signature_row(rules: AnimonRules, stage: int, signature: Signature) -> list[int]:
    """A signature attack as sheets have it."""
    elements = elements_of(rules, signature.effects, signature.elements)
    return [effect_bits(signature.effects), rules.stages[STAGES[stage]].rank, stage, elements]


def build_row(rules: AnimonRules, build: Build) -> Ints:
    """The sheet of one build."""
    row = np.zeros(1, ANIMON.sheet_type)
    innate, stages = ELEMENTS.index(build.element), signature_stages(rules, build.stage)
    row["level"], row["top"], row["innate"] = build.bond_level, STAGES.index(build.stage), innate
    row["attacks"] = len(build.signatures)
    for form in forms_of(rules, build):
        row["form"][0, form.stage] = numbers_of(form)
    row["attack"][0, 0, S_ELEMENTS] = 1 + (innate << 4)
    for i, (stage, signature) in enumerate(zip(stages, build.signatures, strict=True), 1):
        row["attack"][0, i] = signature_row(rules, STAGES.index(stage), signature)
    return row.view(np.int64)


def make_terms(rules: AnimonRules, bout: Bout) -> Terms:
    """A fight without its build."""
    units, tables = combatants(rules, bout, None), tables_of(rules.dice)
    actors, rulings = len(units), rules.rulings
    forms, attacks, elements = _tables_of_others(rules, units)
    choices = len(ELEMENTS) if rulings.multi_element == "any" else 1 + MOST_EFFECTS
    nets, dice = tables.margins.shape[1], np.arange(tables.successes.shape[2])
    lasts = ("causer", "encounter", "target").index(rulings.vulnerable)
    hearts, bond, pool = rules.hearts, rules.bond, min(actors, MOST_IN_ORDER)
    fight = Fight(
        who=records([_who(units, forms, attacks, elements, i) for i in range(actors)], its.WHO),
        form=records(forms, its.FORM),
        attack=records(attacks, its.ATTACK),
        edge=np.zeros((actors * ATTACKS, choices, actors), np.int64),
        watches=np.zeros(1, np.int64),
        mean=np.zeros((actors * FORMS, actors * FORMS, CHANGES)),
        element=np.zeros((actors * ATTACKS, choices), np.int64),
        plain=np.zeros(actors),
        tied=np.zeros((2, actors + 1), np.int64),
        among=np.zeros((pool + 2, pool + 1)),
        sixes=np.zeros(1 << pool),
        margins=tables.margins.ravel(),
        successes=tables.successes,
        passes=np.array(
            [[tables.successes[i, nets // 2, dice >= least].sum() for i in dice] for least in dice]
        ),
        nets=nets,
        dodges=tables.margins.shape[2],
        sides=rules.dice.sides,
        success=rules.dice.success,
        most_boost=rules.dice.most_boost,
        waves=len(bout.waves),
        breath=int(bout.between == "breath"),
        devolves=int(bout.zero_hp == "devolve"),
        first_evolution=int(bout.first_evolution),
        ties_again=int(rulings.initiative_ties == "again"),
        evolving_acts=int(rulings.evolving == "action"),
        tough_halves=int(rulings.tough_break == "half"),
        vulnerable_lasts=(its.UNTIL_CAUSER, its.UNTIL_END, its.UNTIL_TARGET)[lasts],
        adjacent=_MANY if rulings.adjacent == "all" else int(rulings.adjacent),
        least_exhausting=2 if rulings.overcharge == "two" else 1,
        transfer_by_rank=int(rulings.power_transfer == "rank"),
        bond_dice=int(rulings.bond_dice == "attack"),
        heavy_extra=rules.effects["heavy_strike"].extra or 0,
        devolving_from=STAGES.index(hearts.devolving_from),
        devolving=hearts.devolving,
        staying_basic=hearts.staying_basic,
        breath_hp=hearts.breath,
        **bond.model_dump(exclude={"base"}),
        surprised={"nobody": -1, "us": 0, "them": 1}[bout.surprised],
    )
    source = Source(
        innate=np.array([ELEMENTS.index(each.element) for each in units], np.int64),
        elements=np.array(elements, np.int64),
        versus=_versus(rules),
        start=len(STAGES) if bout.start is None else STAGES.index(bout.start),
        base_bond=bond.base if bout.bond_points is None else bout.bond_points,
        level_bond=int(bout.bond_points is None),
    )
    return Terms(
        ANIMON,
        fight,
        actors,
        bout.max_rounds,
        most=(1, 1, 1, MOST_HP),
        triggers=ATTACKS,
        source=source,
    )


def _tables_of_others(rules: AnimonRules, units: list[Combatant]) -> tuple[list[Any], list[Any], list[int]]:
    """Forms, attacks and the elements of these; nothing in the places of the build."""
    forms, attacks, elements = [], [], []
    for unit in units:
        own = {stage: numbers_of(form) for stage, form in unit.forms.items()}
        forms += [own.get(stage, (0,) * len(its.FORM)) for stage in range(FORMS)]
        rows = [[0, 0, 0, 1 + (ELEMENTS.index(unit.element) << 4)]]
        rows += (
            [] if unit.is_the_build else [signature_row(rules, a.stage, a.signature) for a in unit.attacks]
        )
        rows += [[0] * S_WIDTH] * (ATTACKS - len(rows))
        attacks += [(*row[:S_ELEMENTS], 0) for row in rows]
        elements += [row[S_ELEMENTS] for row in rows]
    return forms, attacks, elements


def _who(
    units: list[Combatant], forms: list[Any], attacks: list[Any], elements: list[int], i: int
) -> tuple[int, ...]:
    """Foes of a wave that are the same but for their numbers are of one kind, named by its first."""

    def of(j: int) -> Any:
        unit, own, struck = units[j], slice(FORMS * j, FORMS * (j + 1)), slice(ATTACKS * j, ATTACKS * (j + 1))
        told = unit.wave, unit.level, unit.top, unit.element
        return told, forms[own], attacks[struck], elements[struck]

    unit = units[i]
    kind = next((j for j in range(i) if units[j].side == unit.side == its.THEIRS and of(j) == of(i)), i)
    fixed = unit.side, int(unit.is_pc), int(unit.is_the_build), unit.wave
    return (*fixed, unit.level, unit.top, unit.top, 0, len(unit.attacks), kind)


def _versus(rules: AnimonRules) -> Ints:
    found = np.zeros((len(ELEMENTS), len(ELEMENTS)), np.int64)
    for i, name in enumerate(ELEMENTS):
        strong = rules.elements[name].strong_against
        if strong is not None:
            found[i, ELEMENTS.index(strong)] += 1
            found[ELEMENTS.index(strong), i] -= 1
    return found


# Compiled: once a build ---------------------------------------------------------------------------


@rule
def _enter(g: Fight, source: Source, i: int, sheet: Any) -> None:
    """The build, or a copy of it."""
    who = g.who[i]
    who.level, who.top, who.attacks = sheet.level, sheet.top, sheet.attacks
    who.start = min(sheet.top, source.start)
    who.bond = source.base_bond + source.level_bond * sheet.level
    for form in range(sheet.top + 1):
        own = g.form[FORMS * i + form]
        own.hp, own.damage, own.attack = sheet.form[form, 0], sheet.form[form, 1], sheet.form[form, 2]
        own.power, own.dodge, own.initiative = sheet.form[form, 3], sheet.form[form, 4], sheet.form[form, 5]
        own.uses, own.heart = sheet.form[form, 6], sheet.form[form, 7]
    for attack in range(sheet.attacks + 1):
        a = g.attack[attack_of(i, attack)]
        a.effects, a.rank = sheet.attack[attack, S_EFFECTS], sheet.attack[attack, S_RANK]
        a.stage = sheet.attack[attack, S_STAGE]


@rule
def _are_alike(g: Fight, source: Source, i: int, one: int, other: int, sheet: Any) -> bool:
    """Whether two elements come to the same against everybody on the other side."""
    for it in range(len(g.who)):
        theirs = sheet.innate if g.who[it].is_build else source.innate[it]
        if g.who[it].side != g.who[i].side and source.versus[one, theirs] != source.versus[other, theirs]:
            return False
    return True


@rule
def _choices(g: Fight, source: Source, i: int, attack: int, elements: int, sheet: Any) -> int:
    """What each element adds at each target; of those that a fight cannot tell apart only the first."""
    number, row = 0, attack_of(i, attack)
    for choice in range(1, (elements & 15) + 1):
        element, known = (elements >> 4 * choice) & 15, 0
        while known < number and not _are_alike(g, source, i, g.element[row, known], element, sheet):
            known += 1
        if known == number:
            g.element[row, number] = element
            for it in range(len(g.who)):
                if g.who[it].side != g.who[i].side:
                    theirs = sheet.innate if g.who[it].is_build else source.innate[it]
                    g.edge[row, number, it] = source.versus[element, theirs]
            number += 1
    return number


@rule
def _mean(g: Fight, row: int, number: int, score: int, halves: int) -> float:
    total = 0.0
    for by in range(1, number + 1):
        total += g.margins[row + by] * ((score + by) >> halves)
    return total


@rule
def _means(g: Fight, i: int, j: int) -> None:
    """D for every pair of forms that there are."""
    for mine in range(FORMS):
        own = g.form[FORMS * i + mine]
        for theirs in range(FORMS if own.hp > 0 else 0):
            it = g.form[FORMS * j + theirs]
            net = g.edge[attack_of(i, 0), 0, j] + clamp(g, mine - theirs)
            for change in range(CHANGES if it.hp > 0 else 0):
                more = (change == ATTACK_MORE) - (change == ATTACK_LESS)
                dodge_net = (change == DODGE_MORE) - (change == DODGE_LESS)
                row = margin_row(g, own.attack, clamp(g, net + more), it.dodge, dodge_net)
                halves = 1 if change == HALVED else 0
                g.mean[FORMS * i + mine, FORMS * j + theirs, change] = _mean(
                    g, row, own.attack, own.damage, halves
                )


@rule
def prepare(g: Fight, source: Source, sheet: Any) -> None:
    """A build into the tables, in all of its places."""
    for i in range(len(g.who)):
        if g.who[i].is_build:
            _enter(g, source, i, sheet)
    for i in range(len(g.who)):
        for attack in range(g.who[i].attacks + 1):
            elements = source.elements[attack_of(i, attack)]
            if g.who[i].is_build:
                elements = sheet.attack[attack, S_ELEMENTS]
            a = g.attack[attack_of(i, attack)]
            a.choices = _choices(g, source, i, attack, elements, sheet)
            if a.effects & QUICK_STRIKE:
                g.watches[0] = 1
        for j in range(len(g.who)):
            if g.who[j].side != g.who[i].side:
                _means(g, i, j)


ANIMON = Statement(
    name="animon",
    table=its.TABLE,
    actor=its.ACTOR,
    metrics=("win_rate", "draws", "", "hp_left"),
    begin=stated.begin,
    decide=policies.greedy,
    act=stated.act,
    measure=stated.measure,
    ranges=stated.ranges,
    options=policies.options,
    prepare=prepare,
    same=stated.same,
    sheet=("level", "top", "innate", "attacks", *_LISTS),
    own=("who", "form", "attack", "edge", "watches"),
    scratch=("mean", "element", "plain", "tied", "among", "sixes"),
)

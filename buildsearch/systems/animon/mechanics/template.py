"""A fight before a build is in it, as arrays; and which elements it cannot tell apart."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.randomness import content_digest
from buildsearch.systems.animon.bouts.bout import Bout, Combatant, combatants
from buildsearch.systems.animon.builds.build import Build, Line, Signature, signature_stages, total_of
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Template
from buildsearch.systems.animon.mechanics.plans import (
    MARGINS,
    ODDS,
    PLAN,
    attack_place,
    form_place,
    unit_place,
)
from buildsearch.systems.animon.mechanics.rows import choices_of, effect_bits, numbers_of, packed
from buildsearch.systems.animon.mechanics.tables import tables_of
from buildsearch.systems.animon.rules.model import ELEMENTS, STAGES, AnimonRules

_MANY = 99


def make_template(rules: AnimonRules, bout: Bout) -> Template:
    """The arrays of a fight."""
    units = combatants(rules, bout, _anybody(rules))
    tables = tables_of(rules.dice)
    number = len(units)
    template = Template(
        law=_law(rules, bout, units),
        unit=np.zeros((number, at.UNIT), np.int64),
        form=np.zeros((number, at.FORMS, at.FORM_WIDTH), np.int64),
        attack=np.zeros((number, at.MOST_ATTACKS, at.ATTACK_WIDTH), np.int64),
        versus=_versus(rules),
        innate=np.zeros(number, np.int64),
        elements=np.zeros((number, at.MOST_ATTACKS, at.MOST_CHOICES), np.int64),
        margins=tables.margins,
        chances=tables.successes,
    )
    for i, unit in enumerate(units):
        template.unit[i, at.SIDE] = unit.side
        template.unit[i, at.IS_PC] = unit.is_pc
        template.unit[i, at.IS_BUILD] = unit.is_the_build
        template.unit[i, at.COMES_IN] = unit.wave
        if not unit.is_the_build:
            _fill(rules, template, i, unit)
    for i in range(number):
        template.unit[i, at.KIND] = next(j for j in range(i + 1) if _alike(template, i, j))
    return template


def empty_plan(template: Template) -> tuple[Ints, Floats]:
    """Room for a plan and its odds; `fill_plan` writes a build into them."""
    plan, odds = np.zeros(PLAN, np.int64), np.zeros(ODDS)
    number = len(template.unit)
    plan[: at.LAW] = template.law
    plan[at.UNITS] = number
    for unit in range(number):
        plan[unit_place(unit, 0) : unit_place(unit, at.UNIT)] = template.unit[unit]
        plan[form_place(unit, 0, 0) : form_place(unit + 1, 0, 0)] = template.form[unit].ravel()
        plan[attack_place(unit, 0, 0) : attack_place(unit + 1, 0, 0)] = template.attack[unit].ravel()
    odds[MARGINS:] = np.concatenate([template.margins.ravel(), template.chances.ravel()])
    return plan, odds


def template_digest(template: Template) -> bytes:
    """A digest of a fight's numbers."""
    return content_digest(*(np.ascontiguousarray(part).tobytes() for part in template[:7]))


class Alike:
    """Elements that a fight cannot tell apart are one: the first of them."""

    def __init__(self, template: Template) -> None:
        theirs = np.flatnonzero(template.unit[:, at.SIDE] == 1)
        innate = template.innate[theirs]
        striking = [template.versus[:, each] for each in innate]
        struck = [template.versus[each] for each in innate]
        for unit in theirs:
            for attack in range(template.unit[unit, at.ATTACKS]):
                for choice in range(template.attack[unit, attack, at.A_CHOICES]):
                    struck.append(template.versus[template.elements[unit, attack, choice]])
        self.attack = _first_alike(np.stack(striking, axis=1))
        self.innate = _first_alike(np.stack([*striking, *struck], axis=1))

    def elements(self, choices: list[int]) -> int:
        """A list of choices without those that are alike, packed."""
        return packed(list(dict.fromkeys(int(self.attack[each]) for each in choices)))

    def reduced(self, row: Ints) -> Ints:
        """A row with its elements by what they do."""
        found = row.copy()
        found[at.R_INNATE] = self.innate[row[at.R_INNATE]]
        for i in range(at.MOST_ATTACKS):
            column = at.R_FIRST + i * at.R_WIDTH + at.R_ELEMENTS
            number = int(row[column]) & 15
            found[column] = self.elements([(int(row[column]) >> (4 * (j + 1))) & 15 for j in range(number)])
        return found


def _first_alike(vectors: Ints) -> Ints:
    seen: dict[bytes, int] = {}
    return np.array(
        [seen.setdefault(row.tobytes(), i) for i, row in enumerate(np.ascontiguousarray(vectors))]
    )


def _law(rules: AnimonRules, bout: Bout, units: list[Combatant]) -> Ints:
    law = np.zeros(at.LAW, np.int64)
    rulings, bond, hearts, dice = rules.rulings, rules.bond, rules.hearts, rules.dice
    adjacent = _MANY if rulings.adjacent == "all" else int(rulings.adjacent)
    lasts = {"causer": at.UNTIL_CAUSER, "encounter": at.UNTIL_END, "target": at.UNTIL_TARGET}
    values = {
        at.MAX_ROUNDS: bout.max_rounds,
        at.WAVES: len(bout.waves),
        at.BREATH: bout.between == "breath",
        at.DEVOLVES: bout.zero_hp == "devolve",
        at.FIRST_EVOLUTION: bout.first_evolution,
        at.TIES_AGAIN: rulings.initiative_ties == "again",
        at.EVOLVING_ACTS: rulings.evolving == "action",
        at.TOUGH_HALVES: rulings.tough_break == "half",
        at.VULNERABLE_LASTS: lasts[rulings.vulnerable],
        at.ADJACENT: adjacent,
        at.LEAST_EXHAUSTING: 2 if rulings.overcharge == "two" else 1,
        at.TRANSFER_BY_RANK: rulings.power_transfer == "rank",
        at.BOND_DICE: rulings.bond_dice == "attack",
        at.HEAVY_EXTRA: rules.effects["heavy_strike"].extra or 0,
        at.SIDES: dice.sides,
        at.SUCCESS: dice.success,
        at.MOST_BOOST: dice.most_boost,
        at.DEVOLVING_FROM: STAGES.index(hearts.devolving_from),
        at.DEVOLVING: hearts.devolving,
        at.STAYING_BASIC: hearts.staying_basic,
        at.BREATH_HP: hearts.breath,
        at.FIGHT_ON: bond.fight_on,
        at.KEPT: bond.kept,
        at.EVOLVING_COST: bond.evolving,
        at.EXTRA_USE: bond.extra_use,
        at.EXTRA_DIE: bond.extra_die,
        at.SURPRISED: {"nobody": -1, "us": 0, "them": 1}[bout.surprised],
        at.WATCHES_ACTED: any(
            "quick_strike" in each.signature.effects
            for unit in units
            if not unit.is_the_build
            for each in unit.attacks
        ),
    }
    for column, value in values.items():
        law[column] = value
    return law


def _fill(rules: AnimonRules, template: Template, i: int, unit: Combatant) -> None:
    template.unit[i, at.LEVEL] = unit.level
    template.unit[i, at.TOP] = unit.top
    template.unit[i, at.START] = unit.start
    template.unit[i, at.BOND_AT_FIRST] = unit.bond
    template.unit[i, at.ATTACKS] = len(unit.attacks)
    template.innate[i] = ELEMENTS.index(unit.element)
    for stage, form in unit.forms.items():
        template.form[i, stage] = numbers_of(form)
    for j, attack in enumerate(unit.attacks):
        choices = choices_of(rules, attack.signature.effects, attack.signature.elements)
        template.attack[i, j, at.A_EFFECTS] = effect_bits(attack.signature.effects)
        template.attack[i, j, at.A_RANK] = attack.rank
        template.attack[i, j, at.A_STAGE] = attack.stage
        template.attack[i, j, at.A_CHOICES] = len(choices)
        template.elements[i, j, : len(choices)] = choices


def _versus(rules: AnimonRules) -> Ints:
    found = np.zeros((len(ELEMENTS), len(ELEMENTS)), np.int64)
    for i, name in enumerate(ELEMENTS):
        strong = rules.elements[name].strong_against
        if strong is not None:
            found[i, ELEMENTS.index(strong)] += 1
            found[ELEMENTS.index(strong), i] -= 1
    return found


def _alike(template: Template, i: int, j: int) -> bool:
    """Whether two foes of a wave are the same but for their numbers."""
    if i == j:
        return True
    arrays = (template.unit[:, : at.KIND], template.form, template.attack, template.innate, template.elements)
    both_foes = bool(template.unit[i, at.SIDE] and template.unit[j, at.SIDE])
    return both_foes and all(bool((each[i] == each[j]).all()) for each in arrays)


def _anybody(rules: AnimonRules) -> Build:
    """Some build: combatants are numbered the same whoever it is."""
    stage = STAGES[0]
    row = rules.stages[stage]
    rest = total_of(rules, stage) - 4 * row.least
    stats = [
        row.least + max(0, min(row.most - row.least, rest - i * (row.most - row.least))) for i in range(4)
    ]
    line: Line = (stats[0], stats[1], stats[2], stats[3])
    signatures = tuple(Signature((), ()) for _ in signature_stages(rules, stage))
    return Build(stage, "neutral", (line,), "attack", signatures, (), row.bond_level)

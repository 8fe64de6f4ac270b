"""A build as a row of numbers: its forms, and its signature attacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buildsearch.systems.animon.bouts.bout import Bout, bond_of, start_of
from buildsearch.systems.animon.builds.build import Build, Form, forms_of, signature_stages
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.layout import Ints
from buildsearch.systems.animon.rules.model import EFFECTS, ELEMENTS, STAGES, AnimonRules, Element


def numbers_of(form: Form) -> list[int]:
    """In the order of the columns of a form."""
    return [
        form.hp,
        form.damage,
        form.attack,
        form.power,
        form.dodge,
        form.initiative,
        form.uses,
        form.heart,
    ]


def effect_bits(effects: Sequence[str]) -> int:
    """A bit for each effect."""
    return sum(1 << i for i, name in enumerate(EFFECTS) if name in effects)


def packed(elements: Sequence[int]) -> int:
    """A list of elements in one number: how many, then four bits each."""
    found = len(elements)
    for i, element in enumerate(elements):
        found |= element << (4 * (i + 1))
    return found


def choices_of(rules: AnimonRules, effects: Sequence[str], elements: Sequence[Element]) -> list[int]:
    """The elements that an attack can be of, as numbers."""
    if rules.rulings.multi_element == "any" and "multi_element" in effects:
        return list(range(len(ELEMENTS)))
    # A power transfer has no element, and one place where it would be.
    return [ELEMENTS.index(each) for each in elements] or [0]


def row_of(rules: AnimonRules, bout: Bout, build: Build) -> Ints:
    """The row of one build in a fight."""
    row = np.zeros(at.ROW, np.int64)
    for form in forms_of(rules, build):
        row[form.stage * at.FORM_WIDTH : form.stage * at.FORM_WIDTH + at.FORM_WIDTH] = numbers_of(form)
    row[at.R_INNATE] = ELEMENTS.index(build.element)
    row[at.R_LEVEL] = build.bond_level
    row[at.R_TOP] = STAGES.index(build.stage)
    row[at.R_START] = start_of(bout, build)
    row[at.R_BOND] = bond_of(rules, bout, build)
    row[at.R_ATTACKS] = len(build.signatures)
    stages = signature_stages(rules, build.stage)
    for i, (stage, signature) in enumerate(zip(stages, build.signatures, strict=True)):
        where = at.R_FIRST + i * at.R_WIDTH
        row[where + at.R_EFFECTS] = effect_bits(signature.effects)
        row[where + at.R_RANK] = rules.stages[stage].rank
        row[where + at.R_STAGE] = STAGES.index(stage)
        row[where + at.R_ELEMENTS] = packed(choices_of(rules, signature.effects, signature.elements))
    return row

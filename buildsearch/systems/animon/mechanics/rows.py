"""A build as a row of numbers: its forms, and its signature attacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buildsearch.systems.animon.bouts.bout import Bout, bond_of, start_of
from buildsearch.systems.animon.builds.build import Build, Form, forms_of, signature_stages
from buildsearch.systems.animon.mechanics.layout import (
    FORM_WIDTH,
    R_ATTACKS,
    R_BOND,
    R_EFFECTS,
    R_ELEMENTS,
    R_FIRST,
    R_INNATE,
    R_LEVEL,
    R_RANK,
    R_STAGE,
    R_START,
    R_TOP,
    R_WIDTH,
    ROW,
    Ints,
)
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
    row = np.zeros(ROW, np.int64)
    for form in forms_of(rules, build):
        row[form.stage * FORM_WIDTH : form.stage * FORM_WIDTH + FORM_WIDTH] = numbers_of(form)
    row[R_INNATE] = ELEMENTS.index(build.element)
    row[R_LEVEL] = build.bond_level
    row[R_TOP] = STAGES.index(build.stage)
    row[R_START] = start_of(bout, build)
    row[R_BOND] = bond_of(rules, bout, build)
    row[R_ATTACKS] = len(build.signatures)
    stages = signature_stages(rules, build.stage)
    for i, (stage, signature) in enumerate(zip(stages, build.signatures, strict=True)):
        at = R_FIRST + i * R_WIDTH
        row[at + R_EFFECTS] = effect_bits(signature.effects)
        row[at + R_RANK] = rules.stages[stage].rank
        row[at + R_STAGE] = STAGES.index(stage)
        row[at + R_ELEMENTS] = packed(choices_of(rules, signature.effects, signature.elements))
    return row

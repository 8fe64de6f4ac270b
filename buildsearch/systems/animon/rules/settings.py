"""The parameters of a space: the stage, how strong the bond, how many effects, which elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import only_known, suggest, whole_number
from buildsearch.systems.animon.parameters import PARAMETERS
from buildsearch.systems.animon.rules.model import (
    ELEMENTS,
    LOWER_FORMS,
    MOST_BOND_LEVEL,
    MOST_EFFECTS,
    STAGES,
    AnimonRules,
    Element,
    LowerForms,
    Stage,
)

_T = TypeVar("_T", bound=str)


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters, checked."""

    stage: Stage
    bond_level: int
    effects: int
    elements: tuple[Element, ...]
    lower_forms: LowerForms

    @property
    def in_words(self) -> dict[str, int | str]:
        """As they are given on the command line."""
        return {
            "stage": self.stage,
            "bond_level": self.bond_level,
            "effects": self.effects,
            "elements": "+".join(self.elements),
            "lower_forms": self.lower_forms,
        }


def read_settings(rules: AnimonRules, given: Mapping[str, str]) -> Settings:
    """Check the parameters; raises UsageError with a sentence that says what could be given."""
    only_known(given, PARAMETERS)
    limits = rules.limits
    stage = _one_of(given, "stage", limits.stage, STAGES)
    needed = rules.stages[stage].bond_level
    bond_level = whole_number(given, "bond_level", needed, 1, MOST_BOND_LEVEL)
    if bond_level < needed:
        raise UsageError(f"bond_level={bond_level}: the {stage} stage needs {needed}. Give {needed} or more.")
    most = len(rules.improvements.kinds) * rules.improvements.most * rules.improvements.levels + 1
    if bond_level > most:
        raise UsageError(
            f"bond_level={bond_level} gives more improvements than there are. Give {most} or less."
        )
    return Settings(
        stage=stage,
        bond_level=bond_level,
        effects=whole_number(given, "effects", limits.effects, 1, MOST_EFFECTS),
        elements=_elements(given.get("elements"), limits.elements),
        lower_forms=_one_of(given, "lower_forms", limits.lower_forms, LOWER_FORMS),
    )


def _elements(text: str | None, default: tuple[Element, ...]) -> tuple[Element, ...]:
    if text is None:
        chosen = set(default)
    elif text == "all":
        chosen = set(ELEMENTS)
    else:
        asked = [word.strip() for word in text.replace(",", "+").split("+")]
        for word in asked:
            if word not in ELEMENTS:
                raise UsageError(f"elements={text}: unknown element `{word}`. {suggest(word, ELEMENTS)}")
        chosen = {element for element in ELEMENTS if element in asked}
    return tuple(element for element in ELEMENTS if element in chosen)


def _one_of(given: Mapping[str, str], name: str, default: _T, known: tuple[_T, ...]) -> _T:
    text = given.get(name, default)
    for value in known:
        if value == text:
            return value
    raise UsageError(f"{name}={text}: there is no such {name.replace('_', ' ')}. {suggest(text, known)}")

"""Foes in one line: `goblin*3|knight{sr=5 weak=H2}@ambient=1 rounds=10`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.dungeoneers.rules.model import (
    DAMAGES,
    DICE,
    MOST_FOES,
    Damage,
    DungeoneersRules,
    FightNumbers,
    Foe,
    Rulings,
)

_ENTRY = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(?:\{([^{}]*)\})?\s*(?:\*\s*([0-9]{1,3}))?\s*", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]{1,9})?", re.ASCII)
_TYPED = re.compile(r"([0-9]{1,3})([A-Z])|([A-Z])([0-9]{1,3})", re.ASCII)
_LETTERS: dict[str, Damage] = {damage[0].upper(): damage for damage in DAMAGES}
_T = TypeVar("_T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class NamedFoe:
    """A foe of a fight under the name that it goes by there."""

    name: str
    foe: Foe


def read_terms(text: str, rules: DungeoneersRules) -> tuple[tuple[NamedFoe, ...], FightNumbers, Rulings]:
    """Foes, numbers and readings of a fight; raises UsageError about the first thing that is wrong."""
    listed, _, options = text.partition("@")
    foes: list[NamedFoe] = []
    for entry in listed.split("|"):
        foes += _entry(entry, text, rules)
    if len(foes) > MOST_FOES:
        raise UsageError(f"`{text}`: {len(foes)} foes, and {MOST_FOES} is the most.")
    return tuple(foes), *_options(options, text, rules)


def _entry(entry: str, text: str, rules: DungeoneersRules) -> list[NamedFoe]:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        raise UsageError(
            f"`{text}`: `{entry.strip()}` is not a foe. Write a name, changes in braces, a count: "
            "`knight{sr=5 buys=0}*2`."
        )
    name, changes, count = match.groups()
    if name not in rules.foes:
        raise UsageError(f"`{text}`: unknown foe `{name}`. {suggest(name, rules.foes)}")
    number = int(count) if count else 1
    if not number:
        raise UsageError(f"`{text}`: `{entry.strip()}` is zero foes. Write a count from 1 up.")
    foe = _changed(rules.foes[name], changes or "", text, rules)
    return [NamedFoe(name, foe)] * min(number, MOST_FOES + 1)


def _changed(foe: Foe, changes: str, text: str, rules: DungeoneersRules) -> Foe:
    data = foe.model_dump()
    for name, value in _pairs(changes, text):
        if name == "wounds":
            number, damage = _typed(name, value, text)
            data |= {"wounds": number, "type": damage}
        elif name in ("weak", "resistant"):
            for each in value.split(","):
                number, damage = _typed(name, each, text)
                data[name] = data[name] | {damage: number}
        elif name == "spells":
            data["spells"] = () if value == "none" else tuple(value.split(","))
            for spell in data["spells"]:
                if spell not in rules.spells:
                    raise UsageError(f"`{text}`: unknown spell `{spell}`. {suggest(spell, rules.spells)}")
        elif name in ("hit", "pierce", "dodge") and value not in DICE:
            raise UsageError(f"`{text}`: there is no die `{value}` for `{name}`. Dice are {', '.join(DICE)}.")
        elif name == "type" or name not in Foe.model_fields:
            known = [each for each in Foe.model_fields if each != "type"]
            raise UsageError(f"`{text}`: a foe has no `{name}`. {suggest(name, known)}")
        else:
            data[name] = _plain(value)
    return _checked(Foe, data, text)


def _options(options: str, text: str, rules: DungeoneersRules) -> tuple[FightNumbers, Rulings]:
    numbers, rulings = rules.fights.model_dump(), rules.rulings.model_dump()
    for name, value in _pairs(options, text):
        if name in numbers:
            numbers[name] = _plain(value)
        elif name in rulings:
            rulings[name] = _plain(value)
        else:
            raise UsageError(f"`{text}`: no option `{name}`. {suggest(name, [*numbers, *rulings])}")
    return _checked(FightNumbers, numbers, text), _checked(Rulings, rulings, text)


def _pairs(changes: str, text: str) -> list[tuple[str, str]]:
    found = []
    for part in changes.split():
        name, equals, value = part.partition("=")
        if not (name and equals and value):
            raise UsageError(
                f"`{text}`: `{part}` is not a change. Write name=value, with a space between two."
            )
        found.append((name, value))
    return found


def _typed(name: str, value: str, text: str) -> tuple[int, Damage]:
    match = _TYPED.fullmatch(value)
    letter = (match[2] or match[3]) if match else ""
    if match is None or letter not in _LETTERS:
        letters = ", ".join(f"{short} {damage}" for short, damage in _LETTERS.items())
        raise UsageError(
            f"`{text}`: `{name}={value}` is not a number with a type of damage. "
            f"Write `wounds=1S` or `weak=H2`: {letters}."
        )
    return int(match[1] or match[4]), _LETTERS[letter]


def _plain(value: str) -> int | float | str:
    if not _NUMBER.fullmatch(value):
        return value
    return float(value) if "." in value else int(value)


def _checked(model: type[_T], data: dict[str, Any], text: str) -> _T:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        said = "; ".join(
            f"{'.'.join(map(str, each['loc']))}={each['input']}: {each['msg'][0].lower()}{each['msg'][1:]}"
            for each in error.errors()
        )
        raise UsageError(f"`{text}`: {said}.") from error

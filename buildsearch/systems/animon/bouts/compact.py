"""Fights in one line: `foes=L6:super:fire!sap@water/hp30,L2:basic:nature*3>L5:ultra:dark; start=basic`."""

from __future__ import annotations

import re
from typing import TypeVar, get_args

from buildsearch.model.errors import InputError, UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.animon.bouts.bout import Ally, Copy, Foe, Levelled
from buildsearch.systems.animon.builds.build import Form, Signature
from buildsearch.systems.animon.builds.grammar import make_signature, parse_build, parse_signature
from buildsearch.systems.animon.builds.legality import reasons_against, signature_problems
from buildsearch.systems.animon.rules.model import (
    ELEMENTS,
    MOST_BOND,
    MOST_DAMAGE,
    MOST_HP,
    MOST_LEVEL,
    MOST_ROUNDS,
    MOST_UNITS,
    MOST_USES,
    MOST_WAVES,
    STAGES,
    AnimonRules,
    Between,
    Element,
    Surprised,
    ZeroHp,
)
from buildsearch.systems.animon.rules.scenarios import Scenario
from buildsearch.systems.animon.rules.settings import read_settings

_COUNT = re.compile(r"(.*?)\s*\*\s*([0-9]{1,3})", re.ASCII | re.DOTALL)
_CHANGE = re.compile(r"\s*(hp|dmg|atk|dod|ini|use)\s*([0-9]{1,5})\s*", re.ASCII)
_LEVEL = re.compile(r"L([0-9]{1,3})", re.ASCII)
_MOST = {"hp": MOST_HP, "dmg": MOST_DAMAGE, "atk": 20, "dod": 20, "ini": 20, "use": MOST_USES}
_EXAMPLE = "L6:super:fire!sap@water/hp30"
_KEYS = ("foes", "allies", "bp", "start", "first", "zero", "between", "surprised", "rounds")
_T = TypeVar("_T", bound=str)


def read_scenario(text: str, rules: AnimonRules) -> Scenario:
    """The compact form as a scenario; raises UsageError. Foes alone need no `foes=`."""
    given: dict[str, str] = {}
    for part in _split(text, ";"):
        key, equals, value = part.partition("=")
        if not equals or "{" in key or ":" in key:
            key, value = "foes", part
        key, value = key.strip(), value.strip()
        if key not in _KEYS:
            raise UsageError(f"`{text}`: no option `{key}` of a fight. {suggest(key, _KEYS)}")
        if key in given:
            raise UsageError(f"`{text}`: `{key}` is given twice. Write it once.")
        given[key] = value
    if "foes" not in given:
        raise UsageError(f"`{text}`: there is no foe. Write `foes={_EXAMPLE}`.")
    return Scenario(
        name="ad hoc",
        foes=given["foes"] or " ",
        allies=given.get("allies") or None,
        bond_points=_bond(given.get("bp", "0"), text),
        start=_one_of(given["start"], "start", STAGES, text) if "start" in given else None,
        first_evolution=_one_of(given.get("first", "no"), "first", ("no", "yes"), text) == "yes",
        zero_hp=_one_of(given["zero"], "zero", get_args(ZeroHp), text) if "zero" in given else None,
        between=_one_of(given.get("between", "extended"), "between", get_args(Between), text),
        surprised=_one_of(given.get("surprised", "nobody"), "surprised", get_args(Surprised), text),
        max_rounds=_number(given["rounds"], "rounds", 1, MOST_ROUNDS, text) if "rounds" in given else None,
    )


def read_waves(text: str, rules: AnimonRules) -> tuple[tuple[Foe, ...], ...]:
    """Waves with > between them, foes with commas."""
    waves = tuple(
        tuple(foe for part in _split(wave, ",") for foe in _foes(part, text, rules))
        for wave in _split(text, ">")
    )
    if len(waves) > MOST_WAVES:
        raise UsageError(f"`{text}`: {len(waves)} waves, and {MOST_WAVES} is the most.")
    return waves


def read_allies(text: str | None, rules: AnimonRules) -> tuple[Ally, ...]:
    """`build`, builds in braces and animon by level, with commas between them."""
    found: list[Ally] = []
    for part in _split(text, ",") if text is not None else ():
        entry, number = _counted(part, text or "")
        if entry == "build":
            found += [Copy()] * number
        else:
            found += _unit(entry, number, text or "", rules)
    return tuple(found)


def check_size(text: str, foes: tuple[tuple[Foe, ...], ...], allies: tuple[Ally, ...]) -> None:
    """Engines tell so many apart."""
    number = 1 + len(allies) + sum(len(wave) for wave in foes)
    if number > MOST_UNITS:
        raise UsageError(f"`{text}`: {number} combatants with the build, and {MOST_UNITS} is the most.")


def _foes(part: str, text: str, rules: AnimonRules) -> list[Foe]:
    entry, number = _counted(part, text)
    if entry == "build":
        raise UsageError(f"`{text}`: `build` is an ally. A foe is a whole build in braces, or {_EXAMPLE}.")
    return _unit(entry, number, text, rules)


def _counted(part: str, text: str) -> tuple[str, int]:
    match = _COUNT.fullmatch(part.strip())
    if match is None or match[1].endswith("multi_element"):
        return part.strip(), 1
    number = int(match[2])
    if not 1 <= number <= MOST_UNITS:
        raise UsageError(f"`{text}`: `{part.strip()}`: write a count from 1 to {MOST_UNITS}.")
    return match[1].strip(), number


def _unit(entry: str, number: int, text: str, rules: AnimonRules) -> list[Foe]:
    if entry.startswith("{") and entry.endswith("}"):
        try:
            build = parse_build(entry[1:-1].strip(), rules)
        except InputError as error:
            raise UsageError(f"`{text}`: {error}") from error
        against = reasons_against(build, rules, read_settings(rules, {}), at_any_cost=True)
        if against:
            raise UsageError(
                f"`{entry}` is not a legal build: {'; '.join(each.message for each in against)}."
            )
        return [build] * number
    return [_levelled(entry, text, rules)] * number


def _levelled(entry: str, text: str, rules: AnimonRules) -> Levelled:
    head, *changes = entry.split("/")
    body, bang, signature = head.partition("!")
    words = [word.strip() for word in body.split(":")]
    level = _LEVEL.fullmatch(words[0])
    if len(words) != 3 or level is None:
        raise UsageError(
            f"`{text}`: `{entry}` is not a combatant. Write level, stage and element, such as `{_EXAMPLE}`, "
            "or a whole build in braces."
        )
    if int(level[1]) > MOST_LEVEL:
        raise UsageError(f"`{text}`: level {level[1]}, and {MOST_LEVEL} is the most.")
    stage = _one_of(words[1], "stage", STAGES, text)
    element = _one_of(words[2], "element", ELEMENTS, text)
    numbers = _changes(changes, text)
    number = int(level[1])
    row, by_level = rules.stages[stage], rules.levelled
    skill = by_level.skill + number // by_level.levels_per_skill
    dice = {name: numbers.get(name, min(20, skill)) for name in ("atk", "dod", "ini")}
    form = Form(
        stage=STAGES.index(stage),
        hp=numbers.get("hp", by_level.hp + by_level.hp_per_level * number),
        damage=numbers.get("dmg", number + row.foe_damage),
        attack=dice["atk"],
        power=dice["atk"],
        dodge=dice["dod"],
        initiative=dice["ini"],
        uses=numbers.get("use", skill),
        heart=min(20, skill),
    )
    return Levelled(number, element, form, _signature(signature, element, text, rules) if bang else None)


def _changes(changes: list[str], text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for change in changes:
        match = _CHANGE.fullmatch(change)
        if match is None or match[1] in found:
            raise UsageError(
                f"`{text}`: `/{change.strip()}` changes nothing. Write each of hp, dmg, atk, dod, ini, use "
                "once with its number: `/hp30/dmg4`."
            )
        least = 1 if match[1] == "hp" else 0
        found[match[1]] = _number(match[2], match[1], least, _MOST[match[1]], text)
    return found


def _signature(written: str, element: Element, text: str, rules: AnimonRules) -> Signature:
    try:
        found = parse_signature(written.strip())
    except InputError as error:
        raise UsageError(f"`{text}`: {error}") from error
    if not found.elements and "power_transfer" not in found.effects:
        found = make_signature(found.effects, [element])
    against = signature_problems(found, rules)
    if against:
        raise UsageError(f"`{text}`: {'; '.join(each.message for each in against)}.")
    return found


def _bond(value: str, text: str) -> int | str:
    return "on" if value == "on" else _number(value, "bp", 0, MOST_BOND, text)


def _number(value: str, name: str, least: int, most: int, text: str) -> int:
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise UsageError(f"`{text}`: {name} must be a whole number from {least} to {most}, not `{value}`.")
    return int(value)


def _one_of(value: str, name: str, known: tuple[_T, ...], text: str) -> _T:
    for each in known:
        if each == value:
            return each
    raise UsageError(f"`{text}`: {name} cannot be `{value}`. {suggest(value, known)}")


def _split(text: str, at: str) -> list[str]:
    """Parts between marks that stand outside of braces."""
    parts, depth, last = [], 0, 0
    for i, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == at and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    if depth:
        raise UsageError(f"`{text}`: a brace is not closed. Write a whole build between {{ and }}.")
    return [*parts, text[last:]]

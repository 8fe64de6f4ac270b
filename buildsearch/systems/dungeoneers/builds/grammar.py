"""How a build is written: `power+1,prowess+3 / stiletto,light_shield`; a line without points is `base`."""

from __future__ import annotations

import re

from buildsearch.model.errors import InputError
from buildsearch.model.problem import Problem
from buildsearch.ruleset.hints import suggest
from buildsearch.systems.dungeoneers.builds.build import Build, Raises, gear_order, in_order
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules

UNRAISED = "base"
BETWEEN = " / "
LONGEST_BUILD_TEXT = 10_000
_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


def parse_build(text: str, rules: DungeoneersRules) -> Build:
    """Read a build; raises InputError with every problem of the text."""
    if len(text) > LONGEST_BUILD_TEXT:
        raise InputError([_problem(text[:40] + "...", "this is too long to be a build", "")])
    problems: list[Problem] = []
    line, slash, gear = text.partition("/")
    if not slash:
        hint = "Write attributes / gear, such as `power+1,prowess+2 / mace,boots`, or `base / improvised`."
        raise InputError([_problem(text, "a build has attributes, a slash and gear", hint)])
    raises = parse_raises(line, text, problems)
    found = _gear(gear, text, rules, problems)
    if problems:
        raise InputError(problems)
    return Build(raises, found)


def parse_raises(line: str, text: str, problems: list[Problem]) -> Raises:
    """`power+1,prowess+3`."""
    points: dict[str, int] = {}
    for part in () if line.strip() == UNRAISED else line.split(","):
        name, plus, number = (piece.strip() for piece in part.partition("+"))
        if name not in ATTRIBUTES:
            message = f"unknown attribute `{name}`" if name else "an empty attribute"
            problems.append(_problem(text, message, suggest(name, ATTRIBUTES)))
        elif name in points:
            problems.append(_problem(text, f"`{name}` is given twice", f"Add up: `{name}+2`."))
        elif not (plus and _NUMBER.fullmatch(number) and int(number)):
            hint = f"Write the points bought, from 1 up: `{name}+2`."
            problems.append(_problem(text, f"`{part.strip()}` buys no points of {name}", hint))
        else:
            points[name] = int(number)
    return tuple((name, points[name]) for name in ATTRIBUTES if name in points)


def _gear(gear: str, text: str, rules: DungeoneersRules, problems: list[Problem]) -> tuple[str, ...]:
    found: list[str] = []
    known = (*rules.weapons, *rules.armour, *rules.spells)
    for part in gear.split(","):
        name = part.strip()
        if name not in known:
            message = f"unknown gear `{name}`" if name else "an empty piece of gear"
            problems.append(_problem(text, message, suggest(name, known)))
        elif name in found:
            problems.append(_problem(text, f"`{name}` is given twice", "Write it once."))
        else:
            found.append(name)
    slots = [rules.armour[name].slot for name in found if name in rules.armour]
    for name in found:
        if name in rules.armour and rules.armour[name].does_nothing:
            slot = rules.armour[name].slot
            if slots.count(slot) > 1:
                problems.append(_problem(text, f"`{name}` and another piece for the {slot}", "Keep one."))
    return in_order(found, gear_order(rules))


def name_build(build: Build) -> str:
    """The canonical text."""
    return name_raises(build.raises) + BETWEEN + ",".join(build.gear)


def name_raises(raises: Raises) -> str:
    """`power+1,prowess+3`."""
    return ",".join(f"{name}+{points}" for name, points in raises) or UNRAISED


def _problem(text: str, message: str, hint: str) -> Problem:
    return Problem(message, source=f"build '{text}'", value=text, hint=hint or None)

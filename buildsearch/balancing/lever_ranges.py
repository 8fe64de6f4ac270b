"""Ranges and steps of single levers, as a config gives them. Every problem is told at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from buildsearch.gate.config import LeverRange
from buildsearch.model.errors import InputError, Problem
from buildsearch.model.levers import Lever, Value
from buildsearch.ruleset.messages import suggest

# So many steps from today's value where a range says only one end of it, and so many values at most.
_FAR = 3
_MOST_VALUES = 60
_GLOB = set("*?[")


def ranged(levers: Sequence[Lever], ranges: Mapping[str, LeverRange]) -> list[Lever]:
    """The levers, with the edits of a range where one names them: by its name, else by the last pattern that
    fits. Raises InputError for names, ends and steps that make no sense."""
    problems = [_unknown(name, levers) for name in ranges if not _meant(name, levers)]
    found = []
    for lever in levers:
        name = _name_for(lever, ranges)
        if name is None or lever.to is None:
            found.append(lever)
            continue
        values, problem = _values(lever, ranges[name], name)
        edits = [edit for value in values if (edit := lever.to(value)) is not None]
        if problem is None and not edits:
            problem = _problem(
                name,
                f"no value of this range is one that {lever.name} may have: it is {lever.value} today",
                "Widen the range, or look at what `buildsearch validate` says about such a value.",
            )
        if problem is not None and _is_glob(name) and not edits:
            # One pattern is for many levers: what one of them cannot have is no mistake unless none can.
            found.append(replace(lever, edits=()))
            continue
        problems += [] if problem is None else [problem]
        found.append(replace(lever, edits=tuple(edits)))
    for name in ranges:
        mine = [lever for lever in found if _name_for(lever, ranges) == name]
        if _is_glob(name) and mine and not any(lever.edits for lever in mine):
            problems.append(
                _problem(
                    name,
                    f"none of the {len(mine)} levers that fit may have a value of this range",
                    f"{mine[0].name}, for one, is {mine[0].value} today.",
                )
            )
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    return found


def names_of(levers: Sequence[Lever], ranges: Mapping[str, LeverRange]) -> set[str]:
    """The levers that some range names."""
    return {lever.name for lever in levers if lever.to is not None and _name_for(lever, ranges) is not None}


def _meant(name: str, levers: Sequence[Lever]) -> bool:
    return any(lever.to is not None and fnmatchcase(lever.name, name) for lever in levers)


def _name_for(lever: Lever, ranges: Mapping[str, LeverRange]) -> str | None:
    if lever.name in ranges:
        return lever.name
    return next((name for name in reversed(list(ranges)) if fnmatchcase(lever.name, name)), None)


def _is_glob(name: str) -> bool:
    return bool(_GLOB & set(name))


def _values(lever: Lever, given: LeverRange, name: str) -> tuple[list[Value], Problem | None]:
    """The values of a range, today's left out."""
    if lever.scale:
        return _of_scale(lever, given, name)
    today = lever.value
    assert isinstance(today, int | float)  # noqa: S101 - what has no scale is a number
    for end in (given.least, given.most):
        if isinstance(end, str):
            return [], _problem(
                name, f"`{end}` is not a number, and {lever.name} is one", f"It is {today} today."
            )
    step = given.step or 1
    is_whole = isinstance(today, int)
    said = [each for each in (given.least, given.most, step) if isinstance(each, int | float)]
    if is_whole and not all(float(each).is_integer() for each in said):
        message = f"{lever.name} is a whole number, and this range has others"
        return [], _problem(name, message, f"It is {today} today.")
    low = today - _FAR * step if given.least is None else float(given.least)
    high = today + _FAR * step if given.most is None else float(given.most)
    # Whole steps from today's value; from the lower end where that lies outside.
    start = today if low <= today <= high else low
    first = -int((start - low) // step)
    many = int((high - start) // step) - first + 1
    if many > _MOST_VALUES:
        return [], _problem(
            name,
            f"{many:,} values of {lever.name} are too many to try: {_MOST_VALUES} are looked at",
            "Take a larger step, or a smaller range.",
        )
    values = [start + (first + number) * step for number in range(many)]
    return [int(each) if is_whole else float(each) for each in values if each != today], None


def _of_scale(lever: Lever, given: LeverRange, name: str) -> tuple[list[Value], Problem | None]:
    """Values of a scale such as dice, from one to another."""
    scale = list(lever.scale)
    ends = [given.least, given.most]
    unknown = [end for end in ends if end is not None and end not in scale]
    if unknown:
        return [], _problem(
            name,
            f"`{unknown[0]}` is none of the values of {lever.name}",
            f"Those are {', '.join(map(str, scale))}; it is {lever.value} today.",
        )
    low = 0 if given.least is None else scale.index(given.least)
    high = len(scale) - 1 if given.most is None else scale.index(given.most)
    if low > high:
        return [], _problem(name, f"{lever.name} goes from {given.least} down to {given.most}", "Swap them.")
    every = max(1, int(given.step or 1))
    here = scale.index(lever.value) if lever.value in scale else low
    return [scale[at] for at in range(low, high + 1) if at != here and (at - here) % every == 0], None


def _unknown(name: str, levers: Sequence[Lever]) -> Problem:
    known = [lever.name for lever in levers if lever.to is not None]
    if any(fnmatchcase(lever.name, name) for lever in levers):
        return _problem(name, f"`{name}` is a lever without values", "Only prices and numbers have a range.")
    return _problem(name, f"there is no lever `{name}`", suggest(name, known))


def _problem(name: str, message: str, hint: str | None) -> Problem:
    return Problem(message, source="[balance.levers]", path=name, hint=hint)

"""Which levers are moved, and how far: kinds, locks, only these, ranges. Every problem is told at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from buildsearch.balancing.edit_table import EditTable
from buildsearch.gate.config import LeverRange
from buildsearch.model.errors import InputError, Problem, UsageError
from buildsearch.model.levers import (
    CAPS,
    COSTS,
    CUTS,
    FACTORS,
    KINDS,
    PAIRS,
    RAISES,
    TYPES,
    VALUES,
    Edit,
    Lever,
    Value,
)
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


MAX_CHANGE = 3
_LARGEST_CHANGE = 6
# Kinds under the names of earlier versions.
_RENAMED = {
    "raises": RAISES,
    "cuts": CUTS,
    "prices": COSTS,
    "pairs": PAIRS,
    "types": TYPES,
    "factors": FACTORS,
    "limits": CAPS,
    "numbers": VALUES,
}


@dataclass(frozen=True, slots=True)
class LeverRequest:
    """What may be moved, in words; None and empty mean the defaults."""

    kinds: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    max_change: int = MAX_CHANGE
    ranges: Mapping[str, LeverRange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChosenLevers:
    """The levers that may be moved, those that are locked, and those that are not among the only ones that
    may be. `kinds` are those in play."""

    free: tuple[Lever, ...]
    locked: tuple[Lever, ...]
    kinds: tuple[str, ...]
    outside: tuple[Lever, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        return tuple(edit for lever in self.free for edit in lever.edits)


def choose(levers: Sequence[Lever], table: EditTable, request: LeverRequest, title: str) -> ChosenLevers:
    present = {edit.kind for lever in levers for edit in lever.edits}
    far = names_of(levers, request.ranges)
    if not levers:
        raise UsageError(f"{title} has no costs, bans or caps that could be moved without a fight.")
    levers = ranged(levers, request.ranges)
    # Whoever gives ranges of numbers and nothing else wants those moved.
    meant = {edit.kind for lever in levers if lever.name in far for edit in lever.edits}
    kinds = _kinds(request.kinds or ((VALUES,) if meant == {VALUES} else ()), present)
    possible = [
        _within(lever, kinds, table, math.inf if lever.name in far else request.max_change)
        for lever in levers
    ]
    possible = [lever for lever in possible if lever.edits]
    _check_names(request, levers)
    locked = [lever for lever in possible if _is_locked(lever, request)]
    others = [lever for lever in possible if not _is_locked(lever, request)]
    outside = [lever for lever in others if not _is_among(lever, request, table)]
    free = [lever for lever in others if _is_among(lever, request, table)]
    if not possible:
        moved = ", ".join(f"{kind} ({KINDS[kind]})" for kind in KINDS if kind in present)
        raise UsageError(
            f"no lever of {', '.join(kinds) or 'these kinds'} moves anything here. {title} can move: {moved}."
        )
    if not free and outside:
        raise UsageError(
            f"nothing of {', '.join(request.only)} can be moved by {', '.join(kinds)}. Name other "
            "options, or allow other levers."
        )
    if not free:
        raise UsageError("everything is locked, so nothing can be moved. Leave out a lock.")
    return ChosenLevers(tuple(free), tuple(locked), tuple(kinds), tuple(outside))


def split(words: Iterable[str]) -> tuple[str, ...]:
    """Words that may have been given together, with commas between."""
    return tuple(part.strip() for word in words for part in word.split(",") if part.strip())


def _kinds(wanted: Sequence[str], present: set[str]) -> list[str]:
    if not wanted:
        # A game without exclusions has its limits instead.
        default = [RAISES, CUTS, PAIRS if PAIRS in present else CAPS]
        found = [kind for kind in default if kind in present]
        # A game without prices and exclusions moves what it has, as long as that takes no fight.
        return found or [kind for kind in KINDS if kind in present and kind != VALUES]
    known = [*KINDS, COSTS]
    problems = [
        Problem(f"there is no lever `{word}`", source=f"‹levers› {word}", hint=_hint(word, known))
        for word in wanted
        if word not in known
    ]
    if VALUES in wanted and len(set(wanted)) > 1:
        problems.append(
            Problem(
                "values change fights, so they are moved by themselves",
                source=f"‹levers› {VALUES}",
                hint="Leave out the other levers, or this one.",
            )
        )
    chosen = [kind for word in wanted for kind in ((RAISES, CUTS) if word == COSTS else (word,))]
    can = ", ".join(kind for kind in KINDS if kind in present)
    problems += [
        Problem(f"this game has no {kind} to move", source=f"‹levers› {kind}", hint=f"It can move: {can}.")
        for kind in dict.fromkeys(chosen)
        if kind in KINDS and kind not in present and not (set(chosen) & present)
    ]
    if problems:
        raise InputError(problems)
    return list(dict.fromkeys(chosen))


def _hint(word: str, known: Sequence[str]) -> str | None:
    """What a lever is called now, or the one that is meant."""
    return f"It is called `{_RENAMED[word]}` now." if word in _RENAMED else suggest(word, known)


def _within(lever: Lever, kinds: Sequence[str], table: EditTable, steps: float) -> Lever:
    edits = [
        edit
        for edit in lever.edits
        if edit.kind in kinds and (edit.kind not in (RAISES, CUTS, VALUES) or edit.steps <= steps)
    ]
    return replace(lever, edits=tuple(edit for edit in edits if table.knows(edit)))


def _check_names(request: LeverRequest, levers: Sequence[Lever]) -> None:
    known = {name for lever in levers for edit in lever.edits for name in edit.about}
    known |= {lever.name for lever in levers}
    problems = [
        Problem(
            f"there is nothing called `{word}` to move", source=f"‹{what}› {word}", hint=suggest(word, known)
        )
        for what, words in (("lock", request.lock), ("only_options", request.only))
        for word in words
        if word not in known and word not in KINDS and word != COSTS
    ]
    if not 1 <= request.max_change <= _LARGEST_CHANGE:
        message = f"a change is from 1 to {_LARGEST_CHANGE}, not {request.max_change}"
        problems.append(Problem(message, source="‹max_change›"))
    if problems:
        raise InputError(problems)


def _is_locked(lever: Lever, request: LeverRequest) -> bool:
    kinds = {edit.kind for edit in lever.edits}
    names = {*_about(lever), lever.name, *kinds}
    if kinds & {RAISES, CUTS}:
        names.add(COSTS)
    return bool(names & set(request.lock))


def _is_among(lever: Lever, request: LeverRequest, table: EditTable) -> bool:
    """Whether a lever moves only what may be; a ban on a type is about its option."""
    about, groups = _about(lever), set(table.population.scores.groups)
    options = about - groups if about - groups else about
    return not request.only or lever.name in request.only or options <= set(request.only)


def _about(lever: Lever) -> set[str]:
    return {name for edit in lever.edits for name in edit.about}

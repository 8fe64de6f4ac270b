"""The smallest build, fight and change that engines still disagree about."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace

import buildsearch
from tests.digest.cases import Case
from tests.digest.disagreements import Find, finds_in
from tests.digest.engines import setting_of
from tests.digest.spaces import simpler_builds


def shrunk(find: Find, finds: Callable[[Case], list[Find]] = finds_in, tries: int = 300) -> Find:
    """Simpler cases as long as one of them has the same two engines disagree."""
    while True:
        for case in _simpler(find.case):
            tries -= 1
            if tries < 0:
                return find
            smaller = [each for each in _finds(case, finds) if each.engines == find.engines]
            if smaller:
                find = smaller[0]
                break
        else:
            return find


def _finds(case: Case, finds: Callable[[Case], list[Find]]) -> list[Find]:
    """A simpler case may be none that is legal."""
    try:
        setting_of(case)
        return finds(case)
    except buildsearch.BuildsearchError:
        return []


def _simpler(case: Case) -> Iterator[Case]:
    """Whole parts left out first, then numbers made smaller."""
    yield from (replace(case, overrides=each) for each in _without_one(case.overrides))
    yield from (replace(case, rulings=each) for each in _without_one(case.rulings))
    yield from (replace(case, fight=each) for each in _without_key(case.fight))
    yield from (replace(case, build=each) for each in simpler_builds(case))
    yield from (replace(case, parameters=each) for each in _without_key(case.parameters))
    for name, text in case.fight.items():
        for mark in ("|", ">", ";", ","):
            parts = text.split(mark)
            for i in range(len(parts) if len(parts) > 1 else 0):
                rest = mark.join(parts[:i] + parts[i + 1 :])
                yield replace(case, fight={**case.fight, name: rest})
    if case.scenarios is not None:
        yield from (replace(case, scenarios=each) for each in _smaller(case.scenarios))


def _smaller(written: dict) -> Iterator[dict]:
    """A scenario file with a field, a wave or an enemy less, or with half of a number."""
    for path in list(_paths(written)):
        value = _at(written, path)
        if isinstance(value, list) and len(value) > 1:
            for i in range(len(value)):
                yield _with(written, path, value[:i] + value[i + 1 :])
        elif isinstance(value, int) and not isinstance(value, bool):
            yield _with(written, path, None)
            if value > 1:
                yield _with(written, path, value // 2)
                yield _with(written, path, value - 1)
        elif isinstance(value, bool):
            yield _with(written, path, None)


def _paths(value: object, path: tuple = ()) -> Iterator[tuple]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from _paths(each, (*path, key))


def _at(value: object, path: tuple) -> object:
    for key in path:
        value = value[key]  # type: ignore[index]
    return value


def _with(written: dict, path: tuple, value: object) -> dict:
    """Another value there; None takes it away."""
    other = copy.deepcopy(written)
    holder = _at(other, path[:-1])
    if value is None:
        del holder[path[-1]]  # type: ignore[attr-defined]
    else:
        holder[path[-1]] = value  # type: ignore[index]
    return other


def _without_one(texts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield from (texts[:i] + texts[i + 1 :] for i in range(len(texts)))


def _without_key(values: dict[str, str]) -> Iterator[dict[str, str]]:
    yield from ({key: value for key, value in values.items() if key != name} for name in values)

"""Numbers of an entry of the rules as levers."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from buildsearch.model.levers import Lever, Steps, Value, number_lever

Path = tuple[str, ...]


def entry_levers(
    name: str,
    entry: BaseModel,
    where: Steps,
    *,
    title: str,
    parts: Container[str],
    far: int,
    about: tuple[str, ...] = (),
    scale: Sequence[str] = (),
    is_signed: Callable[[Path], bool] = lambda _path: True,
    grows: Callable[[Path], int] = lambda _path: 0,
    unless: tuple[str, ...] = (),
) -> list[Lever]:
    """One for each number in some `parts` of an entry that stands at `where` in the file, `far` steps up and
    down; words of a `scale`, such as dice, are numbers too. What the file does not say is not added. Numbers
    that are not signed go no lower than one. They are about the entry unless somebody says otherwise; the
    rest is as `number_lever` has it."""
    data = entry.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    found = []
    for path, value in _numbers({part: each for part, each in data.items() if part in parts}, scale):
        dotted = ".".join(path)
        found.append(
            number_lever(
                f"{name}.{dotted}",
                about or (name,),
                value,
                _near(value, far, scale, is_signed=is_signed(path)),
                (*where, *path),
                f"Change {dotted} of {title}",
                scale=scale if isinstance(value, str) else (),
                fits=_fits(type(entry), data, path),
                grows=grows(path),
                unless=unless,
            )
        )
    return found


def _near(value: Value, far: int, scale: Sequence[str], *, is_signed: bool) -> Sequence[Value]:
    if isinstance(value, str):
        at = scale.index(value)
        return scale[max(0, at - far) : at + far + 1]
    low = int(value) - far
    return range(low if is_signed else max(1, low), int(value) + far + 1)


def _fits(shape: type[BaseModel], entry: Mapping[str, Any], path: Path) -> Callable[[Value], bool]:
    """Whether an entry may have a value at a path: engines have bounds of their own, and shapes say so."""

    def is_one(value: Value) -> bool:
        edited = copy.deepcopy(dict(entry))
        inner = edited
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        try:
            shape.model_validate_json(json.dumps(edited))
        except ValidationError:
            return False
        return True

    return is_one


def _numbers(data: Any, scale: Sequence[str], path: Path = ()) -> Iterator[tuple[Path, Value]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _numbers(value, scale, (*path, str(key)))
    elif (isinstance(data, int) and not isinstance(data, bool)) or (isinstance(data, str) and data in scale):
        yield path, data

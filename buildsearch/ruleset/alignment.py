"""Matching the places that pydantic names with the places in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

# Each step may be a key or not, so a deep place has very many readings; the right one comes early.
_MAX_READINGS = 200


def align(data: Any, loc: Sequence[str | int], found: Callable[[Any], bool]) -> tuple[str | int, ...]:
    """The path in `data` that pydantic's `loc` means.

    A `loc` has steps of pydantic's own in it, such as the tag of a union's member, and these may even be
    spelt like a key. So every reading is tried, the one that follows most steps first, until `found` says
    that the value there is the one the error speaks of; if none is, the first reading has to do.
    """
    readings = list(islice(_readings(data, tuple(loc)), _MAX_READINGS))
    return next((path for path, value in readings if found(value)), readings[0][0])


def _readings(data: Any, loc: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if not loc:
        yield (), data
        return
    step, rest = loc[0], loc[1:]
    match data:
        case dict() if step in data:
            below = _readings(data[step], rest)
        case list() if isinstance(step, int) and step < len(data):
            below = _readings(data[step], rest)
        case _:
            below = iter(())
    yield from (((step, *path), value) for path, value in below)
    yield from _readings(data, rest)

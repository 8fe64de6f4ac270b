"""Parameters of games as a command line says them: `-p tier=4`, or in short `--tier 4`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from buildsearch.model.errors import UsageError


def one_value(said: Iterable[tuple[str, str]], short: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Parameters with one value each, said as `-p name=value` and in short."""
    found: dict[str, str] = {}
    for name, value in (*said, *short):
        if found.setdefault(name, value) != value:
            raise UsageError(f"{name} is given twice, as {found[name]} and as {value}. Say it once.")
    return found


def several_values(
    said: Iterable[tuple[str, str]], short: Iterable[tuple[str, Any]]
) -> dict[str, tuple[str, ...]]:
    """Parameters with all the values that were given; one way to say a parameter is enough."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in said:
        found[name] = (*found.get(name, ()), value)
    for name, values in short:
        if name in found:
            raise UsageError(f"{name} is given as --{name} and as -p {name}=... Say it one way.")
        found[name] = tuple(values)
    return found


def split_parameter(text: str) -> tuple[str, str]:
    """`tier=4` in two; raises UsageError."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise UsageError(f"-p {text}: a parameter is written name=value, e.g. -p tier=4.")
    return name, value

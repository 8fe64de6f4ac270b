"""The options that games bring to the command line, read without loading a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

from buildsearch import systems
from buildsearch.model.parameter import Parameter


@dataclass(frozen=True, slots=True)
class Shorthand:
    """An option, and what each game that has it says of it."""

    name: str
    help: str


def parameter_shorthands() -> tuple[Shorthand, ...]:
    """`--name value` for `-p name=value`."""
    return _collected("PARAMETERS")


def fight_shorthands() -> tuple[Shorthand, ...]:
    """Options of fights."""
    return _collected("FIGHT_OPTIONS")


@cache
def _games() -> tuple[ModuleType, ...]:
    """The file `parameters.py` of each game; it imports nothing heavy, so that `--help` answers at once."""
    packages = [each.name for each in iter_modules(systems.__path__) if each.ispkg]
    names = [f"{systems.__name__}.{package}.parameters" for package in packages]
    return tuple(import_module(name) for name in names if find_spec(name) is not None)


def _collected(kind: str) -> tuple[Shorthand, ...]:
    said: dict[str, list[str]] = {}
    for title, parameter in _declared(kind):
        if parameter.shorthand:
            said.setdefault(parameter.name, []).append(f"{title}: {parameter.help}.")
    return tuple(Shorthand(name, " ".join(texts)) for name, texts in said.items())


def _declared(kind: str) -> Iterator[tuple[str, Parameter]]:
    for game in _games():
        for parameter in getattr(game, kind):
            yield game.TITLE, parameter

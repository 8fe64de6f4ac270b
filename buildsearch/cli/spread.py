"""A command as typer shall see it: lists of options become single ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_args, get_type_hints

from typer.models import OptionInfo

_VALUES = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "PATH"}


def _name_value(annotation: Any) -> None:
    """Let the help say what an option takes, and not which type Python has for it."""
    typed, *notes = get_args(annotation) or (annotation,)
    bare = next((each for each in get_args(typed) if each is not type(None)), typed)
    name = getattr(next(iter(get_args(bare)), bare), "__name__", "")
    for note in notes:
        if isinstance(note, OptionInfo) and note.metavar is None and name in _VALUES:
            note.metavar = _VALUES[name]


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer shall see it: a parameter that is a list of options becomes those options."""
    shown: list[inspect.Parameter] = []
    groups: dict[str, type[Any]] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and is_dataclass(group)):
            shown.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = group
        shown += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, annotation, default in _options_of(group)
        ]
    for parameter in shown:
        _name_value(parameter.annotation)

    @wraps(command)
    def spread_command(**given: Any) -> None:
        made = {name: _made(group, given) for name, group in groups.items()}
        command(**given, **made)

    setattr(spread_command, "__signature__", inspect.Signature(shown))  # noqa: B010 - mypy knows no such name
    spread_command.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return spread_command


def _options_of(group: Any) -> list[tuple[str, Any, Any]]:
    """Name, annotation and default of each option: its fields, or what it says itself."""
    if hasattr(group, "options"):
        return [(name, annotation, None) for name, annotation in group.options()]
    hints = get_type_hints(group, include_extras=True)
    return [(each.name, hints[each.name], each.default) for each in fields(group)]


def _made(group: Any, given: dict[str, Any]) -> Any:
    """The group out of what was given, which is taken away from there."""
    mine = {name: given.pop(name) for name, _, _ in _options_of(group)}
    return group.made(mine) if hasattr(group, "made") else group(**mine)

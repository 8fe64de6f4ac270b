"""A command as typer shall see it: fields of options become flags, and what is given becomes options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import typer

from buildsearch.cli.parameters import one_value, several_values, split_parameter
from buildsearch.model.errors import UsageError, naming_arguments
from buildsearch.options import balance, game, output, search
from buildsearch.options.fields import (
    CacheFlag,
    DeclaredOption,
    FightFlag,
    Hiding,
    OnlyPython,
    ParameterFlag,
    Positional,
    option_of,
    options_of,
)
from buildsearch.systems.shorthands import Shorthand, fight_shorthands, parameter_shorthands

_VALUES: dict[Any, str] = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}
_REPEATED = " May be repeated."


class _Bound(NamedTuple):
    """Parameters for typer, and what is made of the values that it gives to them."""

    parameters: list[inspect.Parameter]
    read: Callable[[dict[str, Any]], Any]


def bind(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer shall see it: a parameter that is a class of options becomes those options."""
    bound = {
        name: _bound(parameter)
        for name, parameter in inspect.signature(command, eval_str=True).parameters.items()
    }
    shown = [parameter for each in bound.values() for parameter in each.parameters]

    @wraps(command)
    def bound_command(**given: Any) -> None:
        command(**{name: each.read(given) for name, each in bound.items()})

    setattr(bound_command, "__signature__", inspect.Signature(shown))  # noqa: B010 - mypy knows no such name
    bound_command.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    return bound_command


def _bound(parameter: inspect.Parameter) -> _Bound:
    kind, *notes = _parts(parameter.annotation)
    if not is_dataclass(kind):
        option = option_of(parameter.name, parameter.annotation, parameter.default)
        assert option is not None, parameter  # noqa: S101 - every parameter of a command is an option
        return _option(option)
    group: Any = kind
    hidden = {name for note in notes if isinstance(note, Hiding) for name in note.names}
    made = {
        each.name: _option(each)
        for each in options_of(group)
        if each.name not in hidden and not isinstance(each.flag, OnlyPython)
    }
    return _Bound(
        [each for bound in made.values() for each in bound.parameters],
        lambda given: group(**{name: bound.read(given) for name, bound in made.items()}),
    )


def _option(option: DeclaredOption) -> _Bound:
    match option.flag:
        case ParameterFlag():
            return _parameters(option)
        case FightFlag():
            short = [_shorthand(each, many=False) for each in fight_shorthands()]
            return _Bound(short, lambda given: dict(_given(given, short)))
        case CacheFlag():
            folder = _parameter(option.name, Path, None, ("--cache",), option.flag.help)
            none = _parameter("no_cache", bool, False, ("--no-cache",), "Neither use nor keep scores.")
            return _Bound([folder, none], lambda given: _cache(given[option.name], given["no_cache"]))
    kind, is_many = _kind_of(option.hint)
    default = False if option.default is True else None if is_many else option.default
    text = option.flag.help + (_REPEATED if is_many and not isinstance(option.flag, Positional) else "")
    names = () if isinstance(option.flag, Positional) else option.flags
    typed = GenericAlias(list, (kind,)) if is_many else kind
    shown = _parameter(option.name, typed, default, names, text, option.bounds, option.flag.metavar)

    def read(given: dict[str, Any]) -> Any:
        value = given[option.name]
        if option.default is True:
            return not value
        return tuple(value or ()) if is_many else value

    return _Bound([shown], read)


def _parameter(
    name: str,
    kind: Any,
    default: Any,
    flags: tuple[str, ...],
    text: str,
    bounds: Any = None,
    metavar: str | None = None,
) -> inspect.Parameter:
    info: dict[str, Any] = {
        "help": naming_arguments(text, flag),
        "metavar": metavar or _VALUES.get(next(iter(get_args(kind)), kind)),
    }
    if name == "rules":
        info |= {"envvar": "BUILDSEARCH_RULES", "show_envvar": False}
    if bounds is not None:
        info |= {"min": bounds.ge, "max": bounds.le}
    about = typer.Option(*flags, **info) if flags else typer.Argument(**info)
    typed = kind | None if default is None else kind
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[typed, about]
    )


def _shorthand(each: Shorthand, *, many: bool, short_for: str = "") -> inspect.Parameter:
    kind = list[str] if many else str
    return _parameter(each.name, kind, None, (f"--{each.name}",), short_for.format(each.name) + each.help)


def _parameters(option: DeclaredOption) -> _Bound:
    """The shorthands of all games, then `-p`; with one value each, or with several."""
    is_many = get_args(_parts(option.hint)[0])[1] is not str
    short = [
        _shorthand(each, many=is_many, short_for="Short for -p {}=... ") for each in parameter_shorthands()
    ]
    text = option.flag.help + (" Several values of one: a run for each." if is_many else _REPEATED)
    shown = [*short, _parameter(option.name, list[str], None, option.flags, text)]

    def read(given: dict[str, Any]) -> Any:
        said = [split_parameter(text) for text in given[option.name] or ()]
        return (several_values if is_many else one_value)(said, _given(given, short))

    return _Bound(shown, read)


def _given(given: dict[str, Any], parameters: Iterable[inspect.Parameter]) -> Iterator[tuple[str, Any]]:
    return ((each.name, value) for each in parameters if (value := given[each.name]))


def _cache(folder: Path | None, none: bool) -> Path | bool:
    if none and folder is not None:
        raise UsageError("--cache and --no-cache contradict each other. Choose one of them.")
    return not none if folder is None else folder


def _parts(hint: Any) -> list[Any]:
    """An annotation and its notes; without None."""
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if get_origin(kind) not in (Union, UnionType):
        return [kind, *notes]
    some = [_parts(each)[0] for each in get_args(kind) if each is not NoneType]
    return [Path if Path in some else some[0], *notes]


def _kind_of(hint: Any) -> tuple[Any, bool]:
    """What typer reads, and whether it may be repeated."""
    kind = _parts(hint)[0]
    if get_origin(kind) is tuple:
        return get_args(kind)[0], True
    return kind, False


@cache
def _flags() -> dict[str, str]:
    """The flag of each field of each class of options."""
    found: dict[str, str] = {"parameters": "-p"}
    for module in (balance, search, output, game):
        for group in vars(module).values():
            if isinstance(group, type) and is_dataclass(group) and fields(group):
                found |= {
                    each.name: each.flags[0]
                    for each in options_of(group)
                    if not isinstance(each.flag, ParameterFlag | OnlyPython)
                }
    return found


def flag(argument: str) -> str:
    """`ranking_fights` is said --ranking-fights, `overrides` --set."""
    return _flags().get(argument) or "--" + argument.replace("_", "-")

"""What callers pass, held against type hints: the one place that refuses it.

A wrong name, type, number or path is a `UsageError` before any work is done, and so is what the system says
of a file later. All other errors of the work pass as they are.
"""

from __future__ import annotations

import inspect
import math
import numbers
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    NoReturn,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from annotated_types import Interval

from buildsearch.files.safe_reading import MAX_DEPTH
from buildsearch.model.errors import UsageError, naming_arguments, reason_of, sentence_of
from buildsearch.model.renamed import new_name
from buildsearch.options.fields import DeclaredOption, options_of
from buildsearch.ruleset.messages import suggest

P = ParamSpec("P")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
G = TypeVar("G")
R = TypeVar("R")
_LARGEST = 2**63 - 1
_KINDS = {
    str: "text",
    Path: "a path",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    NoneType: "None",
    object: "text, a number, True, False, None, or lists and dicts of these",
    Sequence: "a list of texts",
    Mapping: "a dict",
    Callable: "a function",
}
_FURTHER = {"Game": "a Game, which `load` gives", "Run": "a Run, which `optimize` or `open_run` gives"}


class _OtherKindError(Exception):
    """A value is not of the kind that a hint asks for; another hint may fit."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments that do not fit the signature."""
    return _held(
        function,
        inspect.signature(function),
        cache(lambda: get_type_hints(function)),
        lambda bound: function(*bound.args, **bound.kwargs),
    )


class takes(Generic[P, G]):  # noqa: N801 - a decorator
    """A function of one to three subjects and an object of options, as callers see it: the fields of the
    options are keywords, with their types, bounds, defaults and help."""

    def __init__(self, options: Callable[P, G]) -> None:
        self._options: Any = options

    @overload
    def __call__(self, function: Callable[[A, G], R]) -> Callable[Concatenate[A, P], R]: ...
    @overload
    def __call__(self, function: Callable[[A, B, G], R]) -> Callable[Concatenate[A, B, P], R]: ...
    @overload
    def __call__(self, function: Callable[[A, B, C, G], R]) -> Callable[Concatenate[A, B, C, P], R]: ...
    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with keywords."""
        signature = inspect.signature(function)
        *subjects, _ = signature.parameters.values()
        options = options_of(self._options)
        keywords = [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if each.default is MISSING else each.default,
                annotation=each.hint,
            )
            for each in options
        ]
        shown = signature.replace(parameters=[*subjects, *keywords])

        def call(bound: inspect.BoundArguments) -> Any:
            given = bound.arguments
            about = [given.pop(each.name, each.default) for each in subjects]
            return function(*about, self._options(**given))

        def hints() -> dict[str, Any]:
            return {**get_type_hints(function), **{each.name: each.hint for each in options}}

        held = _held(function, shown, cache(hints), call)
        held.__doc__ = _explained(function, options)
        setattr(held, "__signature__", shown)  # noqa: B010 - mypy knows no such name
        return held


def _explained(function: Callable[..., Any], options: Iterable[DeclaredOption]) -> str:
    """The docstring, with a line for each option below those that it has under `Args`."""
    head, found, rest = (inspect.getdoc(function) or "").partition("\n\nReturns:")
    lines = [naming_arguments(f"    {each.name}: {each.flag.help}", "`{}`".format) for each in options]
    return "\n".join([head, *lines]) + found + rest


def _held(
    function: Callable[..., Any],
    signature: inspect.Signature,
    hints: Callable[[], Mapping[str, Any]],
    call: Callable[[inspect.BoundArguments], Any],
) -> Callable[..., Any]:
    takes_any = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())

    @wraps(function)
    def held(*args: Any, **kwargs: Any) -> Any:
        for name in () if takes_any else kwargs:
            if name not in signature.parameters:
                known = [each for each in signature.parameters if each != "self"]
                if (new := new_name(name)) in known:
                    raise UsageError(f"{function.__name__}(): `{name}` is called `{new}` now.")
                raise UsageError(f"{function.__name__}() takes no `{name}`. {suggest(name, known)}")
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise UsageError(f"{function.__name__}(): {error}.") from None
        for name, value in bound.arguments.items():
            if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                for each in value:
                    value[each] = _fitting(each, value[each], hints().get(each, object))
            elif name in hints():
                bound.arguments[name] = _fitting(name, value, hints()[name])
        try:
            return call(bound)
        except OSError as error:
            if error.filename is None:
                raise
            raise UsageError(sentence_of(error)) from error

    return held


def _fitting(name: str, value: object, hint: Any) -> Any:
    """The value as the function shall have it; raises UsageError."""
    try:
        return _read(name, value, hint)
    except _OtherKindError:
        raise UsageError(f"‹{name}› must be {_described(hint)}, not {_shown(value)}.") from None


def _read(name: str, value: object, hint: Any) -> Any:  # noqa: PLR0911 - one for each kind of hint
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind is Annotated:
        return _within(name, _read(name, value, inner[0]), inner[1:])
    if kind in (UnionType, Union):
        return _read_union(name, value, inner)
    if kind is Literal:
        return value if isinstance(value, str) and value in inner else _refuse()
    if kind is object or kind is Any:
        return _plain_data(name, value)
    if kind is Callable:
        return value if callable(value) else _refuse()
    if kind is Mapping:
        if not isinstance(value, Mapping):
            _refuse()
        return {_read(name, key, inner[0]): _fitting(name, each, inner[1]) for key, each in value.items()}
    if kind is Sequence and inner == (str,) and isinstance(value, str):
        return _text(name, value)  # type checkers take a text for a sequence of texts
    if kind is tuple and inner[0] is str and isinstance(value, str):
        return (_text(name, value),)
    if kind in (Sequence, tuple):
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            _refuse()
        return tuple(_read(name, each, inner[0]) for each in value)
    if kind is float:
        return float(_number(name, value))
    reader = {str: _text, Path: _path, bool: _bool, int: _whole}.get(kind)
    if reader is not None:
        return reader(name, value)
    return value if isinstance(value, kind) else _refuse()


def _within(name: str, value: Any, notes: Iterable[object]) -> Any:
    for low, high in ((each.ge, each.le) for each in notes if isinstance(each, Interval)):
        if (low is None or value >= low) and (high is None or value <= high):
            continue
        said = f"from {low:,} to {high:,}" if high is not None else f"{low:,} or more"
        raise UsageError(f"‹{name}› must be {said}, not {value:,}.")
    return value


def _read_union(name: str, value: object, hints: Sequence[Any]) -> Any:
    # A text that may be a path is held to what paths are held to.
    for hint in (each for each in hints if each is not str or Path not in hints):
        try:
            return _read(name, value, hint)
        except _OtherKindError:
            continue
    return _refuse()


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        _refuse()
    if "\0" in value or any("\ud800" <= each <= "\udfff" for each in value):
        raise UsageError(f"‹{name}› must be text without NUL and lone surrogates, not {_shown(value)}.")
    return value


def _path(name: str, value: object) -> str | Path:
    if not isinstance(value, str | Path):
        _refuse()
    if value == "":
        raise UsageError(f"‹{name}› is empty. Name a path.")
    try:
        Path(value).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # whether it has to be there, and to whom it belongs, is seen where it is used
    except (OSError, ValueError) as error:
        reason = "it has lone surrogates" if isinstance(error, UnicodeError) else reason_of(error)
        raise UsageError(f"‹{name}› cannot be {_shown(str(value))}: {reason}.") from None
    return value


def _bool(_name: str, value: object) -> bool:
    return value if isinstance(value, bool) else _refuse()


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):  # numpy's are Integral too
        _refuse()
    whole = int(value)
    if abs(whole) > _LARGEST:
        raise UsageError(f"‹{name}› must be from -{_LARGEST:,} to {_LARGEST:,}, not {_shown(whole)}.")
    return whole


def _number(name: str, value: object) -> float:
    if isinstance(value, numbers.Integral):
        return _whole(name, value)
    if not isinstance(value, numbers.Real):
        _refuse()
    if not math.isfinite(value):
        raise UsageError(f"‹{name}› must be a finite number, not {_shown(value)}.")
    return float(value)


def _plain_data(name: str, value: object, depth: int = 0) -> Any:
    """What can be written into a rules file."""
    if depth > MAX_DEPTH:
        raise UsageError(f"‹{name}› is nested deeper than {MAX_DEPTH} levels.")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(name, value)
    if isinstance(value, Mapping):
        return {_text(name, key): _plain_data(name, each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_data(name, each, depth + 1) for each in value]
    return _number(name, value)


def _refuse() -> NoReturn:
    raise _OtherKindError


def _described(hint: Any) -> str:
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind is Annotated:
        return _described(inner[0])
    if kind is tuple and inner[0] is str:
        return "text or a list of texts"
    if kind in (UnionType, Union, Literal):
        *others, last = inner if kind is Literal else map(_described, inner)
        return f"{', '.join(others)} or {last}"
    if getattr(kind, "_is_protocol", False):
        return "an object with `is_set()`"
    return _KINDS.get(kind) or _FURTHER.get(kind.__name__) or f"a {kind.__name__}"


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # Python writes no numbers of thousands of digits
        return "a number of thousands of digits"

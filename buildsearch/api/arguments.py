"""What callers pass, held against the type hints of the functions: the one place that refuses it.

A wrong name, type, number or path is a `UsageError` before any work is done, and so is what the system says
of a file later. All other errors of the work pass as they are.
"""

from __future__ import annotations

import inspect
import math
import numbers
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NoReturn, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from buildsearch.files.safe_reading import MAX_DEPTH
from buildsearch.model.errors import UsageError, reason_of, sentence_of
from buildsearch.model.renamed import new_name
from buildsearch.ruleset.messages import suggest

P = ParamSpec("P")
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


def checked(more: Mapping[str, Any] | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse arguments that do not fit the signature; `more` has the hints of what `**more` takes."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        names = [*signature.parameters, *(more or {})]
        takes_any = more is None and any(
            each.kind is each.VAR_KEYWORD for each in signature.parameters.values()
        )
        hints = cache(lambda: {**(more or {}), **get_type_hints(function)})

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in () if takes_any else kwargs:
                if name not in names:
                    known = [each for each in names if each not in ("self", "more")]
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
                return function(*bound.args, **bound.kwargs)
            except OSError as error:
                if error.filename is None:
                    raise
                raise UsageError(sentence_of(error)) from error

        return call

    return decorate


def _fitting(name: str, value: object, hint: Any) -> Any:
    """The value as the function shall have it; raises UsageError."""
    try:
        return _read(name, value, hint)
    except _OtherKindError:
        raise UsageError(f"‹{name}› must be {_described(hint)}, not {_shown(value)}.") from None


def _read(name: str, value: object, hint: Any) -> Any:
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (UnionType, Union):
        return _read_union(name, value, inner)
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
    if kind in (Sequence, tuple):
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            _refuse()
        return tuple(_read(name, each, inner[0]) for each in value)
    reader = {str: _text, Path: _path, bool: _bool, int: _whole, float: _number}.get(kind)
    if reader is not None:
        return reader(name, value)
    return value if isinstance(value, kind) else _refuse()


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
    if "\0" in value or not _is_unicode(value):
        raise UsageError(f"‹{name}› must be text without NUL and lone surrogates, not {_shown(value)}.")
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    if kind in (UnionType, Union):
        *others, last = map(_described, inner)
        return f"{', '.join(others)} or {last}"
    if getattr(kind, "_is_protocol", False):
        return "an object with `is_set()`"
    return _KINDS.get(kind) or _FURTHER.get(kind.__name__) or f"a {kind.__name__}"


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # Python writes no numbers of thousands of digits
        return "a number of thousands of digits"

"""The same source without the compiler: compiled functions as plain Python, and a digest of what they are.

Plain twins run the very code objects that were compiled, so a debugger steps through the file that the
author wrote. What a twin calls is a twin too: in its globals every compiled function is replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

# Where a module keeps the globals of its twins.
_TWINS = "__plain__"


def plain(function: Any) -> Any:
    """The twin of a compiled function; anything else as it is, with twins of what it calls."""
    source = getattr(function, "py_func", function)
    if not isinstance(source, FunctionType):
        return function
    twin = FunctionType(
        source.__code__,
        _space(source.__globals__),
        source.__name__,
        source.__defaults__,
        source.__closure__,
    )
    twin.__kwdefaults__ = source.__kwdefaults__
    return twin


def _space(of: dict[str, Any]) -> dict[str, Any]:
    if _TWINS not in of:
        space = of[_TWINS] = dict(of)  # before it is filled: functions of a module call one another
        for name, value in of.items():
            if hasattr(value, "py_func"):
                space[name] = plain(value)
    return of[_TWINS]  # type: ignore[no-any-return]


def source_digest(*functions: Any) -> str:
    """Of all that compiled code is made of: these functions, all that they call, constants they read."""
    digest = hashlib.sha256()
    for part in _parts(functions):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _parts(functions: tuple[Any, ...]) -> Iterator[str]:
    seen: set[Any] = set()
    waiting: list[tuple[str, Any]] = [("", each) for each in functions]
    while waiting:
        name, value = waiting.pop()
        source = getattr(value, "py_func", value)
        yield name
        if isinstance(source, FunctionType):
            if source in seen:
                continue
            seen.add(source)
            ways = getattr(source, "ways", None)
            if ways is not None:  # a kind of chance
                waiting += [(kind.__name__, way) for kind, way in ways.items()]
                continue
            yield from _of_code(source.__code__)
            known = source.__globals__
            waiting += [(each, known[each]) for each in sorted(_names(source.__code__)) if each in known]
            waiting += [("closure", cell.cell_contents) for cell in source.__closure__ or ()]
        elif isinstance(source, ModuleType):
            yield source.__name__
        elif isinstance(source, type):
            yield f"{source.__name__} {getattr(source, '_fields', '')}"
        else:
            yield repr(source)


def _of_code(code: CodeType) -> Iterator[str]:
    yield f"{code.co_name} {code.co_varnames} {code.co_names} {code.co_code.hex()}"
    for constant in (
        code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts
    ):
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        else:
            yield repr(constant)


def _names(code: CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


Rule = Callable[..., Any]

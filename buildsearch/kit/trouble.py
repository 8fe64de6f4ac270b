"""What goes wrong in a game's own file: the file, the line and what to do, never a traceback."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from numba import NumbaError

from buildsearch.model.errors import BuildsearchError, UsageError

_PACKAGE = Path(__file__).resolve().parents[1]
_LOCATION = re.compile(r'File "([^"]+)", line (\d+)')
# What numba says, and what an author can do about it.
_HINTS = (
    (r"Cannot unify", "Give this variable values of one type: a whole number or a float, not both."),
    (r"not defined|NameError|Untyped global", "Rules use numbers, tables of `g` and functions with @rule."),
    (r"Unknown attribute|has no attribute", "Fields are those of `actor`, `table`, `counts` and sheets."),
    (r"No implementation of function|Invalid use", "Rules compute with numbers and arrays."),
)


@contextmanager
def authored(function: Callable[..., Any], about: object = "") -> Iterator[None]:
    """A function of the game runs: what it raises becomes a sentence with its line."""
    try:
        yield
    except BuildsearchError:
        raise
    except Exception as error:
        source = getattr(function, "py_func", function)
        what = f"`{source.__name__}`{f', of {about}' if str(about) else ''}"
        raise UsageError(_sentence(error, what)) from error


def _sentence(error: Exception, what: str) -> str:
    file, line = _last_own_line(error.__traceback__)
    said = f"{type(error).__name__}: {error}".rstrip(".")
    return f"{file}:{line}: in {what}: {said}."


def _last_own_line(trace: TracebackType | None) -> tuple[str, int]:
    """The innermost line outside of this package and of libraries."""
    frames = traceback.extract_tb(trace)
    own = [
        each
        for each in frames
        if not Path(each.filename).resolve().is_relative_to(_PACKAGE)
        and "site-packages" not in each.filename
        and not each.filename.startswith("<")
    ]
    last = (own or frames)[-1]
    return last.filename, last.lineno or 0


def loading_sentence(error: Exception, path: Path) -> str:
    """Why a file could not be run."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}."
    file, line = _last_own_line(error.__traceback__)
    return f"{file or path}:{line}: {type(error).__name__}: {error}.".replace("..", ".")


@contextmanager
def compiled(file: str) -> Iterator[None]:
    """The fight is compiled or runs: numba's errors become a sentence with the line of the game's file."""
    try:
        yield
    except TypeError as error:
        if "got None" not in str(error):
            raise
        raise UsageError(
            f"{file}: a rule gives a number on some of its ways only. End every way of `decide`, `act` and "
            "`outcome` with a return, such as return NEXT."
        ) from error
    except NumbaError as error:
        text = str(error)
        lines = [(name, int(line)) for name, line in _LOCATION.findall(text)]
        own = [line for name, line in lines if Path(name).name == Path(file).name]
        line = own[-1] if own else _line_with(file, text)
        where = f"{file}:{line}" if line else file
        known = (
            (found, hint) for pattern, hint in _HINTS if (found := re.search(rf".*(?:{pattern}).*", text))
        )
        said, hint = next(known, (None, "Rules use a small part of Python: numbers, arrays, if, for, while."))
        lines_of_it = [line.strip() for line in text.splitlines() if line.strip()]
        telling = [line for line in lines_of_it if not line.startswith("Failed in nopython")]
        first = (said[0] if said else telling[0]).strip().rstrip(".")
        raise UsageError(f"{where}: this rule cannot be compiled: {first}. {hint}") from error


def check_texts(rule: Any) -> None:
    """Raises UsageError for a text in a rule of this file: compiled, a comparison with it is never true."""
    source = getattr(rule, "py_func", rule)
    for other in source.__globals__.values():
        function = getattr(other, "py_func", None)
        if function is None or function.__module__ != source.__module__:
            continue
        lines, first = inspect.getsourcelines(function)
        for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if node.value != function.__doc__:
                where = f"{function.__code__.co_filename}:{first + node.lineno - 1}: in `{function.__name__}`"
                raise UsageError(
                    f"{where}: the text {node.value!r}. Rules have numbers only: give it a number, such as "
                    "BANDAGE = 1."
                )


def _line_with(file: str, text: str) -> int | None:
    """Of an unknown name numba does not say where it stands: the first line that has it."""
    named = re.search(r"name '(\w+)' is not defined", text)
    if named is None:
        return None
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if re.search(rf"\b{named[1]}\b", line)), None)

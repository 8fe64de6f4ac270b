"""Which files a compiled kernel is made of: its own, and those that it can take a step or a constant from.

Read from the text of the files, since a kernel's folder is chosen while its module is still being imported.
Most of what a file imports serves its plain functions, which no kernel calls: an edit there should cost
nobody a minute of compiling. So only names are followed that stand outside plain functions (in kernels,
constants, classes), in plain functions that those name, and those that a file on the way has asked for.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_WORD = re.compile(r"\w+")
_FROM = re.compile(r"from (?P<module>[\w.]+) import (?P<names>\([^)]*\)|[^\n]*)")
_WHOLE = re.compile(r"import (?P<module>[\w.]+)(?: as (?P<alias>\w+))?")
_NAME = re.compile(r"(?P<name>\w+)(?:\s+as\s+(?P<alias>\w+))?")
_PLAIN = re.compile(r"(?:async )?def (?P<name>\w+)")


class _Import(NamedTuple):
    known_as: str
    name: str
    files: frozenset[Path]


class _Source(NamedTuple):
    digest: bytes
    imports: tuple[_Import, ...]  # of files of the package
    outside: frozenset[str]  # words that stand outside plain functions
    plain: dict[str, frozenset[str]]  # the words in each plain function


def digest_of(path: Path, package: Path) -> bytes:
    """Of all files that the kernels of a file are made of."""
    digest = hashlib.sha256()
    for file in sorted(sources_of(path, package)):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + _read(file, package).digest)
    return digest.digest()


def sources_of(path: Path, package: Path) -> set[Path]:
    """The files of the package that the kernels of a file are made of."""
    asked: dict[Path, set[str]] = {path: set()}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        source = _read(file, package)
        used = _used(source, asked[file])
        for known_as, name, files in source.imports:
            for other in files if known_as in used else ():
                names = asked.setdefault(other, set())
                if name not in names:
                    names.add(name)
                    waiting.append(other)
    return set(asked)


def _used(source: _Source, asked: set[str]) -> set[str]:
    """The words of a file that kernels can come to."""
    used: set[str] = set()
    waiting = source.outside | asked
    while waiting:
        used |= waiting
        waiting = frozenset().union(*(source.plain.get(name, ()) for name in waiting)) - used
    return used


@cache
def _read(path: Path, package: Path) -> _Source:
    content = path.read_bytes()
    imports: list[_Import] = []
    outside: set[str] = set()
    plain: dict[str, frozenset[str]] = {}
    of_numba: set[str] = {"numba"}
    for statement in _statements(content.decode("utf-8")):
        words = frozenset(_WORD.findall(statement))
        if found := _FROM.match(statement):
            module = found["module"]
            for each in _NAME.finditer(found["names"]):
                known_as = each["alias"] or each["name"]
                if module.split(".")[0] == "numba":
                    of_numba.add(known_as)
                elif files := _files_of(package, module) | _files_of(package, f"{module}.{each['name']}"):
                    imports.append(_Import(known_as, each["name"], files))
        elif found := _WHOLE.match(statement):
            known_as = found["alias"] or found["module"].split(".")[0]
            imports.append(_Import(known_as, "", _files_of(package, found["module"])))
        elif (found := _PLAIN.match(statement)) and not words & of_numba:
            plain[found["name"]] = words
        else:
            outside |= words
    return _Source(hashlib.sha256(content).digest(), tuple(imports), frozenset(outside), plain)


def _statements(text: str) -> Iterator[str]:
    """What begins at the left margin, with its decorators before it and everything indented behind it."""
    lines: list[str] = []
    decorated = False
    for line in text.splitlines(keepends=True):
        begins = line[0] not in " \t)]}#\r\n"
        if begins and lines and not decorated:
            yield "".join(lines)
            lines = []
        if begins:
            decorated = line.startswith("@")
        lines.append(line)
    yield "".join(lines)


@cache
def _files_of(package: Path, module: str) -> frozenset[Path]:
    """The file of a module, where there is one in the package."""
    parts = module.split(".")
    if parts[0] != package.name:
        return frozenset()
    base = package.parent.joinpath(*parts)
    return frozenset(file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file())

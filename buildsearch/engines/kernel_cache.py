"""Which compiled kernels may be taken from numba's files: those whose sources are all as they were.

numba looks at the file of a function alone. Kernels here inline steps and freeze constants of other files, so
after an update in place numba would go on running the old rules. These locators stamp a kernel with its file
and with everything of this package that the file imports, and what those import. numba is told of them by
`NUMBA_CACHE_LOCATOR_CLASSES` (see `buildsearch/__init__.py`); functions of others they leave to numba's own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

_PACKAGE = Path(__file__).resolve().parent.parent


def stamp_of(path: Path, package: Path = _PACKAGE) -> bytes:
    """A digest of a file of the package and of all files of it that it can see."""
    digest = hashlib.sha256()
    for file in sorted(_seen_from(path, package)):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + _read(file, package)[0])
    return digest.digest()


def _seen_from(path: Path, package: Path) -> set[Path]:
    seen, waiting = {path}, [path]
    while waiting:
        for file in _read(waiting.pop(), package)[1] - seen:
            seen.add(file)
            waiting.append(file)
    return seen


@cache
def _read(path: Path, package: Path) -> tuple[bytes, frozenset[Path]]:
    """The digest of a file, and the files that it imports at its top.

    What a function imports when it runs, no kernel can use. A name that is imported may be a module.
    """
    content = path.read_bytes()
    files: set[Path] = set()
    for found in _imports_of(package.name).finditer(content.decode("utf-8")):
        module = found["whole"] or found["module"]
        names = re.findall(r"\w+", found["names"] or "")
        for parts in (module.split("."), *([*module.split("."), name] for name in names)):
            place = package.parent.joinpath(*parts)
            files |= {file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()}
    return hashlib.sha256(content).digest(), frozenset(files)


@cache
def _imports_of(package: str) -> re.Pattern[str]:
    some_of_it = rf"^from (?P<module>{package}[\w.]*) import (?P<names>\([^)]*\)|[^\n]*)"
    return re.compile(rf"{some_of_it}|^import (?P<whole>{package}[\w.]*)", re.MULTILINE)


def _choices_of(function: Callable[..., Any]) -> str:
    """The constants that a function was made with, as part of a file's name."""
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    return "".join(f"-{int(value)}" for value in values if isinstance(value, bool | int))


class _OfThisPackage:
    """The part that all three have in common: which functions they take, and how they stamp them."""

    _py_file: str
    _lineno: int
    _choices: str

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart in the names of files: the line, and what it is made for.

        Functions of one line that differ in a constant would share an index, and two processes that compile
        one each at the same moment can leave there the name of one with the code of the other.
        """
        return f"{self._lineno}{self._choices}"

    def get_source_stamp(self) -> bytes:
        """What numba compares with the stamp in its file before it loads a kernel."""
        return stamp_of(Path(self._py_file).resolve())

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """A locator for a function of this package, or None where another one has to look for it."""
        path = Path(py_file).resolve()
        if not (path.is_relative_to(_PACKAGE) and path.is_file()):
            return None
        locator = super().from_function(py_func, py_file)  # type: ignore[misc]  # numba's half of each locator
        if locator is not None:
            locator._choices = _choices_of(py_func)
        return locator


class ProvidedFolder(_OfThisPackage, UserProvidedCacheLocator):
    """Kernels in the folder of `NUMBA_CACHE_DIR`."""


class BesideSource(_OfThisPackage, InTreeCacheLocator):
    """Kernels beside their sources, where that can be written."""


class FolderOfUser(_OfThisPackage, UserWideCacheLocator):
    """Kernels in the user's cache folder."""

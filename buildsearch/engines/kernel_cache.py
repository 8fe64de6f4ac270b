"""Where compiled kernels are kept: in a folder that is named by a digest of the sources they are made of.

numba looks at the file of a function alone. Kernels here inline steps and freeze constants of other files, so
after an update in place numba would go on running the old rules. These locators give the kernels of a file a
folder for each state of its sources (`kernel_sources`): the kernels in it were compiled from just these
sources, an edit elsewhere compiles nothing, and an earlier state finds its kernels again. The four folders
used last are kept.

numba's documented setting `NUMBA_CACHE_LOCATOR_CLASSES` names these locators (see `buildsearch/__init__.py`).
They leave functions of other packages to numba's own, and use no private part of it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

from buildsearch.engines.jit import WHY_PLAIN
from buildsearch.engines.kernel_sources import digest_of

_PACKAGE = Path(__file__).resolve().parent.parent
# How many states of a file's sources keep their kernels: this one, and those of other branches or versions.
_KEPT = 4


def _choices_of(function: Callable[..., Any]) -> str:
    """The constants that a function was made with, as part of a file's name."""
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    return "".join(f"-{int(value)}" for value in values if isinstance(value, bool | int))


@cache
def _digest(file: Path) -> bytes:
    digest = digest_of(file, _PACKAGE)
    # Kernels of both ways are kept apart: a switch to plain numba leaves all others aside.
    return digest if WHY_PLAIN is None else hashlib.sha256(digest + b"plain").digest()


def _name_and_digest(function: Callable[..., Any], file: Path) -> tuple[str, bytes]:
    """Of the sources of a function, and of the rules that were put among its globals (`derived`)."""
    made_of = function.__globals__.get("MADE_OF")
    if made_of is None:
        return file.stem, _digest(file)
    name, digest = made_of
    return f"{file.stem}-of-{name}", hashlib.sha256(_digest(file) + digest.encode()).digest()


class _OfThisPackage:
    """The part that all of them have in common: which functions they take, and the folders of those."""

    is_locked = True  # one process compiles, the others wait (`jit`)

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[call-arg]  # numba's half of each locator
        self._name, self._digest = _name_and_digest(py_func, Path(py_file).resolve())
        self._line_and_choices = f"{py_func.__code__.co_firstlineno}{_choices_of(py_func)}"

    @property
    def _folder(self) -> str:
        """Of this state of the sources."""
        return f"{self._name}-{self._digest.hex()[:16]}"

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart in the names of files: the line, and what it is made for.

        Functions of one line that differ in a constant would share an index, and two processes that compile
        one each at the same moment can leave there the name of one with the code of the other.
        """
        return self._line_and_choices

    def get_source_stamp(self) -> bytes:
        """What numba compares with the stamp in its file before it loads a kernel."""
        return self._digest

    def get_cache_path(self) -> str:
        """The folder of this state of the sources, inside the one that numba would take."""
        outer = super().get_cache_path()  # type: ignore[misc]  # numba's half, again
        return str(Path(outer) / self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder, and forget the states of these sources that were not asked for in a long time."""
        folder = Path(self.get_cache_path())
        is_new = not folder.is_dir()
        super().ensure_cache_path()  # type: ignore[misc]  # numba's half, again
        os.utime(folder)  # when it was used last
        if is_new:
            _keep_last(folder.parent, self._name)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """A locator for a function of this package, or None where another one has to look for it."""
        path = Path(py_file).resolve()
        if not (path.is_relative_to(_PACKAGE) and path.is_file()):
            return None
        return super().from_function(py_func, py_file)  # type: ignore[misc]  # numba's half, again


def _keep_last(folder: Path, stem: str) -> None:
    """Of the folders of a file's kernels those that were used last. Other processes may be at it as well."""
    used: list[tuple[int, Path]] = []
    for path in folder.glob(f"{stem}-{'[0-9a-f]' * 16}"):
        with suppress(OSError):
            used.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(used, reverse=True)[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
    # Versions before these folders left kernels here that are never loaded again.
    for path in folder.glob(f"{stem}.*.nb[ic]"):
        with suppress(OSError):
            path.unlink()


class ProvidedFolder(_OfThisPackage, UserProvidedCacheLocator):
    """Kernels in the folder of `NUMBA_CACHE_DIR`."""


class BesideSource(_OfThisPackage, InTreeCacheLocator):
    """Kernels beside their sources, where that can be written."""


class FolderOfUser(_OfThisPackage, UserWideCacheLocator):
    """Kernels in the user's cache folder. Who has no home has none; numba would make a folder called ~."""

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """None without a home."""
        return None if os.path.expanduser("~") == "~" else super().from_function(py_func, py_file)  # noqa: PTH111


class FolderOfProcess(_OfThisPackage, UserWideCacheLocator):
    """Kernels in a folder that goes with this process, where no other can be written: numba refuses to run
    without any. The next run compiles anew; `buildsearch doctor` says so."""

    def get_cache_path(self) -> str:
        """A folder that nobody else can look into."""
        return str(_scratch() / self._folder)


@cache
def _scratch() -> Path:
    try:
        folder = tempfile.mkdtemp(prefix="buildsearch-kernels-")
    except OSError as error:
        from buildsearch.model.errors import UsageError, reason_of

        raise UsageError(
            "kernels are compiled into files, and there is no folder for them, not even a temporary one: "
            f"{reason_of(error)}. Set NUMBA_CACHE_DIR to a folder that can be written."
        ) from error
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@dataclass(frozen=True, slots=True)
class CompiledKernels:
    """`folder` is None where no folder can be written, so that every run compiles anew."""

    folder: Path | None
    files: int
    size: int


def compiled_kernels() -> CompiledKernels:
    """The kernels in the folder that numba would choose: the first run makes them, later ones load them."""
    for kind in (ProvidedFolder, BesideSource, FolderOfUser):
        if (locator := kind.from_function(compiled_kernels, __file__)) is not None:
            # The other two have a folder for each folder of sources, side by side.
            folder = _PACKAGE if kind is BesideSource else Path(locator.get_cache_path()).parent.parent
            sizes = [path.stat().st_size for path in folder.rglob("*.nbc")]
            return CompiledKernels(folder, len(sizes), sum(sizes))
    return CompiledKernels(None, 0, 0)

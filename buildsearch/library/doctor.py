"""Whether this machine can run everything: versions, cores, what is kept where, and what is wrong."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from re import match

from buildsearch.model.errors import UsageError
from buildsearch.model.text import count
from buildsearch.version import __version__

# A run of the largest tier writes about a gigabyte, and keeps as much.
_LOW_SPACE = 2 << 30


@dataclass(frozen=True, slots=True)
class Examination:
    """`facts` by name, in order; `problems` and `notes` are sentences, each with what to do."""

    facts: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str | None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def examine(results: Path) -> Examination:
    """Look at everything that a run needs; `results` is the folder that runs would go to."""
    found = Examination()
    found.facts["buildsearch"] = f"{__version__}, in {Path(__file__).resolve().parent.parent}"
    found.facts["Python"] = f"{platform.python_version()}, {sys.executable}"
    found.facts["System"] = f"{platform.system()} {platform.release()}, {platform.machine()}"
    _look_at_packages(found)
    if any(each is None for each in found.packages.values()):
        return found  # the rest would not even be imported
    found.facts["Cores"] = _cores()
    _look_at_kernels(found)
    _look_at_scores(found)
    _look_at_space(found, results)
    _look_at_rules(found)
    return found


def _look_at_packages(found: Examination) -> None:
    try:
        wanted = requires("buildsearch") or []
    except PackageNotFoundError:
        found.problems.append(
            "buildsearch is not installed, only in the path: install it with `pip install .` in its folder."
        )
        return
    for line in wanted:
        name = match(r"[\w.-]+", line)
        if name is None or "extra ==" in line:
            continue
        try:
            found.packages[name[0]] = version(name[0])
        except PackageNotFoundError:
            found.packages[name[0]] = None
            found.problems.append(f"{name[0]} is missing: install it with `pip install {name[0]}`.")


def _cores() -> str:
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return f"{cores}" if usable == cores else f"{cores}, of which {usable} may be used here"


def _look_at_kernels(found: Examination) -> None:
    import numba

    from buildsearch.engines import jit
    from buildsearch.engines.kernel_cache import compiled_kernels

    if getattr(numba.config, "DISABLE_JIT", False):
        found.facts["Kernels"] = "not compiled"
        found.problems.append(
            "NUMBA_DISABLE_JIT is set, so nothing is compiled and runs take a few hundred times as long. "
            "Take it out of the environment."
        )
        return
    if jit.WHY_PLAIN is not None:
        found.notes.append(f"Compiling takes longer, and so do fights, with the same scores: {jit.WHY_PLAIN}")
    kept = compiled_kernels()
    if kept.folder is None:
        found.facts["Kernels"] = "not kept"
        found.problems.append(
            "compiled kernels can be kept nowhere, so every run compiles for a minute or two. "
            "Set NUMBA_CACHE_DIR to a folder that can be written."
        )
        return
    found.facts["Kernels"] = f"{kept.files:,} compiled, {_megabytes(kept.size)}, in {kept.folder}"
    if kept.files == 0:
        found.notes.append("No kernel is compiled yet: the first run takes a minute or two longer.")


def _look_at_scores(found: Examination) -> None:
    from buildsearch.files.user_cache import default_cache_path
    from buildsearch.search.score_cache import cache_info

    try:
        folder = default_cache_path()
    except UsageError as error:
        found.facts["Scores kept"] = "none"
        found.problems.append(str(error))
        return
    kept = cache_info(folder)
    found.facts["Scores kept"] = f"{_megabytes(kept.size)} in {count(kept.files, 'file')}, in {folder}"
    if not _can_write(folder):
        found.problems.append(
            f"{folder} cannot be written, so no scores are kept between runs. "
            "Set BUILDSEARCH_CACHE to a folder that can."
        )
    if kept.damaged:
        found.notes.append(
            f"{kept.damaged:,} damaged files of cached scores were set aside; "
            "`buildsearch cache clear` removes them."
        )


def _look_at_space(found: Examination, results: Path) -> None:
    where = results.resolve()
    found.facts["Results"] = str(where)
    if not _can_write(where):
        found.problems.append(f"{where} cannot be written, so runs need another folder to go to.")
        return
    free = shutil.disk_usage(_existing(where)).free
    found.facts["Free space"] = f"{free / (1 << 30):,.1f} GB"
    if free < _LOW_SPACE:
        found.problems.append(
            f"only {_megabytes(free)} are free there; the largest runs need {_LOW_SPACE >> 30} GB."
        )


def _look_at_rules(found: Examination) -> None:
    from buildsearch.ruleset.locate import list_files

    rules = list_files("rules")
    found.facts["Rules"] = ", ".join(sorted(rules)) or "none"
    if not rules:
        found.problems.append("no rules were found: the package is not whole. Install it again.")


def _existing(folder: Path) -> Path:
    while not folder.exists():
        folder = folder.parent
    return folder


def _can_write(folder: Path) -> bool:
    """By trying: rights alone do not say it on every system."""
    try:
        with tempfile.TemporaryFile(dir=_existing(folder)):
            return True
    except OSError:
        return False


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MB"

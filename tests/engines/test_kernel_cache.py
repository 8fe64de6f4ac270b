"""Compiled kernels are taken from files only while nothing that they see has changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from buildsearch.engines.kernel_cache import BesideSource, FolderOfUser, ProvidedFolder, stamp_of
from buildsearch.evaluate import alias_tables
from buildsearch.systems.armitage.kernel.dueling import duel_plainly, duel_with_statuses

_FILES = {
    "__init__.py": "",
    "kernels.py": "from game.steps import (\n    step,\n)\nfrom game import numbers\nimport game.words\n",
    "steps.py": "def step(): ...\n",
    "numbers.py": "from game.deep.bottom import ONE\n",
    "words.py": "",
    "deep/__init__.py": "",
    "deep/bottom.py": "ONE = 1\n",
    "stranger.py": "",
}


def _stamp(folder: Path, **edits: str) -> bytes:
    """Of `kernels.py`, in a package with these files edited."""
    package = folder / ("-".join(edits) or "as-it-was") / "game"
    for name, text in _FILES.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edits.get(path.stem, text), encoding="utf-8")
    return stamp_of(package / "kernels.py", package)


@pytest.mark.parametrize("name", ["kernels", "steps", "numbers", "words", "bottom"])
def test_an_edit_of_anything_that_a_kernel_sees_changes_its_stamp(name: str, tmp_path: Path) -> None:
    before = _stamp(tmp_path)
    same = _FILES.get(f"{name}.py", _FILES.get(f"deep/{name}.py", ""))
    assert _stamp(tmp_path, **{name: same + "# edited\n"}) != before


def test_an_edit_of_what_it_does_not_see_changes_nothing(tmp_path: Path) -> None:
    assert _stamp(tmp_path, stranger="# edited\n") == _stamp(tmp_path)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled, so nothing is kept")
def test_kernels_of_this_package_are_stamped_so_and_those_of_others_are_left_alone() -> None:
    kernel = alias_tables.fill_alias
    assert type(kernel._cache._impl.locator) in (ProvidedFolder, BesideSource, FolderOfUser)
    assert BesideSource.from_function(pytest.fixture, pytest.__file__) is None


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled, so nothing is kept")
def test_numba_loads_no_kernel_whose_constant_another_file_has_changed(tmp_path: Path) -> None:
    """The real thing: a copy of the package's locator, a kernel, an edit of the file beside it."""
    script = "from buildsearch.engines import probe_kernel; print(probe_kernel.ask())"
    copy = tmp_path / "buildsearch"
    _copy_of_package(copy)
    (copy / "engines" / "probe_kernel.py").write_text(
        "from numba import njit\n\nfrom buildsearch.engines.probe_number import NUMBER\n\n\n"
        "@njit(cache=True)\ndef ask():\n    return NUMBER\n",
        encoding="utf-8",
    )
    for number in (1, 2):
        (copy / "engines" / "probe_number.py").write_text(f"NUMBER = {number}\n", encoding="utf-8")
        said = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
        assert said.stdout.strip() == str(number)


def _copy_of_package(target: Path) -> None:
    """As much of the package as numba needs for its locators."""
    from buildsearch.engines import kernel_cache

    source = Path(kernel_cache.__file__).parent.parent
    for name in ("__init__.py", "version.py", "engines/__init__.py", "engines/kernel_cache.py"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text((source / name).read_text(encoding="utf-8"), encoding="utf-8")


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled, so nothing is kept")
def test_kernels_made_for_different_constants_never_share_a_file():
    plain, other = (each._cache._impl for each in (duel_plainly, duel_with_statuses))
    assert plain.filename_base != other.filename_base
    assert plain.locator.get_source_stamp() == other.locator.get_source_stamp()

"""Compiled kernels are taken from files only while nothing that they see has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import buildsearch
from buildsearch.engines.derived import kernels_of
from buildsearch.engines.kernel_cache import BesideSource, FolderOfProcess, FolderOfUser, ProvidedFolder
from buildsearch.engines.kernel_sources import digest_of, sources_of
from buildsearch.evaluate import alias_tables
from buildsearch.model.errors import UsageError
from buildsearch.systems.armitage.sheet import ARMITAGE
from buildsearch.systems.dungeoneers.sheet import DUNGEONEERS

_FILES = {
    "__init__.py": "",
    "kernels.py": (
        "from numba import njit\n"
        "from game.steps import (\n    step,\n    other as neighbour,\n)\n"
        "from game.numbers import TWO as ZWEI\nimport game.words\nfrom game.tables import make\n"
        "from game.rows import Rows\nfrom game.stranger import lonely\n\n"
        "TABLE = prepared()\n\n\n"
        "@njit(cache=True)\ndef kernel(rows: Rows):\n    return step(ZWEI, game.words.ONE)\n\n\n"
        "def made(kind):\n    @njit\n    def inner():\n        return neighbour(kind)\n\n"
        "    return inner\n\n\n"
        "def prepared():\n    return make()\n\n\n"
        "def plain():\n    return lonely()\n"
    ),
    "steps.py": "def step(): ...\ndef other(): ...\n",
    "numbers.py": "from game.deep.bottom import TWO\n",  # handed on, not used
    "words.py": "",
    "tables.py": (
        "from game.faces import FACES\nfrom game.coins import COINS\n\n\n"
        "def make():\n    return FACES\n\n\ndef unasked():\n    return COINS\n"
    ),
    "faces.py": "FACES = 6\n",
    "coins.py": "COINS = 2\n",
    "rows.py": "from game.cells import Cell\n\n\nclass Rows(NamedTuple):\n    cell: Cell\n",
    "cells.py": "class Cell(NamedTuple): ...\n",
    "deep/__init__.py": "",
    "deep/bottom.py": "TWO = 2\n",
    "stranger.py": "from game.far import FAR\n\n\ndef lonely():\n    return FAR\n",
    "far.py": "FAR = 1\n",
}
kept = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled, so nothing is kept")
_LOCATING = ("__init__", "kernel_cache", "kernel_sources", "jit")
_SEEN = ("kernels", "steps", "numbers", "bottom", "words", "tables", "faces", "rows", "cells")


def _digest(folder: Path, edited: str | None = None) -> bytes:
    """Of the kernels of a package, with one file edited."""
    package = folder / str(edited) / "game"
    for name, text in _FILES.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "# edited\n" * (path.stem == edited), encoding="utf-8")
    return digest_of(package / "kernels.py", package)


@pytest.mark.parametrize("name", [Path(name).stem for name in _FILES if "__init__" not in name])
def test_an_edit_of_what_a_kernel_can_use_changes_its_digest_and_no_other(name: str, tmp_path: Path) -> None:
    assert (_digest(tmp_path, name) != _digest(tmp_path)) == (name in _SEEN)


@pytest.mark.parametrize(
    ("kernel", "step"),
    [
        ("kernel/fighting.py", "mechanics/strikes.py"),
        ("exact/nodes/families.py", "exact/nodes/values.py"),
    ],
)
def test_the_kernels_that_take_longest_do_not_depend_on_how_rules_are_read(kernel: str, step: str) -> None:
    """Else an edit of a word or a message would compile them anew."""
    package = Path(buildsearch.__file__).parent
    sources = sources_of(package / "systems" / "vitality" / kernel, package)
    assert package / "systems" / "vitality" / step in sources
    read = {file for file in sources if file.parent.name in ("rules", "ruleset", "model", "builds")}
    assert read <= {package / "model" / "arrays.py"}  # types of arrays, which all kernels have


@kept
def test_kernels_of_this_package_are_found_so_and_those_of_others_are_left_alone() -> None:
    kernel = alias_tables.fill_alias
    assert type(kernel._cache._impl.locator) in (ProvidedFolder, BesideSource, FolderOfUser)
    assert BesideSource.from_function(pytest.fixture, pytest.__file__) is None


class _Copy:
    """What of the package numba needs to find kernels, and a kernel that inlines a step of another file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.engines = folder / "buildsearch" / "engines"
        self.engines.mkdir(parents=True)
        source = Path(buildsearch.__file__).parent
        for name in ("__init__", "version", *(f"engines/{each}" for each in _LOCATING)):
            shutil.copyfile(source / f"{name}.py", folder / "buildsearch" / f"{name}.py")
        (self.engines / "probe_kernel.py").write_text(
            "from numba import njit\nfrom buildsearch.engines.probe_step import step\n\n"
            "@njit(cache=True)\ndef ask():\n    return step()\n"
        )

    def ask(self, number: int, **environment: str) -> tuple[int, bool]:
        """What the kernel says in a new process if the step gives this number, and whether it was loaded."""
        text = f'from numba import njit\n\n\n@njit(inline="always")\ndef step():\n    return {number}\n'
        (self.engines / "probe_step.py").write_text(text)
        script = (
            "from buildsearch.engines.probe_kernel import ask\n"
            "print(ask(), sum(ask.stats.cache_hits.values()))"
        )
        usual = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
        said = subprocess.run(
            [sys.executable, "-c", script],
            cwd=self._folder, capture_output=True, text=True, check=True,
            env=usual | {"PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        )  # fmt: skip
        answer, hits = said.stdout.split()
        return int(answer), hits == "1"


@kept
def test_a_kernel_is_compiled_anew_if_a_step_that_it_inlines_changes_and_only_then(tmp_path: Path) -> None:
    copy = _Copy(tmp_path)
    assert copy.ask(1) == (1, False)
    assert copy.ask(1) == (1, True)
    assert copy.ask(2) == (2, False)
    assert copy.ask(1) == (1, True), "going back finds what was compiled"
    for number in (3, 4, 5):
        assert copy.ask(number) == (number, False)
    folders = list((copy.engines / "__pycache__").glob("probe_kernel-*"))
    assert len(folders) == 4, "one for each of the last few states"
    assert copy.ask(1) == (1, True), "the folder that was used last stays"


@kept
def test_kernels_of_an_installation_that_cannot_be_written_are_kept_elsewhere_or_not(tmp_path: Path) -> None:
    copy = _Copy(tmp_path)
    (copy.engines / "__pycache__").write_text("no folder can be made here")
    for where in ({"XDG_CACHE_HOME": str(tmp_path / "user")}, {"NUMBA_CACHE_DIR": str(tmp_path / "given")}):
        assert copy.ask(1, **where) == (1, False)
        assert copy.ask(1, **where) == (1, True)
        assert copy.ask(2, **where) == (2, False)
        (folder,) = where.values()
        assert len(list(Path(folder).rglob("*.nbc"))) == 2
    (tmp_path / "file").write_text("no folder either")
    (tmp_path / "scratch").mkdir()
    where = {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "scratch")}
    for _ in range(2):
        assert copy.ask(1, **where) == (1, False)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_without_a_home_or_a_temporary_folder_kernels_go_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_words: str) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert FolderOfUser.from_function(digest_of, digest_of.__code__.co_filename) is None
    monkeypatch.setattr("buildsearch.engines.kernel_cache.tempfile.mkdtemp", refuse)
    with pytest.raises(UsageError, match="Set NUMBA_CACHE_DIR to a folder that can be written"):
        FolderOfProcess.from_function(digest_of, digest_of.__code__.co_filename)


@kept
def test_kernels_made_for_different_statements_never_share_a_file():
    one, other = (kernels_of(each).sample._cache._impl.locator for each in (ARMITAGE, DUNGEONEERS))
    assert one.get_cache_path() != other.get_cache_path()

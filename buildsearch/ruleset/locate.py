"""Finding rulesets and scenario sets: by path, by name in the current folder, by name among the shipped."""

from __future__ import annotations

import os
import pathlib
import re
from typing import Literal, get_args

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import did_you_mean, known_names

Shelf = Literal["rules", "scenarios"]

_PACKAGE = pathlib.Path(__file__).resolve().parents[1]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SUFFIXES = (".yaml", ".yml")
# Folders of games that were brought along: their files `rules*.yaml` and `scenarios*.yaml` have names too.
GAME_FOLDERS: list[pathlib.Path] = []
GAME_FILE = "game.py"
_NOUNS = {"rules": "ruleset", "scenarios": "scenario set"}


def find_file(shelf: str, name_or_path: str, cwd: pathlib.Path | None = None) -> pathlib.Path:
    """The file meant by a name such as `vitality-v2` or by a path; raises `UsageError` if there is none.

    A file of the user's own in `./rules/` goes before a shipped one of the same name.
    """
    base = cwd or pathlib.Path()
    if looks_like_path(name_or_path):
        return _own_file(base / name_or_path, name_or_path)
    noun = _NOUNS[_checked(shelf)]
    hint = f"A path to a file works too, such as ./{shelf}/mine.yaml."
    if not _NAME.fullmatch(name_or_path):
        raise UsageError(f"{name_or_path!r} is not a name of a {noun}. {hint}")
    known = list_files(shelf, cwd)
    if name_or_path not in known:
        near = did_you_mean(name_or_path, known)
        words = [f"There is no {noun} called `{name_or_path}`.", near, known_names(known), hint]
        raise UsageError(" ".join(word for word in words if word))
    return known[name_or_path]


def find_shipped(shelf: str, name: str) -> pathlib.Path:
    """The shipped file of a name, whatever the current folder has; raises `UsageError` if there is none."""
    folder = _shipped(_checked(shelf))
    file = folder / f"{name}.yaml"
    if not _is_named_file(file):
        raise UsageError(f"There is no {_NOUNS[shelf]} called `{name}` there, nor a shipped one.")
    return file.resolve()


def list_files(shelf: str, cwd: pathlib.Path | None = None) -> dict[str, pathlib.Path]:
    """Every file of a shelf that can be called by its name, sorted by name."""
    own = (cwd or pathlib.Path()) / _checked(shelf)
    found: dict[str, pathlib.Path] = {}
    for folder in (_shipped(shelf), own):  # the later wins
        if folder.is_dir():
            found |= {file.stem: file for file in folder.glob("*.yaml") if _is_named_file(file)}
    for folder in GAME_FOLDERS:
        files = (*folder.glob(f"{shelf}*.yaml"), *(folder / shelf).glob("*.yaml"))
        found |= {file.stem: _from_here(file) for file in files if _is_named_file(file)}
    return dict(sorted(found.items()))


def _from_here(file: pathlib.Path) -> pathlib.Path:
    """As people write it, where it is below the current folder."""
    here = pathlib.Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file


def _shipped(shelf: str) -> pathlib.Path:
    """Inside the package when installed from a wheel; beside it in a checkout."""
    inside = _PACKAGE / "data" / shelf
    return inside if inside.is_dir() else _PACKAGE.parent / shelf


def _is_named_file(file: pathlib.Path) -> bool:
    return _NAME.fullmatch(file.stem) is not None and file.is_file()


def looks_like_path(word: str) -> bool:
    """Whether a word is meant as a path and not as a name: by its ending, or by a separator in it."""
    separators = {"/", os.sep, os.altsep or os.sep}
    return word.lower().endswith(_SUFFIXES) or any(mark in word for mark in separators)


def _own_file(path: pathlib.Path, given: str) -> pathlib.Path:
    try:
        if path.is_dir():
            raise UsageError(f"{given} is a folder, not a file.")
        if path.exists():
            return path
    except (OSError, ValueError) as error:  # a name too long for the system, a zero byte
        raise UsageError(f"{given!r} is not a usable path: {error}.") from None
    raise UsageError(f"There is no file {given}.")


def _checked(shelf: str) -> str:
    if shelf not in get_args(Shelf):
        raise ValueError(f"no such shelf: {shelf!r}")
    return shelf


def add_game_folder(folder: pathlib.Path) -> None:
    """From now on its files have names."""
    if folder not in GAME_FOLDERS:
        GAME_FOLDERS.append(folder)


def game_path(given: str) -> pathlib.Path | None:
    """The file of a game that is meant, by itself or by its folder; None where there is none."""
    path = pathlib.Path(given)
    path = path / GAME_FILE if path.is_dir() else path
    return path.resolve() if path.is_file() else None

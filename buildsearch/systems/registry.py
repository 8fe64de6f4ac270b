"""The games: those of the package, and those that a designer brings.

A game of one's own is a file that `--game` or BUILDSEARCH_GAME names, or an installed package with an entry
point of the group `buildsearch.games`, called like the game. Its code runs when a rules file of that game is
read; reading any other rules file runs no code.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from buildsearch.model.errors import UsageError
from buildsearch.model.system import System
from buildsearch.ruleset import locate
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.animon.system import AnimonSystem
from buildsearch.systems.armitage.system import ArmitageSystem
from buildsearch.systems.dungeoneers.system import DungeoneersSystem
from buildsearch.systems.vitality.system import VitalitySystem

SYSTEMS: tuple[System, ...] = (VitalitySystem(), ArmitageSystem(), DungeoneersSystem(), AnimonSystem())
GAME = "BUILDSEARCH_GAME"
_GROUP = "buildsearch.games"


def systems() -> tuple[System, ...]:
    """Those of the package and the one that was named."""
    named = named_game()
    return SYSTEMS if named is None else (*SYSTEMS, named)


def find_system(name: object) -> System | None:
    """The game that a rules file names."""
    for system in systems():
        if system.id == name:
            return system
    return _installed(name) if isinstance(name, str) and name in installed_games() else None


def installed_games() -> tuple[str, ...]:
    """The names of installed games; none is loaded."""
    return tuple(sorted(each.name for each in entry_points(group=_GROUP)))


def known_ids() -> list[str]:
    """What a rules file may name."""
    return [*(system.id for system in systems()), *installed_games()]


def named_game() -> System | None:
    """The game that `--game` or BUILDSEARCH_GAME names: a file, its folder, or an installed one."""
    given = os.environ.get(GAME)
    if not given:
        return None
    path = locate.game_path(given)
    if path is not None:
        locate.add_game_folder(path.parent)
        return _from_file(path, sha256(path.read_bytes()).hexdigest())
    if given in installed_games():
        return _installed(given)
    raise UsageError(
        f"‹game› {given}: there is no such file, and no installed game of this name. Name the file of a "
        f"game, or a folder with a {locate.GAME_FILE} in it."
    )


@cache
def _from_file(path: Path, digest: str) -> System:
    from buildsearch.kit.trouble import loading_sentence

    # The same after an edit: compiled code of rules that did not change refers to it.
    name = f"buildsearch_game_{path.parent.name.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"‹game› {path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except Exception as error:
        raise UsageError(loading_sentence(error, path)) from error
    finally:
        sys.path.remove(str(path.parent))
    return _the_game(vars(module).values(), str(path))


@cache
def _installed(name: str) -> System:
    (point,) = entry_points(group=_GROUP, name=name)
    found = point.load()
    source = getattr(sys.modules.get(point.module), "__file__", None)
    if source:
        locate.add_game_folder(Path(source).parent)
    return _the_game([found], f"the package {point.module}")


def _the_game(values: Any, where: str) -> System:
    """The game among the names of a file."""
    from buildsearch.kit.game import Game

    found = [each for each in dict.fromkeys(_hashable(values)) if isinstance(each, Game)]
    if len(found) != 1:
        raise UsageError(f"{where}: {len(found)} games are defined there. Write one: game = Game(...).")
    game = found[0]
    game.check_complete()
    if any(system.id == game.id for system in SYSTEMS):
        raise UsageError(f"{where}: the name `{game.id}` is that of a game of buildsearch. Choose another.")
    return game


def _hashable(values: Any) -> Iterator[Any]:
    return (each for each in values if getattr(type(each), "__hash__", None) is not None)


def unknown_system(name: object) -> str:
    """What to say of a system that no game has."""
    return f"{suggest(str(name or ''), known_ids())} A game of your own is named with ‹game› PATH."

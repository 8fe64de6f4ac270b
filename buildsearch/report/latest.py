"""Which run is meant: `results/latest` names the last one; a user's cache knows one that went elsewhere.

It loads nothing heavy: the start screen asks.
"""

from __future__ import annotations

import json
import os
import shlex
from contextlib import suppress
from pathlib import Path

from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import open_plain, read_text
from buildsearch.files.user_cache import default_cache_path
from buildsearch.model.errors import UsageError

RESULTS = Path("results")
LATEST, _RUN = "latest", "run.json"
_ELSEWHERE = "latest-runs.json"  # by folder in which commands are given, the last run that went elsewhere
_MOST_KNOWN = 200
_MOST_NAME, _MOST_BYTES = 1000, 1 << 20


def remember_run(folder: Path) -> None:
    """Let `latest` be this run: by its name, or by its path where it is outside the results."""
    path = folder.resolve()
    if path.parent == RESULTS.resolve():
        write_whole(RESULTS / LATEST, folder.name + "\n")
        return
    with suppress(UsageError):
        known = _runs_elsewhere() | {str(Path.cwd()): str(path)}
        text = json.dumps(dict(list(known.items())[-_MOST_KNOWN:]), indent=2)
        write_whole(default_cache_path() / _ELSEWHERE, text + "\n")
        if RESULTS.is_dir():  # it must not go on naming an older run
            write_whole(RESULTS / LATEST, f"{path}\n")


def latest_run() -> Path:
    """The folder of the last run; raises UsageError where there is none, or where several may be meant."""
    try:
        name = read_text(RESULTS / LATEST, _MOST_NAME).strip()
    except FileNotFoundError:
        return _only_run()
    except (OSError, ValueError):
        name = ""
    # A name is followed; a path only if this user's cache has it too: files in results may be of any origin.
    if not name or not name.isprintable():
        raise UsageError(f"{RESULTS / LATEST} does not hold the name of a run. Name the folder of a run.")
    if Path(name).name == name:
        return RESULTS / name
    if _runs_elsewhere().get(str(Path.cwd())) == name and (Path(name) / _RUN).is_file():
        return Path(name)
    raise UsageError(f"the last run went to {name!r}. Name that folder.")


def as_typed(folder: Path) -> str:
    """What a user types to name a run: nothing for the latest."""
    with suppress(UsageError):
        if latest_run().resolve() == folder.resolve():
            return ""
    return shlex.quote(str(folder))


def _only_run() -> Path:
    """Without `latest`: the last run that went elsewhere, or the only run that was copied here."""
    elsewhere = _runs_elsewhere().get(str(Path.cwd()))
    if elsewhere is not None and (Path(elsewhere) / _RUN).is_file():
        return Path(elsewhere)
    found = runs_in_results()
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(folder.name for folder in found)
        raise UsageError(f"there are several runs in {RESULTS}: {names}. Name one.")
    raise UsageError(f"No run in {RESULTS}. Run `buildsearch optimize` first, or name the folder of a run.")


def runs_in_results() -> list[Path]:
    return sorted(path.parent for path in RESULTS.glob(f"*/{_RUN}")) if RESULTS.is_dir() else []


def find_run(name: str | None) -> Path:
    """The folder of a run by its path, its name or the beginning of its id, or of the last one (`latest`, or
    no name); raises UsageError."""
    given = Path(name or LATEST)
    if name is None or (given in (Path(LATEST), RESULTS / LATEST) and not given.is_dir()):
        return latest_run()
    if given.exists() or len(given.parts) > 1:
        return given
    if (RESULTS / name).exists():
        return RESULTS / name
    found = [folder for folder in runs_in_results() if id_of(folder).startswith(name)]
    if len(found) > 1:
        raise UsageError(f"{name} could be {', '.join(folder.name for folder in found)}. Write more of it.")
    return found[0] if found else RESULTS / name


def id_of(folder: Path) -> str:
    """The end of a run's name, which is all that differs between runs of the same rules."""
    return folder.name.rpartition("-")[2]


def _runs_elsewhere() -> dict[str, str]:
    """What this user's cache knows; nothing where another user may have written it."""
    try:
        with open_plain(default_cache_path() / _ELSEWHERE, _MOST_BYTES) as file:
            about = os.fstat(file.fileno())
            if hasattr(os, "geteuid") and about.st_uid != os.geteuid():
                return {}
            known = json.loads(file.read())
    except (OSError, ValueError, UsageError):
        return {}
    return {str(key): str(value) for key, value in known.items()} if isinstance(known, dict) else {}

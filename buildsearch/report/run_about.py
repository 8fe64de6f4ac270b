"""run.json: what it says, in which types, and the checksums that hold a run together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from buildsearch.model.errors import UsageError, reason_of
from buildsearch.ruleset.wording import wrong_places
from buildsearch.untrusted_files import RefusedError, digest_of, read_json
from buildsearch.whole_files import write_whole
from buildsearch.whole_folders import Staged

RUN = "run.json"
# What a run consists of, and what other commands make from its scores.
OWN = ("leaderboard.csv", "scores.parquet", RUN, "loadouts.csv", "usage.csv")
DERIVED = ("report.html", "sweep.csv", "readings.csv", "analysis")
# How it went, which differs between two runs of one command; what was found does not.
_UNSEALED = ("checksum", "seconds", "cache")
_MOST_FILE = 1 << 37
_AGAIN = "Run optimize again, or add --trust to read it all the same."


class _Part(BaseModel):
    # Later versions may say more; what is read here has its type.
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class _Command(_Part):
    rules: str  # the rest is for those to check who know the options of the command line


class _Rules(_Part):
    id: str = ""
    hash: str


class _Fight(_Part):
    weight: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    hash: str


class _Objective(_Part):
    name: str
    label: str
    higher_is_better: bool


class _Headroom(_Part):
    points: int
    builds: int
    run: str | None = None


class _File(_Part):
    bytes: int
    blake2b: str


class _About(_Part):
    buildsearch: str = ""
    command: _Command
    rules: _Rules
    parameters: dict[str, int | str] = {}
    fights: dict[str, _Fight] = {}
    objectives: list[_Objective] = []
    primary: _Objective | None = None
    seed: int = 0
    builds: int = 0
    by_method: dict[str, int] = {}
    out_of: int | None = None
    partial: bool = False
    member: str = ""
    loadouts: int = 0
    candidates: int = 0
    valued: int = 0
    left_out: dict[str, int] = {}
    headroom: _Headroom | None = None
    files: dict[str, _File] = {}
    checksum: str = ""


def seal(staged: Staged, folder: Path, about: Mapping[str, Any]) -> None:
    """Write run.json for the files that are staged: with their checksums, and one of its own.

    What other commands made from the scores of an older run goes with them, unless these are the same.
    """
    files = {
        path.name: {"bytes": path.stat().st_size, "blake2b": digest_of(path, _MOST_FILE)}
        for path in sorted(staged.path.iterdir())
    }
    sealed = {**about, "files": files}
    sealed["checksum"] = _checksum(sealed)
    write_whole(staged.path / RUN, json.dumps(sealed, indent=2) + "\n")
    staged.gone.update(OWN)
    try:
        before = read_json(folder / RUN).get("files")
    except (OSError, ValueError, AttributeError):
        before = None
    if before != files:
        staged.gone.update(DERIVED)


def _checksum(about: Mapping[str, Any]) -> str:
    said = {key: value for key, value in about.items() if key not in _UNSEALED}
    return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=32).hexdigest()


def read_about(folder: Path) -> dict[str, Any]:
    """What run.json says, its types checked; raises UsageError where there is no whole run."""
    try:
        about = read_json(folder / RUN)
    except FileNotFoundError:
        raise UsageError(f"{folder} is not a finished run: it has no {RUN}. Run optimize first.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {folder / RUN}: {reason_of(error)}. Run optimize again.") from error
    try:
        _About.model_validate(about)
    except ValidationError as error:
        raise UsageError(
            f"{folder / RUN} is not what optimize writes (look at: {wrong_places(error)}). "
            "Run optimize again."
        ) from None
    return dict(about)


def check_seal(folder: Path, about: Mapping[str, Any], *, trust: bool = False) -> list[str]:
    """Raises UsageError where files are not those that the run wrote, unless they are trusted.

    Gives sentences about what is odd and does no harm: tables that somebody saved again.
    """
    files = about.get("files")
    if not files or "checksum" not in about:
        return _refuse(f"{folder} has no checksums: it was written by an older version.", trust=trust)
    if about["checksum"] != _checksum(about):
        return _refuse(f"{folder / RUN} was changed since the run was written.", trust=trust)
    odd = []
    for name, was in files.items():
        wrong = _wrong(folder, name, was)
        if wrong is None:
            continue
        if name.endswith(".csv"):
            odd.append(
                f"{folder / name} is not as the run wrote it: {wrong}. Saved again from a spreadsheet?"
            )
        else:
            odd += _refuse(f"{folder} is not whole: {name} {_why(wrong)}.", trust=trust)
    return odd


def _wrong(folder: Path, name: str, was: Mapping[str, Any]) -> str | None:
    if Path(name).name != name or name not in OWN:
        return "no run has such a file"
    try:
        same = digest_of(folder / name, _MOST_FILE) == was["blake2b"]
    except (OSError, RefusedError) as error:
        return reason_of(error)
    return None if same else "its checksum does not fit"


def _why(wrong: str) -> str:
    return "is of another run, or was changed" if "checksum" in wrong else f"cannot be read: {wrong}"


def _refuse(sentence: str, *, trust: bool) -> list[str]:
    if not trust:
        raise UsageError(f"{sentence} {_AGAIN}")
    return [f"{sentence} It is read all the same, as --trust says."]

"""run.json: a record with a version, and the checksums that hold a run together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from buildsearch.files.atomic import Staged, write_whole
from buildsearch.files.safe_reading import RefusedError, digest_of, read_json
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.options.search import SearchOptions
from buildsearch.ruleset.messages import wrong_keys
from buildsearch.version import __version__

RUN = "run.json"
# Builds above the budget are in a folder beside the run's, which is called so in the end.
OVER_BUDGET = "-over-budget"
# Raised whenever a field changes its meaning or goes: a record of another format is refused, not guessed at.
FORMAT: Literal[3] = 3
BUILDS, LOADOUTS = "builds", "loadouts"
# What a run consists of, and what other commands make from its scores.
OWN = ("leaderboard.csv", "leaderboard.parquet", "scores.parquet", RUN, "loadouts.csv", "usage.csv")
DERIVED = ("report.html", "sweep.csv", "readings.csv", "analysis", "proposal.json")
# How it went, which differs between two runs of one request; what was found does not.
_UNSEALED = ("checksum", "seconds", "cache")
_MOST_FILE = 1 << 37
_AGAIN = "Run optimize again, or add ‹ignore_checksums› to read it anyway."


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class RulesRecord(_Part):
    """Which rules, and what was in them."""

    id: str = ""
    hash: str


class FightRecord(_Part):
    """A fight, its weight in scores, and how many builds were solved in it."""

    weight: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    hash: str
    exact_builds: int = 0


class MeasureRecord(_Part):
    """An objective or a metric, with its direction."""

    name: str
    label: str
    higher_is_better: bool


class BestBuild(_Part):
    """The best build of all, or of a type, with its rank and its score as people read them."""

    type: str
    build: str
    score: float
    score_text: str
    rank: int
    rank_text: str


class OverBudget(_Part):
    """What was scored above the budget, and in which folder beside the run."""

    points: int
    builds: int
    run: str | None = None


class Race(_Part):
    """How ranks were decided."""

    rounds: int
    fights: int
    contenders: int
    open_ranks: int
    alpha: float


class GuidanceRecord(_Part):
    """How a guided search went about it; the address of its storage has no password."""

    sampler: str
    trials: int | None = None
    stop_after: float | None = None
    storage: str | None = None
    study: str = ""


class File(_Part):
    """What vouches for a file."""

    bytes: int
    blake2b: str


class Record(_Part):
    """What every run says of itself."""

    format: Literal[3] = FORMAT
    buildsearch: str = __version__
    request: SearchOptions
    rules: RulesRecord
    parameters: dict[str, int | str] = Field(default_factory=dict)
    incomplete: bool = False
    files: dict[str, File] = Field(default_factory=dict)
    checksum: str = ""

    def said(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    @classmethod
    def read(cls, said: object) -> Self:
        """From JSON; through its text, whose arrays a strict model takes for tuples."""
        return cls.model_validate_json(json.dumps(said))


class RunRecord(Record):
    """A run of builds."""

    kind: Literal["builds"] = "builds"
    versions: dict[str, str] = Field(default_factory=dict)
    fights: dict[str, FightRecord] = Field(default_factory=dict)
    objectives: list[MeasureRecord] = Field(default_factory=list)
    primary: MeasureRecord | None = None
    seed: int = 0
    initial_fights: int = 0
    search: str = "exhaustive"
    guidance: GuidanceRecord | None = None
    from_run: str | None = None
    legal_builds: int | None = None
    builds: int = 0
    scored: int = 0
    best: BestBuild | None = None
    best_of_types: list[BestBuild] = Field(default_factory=list)
    by_method: dict[str, int] = Field(default_factory=dict)
    # By reason how many (build, fight) were not solved in bulk: sampled, or solved one at a time.
    sampled_because: dict[str, int] = Field(default_factory=dict)
    cache: dict[str, int] = Field(default_factory=dict)
    race: Race | None = None
    over_budget: OverBudget | None = None
    seconds: dict[str, float] = Field(default_factory=dict)


class LoadoutRecord(Record):
    """A search for loadouts."""

    kind: Literal["loadouts"] = "loadouts"
    member: str = "build"
    candidates: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    outclassed: int = 0
    without_value: str | None = None
    expensive_tried: int = 0
    sampled_tried: int = 0
    race: dict[str, int] = Field(default_factory=dict)
    loadouts: int = 0
    scored: int = 0
    lower_bound: float = 0.0
    seconds: float = 0.0


_KINDS: dict[str, type[RunRecord] | type[LoadoutRecord]] = {BUILDS: RunRecord, LOADOUTS: LoadoutRecord}


def seal(staged: Staged, folder: Path, record: RunRecord | LoadoutRecord) -> dict[str, Any]:
    """Write run.json for the files that are staged: with their checksums, and one of its own. Gives it.

    What other commands made from the scores of an older run goes with them, unless these are the same.
    """
    files = {
        path.name: {"bytes": path.stat().st_size, "blake2b": digest_of(path, _MOST_FILE)}
        for path in sorted(staged.path.iterdir())
    }
    sealed = {**record.said(), "files": files}
    sealed["checksum"] = _checksum(sealed)
    write_whole(staged.path / RUN, json.dumps(sealed, indent=2) + "\n")
    staged.gone.update(OWN)
    try:
        before = read_json(folder / RUN).get("files")
    except (OSError, ValueError, AttributeError):
        before = None
    if before != files:
        staged.gone.update(DERIVED)
    return sealed


def _checksum(said: Mapping[str, Any]) -> str:
    sealed = {key: value for key, value in said.items() if key not in _UNSEALED}
    return hashlib.blake2b(json.dumps(sealed, sort_keys=True).encode(), digest_size=32).hexdigest()


def read_record(folder: Path) -> RunRecord | LoadoutRecord:
    """What run.json says; raises UsageError where there is no whole run, or one of another format."""
    said = _read(folder)
    kind = said.get("kind")
    try:
        return _KINDS[kind if isinstance(kind, str) and kind in _KINDS else BUILDS].read(said)
    except ValidationError as error:
        raise UsageError(
            f"{folder / RUN} is not what optimize writes (look at: {wrong_keys(error)}). Run optimize again."
        ) from None


def _read(folder: Path) -> dict[str, Any]:
    try:
        said = read_json(folder / RUN)
    except FileNotFoundError:
        raise UsageError(f"{folder} is not a finished run: it has no {RUN}. Run optimize first.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {folder / RUN}: {reason_of(error)}. Run optimize again.") from error
    if not isinstance(said, dict):
        raise UsageError(f"{folder / RUN} is not what optimize writes. Run optimize again.")
    written = said.get("format", 1)
    if written != FORMAT and isinstance(written, int):
        age = "an older" if written < FORMAT else "a newer"
        raise UsageError(
            f"{folder} was written by {age} buildsearch (format {written}; this one reads {FORMAT}). "
            "Run optimize again."
        )
    return said


def over_budget_folder(folder: Path, record: RunRecord) -> Path | None:
    """Where a run's builds above the budget are; None where it has none."""
    name = None if record.over_budget is None else record.over_budget.run
    # Only a plain name is followed: a forged file must not lead elsewhere.
    if name is None or Path(name).name != name:
        return None
    beside = folder.parent / name
    return beside if beside.is_dir() else None


def check_seal(folder: Path, *, ignore_checksums: bool = False) -> list[str]:
    """Raises UsageError where files are not those that the run wrote, unless they are trusted.

    Gives sentences about what is odd and does no harm: tables that were saved again.
    """
    said = _read(folder)
    files = said.get("files")
    if not files or not said.get("checksum"):
        return _refuse(f"{folder} has no checksums.", ignore_checksums=ignore_checksums)
    if said["checksum"] != _checksum(said):
        return _refuse(
            f"{folder / RUN} was changed since the run was written.", ignore_checksums=ignore_checksums
        )
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
            odd += _refuse(f"{folder} is not whole: {name} {_why(wrong)}.", ignore_checksums=ignore_checksums)
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


def _refuse(sentence: str, *, ignore_checksums: bool) -> list[str]:
    if not ignore_checksums:
        raise UsageError(f"{sentence} {_AGAIN}")
    return [f"{sentence} It is read anyway, as ‹ignore_checksums› says."]

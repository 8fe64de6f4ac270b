"""The runs that are there, and how one is deleted."""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from buildsearch.files.safe_reading import read_json
from buildsearch.model.errors import UsageError
from buildsearch.report.latest import LATEST, RESULTS, find_run, id_of, latest_run, runs_in_results
from buildsearch.report.run_record import FORMAT, OVER_BUDGET, RUN
from buildsearch.views.runs import KnownRun


def known_runs() -> list[KnownRun]:
    """Runs in results, and the last one where it went elsewhere; the newest first."""
    latest = _latest()
    folders = [folder for folder in runs_in_results() if not folder.name.endswith(OVER_BUDGET)]
    if latest is not None and latest.resolve() not in [folder.resolve() for folder in folders]:
        folders.append(latest)
    last = None if latest is None else latest.resolve()
    found = [describe_run(folder, is_latest=folder.resolve() == last) for folder in folders]
    return sorted(found, key=lambda run: run.written, reverse=True)


def describe_run(folder: Path, *, is_latest: bool = False) -> KnownRun:
    """A run as run.json describes it; raises UsageError where there is none."""
    try:
        record = read_json(folder / RUN)
        written = datetime.fromtimestamp((folder / RUN).stat().st_mtime, UTC).astimezone()
        is_ours = isinstance(record, dict) and record.get("format") == FORMAT
        record = record if is_ours else {}
        best = record.get("best") or {}
        return KnownRun(
            id=id_of(folder),
            folder=str(folder),
            rules=str(record["rules"]["id"]) if is_ours else "-",
            file=str(record.get("request", {}).get("rules", "")),
            parameters={str(name): value for name, value in record.get("parameters", {}).items()},
            builds=record.get("builds") if record.get("kind") == "builds" else record.get("candidates"),
            best=str(best.get("score_text", "")),
            bytes=_size(folder) + _size(_beside(folder)),
            written=written,
            is_latest=is_latest,
            state=("incomplete" if record.get("incomplete") else "") if is_ours else "of another version",
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UsageError(f"{folder} is not a run that can be read.") from error


def delete_run(name: str) -> KnownRun:
    """Delete a run in results, with what was scored above its budget; raises UsageError for anything else."""
    folder = find_run(name)
    if folder.resolve().parent != RESULTS.resolve() or folder.is_symlink() or not (folder / RUN).is_file():
        raise UsageError(f"{folder} is not a run in {RESULTS}. Only those are deleted.")
    run = describe_run(folder)
    was_latest = _latest() == folder
    shutil.rmtree(folder)
    if _beside(folder).is_dir() and not _beside(folder).is_symlink():
        shutil.rmtree(_beside(folder))
    if was_latest:
        with suppress(OSError):
            (RESULTS / LATEST).unlink()
    return run


def _beside(folder: Path) -> Path:
    return folder.with_name(folder.name + OVER_BUDGET)


def _latest() -> Path | None:
    try:
        latest = latest_run()
    except UsageError:
        return None
    return latest if (latest / RUN).is_file() else None


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*")) if folder.is_dir() else 0

"""The folder of a run: leaderboard.csv and .parquet, scores.parquet, run.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from buildsearch.document.table_files import write_table
from buildsearch.files.atomic import whole_folder
from buildsearch.files.safe_reading import open_plain
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.space import BuildSpace
from buildsearch.report.leaderboard import Row
from buildsearch.report.run_record import RUN, RunRecord, read_record, seal
from buildsearch.report.score_columns import check_columns, columns_of_scores, table_of_columns
from buildsearch.search.ranking import Ranking
from buildsearch.search.score_table import ScoreTable

__all__ = [
    "BOARD",
    "LEADERBOARD",
    "RUN",
    "SCORES",
    "board_rows",
    "folder_for_interrupted",
    "read_board",
    "read_scores",
    "write_run",
]

LEADERBOARD, BOARD, SCORES = "leaderboard.csv", "leaderboard.parquet", "scores.parquet"
# Columns that may be empty in every row.
_TYPES = {"of": pa.int64(), "fights": pa.int64()}
_MOST_BYTES = 1 << 37


def write_run(
    folder: Path,
    answer: Ranking,
    space: BuildSpace,
    rows: Sequence[Row],
    for_people: Mapping[str, list[Any]],
    record: Callable[[], RunRecord],
) -> RunRecord:
    """Write everything aside; the folder then changes as a whole, or not at all. Gives what run.json says."""
    with whole_folder(folder) as staged:
        if rows:
            write_table([for_people], staged.path / LEADERBOARD)
            write_table([board_columns(rows)], staged.path / BOARD)
        write_table(columns_of_scores(answer, space), staged.path / SCORES)
        return RunRecord.read(seal(staged, folder, record()))


def board_columns(rows: Sequence[Row]) -> dict[str, pa.Array]:
    """The rows as typed columns; what each part saves is a map."""
    return {
        name: pa.array([list(row[name].items()) for row in rows], pa.map_(pa.string(), pa.float64()))
        if isinstance(first, Mapping)
        else pa.array([row[name] for row in rows], _TYPES.get(name.rsplit("_", 1)[-1]))
        for name, first in rows[0].items()
    }


def read_board(folder: Path) -> pa.Table:
    """leaderboard.parquet; raises UsageError."""
    try:
        with open_plain(folder / BOARD, _MOST_BYTES) as file:
            return pyarrow.parquet.read_table(file)
    except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
        raise UsageError(f"cannot read {folder / BOARD}: {reason_of(error)}. Run optimize again.") from error


def board_rows(folder: Path) -> list[Row]:
    """The rows of the leaderboard, the best first; raises UsageError."""
    rows: list[Row] = read_board(folder).to_pylist()
    for row in rows:
        for name, cell in row.items():
            if isinstance(cell, list):
                row[name] = dict(cell)
    return rows


def read_scores(folder: Path) -> ScoreTable:
    """Every build of a run, builds without a score left out; raises UsageError."""
    record = read_record(folder)
    if not isinstance(record, RunRecord) or not record.objectives or record.primary is None:
        raise UsageError(f"{folder} has no scores of builds. Run optimize again.")
    try:
        with open_plain(folder / SCORES, _MOST_BYTES) as file:
            parquet = pyarrow.parquet.ParquetFile(file)
            check_columns(parquet, record, record.primary)
            return table_of_columns(parquet, record, record.objectives[0], record.primary)
    except (OSError, LookupError, TypeError, ValueError, MemoryError, pa.ArrowException) as error:
        raise UsageError(f"{folder} is not a run that can be read: {error}. Run optimize again.") from error


def folder_for_interrupted(folder: Path, record: str = RUN) -> Path:
    """Where a run that was interrupted goes: never in the place of a whole one, which has such a record."""
    if not (folder / record).exists():
        return folder
    return folder.with_name(f"{folder.name}-interrupted")

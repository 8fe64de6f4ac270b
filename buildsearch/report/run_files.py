"""The folder of a run: leaderboard.csv and .parquet, scores.parquet, run.json.

Scores are written and read some rows at a time: a space may have more builds than all columns fit in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from buildsearch.document.table_files import write_table
from buildsearch.files.atomic import whole_folder
from buildsearch.files.large_arrays import room
from buildsearch.files.safe_reading import RefusedError, open_plain
from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.report.leaderboard import Row
from buildsearch.report.run_record import RUN, MeasureRecord, RunRecord, read_record, seal
from buildsearch.search.ranking import Ranking
from buildsearch.search.score_table import ScoreTable, combined_error

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


_ROWS_AT_ONCE = 1 << 16
# Far above any space that can be ranked, far below what a few forged bytes could ask memory for.
_MOST_ROWS, _MOST_A_ROW = 1 << 30, 1 << 14
# By field of a score table the column about ranks and fights.
_OF_RANKS = {"low": "score_low", "high": "score_high", "rank": "rank", "fought": "fights"}


def columns_of_scores(answer: Ranking, space: BuildSpace) -> Iterator[dict[str, Any]]:
    """The table, some builds of one chunk at a time: columns of all of them would not fit beside the run."""
    ledger = answer.ledger
    for start, chunk in zip(ledger.starts.tolist(), ledger.chunks, strict=False):
        for first in range(start, start + len(chunk), _ROWS_AT_ONCE):
            last = min(first + _ROWS_AT_ONCE, start + len(chunk))
            part = chunk.some(slice(first - start, last - start))
            yield _columns(answer, space, part, slice(first, last))


def _columns(answer: Ranking, space: BuildSpace, chunk: Chunk, rows: slice) -> dict[str, Any]:
    ledger, objectives = answer.ledger.stretch(rows.start, rows.stop), answer.effort.objectives
    errors = np.stack([ledger.standard_error(i) for i in range(len(ledger.fights))])
    ends = np.sort(np.stack([objectives[0].shown(bound[rows]) for bound in answer.bounds]), axis=0)
    rank = np.zeros(len(chunk), np.int64)
    shown = (answer.ordered.rows >= rows.start) & (answer.ordered.rows < rows.stop)
    rank[answer.ordered.rows[shown] - rows.start] = answer.ordered.rank[shown]
    return {
        **space.table(chunk),
        "group": pa.array([chunk.group]).take(pa.array(np.zeros(len(chunk), np.int32))),
        **{f"code_{word}": pa.array(chunk.codes[:, word]) for word in range(chunk.codes.shape[1])},
        "score": pa.array(objectives[0].shown(answer.costs[0, rows])),
        "score_low": pa.array(ends[0]),
        "score_high": pa.array(ends[1]),
        "rank": pa.array(rank),
        "error": pa.array(combined_error(ledger, errors)),
        "fights": pa.array(ledger.fights_used()),
        **{
            f"{name}_{ledger.outcomes[0]}": pa.array(ledger.mean(i, 0)) for i, name in enumerate(ledger.names)
        },
        **{f"{name}_error": pa.array(errors[i]) for i, name in enumerate(ledger.names)},
        **{
            f"objective_{objective.name}": pa.array(objective.shown(answer.costs[i, rows]))
            for i, objective in enumerate(objectives)
            if len(objectives) > 1
        },
    }


def check_columns(parquet: Any, record: RunRecord, primary: MeasureRecord) -> None:
    """Raises RefusedError where a column that is needed is missing, or not of the type it is written in."""
    rows, schema, builds = parquet.metadata.num_rows, parquet.schema_arrow, record.builds
    size = sum(parquet.metadata.row_group(i).total_byte_size for i in range(parquet.num_row_groups))
    if rows != builds or rows > _MOST_ROWS or size > (1 << 20) + rows * _MOST_A_ROW:
        raise RefusedError(
            f"{SCORES} has {rows:,} rows of {size:,} bytes, and run.json tells of {builds} builds"
        )
    floats = (
        "score",
        "error",
        *(f"{name}_{end}" for name in record.fights for end in (primary.name, "error")),
    )
    wanted = {"group": pa.types.is_string, "cost": pa.types.is_int64}
    wanted |= dict.fromkeys(_codes_of(parquet) or ["code_0"], pa.types.is_uint64)
    wanted |= dict.fromkeys(floats, pa.types.is_float64)
    kinds = {"rank": pa.types.is_int64, "fights": pa.types.is_int64}
    wanted |= {name: kinds.get(name, pa.types.is_float64) for name in _ranks_of(parquet).values()}
    for name, is_right in wanted.items():
        if schema.names.count(name) != 1 or not is_right(schema.field(name).type):
            raise RefusedError(f"{SCORES} has no column {name}, or one of another type")


def _codes_of(parquet: Any) -> list[str]:
    return [name for name in parquet.schema_arrow.names if re.fullmatch(r"code_\d+", name)]


def _ranks_of(parquet: Any) -> dict[str, str]:
    """By field the columns about ranks; runs of before have no bounds."""
    return {field: name for field, name in _OF_RANKS.items() if name in parquet.schema_arrow.names}


def table_of_columns(
    parquet: Any, record: RunRecord, objective: MeasureRecord, primary: MeasureRecord
) -> ScoreTable:
    """The rows with a score, read some at a time into columns that are made once."""
    fights, codes, ranks = tuple(record.fights), _codes_of(parquet), _ranks_of(parquet)
    rows = parquet.metadata.num_rows
    whole: dict[str, Any] = {name: room((rows,), np.int64) for name in ("group", "cost")}
    whole |= {name: room((rows,), np.float64) for name in ("score", "error")}
    whole |= {field: room((rows,), np.float64 if field in ("low", "high") else np.int64) for field in ranks}
    whole["codes"] = room((rows, len(codes)), np.uint64)
    means, errors = (room((len(fights), rows), np.float64) for _ in range(2))
    columns = {"cost": "cost", "score": "score", "error": "error", **ranks}
    ends = [f"{name}_{end}" for name in fights for end in (primary.name, "error")]
    groups: dict[str, int] = {}
    last = 0
    for batch in _batches(parquet, ["group", *columns.values(), *codes, *ends]):
        if any(column.null_count for column in batch.columns):
            raise RefusedError(f"{SCORES} has empty cells")
        scored = ~np.isnan(_numbers(batch["score"]))
        first, last = last, last + int(scored.sum())
        named = batch["group"].dictionary_encode()
        numbers = [groups.setdefault(name, len(groups)) for name in named.dictionary.to_pylist()]
        whole["group"][first:last] = np.array(numbers, np.int64)[_numbers(named.indices)][scored]
        for field, name in columns.items():
            whole[field][first:last] = _numbers(batch[name])[scored]
        for word, name in enumerate(codes):
            whole["codes"][first:last, word] = _numbers(batch[name])[scored]
        for number, name in enumerate(fights):
            means[number, first:last] = _numbers(batch[f"{name}_{primary.name}"])[scored]
            errors[number, first:last] = _numbers(batch[f"{name}_error"])[scored]
    if last < rows:
        means, errors = (np.ascontiguousarray(each[:, :last]) for each in (means, errors))
    return ScoreTable(
        groups=tuple(groups),
        fights=fights,
        weights=np.array([record.fights[name].weight for name in fights]),
        fight_means=means,
        fight_errors=errors,
        higher_is_better=objective.higher_is_better,
        primary_higher_is_better=primary.higher_is_better,
        **{field: each[:last] for field, each in whole.items()},
    )


def _numbers(column: Any) -> Any:
    """Numbers without gaps as they lie in memory; `to_numpy` would import pandas, which takes a moment."""
    return np.frombuffer(
        column.buffers()[1],
        dtype=column.type.to_pandas_dtype(),
        count=len(column),
        offset=column.offset * column.type.bit_width // 8,
    )


def _batches(parquet: Any, columns: list[str]) -> Iterator[Any]:
    # A row group after the other: pyarrow keeps what it has read for as long as it is at several of them.
    for number in range(parquet.num_row_groups):
        yield from parquet.iter_batches(_ROWS_AT_ONCE, row_groups=[number], columns=columns)

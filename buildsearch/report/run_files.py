"""The folder of a run: leaderboard.csv, scores.parquet, run.json; `results/latest` names the last one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from buildsearch.model.errors import UsageError
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.report.run_record import RUN, RunRecord, read_record, seal
from buildsearch.report.tables import write_table
from buildsearch.search.optimization import Answer
from buildsearch.search.score_table import ScoreTable, combined_error
from buildsearch.untrusted_files import RefusedError, open_plain, read_text
from buildsearch.whole_files import write_whole
from buildsearch.whole_folders import whole_folder

__all__ = [
    "LATEST",
    "LEADERBOARD",
    "RESULTS",
    "RUN",
    "SCORES",
    "folder_for_interrupted",
    "latest_run",
    "read_scores",
    "remember_run",
    "write_run",
]

RESULTS = Path("results")
LEADERBOARD, SCORES, LATEST = "leaderboard.csv", "scores.parquet", "latest"
_ROWS_AT_ONCE = 1 << 16
# Far above any space that can be ranked, far below what a few forged bytes could ask memory for.
_MOST_BYTES, _MOST_ROWS, _MOST_A_ROW = 1 << 37, 1 << 30, 1 << 14
_MOST_NAME = 1000
# By field of a score table the column about ranks and fights.
_OF_RANKS = {"low": "score_low", "high": "score_high", "rank": "rank", "fought": "fights"}


def write_run(
    folder: Path,
    answer: Answer,
    space: BuildSpace,
    columns: Mapping[str, Any],
    record: Callable[[], RunRecord],
) -> RunRecord:
    """Write everything aside; the folder then changes as a whole, or not at all. Gives what run.json says."""
    with whole_folder(folder) as staged:
        if columns:
            write_table([columns], staged.path / LEADERBOARD)
        write_table(_scores(answer, space), staged.path / SCORES)
        return RunRecord.read(seal(staged, folder, record()))


def _scores(answer: Answer, space: BuildSpace) -> Iterator[dict[str, Any]]:
    ledger, objectives = answer.ledger, answer.question.objectives
    errors = np.stack([ledger.standard_error(i) for i in range(len(ledger.fights))])
    error = combined_error(ledger, errors)
    means = [ledger.mean(i, 0) for i in range(len(ledger.fights))]
    fought = ledger.fights_used()
    ends = np.sort(np.stack([objectives[0].shown(bound) for bound in answer.bounds]), axis=0)
    rank = np.zeros(len(ledger), np.int64)
    rank[answer.ordered.rows] = answer.ordered.rank
    for start, chunk in zip(ledger.starts, ledger.chunks, strict=False):
        for first in range(0, len(chunk), _ROWS_AT_ONCE):
            codes = chunk.codes[first : first + _ROWS_AT_ONCE]
            rows = slice(int(start) + first, int(start) + first + len(codes))
            yield {
                **space.table(Chunk(chunk.group, codes)),
                "group": pa.array([chunk.group]).take(pa.array(np.zeros(len(codes), np.int32))),
                **{f"code_{word}": pa.array(codes[:, word]) for word in range(codes.shape[1])},
                "score": pa.array(objectives[0].shown(answer.costs[0, rows])),
                "score_low": pa.array(ends[0, rows]),
                "score_high": pa.array(ends[1, rows]),
                "rank": pa.array(rank[rows]),
                "error": pa.array(error[rows]),
                "fights": pa.array(fought[rows]),
                **{f"{name}_mean": pa.array(means[i][rows]) for i, name in enumerate(ledger.names)},
                **{f"{name}_error": pa.array(errors[i][rows]) for i, name in enumerate(ledger.names)},
                **{
                    f"objective_{objective.name}": pa.array(objective.shown(answer.costs[i, rows]))
                    for i, objective in enumerate(objectives)
                    if len(objectives) > 1
                },
            }


def read_scores(folder: Path) -> ScoreTable:
    """Every build of a run, builds without a score left out; raises UsageError."""
    record = read_record(folder)
    if not isinstance(record, RunRecord) or not record.objectives or record.primary is None:
        raise UsageError(f"{folder} has no scores of builds. Run optimize again.")
    try:
        fights = tuple(record.fights)
        table = _read_table(folder / SCORES, fights, record.builds)
        codes = [name for name in table.column_names if re.fullmatch(r"code_\d+", name)]
        scored = ~np.isnan(table["score"].to_numpy())
        group = table["group"].dictionary_encode().unify_dictionaries().combine_chunks()
        group = group.chunk(0) if isinstance(group, pa.ChunkedArray) else group
        return ScoreTable(
            groups=tuple(group.dictionary.to_pylist()),
            group=group.indices.to_numpy().astype(np.int64)[scored],
            codes=np.stack([table[name].to_numpy() for name in codes], axis=1)[scored],
            cost=table["cost"].to_numpy()[scored],
            score=table["score"].to_numpy()[scored],
            error=table["error"].to_numpy()[scored],
            fights=fights,
            weights=np.array([record.fights[name].weight for name in fights]),
            fight_means=np.stack([table[f"{name}_mean"].to_numpy()[scored] for name in fights]),
            fight_errors=np.stack([table[f"{name}_error"].to_numpy()[scored] for name in fights]),
            higher_is_better=record.objectives[0].higher_is_better,
            primary_higher_is_better=record.primary.higher_is_better,
            **{
                field: table[name].to_numpy()[scored]
                for field, name in _OF_RANKS.items()
                if name in table.column_names
            },
        )
    except (OSError, LookupError, TypeError, ValueError, MemoryError, pa.ArrowException) as error:
        raise UsageError(f"{folder} is not a run that can be read: {error}. Run optimize again.") from error


def _read_table(path: Path, fights: tuple[str, ...], builds: object) -> Any:
    """The columns that are needed, each of the type that it is written in."""
    with open_plain(path, _MOST_BYTES) as file:
        parquet = pyarrow.parquet.ParquetFile(file)
        rows, schema = parquet.metadata.num_rows, parquet.schema_arrow
        size = sum(parquet.metadata.row_group(i).total_byte_size for i in range(parquet.num_row_groups))
        if rows != builds or rows > _MOST_ROWS or size > (1 << 20) + rows * _MOST_A_ROW:
            raise RefusedError(
                f"{SCORES} has {rows:,} rows of {size:,} bytes, and {RUN} tells of {builds} builds"
            )
        floats = ("score", "error", *(f"{name}_{end}" for name in fights for end in ("mean", "error")))
        codes = [name for name in schema.names if re.fullmatch(r"code_\d+", name)]
        wanted = {"group": pa.types.is_string, "cost": pa.types.is_int64}
        wanted |= dict.fromkeys(codes or ["code_0"], pa.types.is_uint64) | dict.fromkeys(
            floats, pa.types.is_float64
        )
        # Runs of before have no bounds.
        kinds = {"rank": pa.types.is_int64, "fights": pa.types.is_int64}
        wanted |= {
            name: kinds.get(name, pa.types.is_float64) for name in _OF_RANKS.values() if name in schema.names
        }
        for name, is_right in wanted.items():
            if schema.names.count(name) != 1 or not is_right(schema.field(name).type):
                raise RefusedError(f"{SCORES} has no column {name}, or one of another type")
        table = parquet.read(columns=list(wanted))
    if any(table[name].null_count for name in wanted):
        raise RefusedError(f"{SCORES} has empty cells")
    return table


def folder_for_interrupted(folder: Path, record: str = RUN) -> Path:
    """Where a run that was interrupted goes: never in the place of a whole one, which has such a record."""
    if not (folder / record).exists():
        return folder
    return folder.with_name(f"{folder.name}-interrupted")


def remember_run(folder: Path) -> None:
    """Let `latest` say which run is the last: its name, or its path where it lies outside the results."""
    if folder.resolve().parent == RESULTS.resolve():
        write_whole(RESULTS / LATEST, folder.name + "\n")
    elif RESULTS.is_dir():
        # Nothing of ours belongs beside such a folder; but `latest` must not go on naming an older run.
        with suppress(UsageError):
            write_whole(RESULTS / LATEST, f"{folder.resolve()}\n")


def latest_run() -> Path:
    """The folder that `latest` names; raises UsageError."""
    try:
        name = read_text(RESULTS / LATEST, _MOST_NAME).strip()
    except (OSError, ValueError):
        raise UsageError(
            f"no run is known in {RESULTS}. Run `buildsearch optimize` first, or name the folder of a run."
        ) from None
    # A name is followed, a path is only told: whoever wrote the file shall not lead us elsewhere.
    if not name.isprintable():
        raise UsageError(
            f"{RESULTS / LATEST} does not hold the name of a run. Run optimize, or name a folder."
        )
    if not name or Path(name).name != name:
        raise UsageError(f"the last run is not in {RESULTS}, but went to {name!r}. Name that folder.")
    return RESULTS / name

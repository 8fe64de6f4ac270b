"""The folder of a run: leaderboard.csv, scores.parquet, run.json; `results/latest` names the last one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from buildsearch.model.errors import UsageError, reason_of
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.report.tables import write_table
from buildsearch.search.optimizing import Answer
from buildsearch.search.score_table import ScoreTable, combined_error
from buildsearch.whole_files import write_whole

RESULTS = Path("results")
LEADERBOARD, SCORES, RUN, LATEST = "leaderboard.csv", "scores.parquet", "run.json", "latest"
_ROWS_AT_ONCE = 1 << 16


def write_run(
    folder: Path,
    answer: Answer,
    space: BuildSpace,
    columns: Mapping[str, Any],
    about: Callable[[], Mapping[str, Any]],
) -> dict[str, Any]:
    """Write everything; run.json comes last, so a folder that has it is whole. Gives what it says."""
    if columns:
        write_table([columns], folder / LEADERBOARD)
    write_table(_scores(answer, space), folder / SCORES)
    said = dict(about())
    write_whole(folder / RUN, json.dumps(said, indent=2) + "\n")
    return said


def _scores(answer: Answer, space: BuildSpace) -> Iterator[dict[str, Any]]:
    ledger, objectives = answer.ledger, answer.question.objectives
    errors = np.stack([ledger.standard_error(i) for i in range(len(ledger.fights))])
    error = combined_error(ledger, errors)
    means = [ledger.mean(i, 0) for i in range(len(ledger.fights))]
    fought = np.zeros(len(ledger), np.int64)
    fought[ledger.sampled] = ledger.fought
    for start, chunk in zip(ledger.starts, ledger.chunks, strict=False):
        for first in range(0, len(chunk), _ROWS_AT_ONCE):
            codes = chunk.codes[first : first + _ROWS_AT_ONCE]
            rows = slice(int(start) + first, int(start) + first + len(codes))
            yield {
                **space.table(Chunk(chunk.group, codes)),
                "group": pa.array([chunk.group]).take(pa.array(np.zeros(len(codes), np.int32))),
                **{f"code_{word}": pa.array(codes[:, word]) for word in range(codes.shape[1])},
                "score": pa.array(objectives[0].shown(answer.costs[0, rows])),
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


def read_about(folder: Path) -> dict[str, Any]:
    """What run.json says; raises UsageError where there is no whole run."""
    try:
        about = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder} is not a finished run: it has no {RUN}. Run optimize first.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {folder / RUN}: {reason_of(error)}.") from error
    if not isinstance(about, dict):
        raise UsageError(f"{folder / RUN} is not what optimize writes.")
    return about


def read_scores(folder: Path) -> ScoreTable:
    """Every build of a run, builds without a score left out; raises UsageError."""
    about = read_about(folder)
    try:
        table = pyarrow.parquet.read_table(folder / SCORES)
        fights = tuple(about["fights"])
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
            weights=np.array([about["fights"][name]["weight"] for name in fights]),
            fight_means=np.stack([table[f"{name}_mean"].to_numpy()[scored] for name in fights]),
            fight_errors=np.stack([table[f"{name}_error"].to_numpy()[scored] for name in fights]),
            higher_is_better=bool(about["objectives"][0]["higher_is_better"]),
            primary_higher_is_better=bool(about["primary"]["higher_is_better"]),
        )
    except (OSError, KeyError, pa.ArrowException) as error:
        raise UsageError(f"{folder} is not a run that can be read: {error}. Run optimize again.") from error


def remember_run(folder: Path) -> None:
    """Let `latest` say which run is the last: its name, or its path where it lies outside the results."""
    if folder.resolve().parent == RESULTS.resolve():
        write_whole(RESULTS / LATEST, folder.name + "\n")
    elif RESULTS.is_dir():
        # Nothing of ours belongs beside such a folder; but `latest` must not go on naming an older run.
        with suppress(UsageError):
            write_whole(RESULTS / LATEST, f"{folder}\n")


def latest_run() -> Path:
    """The folder that `latest` names; raises UsageError."""
    try:
        name = (RESULTS / LATEST).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        raise UsageError(
            f"no run is known in {RESULTS}. Run `buildsearch optimize` first, or name the folder of a run."
        ) from None
    # A name is followed, a path is only told: whoever wrote the file shall not lead us elsewhere.
    if not name or Path(name).name != name:
        raise UsageError(f"the last run is not in {RESULTS}, but went to {name!r}. Name that folder.")
    return RESULTS / name

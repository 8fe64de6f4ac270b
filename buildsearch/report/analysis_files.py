"""The folder `analysis` of a run: a CSV file for each table, and the analysis itself for a second look."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.files.atomic import whole_folder, write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.report.code_state import code_state
from buildsearch.views.analysis import AnalysisAnswer

FOLDER, ANSWER, CERTIFICATES = "analysis", "analysis.json", "dominance.parquet"
_MOST_BYTES = 1 << 28
_ROWS_AT_ONCE = 1 << 20
_ANSWER = TypeAdapter(AnalysisAnswer)


def analysis_key(checksums: list[str], limits: Thresholds, options: Mapping[str, Any]) -> str:
    """What a kept analysis is about: the runs it read (by the checksums of their records), the thresholds,
    the options, and the code that judges."""
    said = [code_state(), checksums, limits.model_dump(mode="json"), dict(options)]
    return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()


def write_analysis(run: Path, key: str, answer: AnalysisAnswer, dominance: Any = None) -> Path:
    """Write everything into the folder of a run, which changes as a whole; gives the folder."""
    # A second look writes nothing, and has no time for Arrow.
    from buildsearch.document.data import write_csv
    from buildsearch.document.table_files import write_table

    folder = run / FOLDER
    with whole_folder(folder) as staged:
        for table in answer.tables:
            write_csv(table, staged.path)
        if dominance is not None:
            write_table(_certificates(dominance), staged.path / CERTIFICATES)
        said = {"key": key, "answer": _ANSWER.dump_python(answer, mode="json")}
        write_whole(staged.path / ANSWER, json.dumps(said))
        # Those without rows are not written.
        staged.gone.update({f"{table.name}.csv" for table in answer.tables} | {CERTIFICATES})
    return folder


def read_analysis(run: Path, keys: list[str]) -> AnalysisAnswer | None:
    """The analysis that was kept under one of these keys; None where there is none, or another one."""
    try:
        said = read_json(run / FOLDER / ANSWER, _MOST_BYTES)
        if not isinstance(said, dict) or said.get("key") not in keys:
            return None
        # Through its text, whose arrays a strict reader takes for tuples.
        return _ANSWER.validate_json(json.dumps(said["answer"]), strict=True)
    except (OSError, ValueError, KeyError, ValidationError):
        return None


def _certificates(dominance: Any) -> Iterator[Mapping[str, Any]]:
    """Rows count the builds of scores.parquet that have a score, from 0; -1 stands for the front."""
    import numpy as np
    import pyarrow as pa

    for first in range(0, len(dominance.dominator), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        yield {
            "row": pa.array(np.arange(first, first + len(dominance.dominator[rows]))),
            "dominated_by": pa.array(dominance.dominator[rows]),
            "certain": pa.array(dominance.certain[rows]),
        }

"""Kept beside a run for a second look: the analysis with a CSV file for each table, the first proposal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.files.atomic import whole_folder, write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.version import __version__
from buildsearch.views.analysis import AnalysisAnswer

T = TypeVar("T")
FOLDER, ANSWER, CERTIFICATES = "analysis", "analysis.json", "dominance.parquet"
PROPOSAL = "proposal.json"
_MOST_BYTES = 1 << 28
_ROWS_AT_ONCE = 1 << 20
_ANSWER = TypeAdapter(AnalysisAnswer)
_PROPOSAL = TypeAdapter(StoredProposal)
_PACKAGE = Path(__file__).parents[1]
_JUDGING = ("analysis", "balancing", "views")


def analysis_key(checksums: list[str], limits: Thresholds, options: Mapping[str, Any]) -> str:
    """What a kept analysis is about: the runs it read (by the checksums of their records), the thresholds,
    the options, and the code that judges."""
    return _digest(checksums, limits, dict(options))


def proposal_key(checksum: str, limits: Thresholds) -> str:
    """What a proposal with the default goal and levers is about: the run, the thresholds, and that code."""
    return _digest(checksum, limits)


def _digest(runs: object, limits: Thresholds, *asked: object) -> str:
    said = [_code_state(), runs, limits.model_dump(mode="json"), *asked]
    return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()


@cache
def _code_state() -> str:
    """The version, and when the folders that judge last changed: a checkout keeps its version meanwhile."""
    files = (file for folder in _JUDGING for file in (_PACKAGE / folder).glob("*.py"))
    return f"{__version__} {max(file.stat().st_mtime_ns for file in files)}"


def _read(path: Path, keys: Collection[str], name: str, kind: TypeAdapter[T]) -> T | None:
    """What was kept under one of these keys; None where there is nothing, or something else."""
    try:
        said = read_json(path, _MOST_BYTES)
        if not isinstance(said, dict) or said.get("key") not in keys:
            return None
        # Through its text, whose arrays a strict reader takes for tuples.
        return kind.validate_json(json.dumps(said[name]), strict=True)
    except (OSError, ValueError, KeyError, ValidationError):
        return None


def write_proposal(run: Path, key: str, proposal: StoredProposal) -> None:
    """Keep it in the folder of its run; the file changes as a whole."""
    said = {"key": key, "proposal": _PROPOSAL.dump_python(proposal, mode="json")}
    write_whole(run / PROPOSAL, json.dumps(said, indent=2) + "\n")


def read_proposal(run: Path, key: str) -> StoredProposal | None:
    return _read(run / PROPOSAL, [key], "proposal", _PROPOSAL)


def read_analysis(run: Path, keys: list[str]) -> AnalysisAnswer | None:
    return _read(run / FOLDER / ANSWER, keys, "answer", _ANSWER)


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

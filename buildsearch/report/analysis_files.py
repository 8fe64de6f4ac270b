"""The files of an analysis: a CSV table a question, and the certificates of dominance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from buildsearch.analysis.analyses import Analysis
from buildsearch.document.table_files import write_table
from buildsearch.files.atomic import whole_folder
from buildsearch.report.sheets import Sheet, write_sheet

CERTIFICATES = "dominance.parquet"
_ROWS_AT_ONCE = 1 << 20


def write_analysis(folder: Path, analysis: Analysis, sheets: Sequence[Sheet]) -> Path:
    """Write everything into a folder, which changes as a whole; gives the folder."""
    with whole_folder(folder) as staged:
        for sheet in sheets:
            write_sheet(sheet, staged.path)
        write_table(_certificates(analysis), staged.path / CERTIFICATES)
        staged.gone.update(f"{sheet.name}.csv" for sheet in sheets)  # those without rows are not written
    return folder


def _certificates(analysis: Analysis) -> Iterator[Mapping[str, Any]]:
    """Rows count the builds of scores.parquet that have a score, from 0; -1 stands for the front."""
    found = analysis.dominance
    for first in range(0, len(found.dominator), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        yield {
            "row": pa.array(np.arange(first, first + len(found.dominator[rows]))),
            "dominated_by": pa.array(found.dominator[rows]),
            "certain": pa.array(found.certain[rows]),
        }

"""Everything that a report on loadouts is made from: a folder that `optimize` wrote, and its rules."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from buildsearch.model.errors import UsageError
from buildsearch.model.metric import Metric
from buildsearch.model.option import Option
from buildsearch.model.space import BuildSpace

LOADOUTS, USAGE = "loadouts.csv", "usage.csv"
JOINED = " | "

Lines = Sequence[Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class LoadoutSource:
    """Loadouts, the best first, and how often their actions are taken, as the files have them."""

    title: str
    system: str
    about: Mapping[str, Any]
    space: BuildSpace
    weights: Mapping[str, float]  # of every fight, by its name
    metrics: Sequence[Metric]
    options: Sequence[Option]
    loadouts: Lines
    usage: Lines

    @cached_property
    def titles(self) -> dict[str, str]:
        """The names that people read, by the names that rules files use."""
        return {option.id: option.name for option in self.options}


def has_loadouts(folder: Path) -> bool:
    """Whether a run was a search for loadouts."""
    return (folder / LOADOUTS).exists()


def read_loadouts(folder: Path) -> tuple[Lines, Lines]:
    """loadouts.csv and usage.csv; a run from before there was a usage.csv has none. Raises UsageError."""
    found = _lines(folder / LOADOUTS)
    if not found:
        raise UsageError(f"{folder / LOADOUTS} has no loadout. Run optimize again.")
    return found, _lines(folder / USAGE) if (folder / USAGE).exists() else []


def _lines(path: Path) -> Lines:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}. Run optimize again.") from error

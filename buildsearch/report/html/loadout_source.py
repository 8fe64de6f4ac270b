"""Everything that a report on loadouts is made from: a folder that `optimize` wrote, and its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from buildsearch.analysis.loadout_verdict import LoadoutVerdict
from buildsearch.model.evaluation import Metric
from buildsearch.model.rules_file import Option
from buildsearch.model.space import BuildSpace
from buildsearch.report.run_record import LoadoutRecord

Lines = Sequence[Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class LoadoutSource:
    """Loadouts, the best first, and how often their actions are taken, as the files have them."""

    title: str
    system: str
    record: LoadoutRecord
    space: BuildSpace
    weights: Mapping[str, float]  # of every fight, by its name
    metrics: Sequence[Metric]
    options: Sequence[Option]
    loadouts: Lines
    usage: Lines
    verdict: LoadoutVerdict | None = None

    @property
    def member(self) -> str:
        """What the game calls one build of a loadout."""
        return self.record.member

    @cached_property
    def titles(self) -> dict[str, str]:
        """The names that people read, by the names that rules files use."""
        return {option.id: option.name for option in self.options}

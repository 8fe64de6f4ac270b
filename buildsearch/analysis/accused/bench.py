"""What accusations are drawn from"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.analysis.names import Naming
from buildsearch.analysis.verdict.contest import Contest
from buildsearch.analysis.verdict.prices import Purse
from buildsearch.analysis.verdict.verdict import Verdict

# Rows of builds that a finding shows as evidence.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Bench:
    """What accusations are drawn from: the verdict, names, builds by row, and the label of the score."""

    verdict: Verdict
    naming: Naming
    build_names: Mapping[int, str]
    label: str
    purse: Purse | None

    @property
    def contest(self) -> Contest:
        """All builds by score."""
        return self.verdict.contest

    def build(self, row: int) -> str:
        """A build with its score."""
        return f"{self.build_names.get(row, '')} ({self.score(row)})"

    def score(self, row: int) -> str:
        """A build's score."""
        return f"{self.contest.scores[row]:.4g}"

    def is_exact(self, *rows: int) -> bool:
        """Whether none of some builds is sampled."""
        return all(self.contest.score_errors[row] == 0 for row in rows)

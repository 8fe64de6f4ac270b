"""Everything that a report is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from buildsearch.analysis.analyses import RunAnalysis
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.model.evaluation import Evaluator, Metric, Replayer
from buildsearch.model.rules_file import Option
from buildsearch.model.space import BuildSpace
from buildsearch.report.run_record import RunRecord
from buildsearch.search.score_table import ScoreTable


@dataclass(frozen=True, slots=True)
class Extent:
    """How much goes into a report: more rows and cards make it larger, more fights make it slower."""

    rows: int = 400
    cards: int = 30
    trigger_fights: int | None = None  # as many as the game's reference plays in no time
    sampled_fights: int = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class Earlier:
    """Another run of the same game, to compare with: its name, its space and its scores."""

    name: str
    space: BuildSpace
    scores: ScoreTable


@dataclass(frozen=True, slots=True)
class Workbench:
    """Where the page is on which prices can be moved; without an `address`, the `command` that writes it."""

    address: str | None
    command: str


@dataclass(frozen=True, slots=True, eq=False)
class Fix:
    """The proposal that a search kept for the run: the game under it, and the changed lines of the rules."""

    stored: StoredProposal
    state: EditedGame
    lines: str


@dataclass(frozen=True, eq=False)
class ReportSource:
    """A run with its analysis. `board` is the leaderboard by build name, empty where there is none."""

    title: str
    system: str
    record: RunRecord
    space: BuildSpace
    fights: Mapping[str, Any]
    metrics: Sequence[Metric]
    options: Sequence[Option]
    evaluators: Sequence[Evaluator]
    replayer: Replayer | None
    scores: ScoreTable
    analysis: RunAnalysis
    board: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    earlier: Earlier | None = None
    workbench: Workbench | None = None
    fix: Fix | None = None
    command: str = "buildsearch balance"  # that looks for a fix
    reference: int | None = None  # the row of the build that all others are compared with

    def trigger_fights(self, extent: Extent) -> int:
        if extent.trigger_fights is not None:
            return extent.trigger_fights
        return 0 if self.replayer is None else self.replayer.brief

    @cached_property
    def titles(self) -> dict[str, str]:
        return {option.id: option.name for option in self.options}

    def say(self, name: str) -> str:
        """The subject of a finding in the rules' own words: an option, or `heal x3`."""
        plain, times, level = name.partition(" x")
        title = self.titles.get(plain, plain)
        return f"{title} x{level}" if times else title

    def title_of(self, feature: int, at_least: int = 1) -> str:
        name = self.analysis.population.names[feature]
        return self.titles.get(name, name) + (f" x{at_least}" if at_least > 1 else "")

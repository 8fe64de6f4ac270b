"""One game of a search for balance: its builds, what shall hold in it, and what judges edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.build_pool import Pool
from buildsearch.balancing.edit_table import EditTable
from buildsearch.balancing.edited_game import EditEvaluator, open_court
from buildsearch.balancing.goals import Goal
from buildsearch.balancing.hitting_set import GoalCheck
from buildsearch.balancing.levers import ChosenLevers
from buildsearch.balancing.measure import deciding
from buildsearch.balancing.settle import SettledTable
from buildsearch.model.arrays import Ints
from buildsearch.model.levers import Edit
from buildsearch.model.space import Chunk
from buildsearch.search.score_table import ScoreTable

# What is spent on certainty is counted, not timed: the same seed gives the same scores on every machine.
_SETTLE_FIGHTS = 8_000_000
# So many builds are scored on the way for edits that a user asked about; more is a run of its own.
MOST_FOR_ONE = 100_000


class EditScorer(Protocol):
    """Where builds are scored."""

    def let_in(self, table: EditTable, edits: Sequence[Edit], most: int | None = None) -> list[Chunk]:
        """The builds that edits let in and the table does not have; not all where they are over `most`."""

    def scored(self, table: EditTable, sets: Sequence[tuple[Sequence[Edit], Sequence[Chunk]]]) -> EditTable:
        """The table with the builds that sets of edits let in."""

    def settle(
        self, table: EditTable, rows: Sequence[int], fights: int, edits: Sequence[Edit] = ()
    ) -> SettledTable:
        """Better scores of some builds, by about so many fights, which may be those of edited rules."""

    def rescored(self, table: EditTable, edits: Sequence[Edit], rows: Ints) -> EditTable:
        """Some builds of a table as edited rules score them, the best first."""

    def scored_again(self, table: EditTable, edits: Sequence[Edit], rows: Ints) -> ScoreTable:
        """The scores alone, in the order of the rows."""

    def grown(
        self, table: EditTable, edits: Sequence[Edit], rows: Ints, rounds: int | None = None
    ) -> EditTable:
        """The builds that matter under edited rules, looked for from some builds of a table; `rounds` of
        changes, or until nothing better is found."""


@dataclass(eq=False)
class BalancedGame:
    """The rules under some parameters; `label` tells it from the others where there are several.

    `pool`: only these builds of it are known. `opened` judges edits, where that is there already.
    """

    table: EditTable
    limits: Thresholds
    goals: tuple[Goal, ...]
    levers: ChosenLevers
    lab: EditScorer | None = None
    label: str = ""
    builds: int = 0  # 0: those of the table
    pool: Pool | None = None
    opened: EditEvaluator | None = None

    def __post_init__(self) -> None:
        self.notes: list[str] = []
        self.unjudged = ""
        self.court = self.opened or open_court(self.table, self.limits)
        self.builds = self.builds or int(self.court.state(()).legal.sum())

    def reopened(self, table: EditTable) -> EditEvaluator:
        """What judges by better scores of some builds, or by more builds: choices are today's still."""
        return open_court(table, self.limits, self.court.choices)

    @property
    def judge(self) -> GoalCheck:
        """What shall hold in it; nothing where the game is too small to judge and nothing else is asked."""
        return GoalCheck(self.court, () if self.unjudged else self.goals)

    def begin(self, say: Callable[[str], None]) -> tuple[str, ...]:
        """Look again at what decides, and say which goals are not kept today."""
        say("sampled builds that decide")
        self._settle()
        today = self.court.state(())
        if today.silent is not None:
            # `analyze` flags nothing here, and so does this.
            self.notes.append(f"Too small to judge: {today.silent}.")
            self.goals = tuple(goal for goal in self.goals if not goal.accuses) or self.goals
            self.unjudged = today.silent if all(goal.accuses for goal in self.goals) else ""
        return tuple(
            goal.text
            for goal in self.goals
            if not (goal.accuses and today.silent is not None) and not goal.look(today).is_kept
        )

    def _settle(self) -> None:
        state = self.court.state(())
        if state.silent is not None and all(goal.accuses for goal in self.goals):
            return  # nothing is flagged here, whatever the scores
        rows = deciding(state, self.goals)
        if len(rows) == 0 or self.lab is None:
            return
        settled = self.lab.settle(self.court.table, rows.tolist(), _SETTLE_FIGHTS)
        if settled.solved or settled.fought:
            self.notes.append(
                f"Of the sampled builds near a limit, {settled.solved} were solved and {settled.fought} "
                "sampled further."
            )
            self.court = self.reopened(settled.table)

    def grow(self, edits: Sequence[Edit]) -> int:
        """Look for builds that matter under some edits; how many were new."""
        if self.pool is None:
            return 0
        self.pool.take(self.court.table)
        found = self.pool.grow(edits)
        if found:
            self.court = self.reopened(self.pool.table)
        return found

    def explained_in(self, edits: Sequence[Edit]) -> tuple[EditEvaluator, str]:
        """Where some edits are looked at, and why that is open, if it is."""
        court = self.court
        if court.table.is_closed(edits):
            return court, ""
        if self.lab is None:
            return court, "it makes builds legal that were not scored"
        chunks = self.lab.let_in(court.table, edits)
        many = sum(map(len, chunks))
        if many > MOST_FOR_ONE:
            return court, f"it makes {many:,} builds legal that were not scored"
        return self.reopened(self.lab.scored(court.table, [(edits, chunks)])), ""

    def names_options(self) -> bool:
        """Whether a goal is about some option: then cheaper is a natural answer."""
        return any(goal.about for goal in self.goals)

    def name(self, row: int) -> str:
        return self.court.table.population.name(row, self.court.table.subject.space)

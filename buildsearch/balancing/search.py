"""From a goal to a few proposals, with before and after, and with what is proved about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from buildsearch.analysis.analyses import case_of
from buildsearch.analysis.assessment import Case
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import Answer, Effort, Proposal
from buildsearch.balancing.edit_table import Table
from buildsearch.balancing.edited_game import Court, State, open_court, reopen_court
from buildsearch.balancing.final_check import answer_with, chosen
from buildsearch.balancing.goals import Goal
from buildsearch.balancing.hitting_set import Cover
from buildsearch.balancing.levers import ChosenLevers
from buildsearch.balancing.measure import Measure, deciding
from buildsearch.balancing.numbers import renumber
from buildsearch.balancing.relax import MOST_FOR_ONE, Lab, cut, score_let_in
from buildsearch.balancing.restrict import find_fewest, find_others, try_sets
from buildsearch.model.levers import VALUES, Edit

Say = Callable[[str], None]

# What is spent on certainty is counted, not timed: the same seed gives the same scores on every machine.
_SETTLE_FIGHTS = 8_000_000


@dataclass(eq=False)
class Search:
    """One search; what is found so far is kept, so that whoever interrupts it gets that."""

    table: Table
    limits: Thresholds
    goals: tuple[Goal, ...]
    levers: ChosenLevers
    effort: Effort
    say: Say = lambda _text: None
    lab: Lab | None = None
    on_interrupt: Callable[[], None] = lambda: None
    on_first: Say = lambda _text: None  # told the first proposal as soon as it is known
    opened: Court | None = None  # what judges edits, where it is there already

    def __post_init__(self) -> None:
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds
        self.found: dict[tuple[str, ...], tuple[Edit, ...]] = {}
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self.least: Cover | None = None
        self.proof = ""
        self.is_partial = False
        self.unjudged = ""
        self.is_impossible = False
        self.ended_by_clock = False
        self.core: tuple[str, ...] = ()
        self.outside: tuple[str, ...] = ()
        self.stuck: tuple[str, ...] = ()
        self.court = self.opened or open_court(self.table, self._case(self.table), self.limits)

    def _case(self, table: Table) -> Case:
        return case_of(table.subject, table.population, self.limits)

    def reopened(self, table: Table) -> Court:
        """Who judges by another table of the same game."""
        return reopen_court(self.court, table, self._case(table))

    def begin(self) -> tuple[str, ...]:
        """Look again at what decides, and say which goals are not kept today."""
        self.say("sampled builds that decide")
        self._settle(self.court.state(()))
        # What was spent on certainty is not taken from the search.
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds
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

    def run(self) -> Answer:
        """Search, choose, and look closely at what was chosen. Ctrl-C ends the search, not the answer."""
        broken = self.begin()
        if not broken:
            return answer_with(self, (), broken)
        if VALUES in self.levers.kinds:
            return renumber(self, broken)
        try:
            master = find_fewest(self)
            score_let_in(self)
            cut(self)
            if master is not None and self.effort.proposals > 1:
                find_others(self, master)
            try_sets(self)
        except KeyboardInterrupt:
            self.on_interrupt()
            self.is_partial = True
            self.notes.append("Interrupted: this is what was found so far.")
        except TimeoutError:
            self.ran_out(self.until)
        self.mark("search", self.begun)
        return answer_with(self, chosen(self), broken)

    def ran_out(self, until: float, *, of_work_too: bool = True) -> None:
        """Say that a search ended before all was tried: by the clock always, by work where that matters."""
        is_late = time.monotonic() >= until
        self.ended_by_clock = self.ended_by_clock or is_late
        if is_late or of_work_too:
            self.notes.append(self.effort.ended(until))

    def mark(self, stage: str, since: float) -> None:
        """How long a stage took."""
        self.seconds[stage] = round(time.monotonic() - since, 3)

    def _settle(self, state: State) -> None:
        if state.silent is not None and all(goal.accuses for goal in self.goals):
            return  # nobody is accused here, whatever they score
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

    def names_options(self) -> bool:
        """Whether a goal is about some option: then cheaper is a natural answer."""
        return any(goal.about for goal in self.goals)

    def explained_in(self, edits: Sequence[Edit]) -> tuple[Court, str]:
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

    def note(self, edits: Sequence[Edit]) -> None:
        """Some edits keep the goal."""
        key = tuple(sorted(edit.text for edit in edits))
        self.found.setdefault(key, tuple(edits))

    def name(self, row: int) -> str:
        """A build of the table, by its name."""
        return self.court.table.population.name(row, self.court.table.subject.space)

    def told(self, proposals: tuple[Proposal, ...], before: Measure, broken: tuple[str, ...]) -> Answer:
        """The answer with what else was found out."""
        return Answer(
            goals=self.goals,
            before=before,
            broken=broken,
            proposals=proposals,
            proof=self.proof,
            notes=tuple(dict.fromkeys(self.notes)),
            core=self.core,
            outside=self.outside,
            stuck=self.stuck,
            is_partial=self.is_partial,
            unjudged=self.unjudged,
            is_impossible=self.is_impossible,
            could_let_in=any(edit.lets_in for edit in self.levers.edits),
            ended_by_clock=self.ended_by_clock,
            seconds=self.seconds,
        )

"""From a goal to a few proposals, with before and after, and with what is proved about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from buildsearch.analysis.analysing import case_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.verdict.verdict import Case
from buildsearch.model.levers import CUTS, PAIRS, RAISES, TYPES, Edit, Lever
from buildsearch.proposals.covering import Cover, Master
from buildsearch.proposals.enumerating import Tried, try_all
from buildsearch.proposals.front import Candidate, pick
from buildsearch.proposals.goals import Goal, hold
from buildsearch.proposals.measuring import Change, Measure, change, deciding, measure, quick
from buildsearch.proposals.selecting import Chosen
from buildsearch.proposals.settling import settle
from buildsearch.proposals.state import Court, State, open_court, reopen_court
from buildsearch.proposals.table import Table

Say = Callable[[str], None]
# Scores the builds that some edits let in, into a larger table; None where there are too many.
Complete = Callable[[Table, Sequence[Edit]], Table | None]

VIABLE = 0.8
_MORE_EDITS = 2
_MOST_COVERS = 24
_MOST_FROM_LOSSES = 8
_SETTLE_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How many proposals, for how long, and how many edits at most."""

    proposals: int = 6
    seconds: float = 45.0
    edits: int = 5


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Some edits with what they do. `best_at` says why it is shown, `proof` what is proved about it.

    `open_why`: why it is not certain that the goal holds. `sampled` are builds that it hangs on and that no
    engine solved.
    """

    edits: tuple[Edit, ...]
    after: Measure
    change: Change
    best_at: str
    proof: str
    open_why: str = ""
    sampled: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """How far all of its edits go together."""
        return sum(edit.steps for edit in self.edits)


@dataclass(frozen=True, eq=False)
class Answer:
    """Everything that was found out. `core` are the locks in the way, where a goal cannot be kept."""

    goals: tuple[Goal, ...]
    before: Measure
    broken: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    proof: str
    notes: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    is_partial: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_kept_already(self) -> bool:
        """Whether there is nothing to do."""
        return not self.broken


@dataclass(eq=False)
class Search:
    """One search; what is found so far is kept, so that whoever interrupts it gets that."""

    table: Table
    limits: Thresholds
    goals: tuple[Goal, ...]
    levers: Chosen
    effort: Effort
    say: Say = lambda _text: None
    complete: Complete | None = None
    on_interrupt: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds
        self.found: dict[tuple[str, ...], tuple[Edit, ...]] = {}
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self.least: Cover | None = None
        self.proof = ""
        self.is_partial = False
        self.tried: Tried | None = None
        self.core: tuple[str, ...] = ()
        self.stuck: tuple[str, ...] = ()
        self.court = open_court(self.table, self._case(self.table), self.limits)

    def _case(self, table: Table) -> Case:
        return case_of(table.subject, table.population, self.limits)

    def _open(self, table: Table) -> Court:
        return reopen_court(self.court, table, self._case(table))

    # The search -----------------------------------------------------------------------------------

    def run(self) -> Answer:
        """Search, choose, and look closely at what was chosen. Ctrl-C ends the search, not the answer."""
        self.say("sampled builds that decide")
        self._settle(self.court.state(()))
        today = self.court.state(())
        if today.silent is not None:
            # `analyze` accuses nobody here, and neither do we.
            self.notes.append(today.silent)
            self.goals = tuple(goal for goal in self.goals if not goal.accuses) or self.goals
        broken = tuple(
            goal.text
            for goal in self.goals
            if not (goal.accuses and today.silent is not None) and not goal.look(today).is_kept
        )
        if not broken:
            return self._answer((), broken)
        try:
            self._cover()
            self._enumerate()
        except KeyboardInterrupt:
            self.on_interrupt()
            self.is_partial = True
            self.notes.append("The search was interrupted: this is what was found until then.")
        except TimeoutError:
            self.notes.append(
                f"The search ended after {self.effort.seconds:g} s: more may be found with ‹seconds›."
            )
        self._mark("search", self.begun)
        return self._answer(self._chosen(), broken)

    def _mark(self, stage: str, since: float) -> None:
        self.seconds[stage] = round(time.monotonic() - since, 3)

    def _settle(self, state: State) -> None:
        rows = deciding(state, self.goals)
        if len(rows) == 0:
            return
        settled = settle(self.court.table, rows.tolist(), _SETTLE_SECONDS)
        if settled.solved or settled.fought:
            self.notes.append(
                f"Of sampled builds that decide, {settled.solved} were solved and {settled.fought} fought on."
            )
            self.court = self._open(settled.table)

    def _removing(self) -> list[Edit]:
        return [edit for edit in self.levers.edits if not edit.lets_in and not edit.changes_fights]

    def _master(self, *, kinds: set[str] | None = None, with_locked: bool = False) -> Master:
        free = [_of_kind(lever, kinds) for lever in self.levers.free]
        locked = self.levers.locked if with_locked else ()
        master = Master(self.court, self.goals, free, locked, until=self.until)
        master.learn((), hold(self.goals, self.court.state(())))
        return master

    def _cover(self) -> None:
        """Raises and bans, by proof."""
        if not self._removing():
            return
        self.say("the fewest edits")
        self.stuck = self._out_of_reach(self._removing())
        master = self._master()
        try:
            first = None if self.stuck else master.solve()
        except TimeoutError:
            least = master.progress.least
            if least > 1:
                self.proof = f"Proved so far: of raises and bans, no fewer than {count_edits(least)} will do."
            raise
        if first is None:
            self.proof = "Proved: no raises, bans or lower limits that may be moved keep the goal."
            self._find_core()
            return
        self.least = first
        self._note(first.edits)
        self.proof = self._say_proof(first)
        self.say(f"{self.proof} Others")
        self._more(master, first, _MOST_COVERS, (10_000, 100, 1), until=0.45)
        self.say(f"{self.proof} Fewest builds lost")
        by_loss = self._master()
        self._more(by_loss, first, _MOST_FROM_LOSSES, (1, 1, 100), until=0.65)
        for kinds in ({RAISES, CUTS}, {PAIRS, TYPES}):
            if kinds & set(self.levers.kinds) and set(self.levers.kinds) - kinds:
                self._more(self._master(kinds=kinds), None, 2, (10_000, 100, 1), until=0.8)

    def _more(
        self, master: Master, first: Cover | None, most: int, weights: tuple[int, int, int], *, until: float
    ) -> None:
        """More sets, none of which does all that another does and more."""
        master.until = min(self.until, self.begun + until * self.effort.seconds)
        limit = self.effort.edits if first is None else max(len(first.edits) + _MORE_EDITS, self.effort.edits)
        master.no_more_than(limit)
        for edits in self.found.values() if first is not None and weights[2] < 100 else ():
            master.forbid_more(edits)
        for _ in range(most):
            try:
                cover = master.solve(weights)
            except TimeoutError:
                return
            if cover is None:
                return
            self._note(cover.edits)
            master.forbid_more(cover.edits)
            self.say(f"{self.proof} {len(self.found)} sets of edits found")

    def _say_proof(self, cover: Cover) -> str:
        many = count_edits(len(cover.edits))
        if not self._is_sound():
            return f"With {many} the goal holds; options that act alike leave it unproved that no fewer do."
        if cover.is_proved:
            return f"Proved smallest: of raises and bans, no fewer than {many} will do."
        return (
            f"With {many} the goal holds; no fewer than {max(1, cover.least)} will do: the gap is not closed."
        )

    def _is_sound(self) -> bool:
        """Options that act alike count once while they cost the same: moving one of them moves the median."""
        alike = {each.name for each in self.court.choices if each.like}
        alike |= {each.like for each in self.court.choices if each.like}
        return not any(feature in alike for edit in self._removing() for _, feature, _ in edit.prices)

    def _find_core(self) -> None:
        """Which locks are in the way: the fewest that would have to go."""
        locked = [edit for lever in self.levers.locked for edit in lever.edits if not edit.lets_in]
        if locked and not self._out_of_reach([*self._removing(), *locked]):
            self.say("which locks are in the way")
            found = self._master(with_locked=True).solve()
            if found is not None:
                names = {lever.name for lever in self.levers.locked}
                self.core = tuple(edit.text for edit in found.edits if edit.lever in names)

    def _out_of_reach(self, edits: Sequence[Edit]) -> tuple[str, ...]:
        """Builds that must go and that no edit touches: everything at its farthest leaves them legal."""
        farthest = {edit.lever: edit for edit in sorted(edits, key=lambda edit: edit.steps)}
        legal = self.court.table.legal(tuple(farthest.values()))
        today = self.court.state(())
        rows = [
            row
            for goal in self.goals
            if goal.by_removal
            for row in goal.look(today).rows.tolist()
            if legal[row]
        ]
        return tuple(self._name(row) for row in list(dict.fromkeys(rows))[:3])

    def _enumerate(self) -> None:
        """What no hitting set covers."""
        edits = [edit for edit in self.levers.edits if not edit.changes_fights]
        only_removal = all(goal.by_removal for goal in self.goals)
        pool = edits
        letting = [edit for edit in edits if edit.lets_in]
        if only_removal and not letting:
            return
        most = 1 if only_removal and self.least and len(self.least.edits) == 1 else 2
        self.tried = try_all(
            self.court,
            self.goals,
            letting if most == 1 and only_removal else pool,
            most=most,
            until=min(self.until, time.monotonic() + 0.35 * self.effort.seconds),
            wanted=(lambda some: any(edit.lets_in for edit in some))
            if only_removal
            else (lambda _some: True),
            say=self.say,
        )
        for some in self.tried.found:
            self._note(some)
        said = (
            f"All sets of up to {self.tried.finished} were tried"
            if self.tried.finished
            else "Not all single edits could be tried in time"
        )
        self.notes.append(f"By trying ({self.tried.tried:,} sets of edits): {said}.")
        if not self.proof and self.tried.found:
            smallest = min(len(some) for some in self.tried.found)
            is_proved = smallest <= self.tried.finished + 1 and self.tried.finished >= smallest - 1
            many = count_edits(smallest)
            self.proof = (
                f"Proved smallest: no fewer than {many} will do."
                if is_proved
                else f"With {many} the goal holds; that no fewer will do is not proved."
            )

    def explained_in(self, edits: Sequence[Edit]) -> tuple[Court, str]:
        """Where edits of one's own are looked at, and why that is open, if it is."""
        court = self.court
        if court.table.is_closed(edits):
            return court, ""
        larger = None if self.complete is None else self.complete(court.table, edits)
        if larger is None:
            return court, "it lets builds in that were not scored, and they are left out here"
        return self._open(larger), ""

    def _note(self, edits: Sequence[Edit]) -> None:
        key = tuple(sorted(edit.text for edit in edits))
        self.found.setdefault(key, tuple(edits))

    def _name(self, row: int) -> str:
        table = self.court.table
        return table.population.name(row, table.subject.space)

    # The answer -----------------------------------------------------------------------------------

    def _chosen(self) -> list[tuple[Candidate, str]]:
        candidates = [(edits, quick(self.court.state(edits), VIABLE)) for edits in self.found.values()]
        return pick(candidates, self.effort.proposals)

    def _answer(self, chosen: Sequence[tuple[Candidate, str]], broken: tuple[str, ...]) -> Answer:
        begun = time.monotonic()
        before = measure(self.court.state(()))
        proposals = []
        for number, ((edits, _), best_at) in enumerate(chosen, start=1):
            self.say(f"looking closely at proposal {number} of {len(chosen)}")
            try:
                found = self._proposal(edits, best_at, before)
            except KeyboardInterrupt:
                self.is_partial = True
                break
            if found is not None:
                proposals.append(found)
        self._mark("answer", begun)
        return Answer(
            goals=self.goals,
            before=before,
            broken=broken,
            proposals=tuple(proposals),
            proof=self.proof,
            notes=tuple(dict.fromkeys(self.notes)),
            core=self.core,
            stuck=self.stuck,
            is_partial=self.is_partial,
            seconds=self.seconds,
        )

    def _proposal(self, edits: tuple[Edit, ...], best_at: str, before: Measure) -> Proposal | None:
        """With the whole verdict; None where a closer look takes the goal away again."""
        court, open_why = self.court, ""
        if not court.table.is_closed(edits):
            larger = None if self.complete is None else self.complete(court.table, edits)
            if larger is None:
                open_why = "it lets builds in that were not scored"
            else:
                court = self._open(larger)
        state = court.state(edits)
        rows = deciding(state, self.goals)
        if len(rows):
            settled = settle(court.table, rows.tolist(), _SETTLE_SECONDS / 2)
            if settled.solved or settled.fought:
                court = self._open(settled.table)
                state = court.state(edits)
                rows = deciding(state, self.goals)
        verdict = hold(self.goals, state)
        if not verdict.is_kept and not (verdict.is_open and not open_why):
            self.notes.append(
                f"{', '.join(edit.text for edit in edits)} looked good and does not keep the goal once "
                "builds that decide were looked at again."
            )
            return None
        if verdict.is_open:
            open_why = "sampled scores leave it undecided"
        after = measure(state)
        names = tuple(state.court.table.population.name(row, court.table.subject.space) for row in rows[:5])
        is_least = self.least is not None and len(edits) == len(self.least.edits)
        proof = ""
        if is_least and self.least is not None and self.least.is_proved and self._is_sound():
            proof = "proved: no fewer edits do"
        return Proposal(edits, after, change(before, after), best_at, proof, open_why, names)


def count_edits(number: int) -> str:
    """`1 edit`, `2 edits`."""
    return f"{number} edit{'' if number == 1 else 's'}"


def _of_kind(lever: Lever, kinds: set[str] | None) -> Lever:
    return lever if kinds is None else replace(lever, edits=tuple(e for e in lever.edits if e.kind in kinds))

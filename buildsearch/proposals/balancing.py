"""From a goal to a few proposals, with before and after, and with what is proved about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from buildsearch.analysis.analysing import case_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.analysis.verdict.verdict import Case
from buildsearch.model.levers import CUTS, NUMBERS, PAIRS, RAISES, TYPES, Edit, Lever
from buildsearch.proposals.answers import Answer, Effort, Proposal, count_edits, how_many
from buildsearch.proposals.covering import Cover, Master
from buildsearch.proposals.cutting import MOST_FOR_ONE, Lab, let_in, worth_letting_in
from buildsearch.proposals.enumerating import try_all
from buildsearch.proposals.front import Candidate, pick
from buildsearch.proposals.goals import Goal, hold
from buildsearch.proposals.measuring import Measure, change, deciding, describe, measure, quick
from buildsearch.proposals.renumbering import renumber
from buildsearch.proposals.selecting import Chosen
from buildsearch.proposals.state import Court, State, open_court, reopen_court
from buildsearch.proposals.table import Table

Say = Callable[[str], None]

VIABLE = 0.8
_MORE_EDITS = 2
_MOST_COVERS = 24
_MOST_FROM_LOSSES = 8
# What is spent on certainty is counted, not timed: the same seed gives the same scores on every machine. So
# many fights before the search, half as many for each proposal; and of builds that only might help, so many
# are scored for every second that the search was given.
_SETTLE_FIGHTS = 8_000_000
_LET_IN_A_SECOND = 200
_TRIED_SIZE = 2


@dataclass(eq=False)
class Search:
    """One search; what is found so far is kept, so that whoever interrupts it gets that."""

    table: Table
    limits: Thresholds
    goals: tuple[Goal, ...]
    levers: Chosen
    effort: Effort
    say: Say = lambda _text: None
    lab: Lab | None = None
    on_interrupt: Callable[[], None] = lambda: None
    on_first: Say = lambda _text: None  # told the first proposal as soon as it is known

    def __post_init__(self) -> None:
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds
        self.found: dict[tuple[str, ...], tuple[Edit, ...]] = {}
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self.least: Cover | None = None
        self.proof = ""
        self.is_partial = False
        self.is_unjudged = False
        self.core: tuple[str, ...] = ()
        self.outside: tuple[str, ...] = ()
        self.stuck: tuple[str, ...] = ()
        self.court = open_court(self.table, self._case(self.table), self.limits)

    def _case(self, table: Table) -> Case:
        return case_of(table.subject, table.population, self.limits)

    def reopened(self, table: Table) -> Court:
        """Who judges by another table of the same game."""
        return reopen_court(self.court, table, self._case(table))

    # The search -----------------------------------------------------------------------------------

    def run(self) -> Answer:
        """Search, choose, and look closely at what was chosen. Ctrl-C ends the search, not the answer."""
        self.say("sampled builds that decide")
        self._settle(self.court.state(()))
        # What was spent on certainty is not taken from the search.
        self.begun = time.monotonic()
        self.until = self.begun + self.effort.seconds
        today = self.court.state(())
        if today.silent is not None:
            # `analyze` accuses nobody here, and neither do we.
            self.notes.append(today.silent)
            self.goals = tuple(goal for goal in self.goals if not goal.accuses) or self.goals
            self.is_unjudged = all(goal.accuses for goal in self.goals)
        broken = tuple(
            goal.text
            for goal in self.goals
            if not (goal.accuses and today.silent is not None) and not goal.look(today).is_kept
        )
        if not broken:
            return self._answer((), broken)
        if NUMBERS in self.levers.kinds:
            return renumber(self, broken)
        try:
            master = self._cover()
            self._let_in()
            self._cut()
            if master is not None and self.effort.proposals > 1:
                self._others(master)
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
        if state.silent is not None and all(goal.accuses for goal in self.goals):
            return  # nobody is accused here, whatever they score
        rows = deciding(state, self.goals)
        if len(rows) == 0 or self.lab is None:
            return
        settled = self.lab.settle(self.court.table, rows.tolist(), _SETTLE_FIGHTS)
        if settled.solved or settled.fought:
            self.notes.append(
                f"Of sampled builds that decide, {settled.solved} were solved and {settled.fought} fought on."
            )
            self.court = self.reopened(settled.table)

    def _removing(self) -> list[Edit]:
        return [edit for edit in self.levers.edits if not edit.lets_in and not edit.changes_fights]

    def _master(
        self,
        *,
        kinds: set[str] | None = None,
        locked: Sequence[Lever] = (),
        base: tuple[Edit, ...] = (),
        share: float = 1.0,
    ) -> Master:
        free = [_of_kind(lever, kinds) for lever in self.levers.free]
        until = min(self.until, self.begun + share * self.effort.seconds)
        master = Master(self.court, self.goals, free, locked, base, until)
        master.learn((), hold(self.goals, self.court.state(base)))
        return master

    def _cover(self) -> Master | None:
        """The fewest raises and bans, by proof; what they were found with, where they were."""
        if not self._removing():
            return None
        self.say("the fewest edits")
        self.stuck = self._out_of_reach(self._removing())
        can_cut = self._names_options() and any(edit.lets_in for edit in self.levers.edits)
        master = self._master(share=0.5 if can_cut else 1.0)
        try:
            first = None if self.stuck else master.solve()
        except TimeoutError:
            least = master.progress.least
            if least > 1 and self._is_sound():
                self.proof = f"Proved so far: of raises and bans, no fewer than {count_edits(least)} will do."
            if can_cut:
                return None
            raise
        if first is None:
            is_proved = self._is_sound() or (self.stuck and not any(goal.accuses for goal in self.goals))
            self.proof = (
                "Proved: no raises, bans or lower limits that may be moved keep the goal."
                if is_proved
                else "No raises, bans or lower limits were found that keep the goal; options that act alike "
                "leave it unproved that none do."
            )
            self._find_core()
            return None
        self.least = first
        self._note(first.edits)
        self.proof = self._say_proof(first)
        self._mark("first proposal", self.begun)
        self.on_first(f"{describe(first.edits)}. {self.proof}")
        self.say(self.proof)
        return master

    def _others(self, master: Master) -> None:
        """Other sets of raises and bans."""
        first = self.least
        self._more(master, first, _MOST_COVERS, (10_000, 100, 1), until=0.6)
        self.say(f"{self.proof} Fewest builds lost")
        self._more(self._master(), first, _MOST_FROM_LOSSES, (1, 1, 100), until=0.75)
        for kinds in ({RAISES, CUTS}, {PAIRS, TYPES}):
            if kinds & set(self.levers.kinds) and set(self.levers.kinds) - kinds:
                self._more(self._master(kinds=kinds), None, 2, (10_000, 100, 1), until=0.85)

    def _cut(self) -> None:
        """Each edit that lets builds in, with the fewest raises and bans that it needs beside it."""
        letting = [edit for edit in self.levers.edits if edit.lets_in and not edit.changes_fights]
        known = [edit for edit in letting if self.court.table.is_closed((edit,))]
        if not known or not all(goal.by_removal for goal in self.goals):
            return
        most = self.effort.edits if self.least is None else len(self.least.edits)
        looked, kept = 0, 0
        for edit in sorted(known, key=lambda edit: edit.steps):
            self.say(f"{self.proof} With {edit.text}")
            if time.monotonic() > self.begun + 0.5 * self.effort.seconds:
                break
            looked += 1
            if hold(self.goals, self.court.state((edit,))).is_kept:
                self._note((edit,))
                kept += 1
            elif most > 1:
                master = self._master(base=(edit,), share=0.55)
                master.no_more_than(most - 1)
                try:
                    found = master.solve()
                except TimeoutError:
                    looked -= 1
                    break
                if found is not None:
                    self._note(found.edits)
                    kept += 1
        if left := len(known) - looked:
            what = "edit that lets builds in was" if left == 1 else "edits that let builds in were"
            self.notes.append(f"{left} {what} not tried: time was up.")
        if looked == 0:
            return
        beside = (
            ""
            if most == 1
            else f", {'' if looked == 1 else 'each '}with up to {count_edits(most - 1)} beside it"
        )
        what = "edit that lets builds in was" if looked == 1 else "edits that let builds in were"
        self.notes.append(f"{looked} {what} tried{beside}: {how_many(kept)} the goal.")

    def _more(
        self, master: Master, first: Cover | None, most: int, weights: tuple[int, int, int], *, until: float
    ) -> None:
        """More sets, none of which does all that another does and more."""
        master.until = min(self.until, self.begun + until * self.effort.seconds)
        limit = self.effort.edits if first is None else max(len(first.edits) + _MORE_EDITS, self.effort.edits)
        master.no_more_than(limit)
        if first is not None and weights[2] < 100:
            for edits in self.found.values():
                if not any(edit.lets_in for edit in edits):
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
        """The fewest edits that would help and are locked; where no lock is to blame, those that are not
        among what may be moved."""
        locked, outside = self.levers.locked, self.levers.outside
        for others in (locked, (*locked, *outside) if outside else ()):
            edits = [edit for lever in others for edit in lever.edits if not edit.lets_in]
            if not edits or self._out_of_reach([*self._removing(), *edits]):
                continue
            self.say("what prevents it")
            found = self._master(locked=others).solve()
            if found is not None:
                names = {lever.name for lever in locked}, {lever.name for lever in outside}
                self.core, self.outside = (
                    tuple(edit.text for edit in found.edits if edit.lever in some) for some in names
                )
                return

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

    def _names_options(self) -> bool:
        """Whether a goal is about some option: then cheaper is a natural answer."""
        return any(goal.about for goal in self.goals)

    def _let_in(self) -> None:
        """Scores of the builds that lower prices let in, before anything is said of those prices."""
        levers = [lever for lever in self.levers.free if any(edit.lets_in for edit in lever.edits)]
        if self.lab is None or not levers:
            return
        wanted = worth_letting_in(self.court.state(()), self.goals, levers)
        if self.least is not None and len(self.least.edits) == 1 and not self._names_options():
            # No cut does with less than one edit: those are looked at that take no scoring.
            if not all(self.court.table.is_closed((edit,)) for edit in wanted):
                self.notes.append(
                    "One edit is enough, so no builds were scored that lower prices would let in."
                )
            return
        room = MOST_FOR_ONE if self._names_options() else int(_LET_IN_A_SECOND * self.effort.seconds)
        found = let_in(self.court.table, self.lab, levers, wanted, room, self.say)
        if said := found.say():
            self.notes.append(said)
        if found.table is not self.court.table:
            self.court = self.reopened(found.table)

    def _enumerate(self) -> None:
        """What no hitting set covers: goals that more edits may break again."""
        if all(goal.by_removal for goal in self.goals):
            return
        # What lets builds in is judged only where all of them have scores.
        edits = [
            edit
            for edit in self.levers.edits
            if not edit.changes_fights and (not edit.lets_in or self.court.table.is_closed((edit,)))
        ]
        until = min(self.until, time.monotonic() + 0.35 * self.effort.seconds)
        tried = try_all(self.court, self.goals, edits, most=_TRIED_SIZE, until=until, say=self.say)
        for some in tried.found:
            self._note(some)
        self.notes.append(
            f"{tried.tried:,} sets of edits were tried: {how_many(len(tried.found))} the goal."
            + ("" if tried.finished == _TRIED_SIZE else " That is not all of one and two: time was up.")
        )
        if not self.proof and tried.found:
            smallest = min(len(some) for some in tried.found)
            # What was not scored was not tried.
            is_proved = tried.finished >= smallest - 1 and len(edits) == len(self.levers.edits)
            many = count_edits(smallest)
            self.proof = (
                f"Proved smallest: no fewer than {many} will do."
                if is_proved or smallest == 1
                else f"With {many} the goal holds; that no fewer will do is not proved."
            )

    def explained_in(self, edits: Sequence[Edit]) -> tuple[Court, str]:
        """Where some edits are looked at, and why that is open, if it is."""
        court = self.court
        if court.table.is_closed(edits):
            return court, ""
        if self.lab is None:
            return court, "it lets builds in that were not scored"
        chunks = self.lab.let_in(court.table, edits)
        many = sum(map(len, chunks))
        if many > MOST_FOR_ONE:
            return court, f"it lets {many:,} builds in that were not scored"
        return self.reopened(self.lab.scored(court.table, [(edits, chunks)])), ""

    def _note(self, edits: Sequence[Edit]) -> None:
        key = tuple(sorted(edit.text for edit in edits))
        self.found.setdefault(key, tuple(edits))

    def _name(self, row: int) -> str:
        return self.court.table.population.name(row, self.court.table.subject.space)

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
        return self.told(tuple(proposals), before, broken)

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
            unjudged=self.is_unjudged,
            could_let_in=any(edit.lets_in for edit in self.levers.edits),
            seconds=self.seconds,
        )

    def _proposal(self, edits: tuple[Edit, ...], best_at: str, before: Measure) -> Proposal | None:
        """With the whole verdict; None where a closer look takes the goal away again."""
        court, open_why = self.explained_in(edits)
        state = court.state(edits)
        rows = deciding(state, self.goals)
        if len(rows) and self.lab is not None:
            settled = self.lab.settle(court.table, rows.tolist(), _SETTLE_FIGHTS // 2)
            if settled.solved or settled.fought:
                court = self.reopened(settled.table)
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
        is_least = is_least and not any(edit.lets_in for edit in edits)
        proof = ""
        if is_least and self.least is not None and self.least.is_proved and self._is_sound():
            lets_in = any(edit.lets_in for edit in self.levers.edits)
            proof = f"proved: no fewer {'raises and bans' if lets_in and len(edits) > 1 else 'edits'} do"
        return Proposal(edits, after, change(before, after), best_at, proof, open_why, names)


def _of_kind(lever: Lever, kinds: set[str] | None) -> Lever:
    return lever if kinds is None else replace(lever, edits=tuple(e for e in lever.edits if e.kind in kinds))

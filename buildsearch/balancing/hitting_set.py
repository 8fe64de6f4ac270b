"""The smallest set of raises and bans that keeps a goal, by CP-SAT, with a proof.

Edits here only take builds away. A master problem chooses edits that hit every build known to be in the way;
the table judges what it chose; where a goal is broken, more builds must go, at least for whoever takes
as much away as this, and the master chooses again. When the judge agrees, nothing smaller exists.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.balancing.edited_game import EditEvaluator
from buildsearch.balancing.goals import Goal, GoalResult, hold
from buildsearch.model.levers import Edit, Lever

# Builds that one look brings into the master; the best ones say most.
_ROWS_A_LOOK = 150
# Choices that may be made and judged, and what CP-SAT may do for one: its own count of work, about seconds.
ROUNDS = 600
_WORK_A_SOLVE = 20.0
_WORKERS = 1  # several would race, and the first of equal answers would win


@dataclass(frozen=True, slots=True, eq=False)
class GoalCheck:
    """One game, and what shall hold in it."""

    court: EditEvaluator
    goals: tuple[Goal, ...]

    def verdict(self, edits: Sequence[Edit]) -> GoalResult:
        """Whether the game under some edits does."""
        return hold(self.goals, self.court.state(edits))


@dataclass(frozen=True, slots=True)
class Cover:
    """A set of edits that keeps the goals, of `size` edits. `is_proved`: no smaller set does."""

    edits: tuple[Edit, ...]
    is_proved: bool
    least: int


@dataclass(eq=False)
class HittingSetMaster:
    """The problem that chooses edits which are enough in all games. `locked` levers may be moved too, where
    one asks which locks are in the way; they cost more than anything else. `base` edits are made in any case:
    they may let builds in, and what is proved is about whatever else is done. Of `rounds` so many are `done`;
    no set of fewer than `least` edits is enough."""

    judges: Sequence[GoalCheck]
    levers: Sequence[Lever]
    locked: Sequence[Lever] = ()
    base: tuple[Edit, ...] = ()
    until: float = float("inf")
    rounds: int = ROUNDS
    work: float = _WORK_A_SOLVE
    done: int = 0
    least: int = 0

    def __post_init__(self) -> None:
        from ortools.sat.python import cp_model

        self._model = cp_model.CpModel()
        self._chains: dict[str, list[tuple[Edit, Any]]] = {}
        self._pairs: dict[tuple[tuple[str, int], ...], list[Any]] = {}
        self._by_feature: dict[str, list[tuple[int, Edit, Any]]] = {}
        self._others: list[tuple[int, Edit, Any]] = []
        self._rows: set[tuple[EditEvaluator, int, tuple[str, ...]]] = set()
        self._more = 0
        self._lost: dict[str, int] = {}
        self._useful: set[str] = set()
        moved = {edit.lever for edit in self.base}
        for lever in (*self.levers, *self.locked):
            if lever.name not in moved:
                self._take(lever)
        self._is_locked = {lever.name for lever in self.locked}

    def _take(self, lever: Lever) -> None:
        edits = sorted((edit for edit in lever.edits if not edit.lets_in), key=lambda edit: edit.steps)
        chain: list[tuple[Edit, Any]] = []
        for edit in edits:
            chosen = self._model.new_bool_var(edit.text)
            if chain:  # at least this far means at least as far as the one before
                self._model.add_implication(chosen, chain[-1][1])
            for ban in edit.bans:
                self._pairs.setdefault(ban, []).append(chosen)
            before = chain[-1][0] if chain else None
            for _, feature, _ in edit.prices:
                self._by_feature.setdefault(feature, []).append((len(chain), edit, (chosen, before)))
            if edit.factors or edit.budgets:
                self._others.append((len(chain), edit, (chosen, before)))
                self._more = max([self._more, *(change for _, _, change in edit.factors)])
            chain.append((edit, chosen))
        if chain:
            self._chains[lever.name] = chain

    # What must be hit -----------------------------------------------------------------------------

    def learn(self, edits: Sequence[Edit], verdict: GoalResult, judge: GoalCheck) -> None:
        """What a goal that is broken in a game says about every other set of edits."""
        unless = [self._at_least(edit).Not() for edit in edits]
        if verdict.why_not:
            if verdict.is_final:
                self._model.add_bool_or(unless)
            else:
                self.forbid(edits)
            return
        for goal, look in verdict.broken:
            if not goal.by_removal:
                self.forbid(edits)
                continue
            if len(look.rows) == 0:
                self._model.add_bool_or(unless)
            for row in look.rows[:_ROWS_A_LOOK].tolist():
                self._hit(row, self._fewest(edits, goal, row, judge.court), judge.court)
            # A bound on what is taken may say that a build is hit which is not: then this set is wrong.
            if self._more:
                self.forbid(edits)

    def _fewest(self, edits: Sequence[Edit], goal: Goal, row: int, court: EditEvaluator) -> tuple[Edit, ...]:
        """The fewest of some edits under which a build is in the way already."""
        if len(edits) < 2:
            return tuple(edits)
        for edit in edits:
            alone = court.state((*self.base, edit))
            look = goal.look(alone)
            if not look.is_kept and row in look.rows:
                return (edit,)
        return tuple(edits)

    def _hit(self, row: int, under: Sequence[Edit], court: EditEvaluator) -> None:
        """A build must go, unless some edits are not all made."""
        key = (court, row, tuple(sorted(edit.text for edit in under)))
        if key in self._rows:
            return
        self._rows.add(key)
        table = court.table
        literals = [self._at_least(edit).Not() for edit in under]
        has = table.has(row)
        for ban, chosen in self._bans_of(has):
            if all(has.get(name, 0) >= least for name, least in ban):
                literals += chosen
                self._useful.update(each.name for each in chosen)
        touching = [each for name in has for each in self._by_feature.get(name, ())] + self._others
        for account in range(len(table.accounts)):
            terms = []
            for _, edit, (chosen, before) in touching:
                weight = table.weight(row, edit, account, self._more)
                weight -= 0 if before is None else table.weight(row, before, account, self._more)
                if weight > 0:
                    terms.append(weight * chosen)
                    self._useful.add(edit.text)
            if terms:
                too_dear = self._model.new_bool_var("")
                room = table.room(row, account)
                room -= sum(table.weight(row, edit, account) for edit in self.base)
                self._model.add(sum(terms) >= room + 1).only_enforce_if(too_dear)
                literals.append(too_dear)
        self._model.add_bool_or(literals)

    def _bans_of(self, has: dict[str, int]) -> list[tuple[tuple[tuple[str, int], ...], list[Any]]]:
        """The bans that may hit a build: of pairs those of its own parts."""
        names = sorted(has)
        if len(self._pairs) < 4 * len(names) * len(names):
            return list(self._pairs.items())
        found = []
        for first in names:
            for second in names:
                ban = ((first, 1), (second, 1))
                if ban in self._pairs:
                    found.append((ban, self._pairs[ban]))
        return found + [(ban, chosen) for ban, chosen in self._pairs.items() if len(ban) != 2]

    def _at_least(self, edit: Edit) -> Any:
        return next(chosen for each, chosen in self._chains[edit.lever] if each.text == edit.text)

    def forbid(self, edits: Sequence[Edit]) -> None:
        """Not just these edits and nothing else."""
        literals = []
        made = {edit.lever: edit for edit in edits}
        for name, chain in self._chains.items():
            edit = made.get(name)
            if edit is None:
                literals.append(chain[0][1])
                continue
            place = next(i for i, (each, _) in enumerate(chain) if each.text == edit.text)
            literals.append(chain[place][1].Not())
            if place + 1 < len(chain):
                literals.append(chain[place + 1][1])
        self._model.add_bool_or(literals)

    def forbid_more(self, edits: Sequence[Edit]) -> None:
        self._model.add_bool_or([self._at_least(edit).Not() for edit in edits])

    def no_more_than(self, edits: int) -> None:
        self._model.add(sum(chain[0][1] for chain in self._chains.values()) <= edits)

    # What is chosen -------------------------------------------------------------------------------

    def _aim(self, weights: tuple[int, int, int]) -> None:
        """Edits, steps, and builds that each edit alone would lose, in thousandths."""
        by_edit, by_step, by_loss = weights
        total = 0
        for name, chain in self._chains.items():
            locked = 1_000_000_000 if name in self._is_locked else 0
            total += (by_edit + locked) * chain[0][1]
            steps = lost = 0
            for edit, chosen in chain:
                loss = self._loss(edit) if by_loss else 0
                total += (by_step * (edit.steps - steps) + by_loss * max(0, loss - lost)) * chosen
                steps, lost = edit.steps, loss
        self._model.minimize(total)

    def _loss(self, edit: Edit) -> int:
        # What hits no build that is known is not chosen anyway.
        if edit.text not in self._useful:
            return 1000
        if edit.text not in self._lost:
            parts = []
            for judge in self.judges:
                before = judge.court.state(()).legal
                gone = before & ~judge.court.table.legal((edit,))
                parts.append(float(gone.sum() / max(1, before.sum())))
            self._lost[edit.text] = round(1000 * max(parts))
        return self._lost[edit.text]

    def solve(self, weights: tuple[int, int, int] = (10_000, 100, 0)) -> Cover | None:
        """Edits that keep the goals, or None where no set of them does. Raises TimeoutError."""
        from ortools.sat.python import cp_model

        self._aim(weights)
        while True:
            left = self.until - time.monotonic()
            if left <= 0 or self.done >= self.rounds:
                raise TimeoutError
            self.done += 1
            solver = cp_model.CpSolver()
            solver.parameters.max_deterministic_time = self.work
            solver.parameters.max_time_in_seconds = max(0.1, left)
            solver.parameters.num_workers = _WORKERS
            solver.parameters.random_seed = 0
            # Ctrl-C is ours to hear.
            solver.parameters.catch_sigint_signal = False
            status = solver.solve(self._model)
            if status == cp_model.INFEASIBLE:
                return None
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                raise TimeoutError
            edits = self._chosen(solver)
            is_proved = status == cp_model.OPTIMAL
            if is_proved and weights[0] >= 100 * weights[1] and not weights[2]:
                self.least = max(self.least, len(edits))
            verdicts = [(judge, judge.verdict((*self.base, *edits))) for judge in self.judges]
            if all(verdict.is_kept for _, verdict in verdicts):
                least = len(edits) if is_proved else int(solver.best_objective_bound // max(1, weights[0]))
                return Cover((*self.base, *edits), is_proved, least + len(self.base))
            for judge, verdict in verdicts:
                if not verdict.is_kept:
                    self.learn(edits, verdict, judge)

    def _chosen(self, solver: Any) -> tuple[Edit, ...]:
        found = []
        for chain in self._chains.values():
            made = [edit for edit, chosen in chain if solver.value(chosen)]
            if made:
                found.append(made[-1])
        return tuple(found)

"""Edits that let builds in: which of them are worth a look, and the scores that they need first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.balancing.goals import Goal
from buildsearch.balancing.sampled_builds import Settled
from buildsearch.balancing.state import State
from buildsearch.balancing.table import Table
from buildsearch.model.levers import Edit, Lever
from buildsearch.model.space import Chunk
from buildsearch.search.score_table import ScoreTable

# So many builds are scored on the way for edits that somebody asked about; more is a run of its own.
MOST_FOR_ONE = 100_000
_VIABLE = 0.8


class Lab(Protocol):
    """Where builds are scored."""

    def let_in(self, table: Table, edits: Sequence[Edit], most: int | None = None) -> list[Chunk]:
        """The builds that edits let in and the table does not have; not all where they are over `most`."""

    def scored(self, table: Table, sets: Sequence[tuple[Sequence[Edit], Sequence[Chunk]]]) -> Table:
        """The table with the builds that sets of edits let in."""

    def settle(self, table: Table, rows: Sequence[int], fights: int, edits: Sequence[Edit] = ()) -> Settled:
        """Better scores of some builds, by about so many fights, which may be those of edited rules."""

    def rescored(self, table: Table, edits: Sequence[Edit], rows: NDArray[np.int64]) -> Table:
        """Some builds of a table as edited rules score them, the best first."""

    def scored_again(self, table: Table, edits: Sequence[Edit], rows: NDArray[np.int64]) -> ScoreTable:
        """The scores alone, in the order of the rows."""

    def grown(
        self, table: Table, edits: Sequence[Edit], rows: NDArray[np.int64], rounds: int | None = None
    ) -> Table:
        """The builds that matter under edited rules, looked for from some builds of a table; `rounds` of
        changes, or until nothing better is found."""


@dataclass(frozen=True, slots=True, eq=False)
class LetIn:
    """A larger table. `tried` edits can be judged by it in full; `left` were too much to score."""

    table: Table
    builds: int
    tried: tuple[Edit, ...]
    left: tuple[Edit, ...]

    def say(self) -> str:
        """What was scored, and what was not, in words; nothing where there was nothing to let in."""
        said = []
        if self.builds:
            many = len({edit.lever for edit in self.tried})
            said.append(
                f"{many} cost cut{'' if many == 1 else 's'} would make {self.builds:,} more builds legal. "
                "Those were scored too."
            )
        left = list(dict.fromkeys(edit.lever for edit in self.left))
        if left:
            named = f"{', '.join(left[:3])}{f' and {len(left) - 3} more' if len(left) > 3 else ''}"
            said.append(
                f"Not tried, because too many builds need scores first: cost cuts of {named}. Run `optimize "
                "--over-budget 2` to score them."
            )
        return " ".join(said)


def worth_letting_in(state: State, goals: Sequence[Goal], levers: Sequence[Lever]) -> list[Edit]:
    """Edits that let builds in, of each lever the farthest, the most promising first: of what a goal names,
    else of options that are not viable, those that lack least before the others."""
    named = {name for goal in goals for name in goal.about}
    lacking = {
        reach.choice.name: reach.loss for reach in state.reaches if reach.counts and reach.viability < _VIABLE
    }
    names = state.court.table.population.names
    lacking |= {
        names[each.choice.part.feature]: each.loss for each in state.reaches if each.choice.name in lacking
    }

    def order(edit: Edit) -> tuple[bool, float]:
        return not named & set(edit.about), min((lacking.get(name, np.inf) for name in edit.about), default=0)

    is_spent = any(account.is_spent for account in state.court.table.accounts)
    found = [edit for lever in levers for edit in _letting(lever, farthest=not is_spent)]
    if named:
        return sorted((edit for edit in found if named & set(edit.about)), key=order)
    return sorted((edit for edit in found if order(edit)[1] < np.inf), key=order)


def _letting(lever: Lever, *, farthest: bool) -> list[Edit]:
    """Who goes farthest lets in what the others do; where all points are spent, each lets in its own."""
    letting = [edit for edit in lever.edits if edit.lets_in and not edit.changes_fights]
    return sorted(letting, key=lambda edit: -edit.steps)[:1] if farthest else letting


def let_in(
    table: Table,
    lab: Lab,
    levers: Sequence[Lever],
    edits: Sequence[Edit],
    room: int,
    say: Callable[[str], None],
) -> LetIn:
    """Score what edits let in, as far as they can go, the first edits first and no more than `room` builds.

    Never by the clock: a fast machine would score others.
    """
    sets: list[tuple[tuple[Edit, ...], list[Chunk]]] = []
    tried: list[Edit] = []
    left: list[Edit] = []
    by_lever = {lever.name: lever for lever in levers}
    for edit in edits:
        if table.is_closed((edit,)):
            tried.append(edit)
            continue
        say(f"builds that {edit.text} makes legal")
        for each in _no_farther(by_lever[edit.lever], edit):
            chunks = lab.let_in(table, (each,), room)
            many = sum(map(len, chunks))
            if many <= room:
                room -= many
                tried.append(each)
                sets.append(((each,), chunks))
                break
        else:
            left.append(edit)
    if not sets:
        return LetIn(table, 0, tuple(tried), tuple(left))
    larger = lab.scored(table, sets)
    return LetIn(larger, len(larger.population) - len(table.population), tuple(tried), tuple(left))


def _no_farther(lever: Lever, edit: Edit) -> list[Edit]:
    """The edit, then those of its lever that let in less."""
    others = [each for each in lever.edits if each.lets_in and each.kind == edit.kind]
    return sorted((each for each in others if each.steps <= edit.steps), key=lambda each: -each.steps)

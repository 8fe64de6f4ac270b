"""The judge of edits: all scored builds as arrays, and who of them is legal under other prices and bans.

Rows are sorted from the best build to the worst, so that any set of legal builds is a sorted list of rows.
Builds above the budget, where a run has them, stand in the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.analyses import AnalysisInput
from buildsearch.analysis.population import Population, populate
from buildsearch.files.large_arrays import columns_gathered, gathered
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Account, Ban, Edit
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.build_list import by_group
from buildsearch.search.ledger import Ledger
from buildsearch.search.race import score, share_of_alpha
from buildsearch.search.score_table import ScoreTable, score_table
from buildsearch.search.scoring import Effort, ScoringSetup


@dataclass(frozen=True, eq=False)
class _Books:
    """One account as arrays: `raw` is what builds pay before the factor of their group."""

    account: Account
    raw: Ints
    factor: Ints

    def legal(self, edits: Sequence[Edit], population: Population, places: Mapping[str, int]) -> Bools:
        name, budget = self.account.name, self.account.budget
        budget += sum(change for edit in edits for account, change in edit.budgets if account == name)
        cost = self.cost(edits, population, places)
        found: Bools = cost == budget if self.account.is_spent else cost <= budget
        return found

    def cost(self, edits: Sequence[Edit], population: Population, places: Mapping[str, int]) -> Ints:
        name = self.account.name
        raw, factor = self.raw, self.factor
        for edit in edits:
            for account, feature, change in edit.prices:
                if account == name and feature in places:
                    raw = raw + change * population.levels[places[feature]].astype(np.int64)
            for account, group, change in edit.factors:
                if account == name and group in population.scores.groups:
                    factor = factor + change * (
                        population.scores.group == population.scores.groups.index(group)
                    )
        cost: Ints = raw * factor
        return cost


@dataclass(frozen=True, eq=False)
class EditTable:
    """All scored builds, the best first. `subject` is about the same rows, headroom included.

    `headroom`: every build that costs up to so many points more than the budget is in it. `covered` are sets
    of edits whose builds all are.
    """

    subject: AnalysisInput
    population: Population
    accounts: tuple[Account, ...]
    headroom: int
    covered: tuple[tuple[Edit, ...], ...] = ()

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of `levels` of each part."""
        return {name: place for place, name in enumerate(self.population.names)}

    @cached_property
    def _books(self) -> tuple[_Books, ...]:
        scores = self.population.scores
        found = []
        for account in self.accounts:
            raw = np.zeros(len(scores), dtype=np.int64)
            for name, price in account.prices.items():
                if price and name in self.places:
                    raw += price * self.population.levels[self.places[name]].astype(np.int64)
            by_group = np.array([account.factors.get(name, 1) for name in scores.groups], dtype=np.int64)
            found.append(_Books(account, raw, by_group[scores.group]))
        return tuple(found)

    def legal(self, edits: Sequence[Edit]) -> Bools:
        found = np.ones(len(self.population), dtype=np.bool_)
        for books in self._books:
            found &= books.legal(edits, self.population, self.places)
        for edit in edits:
            for ban in edit.bans:
                found &= ~self.having(ban)
        return found

    def cost(self, edits: Sequence[Edit]) -> Ints:
        """What each build costs under some edits, in the points that the scores name."""
        today = self.population.scores.cost
        for books in self._books:
            if edits and np.array_equal(books.cost((), self.population, self.places), today):
                return books.cost(edits, self.population, self.places)
        return today

    def having(self, ban: Ban) -> Bools:
        found = np.ones(len(self.population), dtype=np.bool_)
        for name, least in ban:
            if name not in self.places:  # nobody here has it
                return np.zeros(len(self.population), dtype=np.bool_)
            found &= self.population.levels[self.places[name]] >= least
        return found

    def knows(self, edit: Edit) -> bool:
        """Whether the builds of the table have what an edit is about."""
        named = [feature for _, feature, _ in edit.prices]
        named += [name for ban in edit.bans for name, _ in ban]
        groups = [group for _, group, _ in edit.factors]
        return all(
            name in self.places and self.population.most[self.places[name]] > 0 for name in named
        ) and all(group in self.population.scores.groups for group in groups)

    def room(self, row: int, account: int) -> int:
        """Points of an account that a build leaves."""
        books = self._books[account]
        return int(books.account.budget - books.raw[row] * books.factor[row])

    def weight(self, row: int, edit: Edit, account: int, more: int = 0) -> int:
        """Points of an account that an edit takes from the room of a build. Prices of several edits add up;
        with `more`, a bound on the factors that other edits may add, this is at least what it takes."""
        books, taken_ = self._books[account], 0
        name = books.account.name
        for its, feature, change in edit.prices:
            if its == name and feature in self.places:
                level = int(self.population.levels[self.places[feature], row])
                taken_ += change * level * (int(books.factor[row]) + more)
        for its, group, change in edit.factors:
            if its == name and self.group_of(row) == group:
                taken_ += change * int(books.raw[row])
        return taken_ - sum(change for its, change in edit.budgets if its == name)

    def has(self, row: int) -> dict[str, int]:
        """The parts of a build with their levels."""
        levels = self.population.levels[:, row]
        return {name: int(levels[place]) for name, place in self.places.items() if levels[place]}

    def group_of(self, row: int) -> str:
        scores = self.population.scores
        return scores.groups[int(scores.group[row])]

    def is_closed(self, edits: Sequence[Edit]) -> bool:
        """Whether every build that some edits let in is in the table."""
        if any(edit.changes_fights for edit in edits):
            return False
        letting = [edit for edit in edits if edit.lets_in]
        if not letting or any(self._covers(some, letting) for some in self.covered):
            return True
        if any(account.is_spent for account in self.accounts) or len(self.accounts) != 1:
            return False
        # A build whose parts all become cheaper by these edits cost at most so much more before.
        (books,) = self._books
        highest = int(books.factor.max(initial=1))
        needed = 0
        for edit in letting:
            if edit.factors:
                return False
            needed -= sum(change * highest * self._most(feature) for _, feature, change in edit.prices)
            needed += sum(change for _, change in edit.budgets)
        return needed <= self.headroom

    def _covers(self, some: Sequence[Edit], letting: Sequence[Edit]) -> bool:
        """Whether some edits let in all that others do: they go as far, the same way. Where all points are
        spent, no price lets in what another does."""
        if any(account.is_spent for account in self.accounts):
            return {edit.text for edit in some} == {edit.text for edit in letting}
        far = {(edit.lever, edit.kind): edit.steps for edit in some}
        return all(far.get((edit.lever, edit.kind), 0) >= edit.steps for edit in letting)

    def _most(self, feature: str) -> int:
        return int(self.population.most[self.places[feature]])


def table_of(subject: AnalysisInput, accounts: tuple[Account, ...]) -> EditTable:
    """The table of what was scored; raises UsageError where costs do not follow from prices."""
    scores, headroom = subject.scores, 0
    if subject.beyond is not None:
        scores = joined(scores, subject.beyond[0])
        headroom = int(subject.beyond[0].cost.max() - subject.scores.cost.max())
    scores = best_first(scores)
    space = subject.space if subject.beyond is None else subject.beyond[1]
    population = populate(scores, space)
    table = EditTable(
        replace(subject, scores=scores, space=space, beyond=None), population, accounts, headroom
    )
    if int(table.legal(()).sum()) != len(subject.scores):
        raise UsageError(
            "what builds of this run cost does not follow from the prices of its rules, so no price can be "
            "moved here. Please report it."
        )
    return table


def taken(scores: ScoreTable, rows: Ints) -> ScoreTable:
    """Some builds of a table, in this order; ranks do not hold among them."""
    columns: dict[str, Any] = {name: gathered(column, rows) for name, column in scores.columns.items()}
    by_fight: dict[str, Any] = {
        name: columns_gathered(values, rows) for name, values in scores.columns_by_fight.items()
    }
    return replace(scores, **columns, **by_fight, rank=None)


def best_first(scores: ScoreTable) -> ScoreTable:
    loss = -scores.score if scores.higher_is_better else scores.score
    return taken(scores, np.argsort(loss, kind="stable"))


def joined(first: ScoreTable, second: ScoreTable) -> ScoreTable:
    """Both tables in one; groups by the names of the first, then what only the second has."""
    groups = tuple(dict.fromkeys((*first.groups, *second.groups)))
    place = np.array([groups.index(name) for name in second.groups], dtype=np.int64)
    both = replace(first, low=None, high=None, fought=None, rank=None)
    columns, others = first.columns, replace(second, group=place[second.group]).columns
    by_fight: dict[str, Any] = {
        name: np.concatenate([values, second.columns_by_fight[name]], axis=1)
        for name, values in first.columns_by_fight.items()
    }
    joint: dict[str, Any] = {
        name: np.concatenate([columns[name], others[name]]) for name in columns if name in others
    }
    return replace(both, groups=groups, **joint, **by_fight)


def population_of(table: EditTable, rows: Ints, edits: Sequence[Edit] = ()) -> Population:
    """Some builds of the table as a population of their own, as if they had been read; at the costs that they
    have under some edits."""
    whole = table.population
    levels = columns_gathered(whole.levels, rows)
    scores = taken(whole.scores, rows)
    if edits:
        scores = replace(scores, cost=table.cost(edits)[rows].astype(scores.cost.dtype))
    return Population(
        scores,
        whole.names,
        levels,
        _free(whole, levels),
        whole.stats,
        gathered(whole.items, rows),
        gathered(whole.keys, rows),
        whole.strides,
    )


def _free(whole: Population, levels: NDArray[np.uint8]) -> Ints:
    """The parts that still vary: what nobody can take any more is no part of the game."""
    varies = [part for part in whole.free.tolist() if levels[part].max() > levels[part].min()]
    return np.array(varies, dtype=np.int64)


def missing(table: EditTable, chunks: Iterable[Chunk], most: int | None = None) -> list[Chunk]:
    """Those of some builds that the table does not have; once they are over `most`, not all of them."""
    scores = table.population.scores
    known: dict[str, NDArray[Any]] = {}
    found: list[Chunk] = []
    for chunk in chunks:
        if chunk.group not in known:
            mine = [number for number, name in enumerate(scores.groups) if name == chunk.group]
            known[chunk.group] = _keys(scores.codes[np.isin(scores.group, mine)])
        new = ~np.isin(_keys(chunk.codes), known[chunk.group])
        if new.any():
            found.append(Chunk(chunk.group, np.ascontiguousarray(chunk.codes[new])))
        if most is not None and sum(map(len, found)) > most:
            break
    return found


def distinct(chunks: Sequence[Chunk]) -> list[Chunk]:
    return [Chunk(chunk.group, np.unique(chunk.codes, axis=0)) for chunk in by_group(chunks)]


def enlarged(
    table: EditTable, more: ScoreTable | None, space: BuildSpace, covered: Sequence[Sequence[Edit]]
) -> EditTable:
    """The table with more builds, which `space` can read. They are all that each of the `covered` sets of
    edits lets in."""
    sets = (*table.covered, *(tuple(edit for edit in some if edit.lets_in) for some in covered))
    if more is None:
        return replace(table, covered=sets)
    both = best_first(joined(table.population.scores, more))
    subject = replace(table.subject, scores=both, space=space)
    return EditTable(subject, populate(both, space), table.accounts, table.headroom, sets)


def scored(
    arena: ScoringSetup,
    chunks: Sequence[Chunk],
    effort: Effort,
    like: ScoreTable,
    what: str = "builds made legal",
    *,
    races: bool = True,
) -> ScoreTable:
    """Builds of a arena as a table like another, with the bounds that ranks follow from."""
    ledger = Ledger.empty(arena.fights, chunks, arena.scorer.scorer.outcomes)
    score(ledger, arena.scorer, effort, what, races=races)
    scorer, objective = arena.scorer.scorer, effort.objective
    costs = objective.costs(ledger, scorer)
    low, high = objective.bounds(ledger, scorer, share_of_alpha(ledger, effort.alpha))
    fought = np.zeros(len(ledger), np.int64)
    fought[ledger.sampled] = ledger.fought
    known = ~np.isnan(costs)
    found = score_table(
        ledger,
        arena.space,
        objective.shown(costs),
        higher_is_better=like.higher_is_better,
        primary_higher_is_better=like.primary_higher_is_better,
    )
    low, high = (-high, -low) if objective.higher_is_better else (low, high)
    return replace(found, low=low[known], high=high[known], fought=fought[known])


def _keys(codes: NDArray[np.uint64]) -> NDArray[Any]:
    """A row of codes as one value that can be compared."""
    plain = np.ascontiguousarray(codes)
    if plain.shape[1] == 1:
        return plain.ravel()  # numbers are compared faster than bytes
    return plain.view(np.dtype((np.void, plain.dtype.itemsize * plain.shape[1]))).ravel()

"""One side of a diff: the builds of one ruleset with their scores, and scoring all of them or some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.space import Chunk
from buildsearch.search.arena import Arena
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.race import RaceRules, race, share_of_alpha
from buildsearch.search.rank_ranges import RankRanges
from buildsearch.search.scoring import Bar, sample_rows, solve_all

# Makes ready an edited ruleset; raises what a user can mend where it is none.
Opener = Callable[[Any], Arena]


@dataclass(frozen=True, slots=True)
class Effort:
    """How to score: by what, for how long, on how many cores."""

    objective: Objective
    rules: RaceRules
    jobs: int
    bar: Bar


def score(arena: Arena, chunks: Sequence[Chunk], effort: Effort, what: str, *, races: bool = True) -> Ledger:
    """Exact where it can be, a floor of fights for the rest, and unless told otherwise a race for the top."""
    scorer, rules = arena.scorer, effort.rules
    ledger = Ledger.empty(arena.fights, chunks, scorer.scorer.outcomes)
    with effort.bar(f"solving {what}", len(ledger) * len(arena.fights)) as advance:
        solve_all(scorer, ledger, effort.jobs, advance)
    ledger.begin_sampling(everywhere=not effort.objective.is_solved(scorer.scorer))
    everyone = np.arange(len(ledger.sampled))
    if len(everyone):
        with effort.bar(f"sampling {what}", ledger.fights_for(everyone, 1)) as advance:
            sample_rows(scorer, ledger, everyone, rules.floor, rules.seed, effort.jobs, advance)
    if len(everyone) and races:
        with effort.bar(f"racing {what} (fights)", rules.budget) as advance:
            race(scorer, ledger, effort.objective, rules, effort.jobs, advance)
    return ledger


@dataclass(eq=False)
class Side:
    """One ruleset's builds with their scores. `costs` are smaller where a build is better.

    `keys` name builds by what they are made of, under the second ruleset's names.
    """

    arena: Arena
    ledger: Ledger
    costs: Floats
    keys: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.costs)

    def update(self, objective: Objective) -> None:
        """Take up what the ledger has learnt since."""
        self.costs = objective.costs(self.ledger, self.arena.scorer.scorer)

    def best(self, number: int) -> Ints:
        """The rows of the best builds, the best first; equal ones in the order of the space."""
        known = np.flatnonzero(~np.isnan(self.costs))
        if number < len(known):
            last = np.partition(self.costs[known], number - 1)[number - 1]
            known = known[self.costs[known] <= last]
        return known[np.argsort(self.costs[known], kind="stable")[:number]]

    def ranks(self, rows: Ints) -> Ints:
        """How many builds are better, and one; ties share a rank."""
        order = np.sort(self.costs[~np.isnan(self.costs)])
        ranks: Ints = 1 + np.searchsorted(order, self.costs[rows] - TIE, side="left").astype(np.int64)
        return ranks

    def rank_ranges(self, objective: Objective, alpha: float) -> RankRanges:
        """Where its builds stand; all bounds hold at once but with chance `alpha`."""
        share = share_of_alpha(self.ledger, alpha)
        low, high = objective.bounds(self.ledger, self.arena.scorer.scorer, share)
        return RankRanges(self.costs, low, high, higher_is_better=objective.higher_is_better)

    def error(self, rows: Ints) -> Floats:
        """The standard error of the mean over all fights; 0 where that is exact."""
        part = self.ledger.part(np.sort(rows))
        total = np.zeros(len(rows))
        for i, weight in enumerate(part.weights):
            total += (weight * part.standard_error(i)) ** 2
        return np.asarray(np.sqrt(total)[np.argsort(np.argsort(rows))])

    def chunk(self, row: int) -> Chunk:
        """One build, as its space reads it."""
        starts = self.ledger.starts
        number = int(np.searchsorted(starts, row, side="right")) - 1
        at = row - int(starts[number])
        chunk = self.ledger.chunks[number]
        return Chunk(chunk.group, chunk.codes[at : at + 1])

    def build(self, row: int) -> Any:
        """One build as an object."""
        (build,) = self.arena.space.builds(self.chunk(row))
        return build

    def name(self, row: int) -> str:
        """What a build is called."""
        return self.arena.space.name(self.build(row))

    def groups(self) -> tuple[list[str], Ints]:
        """The groups' names, and each build's group."""
        names = list(dict.fromkeys(chunk.group for chunk in self.ledger.chunks))
        number = [np.full(len(chunk), names.index(chunk.group)) for chunk in self.ledger.chunks]
        return names, np.concatenate(number) if number else np.zeros(0, np.int64)

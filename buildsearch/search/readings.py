"""The scores of a few builds under other readings of the rules and with other stats: which of them matter?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import TIE
from buildsearch.model.rules_file import Variation
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.search.build_list import by_group
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import MEAN, Objective
from buildsearch.search.race import score
from buildsearch.search.score_table import combined_error
from buildsearch.search.scoring import Advance, Effort, ScoringSetup, no_progress, solve_alone

# So many (build, fight) are tried by engines that take one at a time, the best builds first.
ALONE = 64
# Scores that differ by no more, and by no more than so many standard errors, are not told apart.
_ERRORS = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What builds score under one change; None: under none. All are NaN where `problem` says why.

    `errors` are standard errors, 0 for an exact score; NaN for objectives other than the mean. `costs` are
    the scores, smaller being better.
    """

    change: Variation | None
    scores: Floats
    errors: Floats
    costs: Floats
    problem: str | None = None

    @property
    def label(self) -> str:
        return "as read" if self.change is None else self.change.label

    @property
    def ranks(self) -> Ints:
        """The rank of each build among all of them, from 1: behind those that are better for sure."""
        errors = np.nan_to_num(self.errors)
        apart = TIE + _ERRORS * np.hypot(errors[:, None], errors[None, :])
        return np.asarray(1 + (self.costs[None, :] + apart < self.costs[:, None]).sum(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class Readings:
    """The scores as the rules are read, and under every change."""

    names: tuple[str, ...]
    usual: Reading
    others: tuple[Reading, ...]

    def moved(self, build: int, share: float = 0.05) -> list[Reading]:
        """The changes under which a build's score moves by more than this share, and more than its error."""
        return [each for each in self.others if each.problem is None and self._moves(build, each, share)]

    def _moves(self, build: int, other: Reading, share: float) -> bool:
        before, after = self.usual.scores[build], other.scores[build]
        errors = np.nan_to_num([self.usual.errors[build], other.errors[build]])
        return bool(abs(after - before) > max(share * abs(before), _ERRORS * float(np.hypot(*errors))))

    def displaced(self, build: int) -> list[Reading]:
        """The changes under which a build no longer has its rank, or a better one."""
        rank = int(self.usual.ranks[build])
        return [each for each in self.others if each.problem is None and int(each.ranks[build]) > rank]


def sweep(
    builds: Sequence[Any],
    changes: Sequence[Variation],
    arena: Callable[[Variation | None], ScoringSetup],
    objective: Objective,
    *,
    seed: int = 0,
    alone: int = ALONE,
    advance: Advance = no_progress,
) -> Readings:
    """Score builds as the rules are read and under each of these changes, each by itself.

    `arena` says where to score under a change, None being no change. Where a change leaves no way to score,
    its reading says so and the others go on. `advance` is told after each reading.
    """
    effort = Effort((objective,), len(builds), BLOCK, 0, seed)
    found = []
    for change in (None, *changes):
        try:
            found.append(_reading(builds, change, arena(change), effort, alone))
        except (UsageError, InputError) as error:
            if change is None:
                raise
            nothing = np.full(len(builds), np.nan)
            found.append(Reading(change, nothing, nothing, nothing, str(error)))
        advance(1)
    space = arena(None).space
    return Readings(tuple(space.name(build) for build in builds), found[0], tuple(found[1:]))


def _reading(
    builds: Sequence[Any], change: Variation | None, arena: ScoringSetup, effort: Effort, alone: int
) -> Reading:
    chunks, place = _chunks(arena.space, builds)
    scorer, objective = arena.scorer, effort.objective
    ledger = Ledger.empty(arena.fights, chunks, scorer.scorer.outcomes)
    score(ledger, scorer, effort, races=False)
    if len(ledger.sampled) and not ledger.everywhere:
        costs = objective.costs(ledger, scorer.scorer)[ledger.sampled]
        solve_alone(scorer, ledger, np.argsort(costs, kind="stable"), alone)
    costs = objective.costs(ledger, scorer.scorer)[place]
    return Reading(change, objective.shown(costs), _errors(ledger, objective)[place], costs)


def _errors(ledger: Ledger, objective: Objective) -> Floats:
    if objective.name != MEAN:
        return np.full(len(ledger), np.nan)
    return combined_error(ledger, np.nan_to_num(ledger.standard_errors))


def _chunks(space: BuildSpace, builds: Sequence[Any]) -> tuple[list[Chunk], Ints]:
    """The builds by group, and where each of them stands then."""
    codes = [space.encode(build) for build in builds]
    groups = list(dict.fromkeys(code.group for code in codes))
    order = [i for group in groups for i, code in enumerate(codes) if code.group == group]
    place = np.zeros(len(builds), np.int64)
    place[order] = np.arange(len(builds))
    return by_group(codes), place

"""The builds of a run under other numbers: those that matter at once, then more, at last all as in a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from buildsearch.analysis.analyses import case_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.edit_table import scored, table_of
from buildsearch.balancing.edited_game import open_court
from buildsearch.library.analyze import subject_of
from buildsearch.library.balance import Desk
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.search import effort_for, make_scorer
from buildsearch.library.watch import Watch
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Movable
from buildsearch.search.executor import Jobs
from buildsearch.search.objectives import read_objectives
from buildsearch.search.pareto import pareto_front
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.search.scoring import ScoringSetup

# The best builds, those with each option, and those far above the reference level.
_BEST, _EACH, _OVERPOWERED = 60, 4, 300
# How many of the best builds come after those that matter, before all of them.
_WAVES = (4_096, 65_536)
# Builds that are solved at a time: about a second of work, so that a new question need not wait.
_AT_A_TIME = 1 << 13


@dataclass(frozen=True, slots=True, eq=False)
class ScoredWave:
    """Builds that are scored again: `rows` of the desk's table, and their scores in this order."""

    rows: Ints
    scores: ScoreTable
    is_whole: bool


@dataclass(frozen=True, eq=False)
class Rescorer:
    """Scores the builds of a desk again, through the cache."""

    desk: Desk
    limits: Thresholds
    cache: ScoreCache
    jobs: Jobs

    @cached_property
    def matter(self) -> Ints:
        """The rows that a verdict rests on: the best, the best with each option, overpowered builds, and the
        front over the scenarios."""
        table = self.desk.table
        state = open_court(table, case_of(table.subject, table.population, self.limits), self.limits).state(
            ()
        )
        population = table.population
        chosen = [state.rows[:_BEST], state.overpowered(self.limits.verdict).rows[:_OVERPOWERED]]
        chosen += [state.rows[each.has(population, state.rows)][:_EACH] for each in state.choices]
        means = population.scores.fight_means
        chosen.append(pareto_front((-means if population.scores.primary_higher_is_better else means).T))
        return np.unique(np.concatenate(chosen).astype(np.int64))

    @cached_property
    def _row_of(self) -> Ints:
        """The row of the table of each build of the run, as the run lists them."""
        scores = self.desk.run.scores
        loss = -scores.score if scores.higher_is_better else scores.score
        rows = np.empty(len(scores), dtype=np.int64)
        rows[np.argsort(loss, kind="stable")] = np.arange(len(scores))
        return rows

    def waves(self, setup: FightSetup, watch: Watch) -> Iterator[ScoredWave]:
        """The builds that matter, then more of the best, then all; a watch can stop it."""
        desk = self.desk
        named = (desk.run.objective,) if desk.run.objective else ()
        objectives = read_objectives(named, setup.loaded.system.metrics)
        scorer = make_scorer(setup, self.cache, jobs=self.jobs)
        arena = ScoringSetup(setup.space, setup.fights, scorer, desk.wanted)
        effort = replace(effort_for(desk.run.record.request, objectives), bar=watch.bar)
        like = desk.table.population.scores
        sizes = [size for size in _WAVES if size < len(like)]
        for rows in [self.matter, *(np.arange(size) for size in sizes)]:
            parts = [
                (
                    mine[first : first + _AT_A_TIME],
                    chunk.some(slice(first, first + _AT_A_TIME)),
                )
                for mine, chunk in like.chunks(rows)
                for first in range(0, len(mine), _AT_A_TIME)
            ]
            # Only all builds together are raced, as in a run.
            chunks = [chunk for _, chunk in parts]
            found = scored(arena, chunks, effort, like, f"{len(rows):,} builds", races=False)
            yield ScoredWave(np.concatenate([mine for mine, _ in parts]), found, is_whole=False)
        chunks = list(setup.space.chunks(desk.wanted, _AT_A_TIME))
        found = scored(arena, chunks, effort, like, f"{len(like):,} builds")
        self._check_same(found)
        yield ScoredWave(self._row_of, found, is_whole=True)

    def _check_same(self, found: ScoreTable) -> None:
        scores = self.desk.run.scores
        names = [[each.groups[number] for number in range(len(each.groups))] for each in (scores, found)]
        if not (
            names[0] == names[1]
            and np.array_equal(scores.group, found.group)
            and np.array_equal(scores.codes, found.codes)
            and np.array_equal(scores.cost, found.cost)
        ):
            raise UsageError(
                "these numbers change which builds there are, and only fights can be scored again here. "
                "`buildsearch diff RULES --set` shows what they do."
            )

    def desk_of(self, setup: FightSetup, scores: ScoreTable) -> Desk:
        """A desk for the edited rules, as one for a run of them would be."""
        system, rules = setup.loaded.system, setup.loaded.model
        assert isinstance(system, Movable)  # noqa: S101 - the desk at hand is of such a system
        subject = subject_of(setup, scores, self.desk.run.objective, triggers=False)
        return Desk(
            replace(self.desk.run, setup=setup, scores=scores),
            table_of(subject, system.accounts(rules, setup.space)),
            system.levers(rules, setup.space),
        )

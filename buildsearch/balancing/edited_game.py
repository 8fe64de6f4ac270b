"""The game under some edits: everything that is measured about it, by the code that `analyze` uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from buildsearch.analysis.analyses import AnalysisInput, Judged, case_of, judge
from buildsearch.analysis.assessment import AssessmentInput, Dominant, dominant_group, flat_why, too_small_why
from buildsearch.analysis.choices import Choice, choices_of
from buildsearch.analysis.instant_wins import Decided, decided_at_once
from buildsearch.analysis.must_haves import (
    NEITHER,
    Loss,
    losses_of_pairs,
    losses_when_banned,
    needed_together,
)
from buildsearch.analysis.reach import (
    Freedom,
    OverpoweredBuilds,
    Reach,
    Reference,
    freedom,
    overpowered,
    reaches,
    reference,
)
from buildsearch.analysis.score_order import ScoreOrder, ScoreScale, contest_of
from buildsearch.analysis.thresholds import Thresholds, VerdictThresholds
from buildsearch.balancing.edit_table import EditTable, population_of
from buildsearch.engines.memo import LruCache
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.levers import Edit


@dataclass(frozen=True, eq=False)
class EditEvaluator:
    """What every state of a game is judged with: the table, today's choices, thresholds, and who can say how
    fights end. States are remembered."""

    table: EditTable
    case: AssessmentInput
    limits: Thresholds
    contest: ScoreOrder
    choices: tuple[Choice, ...]

    def state(self, edits: Sequence[Edit]) -> EditedGame:
        key = tuple(sorted(edit.text for edit in edits))
        return self._states.get(key, lambda: EditedGame(self, tuple(edits)))

    @cached_property
    def _states(self) -> LruCache[tuple[str, ...], EditedGame]:
        """The last few states: each holds arrays of its builds."""
        fitting = _STATE_BYTES // (9 * max(1, len(self.table.population)))
        return LruCache(min(_MOST_STATES, max(_FEWEST_STATES, fitting)))

    def yardstick(self, limits: VerdictThresholds) -> ScoreScale:
        return replace(self.case.yardstick, limits=limits)

    def prices(self, edits: Sequence[Edit]) -> dict[str, int | None]:
        found = dict(self.table.subject.prices)
        for edit in edits:
            for _, feature, change in edit.prices:
                found[feature] = (found.get(feature) or 0) + change
        return found


_MOST_STATES, _FEWEST_STATES = 48, 2
# A state holds the numbers of its builds and who they are: 9 bytes each.
_STATE_BYTES = 1 << 30


def open_court(
    table: EditTable, limits: Thresholds, choices: Sequence[Choice] | None = None
) -> EditEvaluator:
    """Ready to judge; `choices` are today's, where they are known."""
    case = case_of(table.subject, table.population, limits)
    if choices is None:
        today = np.flatnonzero(table.legal(()))
        choices = choices_of(population_of(table, today), case.prices)
    contest = contest_of(table.population, case.yardstick)
    return EditEvaluator(table, case, limits, contest, tuple(choices))


@dataclass(frozen=True, eq=False)
class EditedGame:
    """One set of edits, and what is known about the game under it; each is worked out when it is asked for.

    Choices are today's, at the new prices: what acts alike today and costs the same counts once.
    """

    court: EditEvaluator
    edits: tuple[Edit, ...]

    @cached_property
    def legal(self) -> Bools:
        """Which builds of the table there are."""
        return self.court.table.legal(self.edits)

    @cached_property
    def rows(self) -> Ints:
        """They, the best first."""
        return np.flatnonzero(self.legal)

    @cached_property
    def contest(self) -> ScoreOrder:
        return self.court.contest.among(self.rows)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        prices = self.court.prices(self.edits)
        changed = {feature for edit in self.edits for _, feature, _ in edit.prices}
        if not changed:
            return self.court.choices
        names = self.court.table.population.names
        at = {choice.name: prices.get(names[choice.part.feature]) for choice in self.court.choices}
        return tuple(
            replace(
                choice,
                price=None if choice.price is None else at[choice.name],
                like=choice.like if choice.like and at[choice.like] == at[choice.name] else None,
            )
            for choice in self.court.choices
        )

    @cached_property
    def reaches(self) -> list[Reach]:
        return reaches(self.contest, self.choices) if len(self.rows) else []

    @property
    def is_whole(self) -> bool:
        """Whether every choice of today is still one that somebody can take."""
        return len(self.reaches) == len(self.court.choices)

    @cached_property
    def reference(self) -> Reference | None:
        return reference(self.contest, self.reaches)

    @property
    def best(self) -> float:
        return float(self.contest.scores[self.contest.winner])

    @property
    def best_loss(self) -> float:
        return float(self.contest.losses[self.contest.winner])

    def freedom(self, least: Sequence[float]) -> tuple[Freedom, ...]:
        return freedom(self.reaches, least)

    def reach(self, name: str) -> Reach | None:
        return next((each for each in self.reaches if each.choice.name == name), None)

    def overpowered(self, limits: VerdictThresholds) -> OverpoweredBuilds:
        return overpowered(self._contest_by(limits), self.reference)

    def _contest_by(self, limits: VerdictThresholds) -> ScoreOrder:
        """The same order, judged by other thresholds."""
        contest = replace(self.contest, yardstick=self.court.yardstick(limits))
        contest.__dict__.update({"losses": self.contest.losses, "errors": self.contest.errors})
        return contest

    @cached_property
    def heaviest(self) -> float:
        """What the best build loses at most when an option is banned."""
        alone = losses_when_banned(self.contest, self.choices)
        apart = [loss.apart for loss in alone if loss.choices[0].part.is_chosen and loss.factor is not None]
        return max(apart, default=0.0)

    def must_haves(self, limits: VerdictThresholds) -> list[Loss]:
        """What the best build cannot do without, alone, and pairs that stand in for one another."""
        contest = self._contest_by(limits)
        alone = losses_when_banned(contest, self.choices)
        heavy = needed_together(contest, alone)
        # Pairs take longer; who has a must-have already does not ask for hidden ones.
        if heavy:
            return list(heavy)
        pairs = losses_of_pairs(contest, self.choices, alone)
        return [loss for loss in pairs if loss.how == NEITHER and loss.factor is not None]

    @cached_property
    def decided(self) -> list[Decided]:
        """Builds that decide half of the fights at once."""
        case = self.court.case
        limits = self.court.limits.verdict
        found = decided_at_once(self.contest, case.least, case.chance, limits, accused_only=True)
        return [each for each in found if each.accuses]

    def dominant(self, limits: VerdictThresholds) -> Dominant | None:
        return dominant_group(self.contest, limits)

    @cached_property
    def silent(self) -> str | None:
        """Why nobody can be accused in what is left; None where somebody can."""
        population = self.court.table.population
        counted = [
            replace(
                reach,
                choice=replace(reach.choice, builds=int(reach.choice.has(population, self.rows).sum())),
            )
            for reach in self.reaches
        ]
        return too_small_why(counted, self.court.limits.verdict) or flat_why(self.contest, self.reference)

    @cached_property
    def subject(self) -> AnalysisInput:
        """What is left, as the subject of an analysis."""
        scores = population_of(self.court.table, self.rows, self.edits).scores
        prices = self.court.prices(self.edits)
        subject = self.court.table.subject
        options = [replace(option, cost=prices.get(option.id, option.cost)) for option in subject.options]
        return replace(subject, scores=scores, options=options)

    @cached_property
    def judged(self) -> Judged:
        """The whole verdict with its findings, as `analyze` has it."""
        return self.judged_by(self.court.limits)

    def judged_by(self, limits: Thresholds) -> Judged:
        """The same by other thresholds."""
        return judge(self.subject, population_of(self.court.table, self.rows, self.edits), limits)

    @cached_property
    def shift(self) -> float:
        """How far the ranks of builds that stay move, in the mean, as a part of all ranks."""
        before = self.court.state(()).legal
        stays = self.legal & before
        if not stays.any():
            return 0.0
        was = np.cumsum(before)[stays] / max(1, int(before.sum()))
        now = np.cumsum(self.legal)[stays] / max(1, len(self.rows))
        return float(np.abs(was - now).mean())

    @cached_property
    def kept(self) -> float:
        """The share of today's builds that are still there."""
        before = self.court.state(()).legal
        return float((self.legal & before).sum() / max(1, before.sum()))

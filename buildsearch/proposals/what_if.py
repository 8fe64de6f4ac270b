"""What edits do to a game: the options that were edited first, then the game. The one engine of `diff`,
`check --against`, `balance --try` and the served page.

`what_if(court, edits)` judges costs and bans without a fight: the court has the builds of a stored run, and
those that the edits make legal (`Lab.court(edits, limits)`, or `Search.explained_in(edits)[0]`).
`effect_of(before, after, options)` compares any two judged games, such as two runs.
Both give an `Effect`, which `views/effects.py` shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.analyses import Judged, Subject
from buildsearch.analysis.findings import Finding, Severity, class_of
from buildsearch.analysis.health import VIABLE
from buildsearch.analysis.population import Population
from buildsearch.changes.comparison import Comparison
from buildsearch.changes.difference import Difference
from buildsearch.changes.edits import Edit as RuleEdit
from buildsearch.changes.legality import Legality
from buildsearch.changes.moves import Move, Standing, WithSubject
from buildsearch.changes.side import Effort
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import Account, Edit
from buildsearch.model.space import BuildSpace, Chunk
from buildsearch.proposals.measure import changed_findings
from buildsearch.proposals.missing_builds import scored
from buildsearch.proposals.state import Court, State
from buildsearch.proposals.table import joined
from buildsearch.search.arena import Arena
from buildsearch.search.rank_ranges import RankRange, RankRanges
from buildsearch.search.score_table import ScoreTable

_TOP = 100


@dataclass(frozen=True, eq=False)
class JudgedGame:
    """A game whose builds are scored and judged: a run, or a run under edits."""

    subject: Subject
    judged: Judged

    @property
    def population(self) -> Population:
        """Its builds."""
        return self.judged.verdict.contest.population

    @cached_property
    def ranges(self) -> RankRanges:
        """Their ranks."""
        return self.population.scores.rank_ranges(on_board=False)

    def name(self, row: int) -> str:
        """A build by its row."""
        return self.population.name(row, self.subject.space)


@dataclass(frozen=True, slots=True)
class OptionStanding:
    """An option in one game: its best build with score and rank, and what follows from it.

    `saves` is how much worse that build is without the option, `fair_cost` the highest cost at which it still
    reaches the benchmark; None where that is not known. `in_best` counts the best 100 builds with it.
    """

    cost: int | None
    best_build: str
    score: float
    error: float
    ranks: RankRange
    viability: float
    is_viable: bool
    saves: float | None
    fair_cost: int | None
    in_best: int
    builds: int
    kind: str  # its class: must-have, fine, ...


@dataclass(frozen=True, slots=True)
class OptionEffect:
    """An edited option before and after; None where no legal build has it."""

    option: str
    title: str
    before: OptionStanding | None
    after: OptionStanding | None


@dataclass(frozen=True, slots=True)
class GameStanding:
    """A game in numbers."""

    builds: int
    options: int
    viable: int
    best: float
    best_build: str
    benchmark: float | None
    errors: int
    warnings: int


@dataclass(frozen=True, eq=False)
class Effect:
    """What edits do. `kept` is the share of the old builds that stay legal, None where that was not asked;
    `open_why` says why the answer may be incomplete."""

    options: tuple[OptionEffect, ...]
    before: GameStanding
    after: GameStanding
    stays: tuple[Finding, ...]
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    words: ScoreWords
    titles: Mapping[str, str]
    higher_is_better: bool
    kept: float | None = None
    open_why: str = ""
    top: int = field(default=_TOP)


@dataclass(frozen=True, eq=False)
class Since:
    """What was edited since earlier rules: `behind` has the numbers of the edits behind each new finding, by
    its fingerprint; `is_text` says which edits change no fight and no cost. No `effect`: nothing else was
    edited."""

    since: str
    edits: tuple[RuleEdit, ...]
    is_text: tuple[bool, ...]
    behind: Mapping[str, tuple[int, ...]]
    effect: Effect | None
    titles: Mapping[str, str]


def what_if(court: Court, edits: Sequence[Edit], *, open_why: str = "") -> Effect:
    """What edits of costs and bans do to the game of a court; it has every build that they make legal, or
    `open_why` says which it lacks."""
    state = court.state(edits)
    about = dict.fromkeys(name for edit in edits for name in edit.about)
    return effect_of(
        judged_game(court.state(())), judged_game(state), tuple(about), kept=state.kept, open_why=open_why
    )


def judged_game(state: State) -> JudgedGame:
    """The game under some edits."""
    return JudgedGame(state.population_scores[1], state.judged)


def effect_of(
    before: JudgedGame,
    after: JudgedGame,
    options: Sequence[str],
    names: Mapping[str, str] | None = None,
    *,
    kept: float | None = None,
    open_why: str = "",
) -> Effect:
    """Compare two judged games. `options` were edited, as the second game calls them; `names` are what the
    second calls options of the first."""
    old_names = {new: old for old, new in (names or {}).items()}
    found = changed_findings(before.judged.findings, after.judged.findings, names or {})
    return Effect(
        options=tuple(
            OptionEffect(
                name,
                after.subject.titles.get(name) or before.subject.titles.get(name, name),
                standing_of(before, old_names.get(name, name)),
                standing_of(after, name),
            )
            for name in options
        ),
        before=_game(before),
        after=_game(after),
        stays=found.stays,
        new=found.new,
        fixed=found.gone,
        words=after.judged.context.words,
        titles={**before.subject.titles, **after.subject.titles},
        higher_is_better=after.population.scores.higher_is_better,
        kept=kept,
        open_why=open_why,
    )


def standing_of(game: JudgedGame, option: str) -> OptionStanding | None:
    """One option (or group of builds) of a game; None where no legal build has it."""
    population, verdict = game.population, game.judged.verdict
    if option not in population.names:
        return None
    place = population.names.index(option)
    has = population.has(place)
    contest = verdict.contest
    row = contest.best(lambda rows: has[rows])
    if row is None:
        return None
    sign = -1.0 if population.scores.higher_is_better else 1.0
    without = population.without(row, place) if place in population.free else None
    price, worth = verdict.prices.get(option), verdict.worths.get(option)
    viability = contest.yardstick.viability(float(contest.losses[contest.winner]), float(contest.losses[row]))
    score = float(contest.scores[row])
    return OptionStanding(
        cost=game.subject.prices.get(option),
        best_build=game.name(row),
        score=score,
        error=float(contest.score_errors[row]),
        ranks=game.ranges.of(row),
        viability=viability,
        is_viable=viability >= VIABLE - 1e-9,
        saves=None if without is None else sign * (float(contest.scores[without]) - score),
        fair_cost=None if price is None else price.indifferent,
        in_best=int(has[contest.order[:_TOP]].sum()),
        builds=int(has.sum()),
        kind=class_of(option, game.judged.findings, is_passenger=worth is not None and worth.is_passenger),
    )


def _game(game: JudgedGame) -> GameStanding:
    verdict, findings = game.judged.verdict, game.judged.findings
    free = min(verdict.freedom, key=lambda each: abs(each.least - VIABLE))
    return GameStanding(
        builds=len(game.population),
        options=free.of,
        viable=free.options,
        best=verdict.best,
        best_build=game.name(verdict.contest.winner),
        benchmark=None if verdict.reference is None else verdict.reference.score,
        errors=sum(each.is_error for each in findings),
        warnings=sum(each.severity is Severity.WARNING for each in findings),
    )


_EXAMPLES = 3
_LOOK = 4_096
_FIRST, _FIGHTS = 5, 200_000


@dataclass(frozen=True, eq=False)
class Sides:
    """The builds of both rulesets with their scores; `today` and `legal` say which of them each has.

    `order` has all rows from the best to the worst, `loss` is smaller where a build is better.
    """

    scores: ScoreTable
    space: BuildSpace
    today: Bools
    legal: Bools
    order: Ints
    loss: NDArray[np.float64]

    def rows(self, *, after: bool) -> Ints:
        """The rows of one side, the best first."""
        there = self.legal if after else self.today
        return self.order[there[self.order]]

    def name(self, row: int) -> str:
        """What a build is called."""
        chunk = Chunk(self.scores.groups[int(self.scores.group[row])], self.scores.codes[row][None])
        (build,) = self.space.builds(chunk)
        return self.space.name(build)

    def standings(self, rows: Ints, *, after: bool) -> list[Standing | None]:
        """Ranks and scores on one side; ties share a rank."""
        there = self.legal if after else self.today
        ranges = self.scores.rank_ranges(on_board=False, among=there)
        return [
            Standing(ranges.of(row), float(self.scores.score[row]), float(self.scores.error[row]))
            if there[row]
            else None
            for row in rows.tolist()
        ]

    def best_with(self, feature: str, *, after: bool) -> int | None:
        """The best build that has something."""
        place = self.space.feature_names.index(feature)
        rows = self.rows(after=after)
        begin, size = 0, _LOOK
        while begin < len(rows):
            some = rows[begin : begin + size]
            has = np.zeros(len(some), dtype=np.bool_)
            for mine, chunk in self._chunks(some):
                has[mine] = self.space.levels(chunk)[:, place] > 0
            found = np.flatnonzero(has)
            if len(found):
                return int(some[found[0]])
            begin, size = begin + size, size * 8
        return None

    def _chunks(self, rows: Ints) -> list[tuple[Ints, Chunk]]:
        group = self.scores.group[rows]
        return [
            (np.flatnonzero(group == number), Chunk(name, self.scores.codes[rows[group == number]]))
            for number, name in enumerate(self.scores.groups)
            if (group == number).any()
        ]


def sides_of(
    scores: ScoreTable, more: ScoreTable | None, spaces: tuple[BuildSpace, BuildSpace], account: Account
) -> Sides:
    """Both sides where costs are all that is edited: a build is legal if it fits its budget.

    `more` are builds that only the edited rules have.
    """
    today = np.ones(len(scores), dtype=np.bool_)
    if more is not None:
        today = np.concatenate([today, np.zeros(len(more), dtype=np.bool_)])
        scores = joined(scores, more)
    legal = np.zeros(len(scores), dtype=np.bool_)
    for rows, chunk in scores.chunks():
        legal[rows] = spaces[1].costs(chunk) <= account.budget
    loss = -scores.score if scores.higher_is_better else scores.score
    return Sides(scores, spaces[0], today, legal, np.argsort(loss, kind="stable"), loss)


def let_in(
    arena: Arena, before: BuildSpace, budget: int, effort: Effort, scores: ScoreTable
) -> ScoreTable | None:
    """Builds of edited rules that were too dear before, scored; None where there is none."""
    chunks = []
    for chunk in arena.chunks():
        dear = before.costs(chunk) > budget
        if dear.any():
            chunks.append(Chunk(chunk.group, np.ascontiguousarray(chunk.codes[dear])))
    if not chunks:
        return None
    # Only the first of those that are let in are asked for; whoever comes behind keeps its floor of fights.
    few = replace(effort.rules, top=_FIRST, budget=min(effort.rules.budget, _FIGHTS))
    return scored(arena, chunks, replace(effort, rules=few), scores)


def is_about_costs(edits: Sequence[Edit], accounts: Sequence[Account]) -> bool:
    """Whether builds can only become too dear by some edits, or cheap enough."""
    return (
        len(accounts) == 1
        and not accounts[0].is_spent
        and not any(edit.changes_fights or edit.bans for edit in edits)
    )


def kept_moves(comparison: Comparison, sides: Sides, edits: Sequence[Edit], top: int) -> Difference:
    """What the edits do to the best builds, and to those with what was edited."""
    today, after = sides.rows(after=False), sides.rows(after=True)
    best = np.array(list(dict.fromkeys([*after[:top].tolist(), *today[:top].tolist()])), dtype=np.int64)
    old, new = sides.standings(best, after=False), sides.standings(best, after=True)
    moves = [Move(sides.name(int(row)), before, now) for row, before, now in zip(best, old, new, strict=True)]
    named = [name for edit in edits for name in edit.about if name in sides.space.feature_names]
    return Difference(
        comparison=comparison,
        builds=(len(today), len(after)),
        best=(
            next((move for move in moves if move.before and move.before.rank == 1), None),
            next((move for move in moves if move.after and move.after.rank == 1), None),
        ),
        legal=_only(sides, sides.legal & ~sides.today, after=True),
        illegal=_only(sides, sides.today & ~sides.legal, after=False),
        moves=tuple(moves),
        front=None,
        lifts=(),
        blames=None,
        higher_is_better=sides.scores.higher_is_better,
        subjects=tuple(_subject(sides, name) for name in dict.fromkeys(named)),
    )


def _only(sides: Sides, mine: Bools, *, after: bool) -> Legality:
    """Builds that one side has alone, the best of them by name."""
    rows = sides.order[mine[sides.order]]
    counts = np.bincount(sides.scores.group[rows], minlength=len(sides.scores.groups)).tolist()
    by_group = {name: count for name, count in zip(sides.scores.groups, counts, strict=True) if count}
    names = tuple(sides.name(int(row)) for row in rows[:_EXAMPLES])
    return Legality(len(rows), by_group, 0, names, next(iter(sides.standings(rows[:1], after=after)), None))


def _subject(sides: Sides, name: str) -> WithSubject:
    def best(*, after: bool) -> tuple[str, Standing] | None:
        row = sides.best_with(name, after=after)
        (standing,) = sides.standings(np.array([] if row is None else [row], np.int64), after=after) or [None]
        return None if row is None or standing is None else (sides.name(row), standing)

    return WithSubject(name, best(after=False), best(after=True))

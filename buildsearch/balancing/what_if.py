"""What edits do to a game: the options that were edited first, then the game. The one engine of `diff`,
`check --against`, `balance --try` and the served page.

`what_if(court, edits)` judges costs and bans without a fight: the court has the builds of a stored run, and
those that the edits make legal (`RunScorer.court(edits, limits)`, or `Search.explained_in(edits)[0]`).
`effect_of(before, after, options)` compares any two judged games, such as two runs.
Both give an `Effect`, which `views/effects.py` shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from buildsearch.analysis.analyses import AnalysisInput, Judged
from buildsearch.analysis.findings import VIABLE, Finding, FindingSeverity, class_of
from buildsearch.analysis.population import Population
from buildsearch.balancing.edited_game import EditedGame, EditEvaluator
from buildsearch.balancing.measure import changed_findings
from buildsearch.diffs.edits import RuleEdit
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import Edit
from buildsearch.search.ranks import RankRange, RankRanges

_TOP = 100


@dataclass(frozen=True, eq=False)
class JudgedGame:
    """A game whose builds are scored and judged: a run, or a run under edits."""

    subject: AnalysisInput
    judged: Judged

    @property
    def population(self) -> Population:
        return self.judged.verdict.contest.population

    @cached_property
    def ranges(self) -> RankRanges:
        return self.population.scores.rank_ranges(on_board=False)

    def name(self, row: int) -> str:
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
    best_error: float
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


def what_if(court: EditEvaluator, edits: Sequence[Edit], *, open_why: str = "") -> Effect:
    """What edits of costs and bans do to the game of a court; it has every build that they make legal, or
    `open_why` says which it lacks."""
    state = court.state(edits)
    about = dict.fromkeys(name for edit in edits for name in edit.about)
    return effect_of(
        judged_game(court.state(())), judged_game(state), tuple(about), kept=state.kept, open_why=open_why
    )


def judged_game(state: EditedGame) -> JudgedGame:
    return JudgedGame(state.subject, state.judged)


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
        best_error=float(verdict.contest.score_errors[verdict.contest.winner]),
        best_build=game.name(verdict.contest.winner),
        benchmark=None if verdict.reference is None else verdict.reference.score,
        errors=sum(each.is_error for each in findings),
        warnings=sum(each.severity is FindingSeverity.WARNING for each in findings),
    )

"""The first proposal of a finished search, in the few numbers that a page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from buildsearch.analysis.analyses import AnalysisInput, RunAnalysis
from buildsearch.analysis.findings import VIABLE, Finding, FindingCode, by_subject
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import BalanceEffort, BalanceResult, GameOutcome
from buildsearch.balancing.edit_table import EditTable, population_of
from buildsearch.balancing.edited_game import EditEvaluator, open_court
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import read_goals
from buildsearch.balancing.hitting_set import Cover, HittingSetMaster
from buildsearch.balancing.levers import LeverRequest, choose
from buildsearch.balancing.measure import Measure, describe, measure_of, pick, quick
from buildsearch.balancing.search import Search, closer_look
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import Scale
from buildsearch.model.levers import Account, Lever

# What a search for costs and bans aims at, unless told otherwise.
AIMED_AT = (FindingCode.OVERPOWERED, FindingCode.MUST_HAVE, FindingCode.INSTANT_WIN)


@dataclass(frozen=True, slots=True)
class StoredHealth:
    """The game after the edits: viable options, the best score, the benchmark, and the share of builds that
    stay legal."""

    viable_options: int
    options: int
    best: float
    benchmark: float | None
    remaining_builds: float


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """`edits` are texts that `balance --try` reads (`barrage.cost=3`), empty where the search found none.

    Of `errors` certain errors that costs and bans can end the edits end `fixed`. `newly_flagged` has the
    code and the option of each finding that the edits bring. `open_why` says why it is not certain that
    the goal holds.
    """

    edits: tuple[str, ...]
    text: str
    errors: int
    fixed: int
    is_proved_minimal: bool
    after: StoredHealth | None
    newly_flagged: tuple[tuple[str, str], ...] = ()
    open_why: str = ""


def stored(answer: BalanceResult) -> StoredProposal | None:
    """The first proposal of an answer; None where nothing was broken, or where the search was cut short."""
    errors = _errors(answer.before.findings)
    if answer.is_kept_already or answer.unjudged or answer.is_partial or answer.ended_by_clock:
        return None
    if not answer.proposals:
        return StoredProposal((), "", errors, 0, is_proved_minimal=False, after=None)
    return stored_first(answer.outcomes[0], answer.before)


def stored_first(proposal: GameOutcome, before: Measure) -> StoredProposal:
    """A proposal with what it does to the game that was measured before."""
    errors, after = _errors(before.findings), proposal.after
    left = _errors(after.findings)
    free = after.free(VIABLE)
    return StoredProposal(
        edits=tuple(edit.text for edit in proposal.edits),
        text=describe(proposal.edits),
        errors=errors,
        fixed=max(0, errors - left),
        is_proved_minimal=proposal.is_proved_minimal,
        after=StoredHealth(free.options, free.of, after.best, after.reference, after.kept),
        newly_flagged=_flagged(proposal),
        open_why=proposal.open_why,
    )


def _flagged(proposal: GameOutcome) -> tuple[tuple[str, str], ...]:
    found: Sequence[tuple[str, str]] = [
        (each.code.value, name)
        for finding in proposal.change.new
        for each in by_subject(finding)
        for name in each.subjects
    ]
    return tuple(dict.fromkeys(found))


def _errors(findings: Sequence[Finding]) -> int:
    """Only those that costs and bans can end: a rule that never triggers stays as it is."""
    return sum(finding.is_error and finding.code in AIMED_AT for finding in findings)


# Builds that all choices together may be judged on, and how many choices that is at least and at most.
_BUILDS_JUDGED = 4_000_000
_FEWEST_CHOICES, _MOST_CHOICES = 4, 60
# What CP-SAT may do for one choice, by its own count, about seconds.
_WORK_A_CHOICE = 0.5
# Other sets of as few edits that are looked at for the one that takes the fewest builds away.
_OTHERS = 3


def first_proposal(
    analysis: RunAnalysis,
    subject: AnalysisInput,
    accounts: tuple[Account, ...],
    levers: Sequence[Lever],
    limits: Thresholds,
    assertions: Mapping[str, object],
    title: str,
) -> StoredProposal | None:
    """The smallest raises and bans that keep the default goal; None where this little work finds none."""
    court = _court(analysis, subject, accounts, limits)
    if int(court.state(()).legal.sum()) != len(court.table.population):
        return None  # costs do not follow from prices
    scores = court.table.population.scores
    try:
        goals = read_goals(
            (),
            assertions,
            limits,
            [*court.table.population.names],
            scores.fights,
            counts_steps=subject.least is not None,
            scale=Scale.POSITIVE if subject.objective is None else subject.objective.scale,
        )
        chosen = choose(levers, court.table, LeverRequest(), title)
    except (UsageError, InputError):
        return None
    game = BalancedGame(court.table, limits, goals, chosen, opened=court)
    search = Search((game,), chosen, BalanceEffort(1))
    found = _smallest(search, len(scores))
    if not found:
        return None
    search.least = found[0]
    candidates = [(each.edits, quick(court.state(each.edits), VIABLE, goals)) for each in found]
    ((edits, costs), best_at) = pick(candidates, 1)[0]
    if costs.last:
        return None  # it moves the benchmark: a longer look finds a better one
    before = measure_of(analysis, builds=len(scores))
    proposal = closer_look(search, game, edits, best_at, before)
    return None if proposal is None else stored_first(proposal, before)


def _court(
    analysis: RunAnalysis, subject: AnalysisInput, accounts: tuple[Account, ...], limits: Thresholds
) -> EditEvaluator:
    """A court over the analysed builds, sorted, with what the analysis knows about them."""
    population = analysis.population
    sorted_ = population_of(EditTable(subject, population, accounts, 0), population.best_first)
    table = EditTable(replace(subject, scores=sorted_.scores, beyond=None), sorted_, accounts, 0)
    return open_court(table, limits, [reach.choice for reach in analysis.verdict.reaches])


def _smallest(search: Search, builds: int) -> list[Cover]:
    """The fewest raises and bans, and a few other sets of as many that go as far."""
    judge = search.game.judge
    choices = min(_MOST_CHOICES, max(_FEWEST_CHOICES, _BUILDS_JUDGED // builds))
    master = HittingSetMaster((judge,), search.levers.free, rounds=choices, work=_WORK_A_CHOICE)
    found: list[Cover] = []
    try:
        master.learn((), judge.verdict(()), judge)
        first = master.solve()
        while first is not None and len(found) <= _OTHERS:
            if found and _size(first) > _size(found[0]):
                break
            found.append(first)
            master.forbid_more(first.edits)
            first = master.solve((10_000, 100, 1))
    except TimeoutError:
        pass  # what is found by then
    return found


def _size(cover: Cover) -> tuple[int, int]:
    return len(cover.edits), sum(edit.steps for edit in cover.edits)

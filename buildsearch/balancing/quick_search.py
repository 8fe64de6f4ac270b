"""The first proposal of `balance` for a page that cannot wait: raises and bans only, and little work.

Work is counted in choices that are made and judged, so that a busy machine finds what a quiet one finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from buildsearch.analysis.analyses import Analysis, Subject, case_of
from buildsearch.analysis.score_order import contest_of
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import Effort
from buildsearch.balancing.cover import Cover, Judge, Master
from buildsearch.balancing.final_check import VIABLE, closer_look
from buildsearch.balancing.front import pick
from buildsearch.balancing.goal_syntax import read_goals
from buildsearch.balancing.lever_choice import LeverRequest, choose
from buildsearch.balancing.measure import measure_of, quick
from buildsearch.balancing.search import Search
from buildsearch.balancing.state import Court
from buildsearch.balancing.stored import StoredProposal, stored_first
from buildsearch.balancing.table import Table, population_of
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import Scale
from buildsearch.model.levers import Account, Lever

# Builds that all choices together may be judged on, and how many choices that is at least and at most.
_BUILDS_JUDGED = 4_000_000
_FEWEST_CHOICES, _MOST_CHOICES = 4, 60
# What CP-SAT may do for one choice, by its own count, about seconds.
_WORK_A_CHOICE = 0.5
# Other sets of as few edits that are looked at for the one that takes the fewest builds away.
_OTHERS = 3


def first_proposal(
    analysis: Analysis,
    subject: Subject,
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
    search = Search(court.table, limits, goals, chosen, Effort(1), opened=court)
    found = _smallest(search, len(scores))
    if not found:
        return None
    search.least = found[0]
    candidates = [(each.edits, quick(court.state(each.edits), VIABLE, goals)) for each in found]
    ((edits, costs), best_at) = pick(candidates, 1)[0]
    if costs.last:
        return None  # it moves the benchmark: a longer look finds a better one
    before = measure_of(analysis, builds=len(scores))
    proposal = closer_look(search, edits, best_at, before)
    return None if proposal is None else stored_first(proposal, before)


def _court(analysis: Analysis, subject: Subject, accounts: tuple[Account, ...], limits: Thresholds) -> Court:
    """A court over the analysed builds, sorted, with what the analysis knows about them."""
    population = analysis.population
    sorted_ = population_of(Table(subject, population, accounts, 0), population.best_first)
    table = Table(replace(subject, scores=sorted_.scores, beyond=None), sorted_, accounts, 0)
    case = case_of(table.subject, table.population, limits)
    choices = tuple(reach.choice for reach in analysis.verdict.reaches)
    return Court(table, case, limits, contest_of(table.population, case.yardstick), choices)


def _smallest(search: Search, builds: int) -> list[Cover]:
    """The fewest raises and bans, and a few other sets of as many that go as far."""
    judge = Judge(search.court, search.goals)
    choices = min(_MOST_CHOICES, max(_FEWEST_CHOICES, _BUILDS_JUDGED // builds))
    master = Master((judge,), search.levers.free, rounds=choices, work=_WORK_A_CHOICE)
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

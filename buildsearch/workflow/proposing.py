"""From what is asked of a run's rules, in words, to a search for balance: all wrong words at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.gate.config import GateConfig
from buildsearch.model.errors import InputError
from buildsearch.model.problem import Problem
from buildsearch.proposals.answers import Effort
from buildsearch.proposals.balancing import Search
from buildsearch.proposals.cutting import Lab
from buildsearch.proposals.goal_words import read_goals
from buildsearch.proposals.goals import Goal
from buildsearch.proposals.selecting import STEPS, Chosen, Wish, choose, split
from buildsearch.workflow.balance import Desk

PROPOSALS, SECONDS = 6, 45.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; what is empty is as the config says, else as it is by default."""

    goals: tuple[str, ...] = ()
    levers: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    steps: int | None = None
    proposals: int | None = None
    seconds: float | None = None


def search_for(
    desk: Desk,
    question: Question,
    settings: GateConfig,
    limits: Thresholds,
    lab: Lab,
    *,
    say: Callable[[str], None] = lambda _text: None,
    on_interrupt: Callable[[], None] = lambda: None,
) -> Search:
    """A search that is ready to run; raises InputError with all that is wrong with goals and levers."""
    told, table = settings.balance, desk.table
    wish = Wish(
        kinds=split(question.levers or told.levers),
        lock=split((*told.lock, *question.lock)),
        only=split(question.only or told.only),
        steps=question.steps or told.steps or STEPS,
    )
    problems: list[Problem] = []
    chosen: Chosen | None = None
    goals: tuple[Goal, ...] = ()
    try:
        goals = read_goals(
            question.goals or told.goals,
            settings.assertions,
            limits,
            [*table.population.names],
            table.population.scores.fights,
            counts_steps=table.subject.least is not None,
        )
    except InputError as error:
        problems += error.problems
    try:
        chosen = choose(desk.levers, table, wish, desk.setup.loaded.system.title)
    except InputError as error:
        problems += error.problems
    if problems or chosen is None:
        raise InputError(problems)
    effort = Effort(
        question.proposals or told.proposals or PROPOSALS, question.seconds or told.seconds or SECONDS
    )
    return Search(table, limits, goals, chosen, effort, say, lab=lab, on_interrupt=on_interrupt)

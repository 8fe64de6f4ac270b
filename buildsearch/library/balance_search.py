"""A search for balance from a request: goals and levers read together, then a search that is ready to run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.answers import BalanceEffort, BalanceResult
from buildsearch.balancing.edits import read_edits
from buildsearch.balancing.first_proposal import StoredProposal, stored
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import read_goals
from buildsearch.balancing.levers import MAX_CHANGE, LeverRequest, choose, split
from buildsearch.balancing.search import Search
from buildsearch.balancing.what_if import what_if
from buildsearch.document.blocks import Document, Step
from buildsearch.gate.config import GateConfig
from buildsearch.library.balance import Desk
from buildsearch.library.rescoring import RunScorer
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import InputError, Problem
from buildsearch.model.evaluation import Scale
from buildsearch.model.levers import Edit
from buildsearch.options.balance import BalanceOptions
from buildsearch.report.kept_answers import proposal_key, read_proposal, write_proposal
from buildsearch.search.executor import Jobs
from buildsearch.views.balance import tried_document

MAX_PROPOSALS = 3


def open_balance(
    desk: Desk,
    request: BalanceOptions,
    limits: Thresholds,
    config: GateConfig,
    *,
    cache: Path | None,
    jobs: Jobs,
    watch: Watch = SILENT,
    say: Callable[[str], None] = lambda _text: None,
    on_interrupt: Callable[[], None] = lambda: None,
    on_first: Callable[[str], None] = lambda _text: None,
) -> Search:
    """Ready to run; raises InputError with what is wrong with goals and levers together."""
    said = config.balance
    levers = LeverRequest(
        kinds=split(request.levers or said.levers),
        lock=split((*said.lock, *request.lock)),
        only=split(request.only_options or said.only),
        max_change=request.max_change or said.max_change or MAX_CHANGE,
        ranges=said.ranges,
    )
    population, subject = desk.table.population, desk.table.subject
    problems: list[Problem] = []
    with _collecting(problems):
        goals = read_goals(
            request.goals or said.goals,
            config.assertions,
            limits,
            [*population.names],
            population.scores.fights,
            counts_steps=subject.least is not None,
            scale=Scale.POSITIVE if subject.objective is None else subject.objective.scale,
        )
    with _collecting(problems):
        chosen = choose(desk.levers, desk.table, levers, desk.setup.loaded.system.title)
    if problems:
        raise InputError(problems)
    effort = BalanceEffort(
        request.max_proposals or said.max_proposals or MAX_PROPOSALS,
        request.seconds or said.seconds or math.inf,
    )
    lab = RunScorer(desk, cache, jobs, watch)
    game = BalancedGame(lab.remembering(desk.table), limits, goals, chosen, lab)
    return Search((game,), chosen, effort, say, on_interrupt, on_first)


def keep_first(
    desk: Desk, request: BalanceOptions, limits: Thresholds, config: GateConfig, answer: BalanceResult
) -> None:
    """Keep the first proposal of a search with the default goal and levers in the folder of its run, where
    `analyze`, `check` and the report find it. A folder that cannot be written stays as it is."""
    is_default = replace(request, max_proposals=None) == BalanceOptions()
    said = config.balance
    is_default &= not (said.goals or said.levers or said.lock or said.only or said.ranges)
    is_default &= said.max_change is None and said.seconds is None and request.max_proposals != 1
    found = stored(answer) if is_default else None
    if found is None:
        return
    with suppress(OSError):
        write_proposal(desk.run.folder, proposal_key(desk.run.record.checksum, limits), found)


def stored_edits(desk: Desk, limits: Thresholds) -> tuple[StoredProposal, tuple[Edit, ...]] | None:
    """The fix that a search kept for this run, and its edits; None where there is none."""
    found = read_proposal(desk.run.folder, proposal_key(desk.run.record.checksum, limits))
    if found is None or not found.edits:
        return None
    return found, read_edits(found.edits, desk.levers)


def try_edits(desk: Desk, search: Search, edits: Sequence[Edit]) -> Document:
    """What edits of one's own do, as a page: the edited options first, then the game."""
    court, open_why = search.game.explained_in(edits)
    effect = what_if(court, edits, open_why=open_why)
    missed = [goal for goal in search.game.goals if not goal.look(court.state(edits)).is_kept]
    said = " ".join(f'"{", ".join(edit.text for edit in edits)}"'.split())
    step = (
        Step("buildsearch balance", "the smallest set of edits that is enough")
        if missed
        else Step(f"buildsearch balance --try {said} --patch", "the lines to change")
    )
    return tried_document(effect, edits, missed, step)


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        problems += error.problems

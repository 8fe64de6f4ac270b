"""Builds above the budget, scored beside a run: what a price below today's would let in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.search import BuildSearch, make_scorer
from buildsearch.model.errors import UsageError
from buildsearch.report.run_record import OverBudget, RunRecord
from buildsearch.search.timing import Stages

SUFFIX = "-over-budget"


def check_over_budget(setup: FightSetup) -> str:
    """The parameter that says how many points there are; raises UsageError where the game has none."""
    names = [each.name for each in setup.loaded.system.parameters if each.is_budget]
    if not names:
        raise UsageError(
            f"‹over_budget› scores builds above the budget, and {setup.loaded.system.title} has no parameter "
            "for a budget. Leave it out."
        )
    return names[0]


def score_over_budget(search: BuildSearch, points: int, folder: Path) -> OverBudget:
    """Score every build that costs up to so many points more, into a folder beside the run's.

    Gives what run.json says about it. Nobody looks at ranks up there, so nothing races.
    """
    name = check_over_budget(search.setup)
    budget = int(search.setup.space.parameters[name])
    request = search.request.with_parameter(name, budget + points).changed(over_budget=0)
    setup = setup_of(request)
    effort = replace(search.effort, top=1, budget=0)
    above = replace(
        search,
        setup=setup,
        effort=effort,
        scorer=make_scorer(setup, search.scorer.cache.folder, search.watch, search.scorer.executor),
        request=request,
        cost_above=budget,
        stages=Stages(),
    )
    answer = above.run()
    beside = folder.with_name(folder.name + SUFFIX)
    if answer.scored == 0:
        return OverBudget(points=points, builds=0)
    above.write(answer, beside)
    return OverBudget(points=points, builds=answer.scored, run=beside.name)


def over_budget_folder(folder: Path, record: RunRecord) -> Path | None:
    """Where a run's builds above the budget are; None where it has none."""
    name = None if record.over_budget is None else record.over_budget.run
    # Only a plain name is followed: whoever wrote the file shall not lead us elsewhere.
    if name is None or Path(name).name != name:
        return None
    beside = folder.parent / name
    return beside if beside.is_dir() else None

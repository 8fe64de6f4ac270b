"""`diff RULES --set price`: from the scores of a run that is there, without a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from buildsearch.changes.comparison import Comparison
from buildsearch.changes.difference import Difference
from buildsearch.changes.side import Effort
from buildsearch.model.errors import BuildsearchError, InputError
from buildsearch.model.levers import CUTS, Movable
from buildsearch.model.request import SearchRequest
from buildsearch.proposals.edit_syntax import read_edits
from buildsearch.proposals.edited_rules import edited_data
from buildsearch.proposals.what_if import is_about_costs, kept_moves, let_in, sides_of
from buildsearch.report.run_files import RESULTS, read_scores
from buildsearch.report.run_record import RUN, RunRecord, check_seal, read_record
from buildsearch.search.arena import Arena
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.search import content_hash, fight_hash


def kept_difference(
    setups: tuple[FightSetup, FightSetup],
    comparison: Comparison,
    request: SearchRequest,
    effort: Effort,
    arena: Callable[[], Arena],
) -> Difference | None:
    """The difference from kept scores; None where more than prices changed, or no run has what is needed.

    Only builds that lower prices let in are scored, by the edited rules' `arena`.
    """
    before, after = setups
    system, rules = before.loaded.system, before.loaded.model
    if request.rulings or not isinstance(system, Movable) or not comparison.edits:
        return None
    try:
        edits = read_edits(request.overrides, system.levers(rules, before.space))
    except InputError:
        return None
    wanted = system.rules_model.model_validate(edited_data(before.loaded.document.root.plain(), edits))
    accounts = [system.accounts(each.loaded.model, each.space) for each in setups]
    if wanted != after.loaded.model or not is_about_costs(edits, accounts[0]):
        return None
    folder = _run_of(before, request, effort.objective.name)
    if folder is None:
        return None
    scores = read_scores(folder)
    more = None
    letting = [edit for edit in edits if edit.lets_in]
    if letting:
        where = arena()
        if len(letting) == 1 and letting[0].kind == CUTS:
            # Only builds with what becomes cheaper can have been too dear.
            with_it = (*where.wanted.with_features, *letting[0].about)
            where = replace(where, wanted=replace(where.wanted, with_features=with_it))
        more = let_in(where, before.space, accounts[0][0].budget, effort, scores)
    sides = sides_of(scores, more, (before.space, after.space), accounts[1][0])
    return kept_moves(comparison, sides, edits, request.top)


def _run_of(setup: FightSetup, request: SearchRequest, objective: str) -> Path | None:
    """A whole run of the same rules, builds and fights, the newest first."""
    if not RESULTS.is_dir():
        return None
    folders = [path.parent for path in RESULTS.glob(f"*/{RUN}")]
    fights = {name: fight_hash(fight) for name, fight in setup.fights.items()}
    rules = content_hash(setup.loaded.model)
    for folder in sorted(folders, key=lambda each: -(each / RUN).stat().st_mtime):
        try:
            record = read_record(folder)
            if (
                isinstance(record, RunRecord)
                and record.rules.hash == rules
                and _is_same(record, fights, setup, request, objective)
            ):
                check_seal(folder)
                return folder
        except (BuildsearchError, OSError):
            continue  # no run of ours, or one that somebody changed
    return None


def _is_same(
    record: RunRecord,
    fights: Mapping[str, str],
    setup: FightSetup,
    request: SearchRequest,
    objective: str,
) -> bool:
    return (
        {name: each.hash for name, each in record.fights.items()} == fights
        and record.parameters == dict(setup.space.parameters)
        and bool(record.objectives)
        and record.objectives[0].name == objective
        and not record.incomplete
        and record.legal_builds is None
        and record.request.wanted == request.wanted
        and record.request.complete is None
    )

"""Balance of a search for loadouts: one or two edits after which nothing that was valued is broken."""

from __future__ import annotations

from pathlib import Path

from buildsearch.analysis.findings import FindingSeverity
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.levers import MAX_CHANGE, split
from buildsearch.balancing.loadouts import balanced, loadout_table
from buildsearch.document.blocks import Document
from buildsearch.library.balance_search import MAX_PROPOSALS
from buildsearch.library.loadout_verdict import judge_lines
from buildsearch.library.runs import reopen
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import COSTS, PAIRS, RAISES, Movable
from buildsearch.options.balance import BalanceOptions
from buildsearch.report.loadout_files import JOINED, read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.views.loadouts import balanced_loadouts

_SECONDS = 30.0


def balance_listed(
    folder: Path, request: BalanceOptions, limits: Thresholds, *, ignore_checksums: bool
) -> Document:
    """Over what a search for loadouts valued; what others an edit would bring up is not known."""
    record, setup = reopen(folder, ignore_checksums=ignore_checksums)
    if not isinstance(record, LoadoutRecord):
        raise UsageError(f"{folder} has no loadouts. Run optimize again.")
    system, rules = setup.loaded.system, setup.loaded.model
    if not isinstance(system, Movable):
        raise UsageError(f"{system.title} declares nothing that could be moved.")
    lines, _ = read_loadouts(folder)
    loadouts, verdict = judge_lines(setup, record, lines, limits)
    metric = system.metrics[0]
    if not any(each.severity is FindingSeverity.ERROR for each in verdict.findings):
        return balanced_loadouts(loadouts, verdict, (), metric, str(folder), tried_in_full=0)
    yardstick = ScoreScale(metric.scale, metric.higher_is_better, metric.span or 1.0, limits.verdict)
    titles = {option.id: option.name for option in system.options(rules)}
    accounts = system.accounts(rules, setup.space)
    words = ScoreWords(metric)
    table = loadout_table(loadouts, yardstick, titles, words, setup.space, accounts, JOINED)
    kinds = set(split(request.levers)) or {RAISES, PAIRS}
    kinds |= {RAISES} if COSTS in kinds else set()
    locked, only = set(split(request.lock)), set(split(request.only_options))
    edits = [
        edit
        for lever in system.levers(rules, setup.space)
        for edit in lever.edits
        if edit.kind in kinds
        and edit.steps <= (request.max_change or MAX_CHANGE)
        and not locked & {*edit.about, edit.lever}
        and (not only or set(edit.about) <= only)
    ]
    found, tried = balanced(table, edits, request.seconds or _SECONDS, request.max_proposals or MAX_PROPOSALS)
    return balanced_loadouts(loadouts, verdict, tuple(found), metric, str(folder), tried_in_full=tried)

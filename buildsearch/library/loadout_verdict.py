"""The loadouts of a run, judged, and one or two edits after which nothing that was valued is broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from buildsearch.analysis.findings import FindingSeverity
from buildsearch.analysis.loadout_verdict import MEMBER, OPTION, LoadoutJudge, Loadouts, LoadoutVerdict
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.levers import MAX_CHANGE, split
from buildsearch.balancing.loadouts import balanced, loadout_table
from buildsearch.document.blocks import Document
from buildsearch.document.data import write_csv
from buildsearch.evaluate.statistics import Z95
from buildsearch.library.balance_search import MAX_PROPOSALS
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.runs import reopen_loadouts
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import COSTS, PAIRS, RAISES, Movable
from buildsearch.options.balance import BalanceOptions
from buildsearch.report.loadout_files import JOINED, read_loadouts
from buildsearch.report.run_record import LoadoutRecord
from buildsearch.views.loadouts import balanced_loadouts, judged_loadouts

# How a search says that nothing better exists.
_PROVED = "optimal"


def judge_lines(
    setup: FightSetup, record: LoadoutRecord, lines: Sequence[Mapping[str, str]], limits: Thresholds
) -> tuple[Loadouts, LoadoutVerdict]:
    """The verdict on the lines of loadouts.csv; raises UsageError for what optimize did not write."""
    system = setup.loaded.system
    metric = system.metrics[0]
    try:
        loadouts = _read(setup, record, lines, limits)
    except (KeyError, ValueError, InputError) as error:
        raise UsageError(
            f"loadouts.csv is not what optimize writes: {error!r}. Run optimize again."
        ) from error
    span = metric.span or float(np.ptp(loadouts.scores)) or 1.0
    yardstick = ScoreScale(metric.scale, metric.higher_is_better, span, limits.verdict)
    titles = {option.id: option.name for option in system.options(setup.loaded.model)}
    return loadouts, LoadoutJudge(yardstick, titles, ScoreWords(metric)).judge(loadouts)


def _read(
    setup: FightSetup, record: LoadoutRecord, lines: Sequence[Mapping[str, str]], limits: Thresholds
) -> Loadouts:
    """The listed loadouts as columns."""
    space, metric = setup.space, setup.loaded.system.metrics[0]
    prices = {
        option.id for option in setup.loaded.system.options(setup.loaded.model) if option.cost is not None
    }
    members = [line["loadout"].split(JOINED) for line in lines]
    made_of = {
        name: {feature.name for feature in space.features(space.parse(name))} & prices
        for each in members
        for name in each
    }
    options = sorted({option for each in made_of.values() for option in each})
    attacks = list(dict.fromkeys(name for each in members for name in each))
    has = np.array(
        [
            [any(option in made_of[name] for name in each) for option in options]
            + [attack in each for attack in attacks]
            for each in members
        ]
    )
    weights = {name: fight.weight for name, fight in setup.fights.items()}
    total = sum(weights.values())
    low = metric.low if metric.counts_steps and metric.low is not None else None
    decided = [
        sum(
            weight / total
            for name, weight in weights.items()
            if low is not None
            and float(line[f"{name}_{metric.name}"]) - low < 1 - limits.verdict.instant_chance
        )
        for line in lines
    ]
    scores = np.array([float(line["score"]) for line in lines])
    ends = [(line.get("score_low"), line.get("score_high")) for line in lines]
    errors = [(float(high) - float(low_)) / (2 * Z95) if low_ and high else 0.0 for low_, high in ends]
    order = np.argsort(-scores if metric.higher_is_better else scores, kind="stable")
    return Loadouts(
        names=[lines[i]["loadout"] for i in order],
        scores=scores[order],
        errors=np.array(errors)[order],
        parts=[*options, *attacks],
        kinds=[OPTION] * len(options) + [MEMBER] * len(attacks),
        has=has[order],
        optional=len(prices & set(space.feature_names)),
        decided=np.array(decided)[order],
        searched=record.loadouts or len(lines),
        valued=record.scored or len(lines),
        is_complete=all(line.get("status") == _PROVED for line in lines) and not record.left_out,
    )


def loadout_page(
    folder: Path, limits: Thresholds, rows: int = 15, *, ignore_checksums: bool = False
) -> Document:
    """The judgement of the loadouts of a folder; its table is written there as CSV too."""
    record, setup = reopen_loadouts(folder, ignore_checksums=ignore_checksums)
    lines, _ = read_loadouts(folder)
    judged = judge_lines(setup, record, lines, limits)
    page = judged_loadouts(*judged, setup.loaded.system.metrics[0], str(folder), rows=rows)
    for table in page.tables:
        write_csv(table, folder / "analysis")
    return page


_SECONDS = 30.0


def balance_listed(
    folder: Path, request: BalanceOptions, limits: Thresholds, *, ignore_checksums: bool
) -> Document:
    """Over what a search for loadouts valued; what others an edit would bring up is not known."""
    record, setup = reopen_loadouts(folder, ignore_checksums=ignore_checksums)
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
    judge = LoadoutJudge(yardstick, titles, ScoreWords(metric))
    table = loadout_table(loadouts, judge, setup.space, accounts, JOINED)
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

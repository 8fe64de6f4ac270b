"""Which builds together, where a character takes several: searched, judged, and the edits that mend them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.findings import FindingSeverity
from buildsearch.analysis.loadout_verdict import MEMBER, OPTION, LoadoutJudge, Loadouts, LoadoutVerdict
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.levers import MAX_CHANGE, split
from buildsearch.balancing.loadouts import balanced, loadout_table
from buildsearch.document.blocks import Document
from buildsearch.document.data import write_csv
from buildsearch.evaluate.statistics import Z95
from buildsearch.files.atomic import check_writable
from buildsearch.library.balance_search import MAX_PROPOSALS
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.runs import reopen_as
from buildsearch.library.search import NO_BUILD, content_hash, make_wanted, run_folder
from buildsearch.library.watch import Scoring, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.levers import COSTS, PAIRS, RAISES, Movable
from buildsearch.model.loadouts import LoadoutScorer, PicksLoadouts, Use
from buildsearch.options.balance import BalanceOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import remember_run
from buildsearch.report.loadout_files import JOINED, read_loadouts, usage_rows, write_loadouts
from buildsearch.report.run_record import RUN, LoadoutRecord, RulesRecord
from buildsearch.search.executor import executor_of
from buildsearch.search.loadouts.race import LoadoutEffort, Raced, race_loadouts
from buildsearch.search.loadouts.search import OPTIMAL, LoadoutSearch, Ranked, distinct, explore
from buildsearch.views.loadouts import balanced_loadouts, judged_loadouts

EXACT = "exact"


@dataclass(frozen=True, slots=True)
class LoadoutSize:
    """How much there is to search: memory is what it may take at most."""

    builds: int
    members: int
    loadouts: int
    bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class FoundLoadouts:
    """The ranked loadouts, as rows of loadouts.csv, where they were written, and what run.json says."""

    rows: list[dict[str, Any]]
    folder: Path
    record: LoadoutRecord


def picks_loadouts(setup: FightSetup, request: SearchOptions) -> PicksLoadouts | None:
    """The system, where its characters take several builds and no other search was asked for."""
    system = setup.loaded.system
    if request.search == "optuna" or request.from_run is not None or not isinstance(system, PicksLoadouts):
        return None
    return system if system.loadout_size(setup.space) > 1 else None


def loadout_size(setup: FightSetup, system: PicksLoadouts, request: SearchOptions) -> LoadoutSize:
    """How big the search is; raises UsageError where there is no build."""
    builds = sum(setup.space.count(make_wanted(setup, request)).values())
    if builds == 0:
        raise UsageError(NO_BUILD)
    members = system.loadout_size(setup.space)
    return LoadoutSize(
        builds, members, comb(builds + members - 1, members), system.loadout_bytes(builds, len(setup.fights))
    )


def search_loadouts(
    setup: FightSetup,
    system: PicksLoadouts,
    request: SearchOptions,
    how: Scoring,
    *,
    out: str | None = None,
    remember: bool = True,
) -> FoundLoadouts | None:
    """Search and write; None where these builds make no loadouts, and nothing was done.

    `latest` names the run unless nobody shall `remember` it.
    """
    begun = time.perf_counter()
    if request.objectives:
        raise UsageError("‹objectives›: loadouts are ranked by the mean of the primary metric only.")
    recorded = request.changed(stop_after=None)
    folder = run_folder(setup, recorded, out, "loadouts")
    check_writable(folder / RUN)
    scorer = system.loadouts(
        setup.loaded.model,
        setup.space,
        setup.fights,
        make_wanted(setup, request),
        request.candidates,
        seed=request.seed,
        jobs=executor_of(how.jobs).threads,
    )
    if scorer is None:
        return None
    search, raced = _search(setup, scorer, request, begun, how.watch)
    ranked = search.ranked(max(request.top, 1) * (50 if request.distinct else 1))
    if request.distinct:
        ranked = distinct(ranked, lambda each: _features(setup, scorer, each), request.distinct, request.top)
    floor = search.floor_of_all if search.is_beaten else search.floor
    if ranked and ranked[0].status == OPTIMAL:
        floor = ranked[0].score
    used = scorer.uses([each.loadout for each in ranked])
    parts = _values_of_parts(scorer, ranked)
    ranks = search.rank_ranges([each.loadout for each in ranked])
    rows = [
        _row(setup, scorer, each, used[place], parts, place, floor)
        | dict(zip(("rank_low", "rank_high"), ranks[place], strict=True))
        for place, each in enumerate(ranked)
    ]
    usage = usage_rows([row["loadout"] for row in rows], list(setup.fights), used)
    record = LoadoutRecord(
        request=recorded,
        rules=RulesRecord(id=setup.loaded.model.id, hash=content_hash(setup.loaded.model)),
        parameters=dict(setup.space.parameters),
        member=system.loadout_member,
        candidates=scorer.candidates,
        left_out=dict(scorer.left_out),
        outclassed=scorer.replaced,
        without_value=scorer.without_value,
        expensive_tried=scorer.extra,
        sampled_tried=scorer.sampled,
        race={}
        if raced is None
        else {"loadouts": raced.tried, "fights": raced.fights, "open": raced.open_ranks},
        loadouts=search.total(),
        scored=search.valued,
        lower_bound=floor,
        seconds=round(time.perf_counter() - begun, 3),
    )
    write_loadouts(folder, rows, usage, record)
    if remember:
        remember_run(folder)
    return FoundLoadouts(rows, folder, record)


def _search(
    setup: FightSetup, scorer: LoadoutScorer, request: SearchOptions, begun: float, watch: Watch
) -> tuple[LoadoutSearch, Raced | None]:
    """Value loadouts of candidates, then let those fight that cannot be solved."""
    weights = np.array([fight.weight for fight in setup.fights.values()])
    with watch.bar("valuing loadouts", 0) as advance:
        left = None if request.stop_after is None else 60 * request.stop_after - (time.perf_counter() - begun)
        search = LoadoutSearch(scorer, weights.tolist(), advance, seconds=left)
        partners = explore(search, scorer, weights, request.starts, request.top)
        if scorer.sampled == 0 or search.is_late:
            return search, None
        known = [(each.loadout, each.score) for each in search.ranked(request.top)]
        effort = LoadoutEffort(request.top, request.ranking_fights, request.alpha)
        raced = race_loadouts(scorer, weights, known, partners, effort, lambda: search.is_late)
        search.take_in(raced)
    return search, raced


def _values_of_parts(
    scorer: LoadoutScorer, ranked: Sequence[Ranked]
) -> dict[tuple[int, ...], NDArray[np.float64]]:
    """By fight: the members of each loadout alone, and the loadout without each of them."""
    needed: dict[int, dict[tuple[int, ...], None]] = {}
    for each in ranked:
        for place, one in enumerate(each.loadout):
            for part in ((one,), each.loadout[:place] + each.loadout[place + 1 :]):
                needed.setdefault(len(part), {})[part] = None
    found: dict[tuple[int, ...], NDArray[np.float64]] = {}
    for parts in needed.values():
        found.update(zip(parts, scorer.values(np.array(list(parts), np.int64)), strict=True))
    return found


def _features(setup: FightSetup, scorer: LoadoutScorer, each: Ranked) -> frozenset[str]:
    """Options with how often they occur, so that taking one twice differs from taking it once."""
    found = setup.space.features(scorer.build(each.loadout))
    return frozenset(f"{feature.name} {n}" for feature in found for n in range(feature.level))


def _row(
    setup: FightSetup,
    scorer: LoadoutScorer,
    each: Ranked,
    used: Sequence[Sequence[Use]],
    parts: Mapping[tuple[int, ...], NDArray[np.float64]],
    place: int,
    floor: float,
) -> dict[str, Any]:
    """A loadout with what its parts do: synergy, contributions, shares of turns."""
    names, metric = list(setup.fights), setup.loaded.system.metrics[0].name
    values = np.array(each.values)
    synergy = np.array([parts[one,] for one in each.loadout]).min(axis=0) - values
    row: dict[str, Any] = {
        "rank": place + 1,
        "score": each.score,
        "status": each.status,
        "gap": max(each.score - floor, 0.0),
        "loadout": setup.space.name(scorer.build(each.loadout)),
        **_how(scorer, each, names),
    }
    for i, name in enumerate(names):
        row[f"{name}_{metric}"] = each.values[i]
        row[f"synergy_{name}"] = float(synergy[i])
    for one in range(len(each.loadout)):
        lost = parts[each.loadout[:one] + each.loadout[one + 1 :]] - values
        for i, name in enumerate(names):
            row[f"contribution_{one + 1}_{name}"] = float(lost[i])
    for name, its in zip(names, used, strict=True):
        for one in range(len(each.loadout)):
            row[f"use_{one + 1}_{name}"] = sum(use.share for use in its if use.part == one)
        row[f"turns_{name}"] = ", ".join(f"{use.action} {use.share:.1%}" for use in its)
    return row


def _how(scorer: LoadoutScorer, each: Ranked, names: Sequence[str]) -> dict[str, Any]:
    """How the score and each value were found, with their 95 % intervals; equal ends where they are exact."""
    exact = each.exact or (True,) * len(names)
    methods = [EXACT if known else scorer.sampled_method for known in exact]
    low, high = (each.estimate.low, each.estimate.high) if each.estimate else (each.score, each.score)
    found: dict[str, Any] = {
        "method": methods[0] if len(set(methods)) == 1 else "mixed",
        "score_low": low,
        "score_high": high,
    }
    for i, name in enumerate(names):
        ends = (each.estimates[i].low, each.estimates[i].high) if each.estimates else (each.values[i],) * 2
        found |= {f"{name}_method": methods[i], f"{name}_low": ends[0], f"{name}_high": ends[1]}
        found[f"{name}_fights"] = "" if exact[i] else each.fights
    return found


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
        is_complete=all(line.get("status") == OPTIMAL for line in lines) and not record.left_out,
    )


def loadout_page(
    folder: Path, limits: Thresholds, rows: int = 15, *, ignore_checksums: bool = False
) -> Document:
    """The judgement of the loadouts of a folder; its table is written there as CSV too."""
    record, setup = reopen_as(LoadoutRecord, folder, ignore_checksums=ignore_checksums)
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
    record, setup = reopen_as(LoadoutRecord, folder, ignore_checksums=ignore_checksums)
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
    judge = LoadoutJudge(yardstick, titles, words)
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

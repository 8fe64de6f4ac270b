"""A search for loadouts: which builds together, where a character takes several."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.files.atomic import check_writable
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.search import NO_BUILD, content_hash, make_wanted, run_folder
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import LoadoutScorer, PicksLoadouts, Use
from buildsearch.options.search import SearchOptions
from buildsearch.report.latest import remember_run
from buildsearch.report.loadout_files import usage_rows, write_loadouts
from buildsearch.report.run_record import RUN, LoadoutRecord, RulesRecord
from buildsearch.search.executor import Jobs, executor_of
from buildsearch.search.loadouts.race import LoadoutEffort, Raced, race_loadouts
from buildsearch.search.loadouts.search import OPTIMAL, LoadoutSearch, Ranked, distinct, explore

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
    *,
    out: str | None = None,
    jobs: Jobs = -1,
    watch: Watch = SILENT,
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
        jobs=executor_of(jobs).threads,
    )
    if scorer is None:
        return None
    search, raced = _search(setup, scorer, request, begun, watch)
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
        _row(setup, scorer, each, used[place], parts, place, floor) | _ranks(*ranks[place])
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


def _ranks(best: int, worst: int) -> dict[str, int]:
    return {"rank_low": best, "rank_high": worst}


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

"""`buildsearch optimize` for characters that take several builds: which of them together?"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

from buildsearch import __version__
from buildsearch.cli.fight_setup import FightSetup
from buildsearch.cli.progress import progress_bar, say_scenarios
from buildsearch.cli.searching import NO_BUILD, content_hash, run_folder
from buildsearch.model.errors import UsageError
from buildsearch.model.loadouts import LoadoutScorer, PicksLoadouts, Use
from buildsearch.model.space import Wanted
from buildsearch.report.loadout_files import usage_rows, write_loadouts
from buildsearch.report.run_files import RUN, remember_run
from buildsearch.search.loadout_race import Effort, Raced, race_loadouts
from buildsearch.search.loadouts import LoadoutSearch, Ranked, distinct
from buildsearch.search.responding import explore
from buildsearch.search.scoring import workers
from buildsearch.whole_files import check_writable

_SHOWN = 20
EXACT = "exact"


@dataclass(frozen=True, slots=True)
class LoadoutWords:
    """What the command line says about loadouts."""

    words: Mapping[str, Any]
    candidates: int | None
    starts: int
    distinct: int
    top: int
    out: str | None
    fights: int
    alpha: float
    seed: int
    jobs: int
    minutes: float | None
    gigabytes: float | None
    dry_run: bool
    quiet: bool
    json_: bool
    html: bool


def optimize_loadouts(setup: FightSetup, wanted: Wanted, asked: LoadoutWords) -> bool:
    """Search and write; False where characters take one build, and nothing was done."""
    system = setup.loaded.system
    if not isinstance(system, PicksLoadouts):
        return False
    begun = time.perf_counter()
    if system.loadout_size(setup.space) == 1:
        return False
    if _say_size(setup, system, wanted, asked):
        return True
    if asked.words.get("objective"):
        raise UsageError("--objective: loadouts are ranked by the mean of the primary metric only.")
    how = {"candidates": asked.candidates, "starts": asked.starts, "distinct": asked.distinct}
    folder = run_folder(setup, {**asked.words, **how}, asked.out, "loadouts")
    check_writable(folder / RUN)
    scorer = system.loadouts(
        setup.loaded.model,
        setup.space,
        setup.fights,
        wanted,
        asked.candidates,
        seed=asked.seed,
        jobs=workers(asked.jobs),
    )
    if scorer is None:
        return False
    search, raced = _search(setup, scorer, asked, begun)
    ranked = search.ranked(max(asked.top, 1) * (50 if asked.distinct else 1))
    if asked.distinct:
        ranked = distinct(ranked, lambda each: _features(setup, scorer, each), asked.distinct, asked.top)
    floor = search.floor_of_all if search.is_beaten else search.floor
    used = scorer.uses([each.loadout for each in ranked])
    parts = _values_of_parts(scorer, ranked)
    ranks = search.rank_ranges([each.loadout for each in ranked])
    rows = [
        _row(setup, scorer, each, used[place], parts, place, floor) | _ranks(*ranks[place])
        for place, each in enumerate(ranked)
    ]
    usage = usage_rows([row["loadout"] for row in rows], list(setup.fights), used)
    about = {
        "buildsearch": __version__,
        "command": dict(asked.words),
        "rules": {"id": setup.loaded.model.id, "hash": content_hash(setup.loaded.model)},
        "parameters": dict(setup.space.parameters),
        "member": system.loadout_member,
        "candidates": scorer.candidates,
        "left_out": dict(scorer.left_out),
        "replaced": scorer.replaced,
        "without_value": scorer.without_value,
        "slow_tried": scorer.extra,
        "sampled_tried": scorer.sampled,
        "race": {}
        if raced is None
        else {"loadouts": raced.tried, "fights": raced.fights, "open": raced.open_ranks},
        "loadouts": search.total(),
        "valued": search.valued,
        "floor": floor,
        "seconds": round(time.perf_counter() - begun, 3),
    }
    write_loadouts(folder, rows, usage, about)
    remember_run(folder)
    if asked.json_:
        typer.echo(json.dumps({**about, "folder": str(folder), "ranked": rows}))
    elif not asked.quiet:
        _print(rows, about, folder)
    if asked.html:
        from buildsearch.cli.reporting import write_loadout_report  # slow to import

        written = write_loadout_report(folder)
        if not (asked.quiet or asked.json_):
            typer.echo(f"Report: {written}")
    return True


def _search(
    setup: FightSetup, scorer: LoadoutScorer, asked: LoadoutWords, begun: float
) -> tuple[LoadoutSearch, Raced | None]:
    """Value loadouts of candidates, then let those fight that cannot be solved."""
    weights = np.array([fight.weight for fight in setup.fights.values()])
    with progress_bar("valuing loadouts", 0, quiet=asked.quiet or asked.json_) as advance:
        seconds = None if asked.minutes is None else 60 * asked.minutes - (time.perf_counter() - begun)
        search = LoadoutSearch(scorer, weights.tolist(), advance, seconds=seconds)
        partners = explore(search, scorer, weights, asked.starts, asked.top)
        if scorer.sampled == 0 or search.is_late:
            return search, None
        known = [(each.loadout, each.score) for each in search.ranked(asked.top)]
        effort = Effort(asked.top, asked.fights, asked.alpha)
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


def _say_size(setup: FightSetup, system: PicksLoadouts, wanted: Wanted, asked: LoadoutWords) -> bool:
    """Print how big the search is if asked; whether that was all. Raises UsageError for too much memory."""
    builds = sum(setup.space.count(wanted).values())
    size = system.loadout_size(setup.space)
    if builds == 0:
        raise UsageError(NO_BUILD)
    needed = system.loadout_bytes(builds, len(setup.fights)) / (1 << 30)
    if asked.dry_run:
        loadouts = comb(builds + size - 1, size)
        if asked.json_:
            about = {"builds": builds, "loadouts": loadouts, "bytes": int(needed * (1 << 30))}
            typer.echo(json.dumps(about))
        else:
            typer.echo(
                f"{loadouts:,} loadouts of {size} out of {builds:,} builds "
                f"in {say_scenarios(len(setup.fights))}. About {needed:.1f} GB at most. "
                "The search ends by itself, or after --time."
            )
    if asked.gigabytes is not None and needed > asked.gigabytes:
        raise UsageError(
            f"this needs about {needed:.1f} GB, above --max-memory {asked.gigabytes:g}. Lower --budget, "
            "filter with --type, --with or --without, or take fewer --scenario."
        )
    return asked.dry_run


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
    names = list(setup.fights)
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
        row[name] = each.values[i]
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
    return {"rank_best": best, "rank_worst": worst}


def _how(scorer: LoadoutScorer, each: Ranked, names: Sequence[str]) -> dict[str, Any]:
    """How the score and each value were found, with their 95 % intervals; equal ends where they are exact."""
    exact = each.exact or (True,) * len(names)
    methods = [EXACT if known else scorer.sampled_method for known in exact]
    low, high = (each.estimate.low, each.estimate.high) if each.estimate else (each.score, each.score)
    found: dict[str, Any] = {
        "method": "+".join(sorted(set(methods))),
        "score_low": low,
        "score_high": high,
    }
    for i, name in enumerate(names):
        ends = (each.estimates[i].low, each.estimates[i].high) if each.estimates else (each.values[i],) * 2
        found |= {f"{name}_method": methods[i], f"{name}_low": ends[0], f"{name}_high": ends[1]}
        found[f"{name}_fights"] = "" if exact[i] else each.fights
    return found


def _print(rows: list[dict[str, Any]], about: Mapping[str, Any], folder: Path) -> None:
    typer.echo(
        f"{about['valued']:,} of {about['loadouts']:,} loadouts of {about['candidates']:,} candidates "
        f"valued; no loadout of them is below {about['floor']:.3f}."
    )
    if about["replaced"]:
        typer.echo(
            f"{about['replaced']:,} candidates are dominated: proved to be of no use beside tame ones."
        )
    for reason, number in about["left_out"].items():
        typer.echo(f"left out: {number:,} builds: {reason.removeprefix('= ')}")
    for row in rows[:_SHOWN]:
        half = (row["score_high"] - row["score_low"]) / 2
        said = f"{row['score']:.3f}" + (f" ± {half:.3f}" if half else "")
        ranks = f", rank {row['rank_best']} to {row['rank_worst']}" if half else ""
        typer.echo(f"{row['rank']:>4}  {said}  {row['status']}, gap {row['gap']:.3f}, {row['method']}{ranks}")
        typer.echo(f"      {row['loadout']}")
    if any(row["score_high"] > row["score_low"] for row in rows[:_SHOWN]):
        typer.echo("± is a 95 % interval of fights with a look ahead; scores without it are exact.")
    if about["slow_tried"]:
        typer.echo(
            f"{about['slow_tried']:,} slow attacks were tried beside the best; nothing is proved of those."
        )
    if about["race"]:
        race = about["race"]
        typer.echo(
            f"{about['sampled_tried']:,} builds that must fight were tried beside the best and one another: "
            f"{race['loadouts']:,} loadouts, {race['fights']:,} fights; {race['open']:,} ranks are open."
        )
    if about["without_value"]:
        typer.echo(f"Not valued, and nothing is proved of them: loadouts with {about['without_value']}.")
    typer.echo("What is proved is proved among the candidates.")
    typer.echo(f"Written to {folder}: loadouts.csv, usage.csv, run.json")

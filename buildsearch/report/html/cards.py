"""What opens when a build is chosen: what its parts do, when they trigger, how its fights end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from buildsearch.analysis.explanation import row_of
from buildsearch.document.numbers import short, shorts
from buildsearch.model.evaluation import Evaluation, Sampling
from buildsearch.report.html.source import Extent, ReportSource

_MOST_BARS = 48
_MOST_LINES = 160
# The fight that is shown is the median of so many.
_FIGHTS_TO_PICK_FROM = 9


def contributions(source: ReportSource, row: int) -> list[list[Any]]:
    """[part, how much worse the score is without one of it, what replaces it], the weightiest first.

    Where a part cannot be dropped, the best legal build with less of it stands in for the build without it.
    """
    population = source.analysis.population
    found: dict[int, tuple[float, bool]] = {}
    for place, part in enumerate(population.items[row]):
        other = int(population.down[row, place]) if part >= 0 else -1
        if other >= 0:
            found[int(part)] = (float(population.loss[other] - population.loss[row]), False)
    if not population.has_drops:
        found = _by_swaps(source, row)
    ordered = sorted(found.items(), key=lambda item: -item[1][0])
    return [[part, short(loss), swapped] for part, (loss, swapped) in ordered]


def _by_swaps(source: ReportSource, row: int) -> dict[int, tuple[float, bool]]:
    population, space = source.analysis.population, source.space
    (build,) = space.builds(population.chunk(row))
    mine = population.levels[:, row].astype(np.int64)
    found: dict[int, tuple[float, bool]] = {}
    for other in space.neighbours(build):
        at = row_of(population, space, other)
        if at is None:
            continue
        loss = float(population.loss[at] - population.loss[row])
        for part in np.flatnonzero(population.levels[:, at] < mine):
            known = found.get(int(part))
            if known is None or loss < known[0]:
                found[int(part)] = (loss, True)
    return found


def card(source: ReportSource, row: int, extent: Extent) -> dict[str, Any]:
    """Distribution and trigger rates in every fight, and one fight in full."""
    (build,) = source.space.builds(source.analysis.population.chunk(row))
    return {
        "fights": [_fight(source, build, fight, extent) for fight in source.fights.values()],
        "replay": _replay(source, build),
    }


def _fight(source: ReportSource, build: Any, fight: Any, extent: Extent) -> dict[str, Any]:
    data: dict[str, Any] = {"triggers": _triggers(source, build, fight, extent)}
    evaluator = next((each for each in source.evaluators if each.why_not(build, fight) is None), None)
    if evaluator is not None:
        found = evaluator.evaluate(build, fight, Sampling(extent.sampled_fights, source.record.seed))
        data |= {
            "method": found.method,
            "fights": found.fights,
            "bars": bars(found),
            "quantiles": {name: short(value) for name, value in found.quantiles.items()},
            "metrics": {name: short(estimate.value) for name, estimate in found.estimates.items()},
        }
    return data


def bars(found: Evaluation) -> dict[str, Any]:
    """A distribution as some bars of equal width: where the first begins, how wide each is, the shares."""
    shares = found.distribution / found.distribution.sum()
    # An exact distribution has no end: what one fight in ten thousand shows is no part of a picture.
    seen = np.flatnonzero(shares > 1e-4)
    first, last = int(seen[0]), int(seen[-1])
    width = math.ceil((last - first + 1) / _MOST_BARS)
    padded = np.zeros(math.ceil((last - first + 1) / width) * width)
    padded[: last - first + 1] = shares[first : last + 1]
    return {
        "from": short(first * found.step),
        "width": short(width * found.step),
        "step": short(found.step),
        "shares": shorts(padded.reshape(-1, width).sum(axis=1)),
    }


def _triggers(source: ReportSource, build: Any, fight: Any, extent: Extent) -> list[list[Any]]:
    fights = source.trigger_fights(extent)
    if source.replayer is None or fights == 0:
        return []
    rates = source.replayer.triggers(build, fight, fights, source.record.seed)
    return [
        [source.titles.get(name, name), short(rate.usable), short(rate.fired)] for name, rate in rates.items()
    ]


def _replay(source: ReportSource, build: Any) -> dict[str, Any] | None:
    replayer = source.replayer
    if replayer is None:
        return None
    name, fight = next(iter(source.fights.items()))
    seeds = sorted(range(_FIGHTS_TO_PICK_FROM), key=lambda seed: (replayer.value(build, fight, seed), seed))
    replay = replayer.replay(build, fight, seeds[len(seeds) // 2])
    return {
        "fight": name,
        "seed": replay.seed,
        "value": short(replay.value),
        "lines": list(replay.lines[:_MOST_LINES]),
        "hidden": max(0, len(replay.lines) - _MOST_LINES),
    }

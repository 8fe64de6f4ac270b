"""How big a search will be, from a pilot of some builds."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.model.bulk import BulkScorer
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.compiling_ahead import compiling_ahead, solve_some_alone
from buildsearch.search.scoring import workers

_PILOT = 2_000
_PILOT_SAMPLED = 64
_PILOT_A_GROUP = 16
_PILOT_RACE = 4_096
# Where a build takes long, fewer of them tell as much: all fights together are tried for about so long.
_PILOT_SECONDS = 20.0
# Beyond the arrays: the interpreter, compiled code, and tables that engines hold for a moment.
_BASE_BYTES = 600 << 20


@dataclass(frozen=True, slots=True)
class SearchEstimate:
    """Guesses before the work: `seconds` and `bytes` are on the safe side, what is cached costs less."""

    builds: int
    exact_share: float
    seconds: float
    bytes: int


def estimate(
    space: BuildSpace,
    wanted: Wanted,
    counts: Mapping[str, int],
    fights: Mapping[str, Any],
    scorer: BulkScorer,
    *,
    words: int,
    floor: int,
    race_fights: int,
    jobs: int,
    everywhere: bool,
) -> SearchEstimate:
    """Score some builds and scale up."""
    builds = sum(counts.values())
    hands = workers(jobs)
    # A small space is its own pilot: then the share is not a guess.
    pilot = list(space.chunks(wanted, _PILOT)) if builds <= _PILOT else _pilot(space, wanted, _PILOT)
    _compile(scorer, pilot, list(fights.values()), jobs, builds)
    solve_seconds, solved, fight_seconds = 0.0, 0, 0.0
    raced, raced_seconds = 0, 0.0
    drawn = 0
    for fight in fights.values():
        timed, seconds, open_builds, raced_here = 0, 0.0, 0, 0
        begun_fight, is_sample = time.perf_counter(), builds > _PILOT
        for chunk in pilot:
            if is_sample and time.perf_counter() - begun_fight > _PILOT_SECONDS / len(fights):
                break
            drawn += len(chunk)
            scorer.solve(Chunk(chunk.group, chunk.codes[:1]), fight)  # compiles, if need be
            begun = time.perf_counter()
            means = scorer.solve(chunk, fight)
            solve_seconds += time.perf_counter() - begun
            solved += int((~np.isnan(means)).sum())
            open_ = chunk.codes if everywhere else chunk.codes[np.isnan(means)]
            open_builds += len(open_)
            some = Chunk(chunk.group, open_[: max(0, min(_PILOT_A_GROUP, _PILOT_SAMPLED - timed))])
            seconds += _sampling_time(scorer, some, fight, floor)
            timed += len(some)
            if timed > 0 and raced_here == 0:
                # A race plays few builds for long: what a call costs besides fights must not count.
                raced_here = _PILOT_RACE
                raced_seconds += _sampling_time(scorer, Chunk(some.group, some.codes[:1]), fight, raced_here)
        raced += raced_here
        fight_seconds += seconds * open_builds / max(1, timed)
    each = (solve_seconds + fight_seconds) / max(1, drawn)
    race_seconds = race_fights * raced_seconds / max(1, raced)
    sampled = 1.0 if everywhere else 1 - solved / max(1, drawn)
    columns = len(scorer.outcomes) + 2
    size = builds * (8 * words + 8 * 6 * len(fights) + 8 * sampled * columns * len(fights) * 2)
    return SearchEstimate(
        builds=builds,
        exact_share=solved / max(1, drawn),
        seconds=(each * builds * len(fights) + race_seconds) / hands,
        bytes=int(size) + _BASE_BYTES,
    )


def _compile(
    scorer: BulkScorer, pilot: Sequence[Chunk], fights: Sequence[Any], jobs: int, builds: int
) -> None:
    """What a large run compiles, if nobody has: in two processes at once, and not while a pilot is timed."""
    with compiling_ahead(scorer, pilot, fights, jobs, builds) as ahead:
        ahead.begin()
        if ahead.is_compiling:
            # What the other process comes to last; and batches need time until what they need is there.
            solve_some_alone(scorer, pilot, fights)
            for fight in fights:
                for chunk in pilot:
                    scorer.solve(chunk, fight)
        ahead.wait()


def _pilot(space: BuildSpace, wanted: Wanted, size: int) -> Sequence[Chunk]:
    drawn = [space.encode(build) for build in space.sample(wanted, size, np.random.default_rng(0))]
    groups = dict.fromkeys(chunk.group for chunk in drawn)
    return [
        Chunk(group, np.concatenate([chunk.codes for chunk in drawn if chunk.group == group]))
        for group in groups
    ]


def _sampling_time(scorer: BulkScorer, chunk: Chunk, fight: Any, floor: int) -> float:
    """The time that a floor of fights takes for a chunk."""
    if len(chunk) == 0:
        return 0.0
    scorer.sample(Chunk(chunk.group, chunk.codes[:1]), fight, 0, 1)  # compiles, if need be
    begun = time.perf_counter()
    scorer.sample(chunk, fight, 0, floor)
    return time.perf_counter() - begun

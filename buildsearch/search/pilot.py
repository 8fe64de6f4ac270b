"""What a pilot of some builds says about the work of a search: a rate for each class of it.

Rates are processor time, which a busy machine does not blur; how much longer the pilot took than that is how
much longer the run will take. What was timed while something compiled is timed again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np

from buildsearch.engines.jit import compile_events
from buildsearch.model.arrays import Bools
from buildsearch.model.evaluation import Evaluator, Sampling
from buildsearch.model.scorer import BulkScorer, alone_costs, quickly_solved
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.cached import CachedScorer
from buildsearch.search.precompilation import compiling_ahead, sample_some
from buildsearch.search.race import RaceRules, next_step
from buildsearch.search.scoring import BUILDS_A_PIECE

# Builds that are drawn. Some warm up; two quarters of them are timed, then all of them.
_WARM, _PILOT, _QUARTERS, _TIMED_QUARTERS = 100, 1_600, 4, (1, 2)
# Fights of the set that are looked at, and of each so many open builds that are sampled.
_FIGHTS = 4
# In sets of no more than so many, each fight is timed: parties take ten times as long as duels.
_ALL_FIGHTS, _PROBED = 8, 8
# Of a set with so many fights two stand for all: each costs seconds.
_MANY_FIGHTS, _OF_MANY = 32, 2
_SAMPLED = 240
# A quarter that takes longer than so many seconds is the only one.
_LONG_PILOT = 4.0
# Differences of two times are noisy: at least this share of the longer one is counted.
_LEAST = 0.2
_RACED, _RACE_FIGHTS = 4, (512, 4_096)
# Builds that are solved alone; that are described, fewer where it takes longer than so many seconds.
_TRIED_ALONE, _DESCRIBED, _LEAST_DESCRIBED, _LONG = 6, 16, 5, 1.0
# The time of batches grows like a power of their builds, between these; a space may be 300 pilots.
_LEAST_POWER, _MOST_POWER = 0.6, 1.0

_Found = TypeVar("_Found")


@dataclass(slots=True)
class Rates:
    """What the pilot found; seconds are of one thread."""

    solve: float = 0.0  # for all builds in all fights
    exact_share: float = 0.0
    kept_share: float = 0.0  # of (build, fight) whose solution is in the cache
    open_share: float = 0.0  # of (build, fight) that must be sampled
    known_share: float = 0.0  # of these, whose floor is in the cache
    raced: int = 0  # (build, fight) that a race before has left something of in the cache
    floor: float = 0.0  # for a (build, fight) that is sampled
    fight: float = 0.0
    alone: float = 0.0  # for a (build, fight) that is solved quickly
    quick_share: float = 0.0  # of those
    slow_cost: float = 0.0  # how many usual ones one of all counts for, if only the others cost anything
    alone_share: float = 0.0  # of those that engines which take one at a time can solve
    detail: float = 0.0
    slower: float = 1.0  # how many times as long as its processor time the pilot took
    compiling: float = 0.0  # how long it took, by the clock, until everything was compiled
    timing: float = 0.0  # and until all was timed


@dataclass(slots=True)
class _Stopwatch:
    """Processor time, and how much longer it took by the clock on the wall."""

    used: float = 0.0
    passed: float = 0.0

    def time(self, work: Callable[[], _Found]) -> tuple[_Found, float]:
        """What was found, and seconds; of the second try where something was compiled in the first."""
        found, took = self.time_once(work)
        if took is None:
            found, took = self.time_once(work)
        return found, took or 0.0

    def time_once(self, work: Callable[[], _Found]) -> tuple[_Found, float | None]:
        """The same for what engines remember; None where something was compiled."""
        with compile_events() as seen:
            begun, used = time.perf_counter(), time.thread_time()
            found = work()
            passed, used = time.perf_counter() - begun, time.thread_time() - used
        if seen:
            return found, None
        self.used += used
        self.passed += passed
        return found, used

    @property
    def slower(self) -> float:
        """How many times as long."""
        return max(self.passed / max(self.used, 1e-9), 1.0)


def measure(
    space: BuildSpace,
    wanted: Wanted,
    builds: int,
    fights: Mapping[str, Any],
    scorer: CachedScorer,
    evaluators: Sequence[Evaluator],
    *,
    rules: RaceRules,
    jobs: int,
    everywhere: bool,
) -> Rates:
    """Score some builds of a space of so many, and time it."""
    looked_at = _some(list(fights.values()), _FIGHTS if len(fights) <= _MANY_FIGHTS else _OF_MANY)
    # A small space is its own pilot: then the share is not a guess.
    pilot = list(space.chunks(wanted, _PILOT)) if builds <= _PILOT else _drawn(space, wanted, _PILOT)
    rates, watch = Rates(), _Stopwatch()
    begun = time.perf_counter()
    _warm_up(scorer.scorer, _start(pilot, _WARM), looked_at, jobs, builds, everywhere=everywhere)
    rates.compiling = time.perf_counter() - begun
    left = _time_batches(rates, watch, scorer, pilot, looked_at, (builds, len(fights)), everywhere=everywhere)
    open_ = [(fight, chunks) for fight, chunks in zip(looked_at, left, strict=True) if chunks]
    if len(looked_at) < len(fights) <= _ALL_FIGHTS:
        others = [fight for fight in fights.values() if not any(fight is each for each in looked_at)]
        open_ += _probe(rates, scorer, pilot, others, len(fights), everywhere=everywhere)
    can_solve = partial(_can_solve, space, [each for each in evaluators if each.method == "exact"])
    _time_fights(rates, watch, scorer, open_, rules, can_solve, everywhere=everywhere)
    rates.detail = _time_details(space, watch, scorer.scorer, evaluators, pilot, looked_at)
    rates.slower = watch.slower
    rates.timing = time.perf_counter() - begun - rates.compiling
    return rates


def _time_batches(
    rates: Rates,
    watch: _Stopwatch,
    scorer: CachedScorer,
    pilot: Sequence[Chunk],
    fights: Sequence[Any],
    sizes: tuple[int, int],
    *,
    everywhere: bool,
) -> list[list[Chunk]]:
    """A quarter of the builds, then all of them, say how the time of batches grows: many have more in common.

    `sizes`: builds and fights in all. Gives by fight the builds that must be sampled.
    """
    builds, all_fights = sizes
    times: list[float] = []
    small = sum(map(len, pilot))
    for number in _TIMED_QUARTERS if builds > _PILOT // _QUARTERS else ():
        few = [Chunk(chunk.group, chunk.codes[number::_QUARTERS]) for chunk in pilot if len(chunk) > number]
        left, took = watch.time(partial(_unsolved, scorer.scorer, few, fights))
        times.append(took)
        small = sum(map(len, few))
        if took > _LONG_PILOT:
            # Where a build takes long, nobody wants to wait for four times as many.
            pilot, times = few, [took]
        if took > _LONG_PILOT or builds <= _PILOT:
            break
    if not times or times[-1] <= _LONG_PILOT:
        left, whole = watch.time(partial(_unsolved, scorer.scorer, pilot, fights))
    else:
        whole = times[-1]
    drawn = sum(map(len, pilot))
    pairs = max(1, drawn * len(fights))
    rates.exact_share = 1 - sum(int(each.sum()) for of_fight in left for each in of_fight) / pairs
    rates.open_share = 1.0 if everywhere else 1 - rates.exact_share
    kept = sum(int(scorer.knows(chunk, fight).sum()) for chunk in pilot for fight in fights)
    rates.kept_share = kept / pairs
    usual = sum(times) / len(times) if times else whole
    rates.solve = grown((usual, whole), (small, drawn), builds) * all_fights / max(1, len(fights))
    return [
        [
            Chunk(chunk.group, chunk.codes if everywhere else chunk.codes[each])
            for chunk, each in zip(pilot, of_fight, strict=True)
            if everywhere or each.any()
        ]
        for of_fight in left
    ]


def _unsolved(scorer: BulkScorer, pilot: Sequence[Chunk], fights: Sequence[Any]) -> list[list[Bools]]:
    """By fight and chunk who must be sampled."""
    solvers = [scorer.solver(chunk, fights) for chunk in pilot]
    return [[np.isnan(solver(number)) for solver in solvers] for number in range(len(fights))]


def _probe(
    rates: Rates,
    scorer: CachedScorer,
    pilot: Sequence[Chunk],
    others: Sequence[Any],
    fights: int,
    *,
    everywhere: bool,
) -> list[tuple[Any, list[Chunk]]]:
    """Fights that no pilot looked at: a few builds say whether they must be sampled."""
    found: list[tuple[Any, list[Chunk]]] = []
    each_group = -(-_PROBED // max(1, len(pilot)))
    some = [Chunk(chunk.group, chunk.codes[:each_group]) for chunk in pilot if len(chunk)]
    exact, drawn = 0, max(1, sum(map(len, some)))
    for fight in others:
        left = [np.isnan(scorer.scorer.solve(chunk, fight)) for chunk in some]
        exact += sum(int((~each).sum()) for each in left)
        open_ = [
            Chunk(chunk.group, chunk.codes if everywhere else chunk.codes[each])
            for chunk, each in zip(some, left, strict=True)
            if everywhere or each.any()
        ]
        found += [(fight, open_)] if open_ else []
    looked_at = fights - len(others)
    rates.exact_share = (rates.exact_share * looked_at + exact / drawn) / fights
    opened = sum(len(chunk) for _, chunks in found for chunk in chunks) / drawn
    rates.open_share = (rates.open_share * looked_at + opened) / fights
    return found


def grown(times: Sequence[float], sizes: Sequence[int], size: int) -> float:
    """The time for so much work from that of two smaller amounts: a power of it, at most in proportion."""
    last = max(times[1], 1e-9)
    if sizes[1] <= sizes[0] or size <= sizes[1]:
        return last * size / max(1, sizes[1])
    power = math.log(last / max(times[0], 1e-9)) / math.log(sizes[1] / sizes[0])
    return float(last * (size / sizes[1]) ** min(_MOST_POWER, max(_LEAST_POWER, power)))


def _time_fights(
    rates: Rates,
    watch: _Stopwatch,
    scorer: CachedScorer,
    open_: Sequence[tuple[Any, list[Chunk]]],
    rules: RaceRules,
    can_solve: Callable[[Chunk, Any], int],
    *,
    everywhere: bool,
) -> None:
    """What a floor of fights takes for a build of a large piece, what a fight takes, and a build alone."""
    bulk = scorer.scorer
    known, asked, tried, asked_alone, quick_ones, solvable = 0, 0, 0, 0, 0, 0
    for fight, chunks in open_:
        known += sum(int(scorer.knows(each, fight, rules.seed, rules.floor).sum()) for each in chunks)
        asked += sum(map(len, chunks))
        rates.raced += sum(
            scorer.raced(each.group, fight, rules.seed, next_step(rules.floor)) for each in chunks
        )
        # A race plays few builds for long: what a call costs besides fights must not count.
        few = _start(chunks, _RACED)
        short, long = (_sampling_time(watch, bulk, few, fight, fights) for fights in _RACE_FIGHTS)
        more = sum(map(len, few)) * (_RACE_FIGHTS[1] - _RACE_FIGHTS[0])
        one_fight = max(long - short, _LEAST * long) / more
        rates.fight += one_fight
        # A floor plays many for a short while. What a piece costs besides fights grows like a square root of
        # its builds, as many have much in common.
        some = _start(chunks, _SAMPLED)
        size, fought = sum(map(len, some)), rules.floor * one_fight
        beside = max(_sampling_time(watch, bulk, some, fight, rules.floor) / size - fought, 0.0)
        rates.floor += fought + beside * math.sqrt(min(1.0, size / BUILDS_A_PIECE))
        for part in [] if everywhere else _start(chunks, _TRIED_ALONE):
            asked_alone += len(part)
            quick = quickly_solved(bulk, part, fight)
            quick_ones += len(quick)
            costs = alone_costs(bulk, part, fight).sum() - alone_costs(bulk, quick, fight).sum()
            rates.slow_cost += float(costs)
            found, took = watch.time_once(partial(bulk.solve_alone, quick, fight))
            if took is not None:
                rates.alone += took
                tried += len(quick)
            # Slow ones are not solved to see whether they can be.
            solvable += int((~np.isnan(found)).sum()) + can_solve(part, fight) - can_solve(quick, fight)
    rates.floor /= max(1, len(open_))
    rates.fight /= max(1, len(open_))
    rates.alone /= max(1, tried)
    rates.quick_share = quick_ones / max(1, asked_alone)
    rates.slow_cost /= max(1, asked_alone)
    rates.alone_share = solvable / max(1, asked_alone)
    rates.known_share = known / max(1, asked)


def _can_solve(space: BuildSpace, exact: Sequence[Evaluator], chunk: Chunk, fight: Any) -> int:
    """How many of these builds some exact engine takes."""
    builds = space.builds(chunk) if len(chunk) else ()
    return sum(any(each.why_not(build, fight) is None for each in exact) for build in builds)


def _time_details(
    space: BuildSpace,
    watch: _Stopwatch,
    scorer: BulkScorer,
    evaluators: Sequence[Evaluator],
    pilot: Sequence[Chunk],
    fights: Sequence[Any],
) -> float:
    """The time that all metrics of a build take in a fight, where an engine is exact; others cost nothing.

    The median build's: a few take a hundred times as long, and are not the ones that are shown; or a race
    has solved them.
    """
    exact = [evaluator for evaluator in evaluators if evaluator.method == "exact"]

    def describe(build: Any, fight: Any) -> None:
        for evaluator in exact:
            if evaluator.why_not(build, fight) is None:
                evaluator.evaluate(build, fight, Sampling(0))
                break

    for fight in fights:
        pilot = [quickly_solved(scorer, chunk, fight) for chunk in pilot]
    builds = [build for chunk in _start(pilot, _DESCRIBED + 1) for build in space.builds(chunk)]
    times: list[float] = []
    for number, build in enumerate(builds):
        # Each in one of the fights, so that more of them are met.
        _, took = watch.time_once(partial(describe, build, fights[number % len(fights)]))
        # The first one loads what was compiled.
        if took is not None and (number > 0 or len(builds) == 1):
            times.append(took)
        if sum(times) > _LONG and len(times) >= _LEAST_DESCRIBED:
            break
    return float(np.median(times)) if times else 0.0


def _warm_up(
    scorer: BulkScorer,
    pilot: Sequence[Chunk],
    fights: Sequence[Any],
    jobs: int,
    builds: int,
    *,
    everywhere: bool,
) -> None:
    """Everything that is timed later has run once: whatever must be compiled is compiled now.

    Only what is left open is sampled and solved alone, unless fights are asked for `everywhere`.
    """
    _compile(scorer, pilot, fights, jobs, builds, everywhere=everywhere)
    for fight in _some(fights, _FIGHTS):
        for chunk in pilot:
            means = scorer.solve(chunk, fight)
            some = chunk.codes if everywhere else chunk.codes[np.isnan(means)]
            if len(some) == 0:
                continue
            few = Chunk(chunk.group, some[:2])
            scorer.sample(few, fight, 0, 1)
            scorer.solve_alone(quickly_solved(scorer, Chunk(chunk.group, some[:1]), fight), fight)


def _compile(
    scorer: BulkScorer,
    pilot: Sequence[Chunk],
    fights: Sequence[Any],
    jobs: int,
    builds: int,
    *,
    everywhere: bool,
) -> None:
    """What a large run compiles, if nobody has: in two processes at once, and not while a pilot is timed."""
    with compiling_ahead(scorer, pilot, fights, jobs, builds, everywhere=everywhere) as ahead:
        ahead.begin()
        if ahead.is_compiling:
            for fight in fights:
                for chunk in pilot:
                    scorer.solve(chunk, fight)
            # What the other process comes to last.
            for fight in fights:
                sample_some(scorer, pilot, fight, everywhere=everywhere)
        ahead.wait()


def _sampling_time(
    watch: _Stopwatch, scorer: BulkScorer, chunks: Sequence[Chunk], fight: Any, fights: int
) -> float:
    return watch.time(lambda: [scorer.sample(chunk, fight, 0, fights) for chunk in chunks])[1]


def _some(items: Sequence[Any], most: int) -> list[Any]:
    """Some of them, from the first to the last."""
    places = np.linspace(0, len(items) - 1, min(most, len(items))).round().astype(int)
    return [items[i] for i in places.tolist()]


def _start(chunks: Sequence[Chunk], size: int) -> list[Chunk]:
    """So many builds at most, of each group in proportion, one at least."""
    total = max(1, sum(map(len, chunks)))
    shares = [min(len(chunk), max(1, round(size * len(chunk) / total))) for chunk in chunks]
    return [
        Chunk(chunk.group, chunk.codes[:: max(1, len(chunk) // share)][:share])
        for chunk, share in zip(chunks, shares, strict=True)
        if len(chunk)
    ]


def _drawn(space: BuildSpace, wanted: Wanted, size: int) -> list[Chunk]:
    drawn = [space.encode(build) for build in space.sample(wanted, size, np.random.default_rng(1))]
    groups = dict.fromkeys(chunk.group for chunk in drawn)
    return [
        Chunk(group, np.concatenate([chunk.codes for chunk in drawn if chunk.group == group]))
        for group in groups
    ]

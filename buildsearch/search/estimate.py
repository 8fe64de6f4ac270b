"""How big a search will be, from a pilot of some builds.

Each class of work has a rate of its own, measured on compiled code: batches (which get cheaper by the build
the more there are), builds that are solved alone, fights, and the details of the builds that are shown. What
the cache has is not counted.

Rates are processor time, which a busy machine does not blur; how much longer the pilot took than that is how
much longer the run will take.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.model.bulk import BulkScorer, alone_costs, quickly_solved
from buildsearch.model.evaluation import Evaluator, Sampling
from buildsearch.model.space import BuildSpace, Chunk, Wanted
from buildsearch.search.cached import CachedScorer
from buildsearch.search.hands import worked_at_once
from buildsearch.search.precompilation import compiling_ahead, sample_some, solve_some_alone
from buildsearch.search.race import ALONE, RaceRules
from buildsearch.search.scoring import BUILDS_A_PIECE

# Builds that are drawn: to warm up, and twice to be timed.
_WARM, _FEW, _MANY = 100, 400, 1_600
# Fights of the set that are looked at, and of each so many open builds that are sampled.
_FIGHTS = 4
# In sets of no more than so many, each fight is timed: parties take ten times as long as duels.
_ALL_FIGHTS, _PROBED = 8, 8
# Of a set with so many fights two stand for all: each costs seconds.
_MANY_FIGHTS, _OF_MANY = 32, 2
_SAMPLED = 240
# A pilot that takes longer than so many seconds is the only one.
_LONG_PILOT = 4.0
# Differences of two times are noisy: at least this share of the longer one is counted.
_LEAST = 0.2
_RACED, _RACE_FIGHTS = 4, (512, 4_096)
# A race that few builds are in is over when each has had about so many fights in each scenario.
_FIGHTS_TO_DECIDE = 1 << 18
# Builds that are solved alone; that are described, unless it takes longer than so many seconds.
_TRIED_ALONE, _DESCRIBED, _LONG = 6, 9, 1.0
# Seconds for a usual build that is solved alone; slow ones are not tried by a pilot, but count for many.
# Fights rule most of these out, and the others win in few turns: all cost no more than so many usual ones.
_USUAL_ALONE, _MOST_SLOW = 0.03, 1_500
# Seconds for each build and fight to be read from the cache, ordered and written.
_WRITTEN = 1.5e-6
# Beyond the arrays: the interpreter and compiled code; what engines hold that solve slow builds alone.
_BASE_BYTES, _SLOW_BYTES = 500 << 20, 700 << 20


@dataclass(frozen=True, slots=True)
class SearchEstimate:
    """Guesses before the work, in seconds by stage; what is cached already is left out."""

    builds: int
    exact_share: float
    stages: Mapping[str, float]
    bytes: int

    @property
    def seconds(self) -> float:
        """All stages together."""
        return sum(self.stages.values())


@dataclass(slots=True)
class _Rates:
    """What the pilot found; seconds are of one thread."""

    solve: float = 0.0  # for all builds in all fights
    exact_share: float = 0.0
    kept_share: float = 0.0  # of (build, fight) whose solution is in the cache
    open_share: float = 0.0  # of (build, fight) that must be sampled
    known_share: float = 0.0  # of these, whose floor is in the cache
    floor: float = 0.0  # for a (build, fight) that is sampled
    fight: float = 0.0
    alone: float = 0.0  # for a (build, fight) that is solved quickly
    quick_share: float = 0.0  # of those
    slow_cost: float = 0.0  # how many usual ones one of all counts for, if only the others cost anything
    alone_share: float = 0.0  # of those that engines which take one at a time can solve
    detail: float = 0.0


def estimate(
    space: BuildSpace,
    wanted: Wanted,
    counts: Mapping[str, int],
    fights: Mapping[str, Any],
    scorer: CachedScorer,
    evaluators: Sequence[Evaluator],
    *,
    words: int,
    rules: RaceRules,
    jobs: int,
    everywhere: bool,
) -> SearchEstimate:
    """Score some builds and scale up."""
    builds, hands = sum(counts.values()), worked_at_once(jobs)
    pairs = builds * len(fights)
    looked_at = _some(list(fights.values()), _FIGHTS if len(fights) <= _MANY_FIGHTS else _OF_MANY)
    # A small space is its own pilot: then the share is not a guess.
    few, many = (
        list(space.chunks(wanted, _MANY)) if builds <= size else _drawn(space, wanted, size, seed)
        for seed, size in enumerate((_FEW, _MANY))
    )
    _warm_up(scorer.scorer, _start(few, _WARM), looked_at, jobs, builds, everywhere=everywhere)
    rates = _Rates()
    begun, used = time.perf_counter(), time.thread_time()
    left = _time_batches(rates, scorer, few, many, looked_at, (builds, len(fights)), everywhere=everywhere)
    open_ = [(fight, chunks) for fight, chunks in zip(looked_at, left, strict=True) if chunks]
    if len(looked_at) < len(fights) <= _ALL_FIGHTS:
        others = [fight for fight in fights.values() if not any(fight is each for each in looked_at)]
        open_ += _probe(rates, scorer, few, others, len(fights), everywhere=everywhere)
    _time_fights(rates, scorer, open_, rules, everywhere=everywhere)
    rates.detail = _time_details(space, evaluators, few, looked_at)
    slower = (time.perf_counter() - begun) / max(time.thread_time() - used, 1e-9)
    fresh = 1 - rates.known_share
    open_pairs = rates.open_share * pairs
    # What engines can solve one at a time is not raced for; they are asked about as many as are shown.
    contenders = min(ALONE, open_pairs, rules.top * len(fights))
    slow = min(_MOST_SLOW, contenders * rates.slow_cost) * _USUAL_ALONE
    alone = 0.0 if everywhere else contenders * rates.alone * rates.quick_share + slow
    raced = min(rules.budget, open_pairs * _FIGHTS_TO_DECIDE) * rates.fight
    raced *= 1.0 if everywhere else 1 - rates.alone_share
    stages = {
        "solve": rates.solve * (1 - rates.kept_share) / hands,
        "floor": open_pairs * rates.floor * fresh / hands,
        "race": (raced + alone) * fresh / hands,
        "order": min(rules.top, builds) * len(fights) * rates.detail / hands,
        "write": pairs * _WRITTEN,
    }
    stages = {stage: took * max(slower, 1.0) for stage, took in stages.items()}
    columns = len(scorer.scorer.outcomes) + 2
    size = builds * (8 * words + 8 * 6 * len(fights) + 8 * rates.open_share * columns * len(fights) * 2)
    held = _BASE_BYTES + (_SLOW_BYTES if slow > 0 and not everywhere else 0)
    return SearchEstimate(builds, rates.exact_share, stages, int(size) + held)


def _time_batches(
    rates: _Rates,
    scorer: CachedScorer,
    few: Sequence[Chunk],
    many: Sequence[Chunk],
    fights: Sequence[Any],
    sizes: tuple[int, int],
    *,
    everywhere: bool,
) -> list[list[Chunk]]:
    """Two pilots say how the time of batches grows: more builds have more in common.

    `sizes`: builds and fights in all. Gives by fight the builds of the second pilot that must be sampled.
    """
    times: list[float] = []
    for pilot in (few, many):
        if times and times[0] > _LONG_PILOT:
            # Where a build takes long, nobody wants to wait for four times as many.
            many, times = few, [times[0], times[0]]
            break
        open_: list[list[Chunk]] = [[] for _ in fights]
        exact = 0
        begun = time.thread_time()
        for chunk in pilot:
            solver = scorer.scorer.solver(chunk, fights)
            for number in range(len(fights)):
                left = np.isnan(solver(number))
                codes = chunk.codes if everywhere else chunk.codes[left]
                if len(codes):
                    open_[number].append(Chunk(chunk.group, codes))
                exact += int((~left).sum())
        times.append(time.thread_time() - begun)
    drawn = max(1, sum(map(len, many)) * len(fights))
    rates.exact_share = exact / drawn
    rates.open_share = sum(len(chunk) for each in open_ for chunk in each) / drawn
    kept = sum(int(scorer.knows(chunk, fight).sum()) for chunk in many for fight in fights)
    rates.kept_share = kept / drawn
    builds, all_fights = sizes
    counts = [sum(map(len, pilot)) for pilot in (few, many)]
    rates.solve = grown(times, counts, builds) * all_fights / max(1, len(fights))
    return open_


def _probe(
    rates: _Rates,
    scorer: CachedScorer,
    few: Sequence[Chunk],
    others: Sequence[Any],
    fights: int,
    *,
    everywhere: bool,
) -> list[tuple[Any, list[Chunk]]]:
    """Fights that no pilot looked at: a few builds say whether they must be sampled."""
    found: list[tuple[Any, list[Chunk]]] = []
    each_group = -(-_PROBED // max(1, len(few)))
    some = [Chunk(chunk.group, chunk.codes[:each_group]) for chunk in few if len(chunk)]
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
    return float(last * (size / sizes[1]) ** min(1.0, max(0.5, power)))


def _time_fights(
    rates: _Rates,
    scorer: CachedScorer,
    open_: Sequence[tuple[Any, list[Chunk]]],
    rules: RaceRules,
    *,
    everywhere: bool,
) -> None:
    """What a floor of fights takes for a build of a large piece, what a fight takes, and a build alone."""
    bulk = scorer.scorer
    known, asked, tried, asked_alone = 0, 0, 0, 0
    for fight, chunks in open_:
        known += sum(int(scorer.knows(each, fight, rules.seed, rules.floor).sum()) for each in chunks)
        asked += sum(map(len, chunks))
        # A race plays few builds for long: what a call costs besides fights must not count.
        few = _start(chunks, _RACED)
        short, long = (_sampling_time(bulk, few, fight, fights) for fights in _RACE_FIGHTS)
        more = sum(map(len, few)) * (_RACE_FIGHTS[1] - _RACE_FIGHTS[0])
        one_fight = max(long - short, _LEAST * long) / more
        rates.fight += one_fight
        # A floor plays many for a short while. What a piece costs besides fights grows like a square root of
        # its builds, as many have much in common.
        some = _start(chunks, _SAMPLED)
        size, fought = sum(map(len, some)), rules.floor * one_fight
        beside = max(_sampling_time(bulk, some, fight, rules.floor) / size - fought, 0.0)
        rates.floor += fought + beside * math.sqrt(min(1.0, size / BUILDS_A_PIECE))
        if not everywhere:
            for part in _start(chunks, _TRIED_ALONE):
                asked_alone += len(part)
                quick = quickly_solved(bulk, part, fight)
                costs = alone_costs(bulk, part, fight).sum() - alone_costs(bulk, quick, fight).sum()
                rates.slow_cost += float(costs)
                begun = time.thread_time()
                found = bulk.solve_alone(quick, fight)
                rates.alone += time.thread_time() - begun
                rates.alone_share += int((~np.isnan(found)).sum())
                tried += len(found)
    rates.floor /= max(1, len(open_))
    rates.fight /= max(1, len(open_))
    rates.alone /= max(1, tried)
    rates.quick_share = tried / max(1, asked_alone)
    rates.slow_cost /= max(1, asked_alone)
    rates.alone_share /= max(1, tried)
    rates.known_share = known / max(1, asked)


def _time_details(
    space: BuildSpace, evaluators: Sequence[Evaluator], pilot: Sequence[Chunk], fights: Sequence[Any]
) -> float:
    """The time that all metrics of a build take in a fight, where an engine is exact; others cost nothing.

    The median build's: a few take a hundred times as long, and are not the ones that are shown.
    """
    exact = [evaluator for evaluator in evaluators if evaluator.method == "exact"]
    builds = [build for chunk in _start(pilot, _DESCRIBED + 1) for build in space.builds(chunk)]
    times: list[float] = []
    for number, build in enumerate(builds):
        begun = time.thread_time()
        for fight in fights:
            for evaluator in exact:
                if evaluator.why_not(build, fight) is None:
                    evaluator.evaluate(build, fight, Sampling(0))
                    break
        # The first one compiles, if need be.
        if number > 0 or len(builds) == 1:
            times.append((time.thread_time() - begun) / max(1, len(fights)))
        if sum(times) * len(fights) > _LONG:
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
    _compile(scorer, pilot, fights, jobs, builds)
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
    scorer: BulkScorer, pilot: Sequence[Chunk], fights: Sequence[Any], jobs: int, builds: int
) -> None:
    """What a large run compiles, if nobody has: in two processes at once, and not while a pilot is timed."""
    with compiling_ahead(scorer, pilot, fights, jobs, builds) as ahead:
        ahead.begin()
        if ahead.is_compiling:
            # What the other process comes to last; batches when what takes longest of them is there.
            solve_some_alone(scorer, pilot, fights)
            sample_some(scorer, pilot, fights[0])
            ahead.wait_for_apart()
            for fight in fights:
                for chunk in pilot:
                    scorer.solve(chunk, fight)
        ahead.wait()


def _sampling_time(scorer: BulkScorer, chunks: Sequence[Chunk], fight: Any, fights: int) -> float:
    begun = time.thread_time()
    for chunk in chunks:
        scorer.sample(chunk, fight, 0, fights)
    return time.thread_time() - begun


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


def _drawn(space: BuildSpace, wanted: Wanted, size: int, seed: int) -> list[Chunk]:
    drawn = [space.encode(build) for build in space.sample(wanted, size, np.random.default_rng(seed))]
    groups = dict.fromkeys(chunk.group for chunk in drawn)
    return [
        Chunk(group, np.concatenate([chunk.codes for chunk in drawn if chunk.group == group]))
        for group in groups
    ]

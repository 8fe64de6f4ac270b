"""Options that another of no higher cost outclasses, so that no good player takes them.

A is outclassed by B when every build with A (and room for B) is no worse with B in A's place, and costs no
more; where that build is illegal, leaving A out must be no worse. B is "nothing" where leaving A out is
always as good. The combined score is asked of every build with A, single scenarios only of those that reach
half of the benchmark: what A does in one scenario of a build that is not worth playing is no reason to take
it. Half means twice the turns, half of the span, and for win rates as much in odds. Where
something is too strong, the benchmark of the game without it will do: beside it everything looks hopeless.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.findings import Finding, FindingCode, FindingSeverity
from buildsearch.analysis.population import NO_PART, SURE, find
from buildsearch.analysis.reach import Reference
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.engines.jit import step
from buildsearch.files.large_arrays import filled
from buildsearch.model.arrays import Bools, Floats, Ints

# Sampled scores may hide a small difference: claims rest on the comparisons that cannot.
_MOSTLY = 0.5
# Many small differences in one direction are a difference: so many standard errors of their sum.
_POOLED = 4.0
# Of hundreds of comparisons without a difference the worst looks this bad.
_WORST = 3.0
# Together they prove only what matters: a mean gain of this part of the score.
_MATERIAL = 0.05
# What outclasses so many is the one to change.
_MANY = 3

Rows = NDArray[np.int32]
# Parts of each build, the builds below it, levels, the highest of each part, free parts and their places.
Builds = tuple[NDArray[np.int16], Rows, NDArray[np.uint8], Ints, Ints, Ints]
# Keys of builds, what each part adds to one, and the hash table.
Lookup = tuple[Ints, Ints, Rows]
# Combined scores with their errors, the same by fight, and which builds are worth playing.
Scores = tuple[Floats, Floats, Floats, Floats, Bools]
# As good; better somewhere; beyond doubt. Then of sampled scores the sum of differences and its variance,
# of the combined score and of all fights; and the worst of them in standard errors.
Compared = tuple[bool, bool, bool, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Outclassed:
    """`by` is None where leaving it out does as well. Of `compared` builds `better` are so with `by`, in all
    or in a scenario that was asked about.

    `alone` counts builds in which B could not stand for A and leaving A out did as well. `certain` is the
    share of comparisons in which every score is exact or further apart than sampling errors explain; the
    others only do not speak against it. `is_pooled`: sampled scores say so together, and none of them looks
    like a counterexample. `gain` is the mean gain of the exchange on the scale of verdicts.
    """

    part: int
    by: int | None
    compared: int
    better: int
    alone: int
    certain: float
    is_pooled: bool
    gain: float

    @property
    def is_proven(self) -> bool:
        """Whether most comparisons are beyond doubt, or all of them together; none speaks against it."""
        return self.certain >= _MOSTLY or self.is_pooled


def worth_playing(contest: ScoreOrder, benchmarks: Sequence[Reference]) -> Bools:
    """Builds that reach half of some benchmark, or may: a sampled one is left out only beyond doubt."""
    most = max((each.loss + SURE * each.error for each in benchmarks), default=np.inf)
    limit, losses, errors = most + contest.yardstick.distance(0.5), contest.losses, contest.errors
    return filled(losses.shape, np.bool_, lambda rows: losses[rows] - SURE * errors[rows] <= limit)


def outclassed(contest: ScoreOrder, benchmarks: Sequence[Reference], tolerance: float) -> list[Outclassed]:
    """Every pair (A, B), and A against nothing. What is dead is for others to say.

    `benchmarks` are those of the game as it is and without what is too strong; without any of them every
    build is worth playing.
    """
    population = contest.population
    parts = len(population.free)
    place = np.full(len(population.names), -1, dtype=np.int64)
    place[population.free] = np.arange(parts)
    # One column more, for nothing.
    alive = np.ones((parts, parts + 1), dtype=np.bool_)
    alive[np.arange(parts), np.arange(parts)] = False
    counts = np.zeros((4, parts, parts + 1), dtype=np.int64)
    # The gain in loss; the sums of what sampled scores say; and the worst of them.
    gains = np.zeros((6, parts, parts + 1))
    # In an order that has nothing to do with the parts, so that most pairs meet their counterexample soon.
    rows = np.random.default_rng(0).permutation(len(population))
    scores = population.scores
    _compare_exchanges(
        rows,
        (population.items, population.down, population.levels, population.most, population.free, place),
        (population.keys, population.strides, population.slots),
        (
            population.loss,
            scores.error,
            population.means,
            population.errors,
            worth_playing(contest, benchmarks),
        ),
        scores.cost,
        contest.losses,
        (tolerance, SURE),
        (alive, counts, gains),
    )
    found = []
    material = contest.yardstick.distance(_MATERIAL)
    for a, b in zip(*np.nonzero(alive), strict=True):
        compared, better, alone, certain = (int(count[a, b]) for count in counts)
        gain, *pooled, worst = (float(sums[a, b]) for sums in gains)
        pooled_z = [total / math.sqrt(noise) if noise else 0.0 for total, noise in (pooled[:2], pooled[2:])]
        if (better == 0 and pooled_z[0] < _POOLED) or min(pooled_z) < -_POOLED:
            continue
        found.append(
            Outclassed(
                part=int(population.free[a]),
                by=None if b == parts else int(population.free[b]),
                compared=compared,
                better=better,
                alone=alone,
                certain=certain / compared,
                is_pooled=pooled_z[0] >= _POOLED and worst > -_WORST and gain >= compared * material,
                gain=gain / compared,
            )
        )
    return found


@step
def _exchange(row: int, other: int, scores: Scores, slack: tuple[float, float]) -> Compared:
    """One build against another that would take its place."""
    total, total_error, means, errors, is_worth_playing = scores
    tolerance, sure = slack
    better = False
    certain = True
    total_sum = 0.0
    total_noise = 0.0
    fights_sum = 0.0
    fights_noise = 0.0
    worst = 0.0
    # The combined score is number -1.
    for fight in range(-1, means.shape[1] if is_worth_playing[row] else 0):
        if fight < 0:
            difference = total[row] - total[other]
            noise = total_error[row] ** 2 + total_error[other] ** 2
            if noise > 0:
                total_sum += difference
                total_noise += noise
        else:
            difference = means[row, fight] - means[other, fight]
            noise = errors[row, fight] ** 2 + errors[other, fight] ** 2
            if noise > 0:
                fights_sum += difference
                fights_noise += noise
        gap = tolerance + sure * np.sqrt(noise)
        if difference < -gap:
            return False, False, False, 0.0, 0.0, 0.0, 0.0, 0.0
        if noise > 0:
            worst = min(worst, difference / np.sqrt(noise))
        certain = certain and (noise == 0 or difference > gap)
        better = better or difference > gap
    return True, better, certain, total_sum, total_noise, fights_sum, fights_noise, worst


@step
def _count(counts: Ints, gains: Floats, a: int, b: int, gain: float, compared: Compared) -> None:
    counts[0, a, b] += 1
    counts[1, a, b] += compared[1]
    counts[3, a, b] += compared[2]
    gains[0, a, b] += gain
    gains[1, a, b] += compared[3]
    gains[2, a, b] += compared[4]
    gains[3, a, b] += compared[5]
    gains[4, a, b] += compared[6]
    gains[5, a, b] = min(gains[5, a, b], compared[7])


@njit(cache=True, nogil=True)
def _compare_exchanges(
    rows: Ints,
    builds: Builds,
    table: Lookup,
    scores: Scores,
    cost: Ints,
    loss: Floats,
    slack: tuple[float, float],
    found: tuple[Bools, Ints, Floats],
) -> None:
    """Strike out of `alive` (part, stand-in) every pair that some build speaks against; count the rest."""
    items, down, levels, most, free, place = builds
    keys, strides, slots = table
    alive, counts, gains = found
    nothing = len(free)
    for row in rows:
        for i in range(items.shape[1]):
            part = items[row, i]
            if part == NO_PART:
                break
            if i and part == items[row, i - 1]:
                continue
            a = place[part]
            without = down[row, i]
            # Whether leaving it out is as good.
            idle = False
            if without >= 0:
                left_out = _exchange(row, without, scores, slack)
                idle = left_out[0]
                if idle and alive[a, nothing]:
                    _count(counts, gains, a, nothing, loss[row] - loss[without], left_out)
            alive[a, nothing] = alive[a, nothing] and idle
            for b in range(nothing):
                if not alive[a, b]:
                    continue
                into = free[b]
                if levels[into, row] >= most[into]:
                    continue
                other = find(keys, slots, keys[row] - strides[part] + strides[into])
                if other < 0:
                    alive[a, b] = idle
                    counts[2, a, b] += idle
                    continue
                if cost[other] > cost[row]:
                    alive[a, b] = False
                    continue
                swapped = _exchange(row, other, scores, slack)
                if swapped[0]:
                    _count(counts, gains, a, b, loss[row] - loss[other], swapped)
                    # As good for less is better.
                    counts[1, a, b] += cost[other] < cost[row] and not swapped[1]
                else:
                    alive[a, b] = False


def dominated_findings(
    naming: Naming, beaten: Sequence[Outclassed], *, dead: Set[int], too_strong: Set[int], priced: Set[int]
) -> list[Finding]:
    """Options that others outclass. What outclasses many is the one to change, not its victims.

    `too_strong` are flagged already: what is worse than they are is not at fault. `priced` are options with a
    cost: of others none is spoken. Of `dead` options others tell.
    """
    by_part: dict[int, list[Outclassed]] = {}
    for each in beaten:
        if each.is_proven and each.part not in dead:
            by_part.setdefault(each.part, []).append(each)
    too_good = _too_good(by_part, set(too_strong))
    causes = sorted(too_good - too_strong)
    findings = [_outclassing(naming, part, by_part, is_priced=part in priced) for part in causes]
    for part, found in by_part.items():
        nothing = [each for each in found if each.by is None]
        others = [each for each in found if each.by is not None and each.by not in too_good]
        if nothing or (others and part not in too_good):
            findings.append(_one_dominated(naming, part, nothing or others, is_priced=part in priced))
    return findings


def _too_good(by_part: Mapping[int, Sequence[Outclassed]], known: set[int]) -> set[int]:
    """Options that outclass so many that they are the cause, the one with most victims first."""
    found = set(known)
    while True:
        victims: dict[int, int] = {}
        for each in by_part.values():
            rivals = {one.by for one in each if one.by is not None}
            # A victim speaks against what outclasses it only while nothing else explains it.
            if len(rivals) == len(each) and not rivals & found:
                for rival in rivals:
                    victims[rival] = victims.get(rival, 0) + 1
        many = [part for part, number in victims.items() if number >= _MANY]
        if not many:
            return found
        found.add(max(many, key=lambda part: (victims[part], -part)))


def _outclassing(
    naming: Naming, part: int, by_part: Mapping[int, Sequence[Outclassed]], *, is_priced: bool
) -> Finding:
    victims = [victim for victim, found in by_part.items() if any(each.by == part for each in found)]
    no_more = "It costs no more, and no" if is_priced else "No"
    return Finding(
        code=FindingCode.OUTCLASSES,
        severity=FindingSeverity.WARNING,
        subjects=(naming.names[part],),
        text=f"{naming.part(part)} outclasses {naming.parts(victims)}. {no_more} build is worse overall with "
        "it in their place.",
        fix="Raise its cost, or weaken it." if is_priced else "Weaken it.",
        numbers={"victims": [naming.names[victim] for victim in victims]},
    )


def _one_dominated(naming: Naming, part: int, found: Sequence[Outclassed], *, is_priced: bool) -> Finding:
    chosen = max(found, key=lambda each: (each.compared, each.gain))
    if chosen.by is None:
        rival, exchange = "leaving it out", "without it"
    else:
        rival = naming.part(chosen.by) + (", which costs no more" if is_priced else "")
        exchange = "with that in its place"
    doubt = (
        ""
        if chosen.certain == 1
        else f" {math.floor(100 * chosen.certain)}% of the comparisons are beyond doubt."
    )
    return Finding(
        code=FindingCode.STRICTLY_WORSE,
        severity=FindingSeverity.WARNING,
        subjects=(naming.names[part],),
        text=f"{naming.part(part)} is strictly worse than {rival}: {chosen.better:,} of {chosen.compared:,} "
        f"builds are better {exchange}, and none is worse overall.{doubt}",
        fix="Lower its cost, or strengthen it." if is_priced else "Strengthen it.",
        numbers={
            "by": [
                None if each.by is None else naming.names[each.by]
                for each in sorted(found, key=lambda each: each is not chosen)
            ],
            "contexts": chosen.compared,
        },
    )

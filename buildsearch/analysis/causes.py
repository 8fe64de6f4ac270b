"""The causes of overpowered builds: bans that leave none of them and lose the fewest builds.

A minimum hitting set. Counting bans alone would always say "ban the most common option"; what a designer
wants is the smallest part of the game that has to go. So the fewest builds lost come first, then the fewest
bans. Bans are of an option, a pair, a triple, or an option or a pair in one group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.choices import Choice
from buildsearch.analysis.population import Population
from buildsearch.analysis.score_order import ScoreOrder
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Ints

_MOST_PARTS = 3
_MOST_IN_A_GROUP = 2
# Beyond these a proof would take longer than anybody waits; what is found then has no proof.
_MOST_BUILDS, _MOST_BANS = 2_000, 3_000


@dataclass(frozen=True, slots=True, eq=False)
class Combination:
    """One ban: choices that overpowered builds have in common. `rows` are the overpowered builds with it, the
    best first; `builds` counts all builds that have it."""

    choices: tuple[Choice, ...]
    rows: Ints
    builds: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(choice.name for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Causes:
    """A family of bans. `lost` builds have at least one of them; `is_proved`: no other family loses fewer,
    else none loses fewer than `least`."""

    family: tuple[Combination, ...]
    lost: int
    is_proved: bool
    least: int


def find_causes(contest: ScoreOrder, rows: Ints, choices: Sequence[Choice], seconds: float) -> Causes:
    """The bans that leave none of some builds, the worst offender first."""
    if len(rows) == 0:
        return Causes((), 0, True, 0)
    population = contest.population
    has = np.stack([choice.has(population, rows) for choice in choices], axis=1)
    minimal = _minimal(has)
    some = minimal[:_MOST_BUILDS]
    bans = _bans(has[some], choices)
    cover = np.stack([has[some][:, list(ban)].all(axis=1) for ban in bans])
    kept = _useful(bans, cover)
    bans, cover = [bans[i] for i in kept], cover[kept]
    shapes, counts = _shapes(population, choices, bans)
    chosen, is_proved, least = smallest_family(cover, shapes, counts, seconds)
    family = [_narrowed(contest, choices, has, rows, bans[i]) for i in chosen]
    family.sort(key=lambda cause: float(contest.losses[cause.rows[0]]))
    gone = np.zeros(len(population), dtype=np.bool_)
    for cause in family:
        gone |= having(population, cause.choices)
    return Causes(
        tuple(family), int(gone.sum()), is_proved and len(some) == len(minimal), min(least, int(gone.sum()))
    )


def having(population: Population, choices: Sequence[Choice]) -> Bools:
    found = choices[0].part.of(population)
    for choice in choices[1:]:
        found = found & choice.part.of(population)
    return found


def _minimal(has: Bools) -> Ints:
    """The builds that hold no other one: whatever bans those bans the others too. The best first."""
    order = np.argsort(has.sum(axis=1), kind="stable")
    kept: list[int] = []
    for row in order.tolist():
        mine = has[row]
        if len(kept) <= _MOST_BUILDS and not any((mine >= has[other]).all() for other in kept):
            kept.append(row)
    return np.sort(np.array(kept, dtype=np.int64))


def _bans(has: Bools, choices: Sequence[Choice]) -> list[tuple[int, ...]]:
    """Every ban that would hit one of the builds; without triples where there would be too many."""
    is_group = np.array([not choice.part.is_chosen for choice in choices])
    for most in (_MOST_PARTS, _MOST_IN_A_GROUP, 1):
        found: dict[tuple[int, ...], None] = {}
        for mine in has:
            parts = np.flatnonzero(mine & ~is_group).tolist()
            groups = np.flatnonzero(mine & is_group).tolist()
            only_stats = all(choices[i].part.is_stat for i in parts)
            for size in range(1, most + 1):
                for some in combinations(parts, size):
                    # Every build spends its points on stats: they are no cause without something else.
                    is_cause = only_stats or not all(choices[i].part.is_stat for i in some)
                    if is_cause and _is_one_each(some, choices):
                        found[some] = None
                        if size <= _MOST_IN_A_GROUP:
                            found.update({(*some, group): None for group in groups})
        if len(found) <= _MOST_BANS:
            break
    return list(found)


def _is_one_each(some: Sequence[int], choices: Sequence[Choice]) -> bool:
    """Two levels of one card in one ban would say the higher one twice."""
    features = [choices[i].part.feature for i in some]
    return len(set(features)) == len(features)


def _useful(bans: Sequence[tuple[int, ...]], cover: Bools) -> list[int]:
    """Leave out bans that hit no build more than a longer ban that contains them."""
    members = [frozenset(ban) for ban in bans]
    longest_first = sorted(range(len(bans)), key=lambda i: -len(bans[i]))
    kept: list[int] = []
    for i in longest_first:
        alike = [j for j in kept if members[j] > members[i]]
        if not alike or not (cover[alike] >= cover[i]).all(axis=1).any():
            kept.append(i)
    return sorted(kept)


def _shapes(
    population: Population, choices: Sequence[Choice], bans: Sequence[tuple[int, ...]]
) -> tuple[Bools, Ints]:
    """Which bans hit the builds of the space: the different answers, and how many builds have each."""
    needed = sorted({place for ban in bans for place in ban})
    has = {place: np.packbits(choices[place].part.of(population)) for place in needed}
    words = (len(bans) + 63) // 64
    # Two random sums tell different sets of bans apart without a column a build and ban.
    rng = np.random.default_rng(0)
    marks = rng.integers(1, 1 << 62, size=(len(bans), 2), dtype=np.int64)
    found = [_marked(rows, has, bans, marks) for rows in stretches(len(population))]
    keys, first, times = (np.concatenate(each) for each in zip(*found, strict=True))
    _, chosen, which = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.zeros(len(chosen), dtype=np.int64)
    np.add.at(counts, np.ravel(which), times)
    examples = first[chosen]
    shapes = np.zeros((len(examples), words * 64), dtype=np.bool_)
    columns = {place: choices[place].has(population, examples) for place in needed}
    for number, ban in enumerate(bans):
        shapes[:, number] = np.logical_and.reduce([columns[place] for place in ban])
    return shapes[:, : len(bans)], counts


def _marked(
    rows: slice, has: Mapping[int, NDArray[np.uint8]], bans: Sequence[tuple[int, ...]], marks: Ints
) -> tuple[Ints, Ints, Ints]:
    """Of some builds the different sets of bans that hit them: a key, the first build and how many there
    are."""
    size = rows.stop - rows.start
    sums = np.zeros((size, 2), dtype=np.int64)
    bits = slice(rows.start // 8, (rows.stop + 7) // 8)
    for number, ban in enumerate(bans):
        packed = has[ban[0]][bits]
        for place in ban[1:]:
            packed = packed & has[place][bits]
        sums[np.flatnonzero(np.unpackbits(packed, count=size))] ^= marks[number]
    hit = np.flatnonzero(sums.any(axis=1))
    keys, first, counts = np.unique(sums[hit, 0] ^ (sums[hit, 1] << 1), return_index=True, return_counts=True)
    return keys, rows.start + hit[first], counts


def _sets_apart(choice: Choice) -> bool:
    """Whether naming it says something about a build: not a card of most decks, and not a stat."""
    return not choice.is_common and not choice.part.is_stat


def _narrowed(
    contest: ScoreOrder, choices: Sequence[Choice], has: Bools, rows: Ints, ban: tuple[int, ...]
) -> Combination:
    """A ban, told as closely as its builds allow: with everything (up to three options and a group) that all
    overpowered builds it hits have in common. That loses fewer builds still."""
    mine = has[:, list(ban)].all(axis=1)
    shared = np.flatnonzero(has[mine].all(axis=0)).tolist()
    # Of a card the highest number that all of them have.
    highest = {choices[place].part.feature: place for place in shared}
    told = [highest[choices[place].part.feature] for place in ban]
    for place in (each for each in highest.values() if _sets_apart(choices[each])):
        wider = [*told, place]
        chosen = [i for i in wider if choices[i].part.is_chosen]
        if len(chosen) <= _MOST_PARTS and len(wider) - len(chosen) <= 1 and _is_one_each(wider, choices):
            told = wider
    picked = tuple(choices[i] for i in sorted(told))
    return Combination(picked, rows[mine], int(having(contest.population, picked).sum()))


_LAST_RESORT = 4.0


def smallest_family(
    cover: Bools, shapes: Bools, counts: Ints, seconds: float, *, bans_first: bool = False
) -> tuple[list[int], bool, int]:
    """The bans that hit every build with fewest builds lost, then fewest bans; is it proved; a bound.

    `cover[b, i]`: ban b hits the guilty build i. `shapes[s, b]`: ban b hits builds of shape s, of which there
    are `counts[s]`. With `bans_first` the fewest bans come before the fewest builds lost.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    bans = [model.new_bool_var(f"ban {i}") for i in range(len(cover))]
    for build in range(cover.shape[1]):
        model.add_bool_or([bans[i] for i in np.flatnonzero(cover[:, build])])
    lost = []
    for shape, count in zip(shapes, counts.tolist(), strict=True):
        gone = model.new_bool_var("")
        for i in np.flatnonzero(shape):
            model.add_implication(bans[i], gone)
        lost.append(count * gone)
    # One build more weighs more than all bans together, or one ban more than all builds.
    weight = (int(counts.sum()) if bans_first else len(bans)) + 1
    model.minimize(weight * sum(bans) + sum(lost) if bans_first else weight * sum(lost) + sum(bans))
    solver = cp_model.CpSolver()
    # Deterministic time, so that a busy machine gives no other answer; the clock is only a last resort.
    solver.parameters.max_deterministic_time = seconds
    solver.parameters.max_time_in_seconds = _LAST_RESORT * seconds
    # One search that is the same every time: several would race, and the first of equal answers would win.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    # Or Ctrl-C would be the solver's from here on, and end the process without a word.
    solver.parameters.catch_sigint_signal = False
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return _greedy(cover, shapes, counts), False, 0
    chosen = [i for i, ban in enumerate(bans) if solver.value(ban)]
    return chosen, status == cp_model.OPTIMAL, int(solver.best_objective_bound) // weight


def _greedy(cover: Bools, shapes: Bools, counts: Ints) -> list[int]:
    """Ban after ban, the one that loses the fewest builds for each one it hits: good, without a proof."""
    price = counts @ shapes
    left, chosen = np.ones(cover.shape[1], dtype=np.bool_), []
    while left.any():
        gain = (cover & left).sum(axis=1)
        best = int(np.argmax(np.where(gain > 0, gain / np.maximum(price, 1), -1.0)))
        chosen.append(best)
        left &= ~cover[best]
    return chosen


def grouped(family: Sequence[Combination]) -> list[tuple[Choice | None, list[Combination]]]:
    """Combinations that share an option are one cause: the option that most of them have, and those. What
    shares nothing stands alone, without such an option. The cause with the best build comes first."""
    left = list(family)
    found: list[tuple[Choice | None, list[Combination]]] = []
    while left:
        times: dict[Choice, int] = {}
        builds: dict[Choice, int] = {}
        for each in left:
            for choice in each.choices:
                if choice.part.is_chosen and not choice.part.is_stat:
                    times[choice] = times.get(choice, 0) + 1
                    builds[choice] = builds.get(choice, 0) + len(each.rows)
        shared = max(times, key=lambda choice: (times[choice], builds[choice]), default=None)
        if shared is None or times[shared] == 1:
            found += [(None, [each]) for each in left]
            break
        found.append((shared, [each for each in left if shared in each.choices]))
        left = [each for each in left if shared not in each.choices]
    return sorted(found, key=lambda cause: family.index(cause[1][0]))


@dataclass(frozen=True, slots=True, eq=False)
class MinimalCause:
    """A smallest set of features, and the rows of the builds that have it (in the order they were given)."""

    features: tuple[str, ...]
    rows: Ints


def minimal_causes(
    levels: NDArray[np.uint8], names: tuple[str, ...], ignored: frozenset[str]
) -> list[MinimalCause]:
    """The smallest sets of parts behind some builds, given by their features' levels, without `ignored` ones.

    Where builds cannot lose parts (decks of a size), what all of them have in common is the cause.
    """
    if len(levels) == 0:
        return []
    counted = np.array([name not in ignored for name in names])
    has = (levels > 0) & counted
    minimal = _smallest_rows(has)
    if len(minimal) == len(np.unique(has, axis=0)) > 1 and (levels > 1).any():
        shared = tuple(np.array(names)[has.all(axis=0)].tolist())
        return [MinimalCause(shared, np.arange(len(levels)))]
    found, left = [], np.ones(len(levels), bool)
    for row in minimal:
        mine = np.flatnonzero(left & has[:, row].all(axis=1))
        if len(mine):
            left[mine] = False
            found.append(MinimalCause(tuple(np.array(names)[row].tolist()), mine))
    return sorted(found, key=lambda cause: (-len(cause.rows), cause.features))


def _smallest_rows(has: Bools) -> list[Bools]:
    """The distinct rows that hold no other row, the smallest first."""
    distinct = np.unique(has, axis=0)
    order = np.argsort(distinct.sum(axis=1), kind="stable")
    kept: list[Bools] = []
    left = distinct[order]
    while len(left):
        smallest = left[0]
        kept.append(smallest)
        left = left[~left[:, smallest].all(axis=1)]
    return kept

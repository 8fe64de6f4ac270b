"""Slow twins: plain loops over all builds, as one would write the definitions down."""

from __future__ import annotations

import numpy as np


def builds_of(population):
    """Every build as a mapping of parts to levels, its group's parts included."""
    names = population.names
    return [
        {names[f]: int(level) for f, level in enumerate(population.levels[:, i]) if level}
        for i in range(len(population))
    ]


def key(build):
    return frozenset(build.items())


def without(build, part, into=None):
    """The build with one less of a part, and one more of another."""
    other = dict(build)
    other[part] -= 1
    if not other[part]:
        del other[part]
    if into is not None:
        other[into] = other.get(into, 0) + 1
    return other


def top_share(population, part, size):
    """T_N with tied builds at the boundary sharing the places that are left."""
    loss = population.loss
    order = sorted(range(len(loss)), key=lambda i: loss[i])
    edge = loss[order[size - 1]]
    inside = [i for i in order if loss[i] < edge - 1e-9]
    tied = [i for i in order if abs(loss[i] - edge) <= 1e-9]
    found = sum(population.levels[part, i] > 0 for i in inside)
    found += (size - len(inside)) * sum(population.levels[part, i] > 0 for i in tied) / len(tied)
    return found / size


def dominates(population, first, second):
    """At least as good in every fight at no higher cost, and better somewhere."""
    a = [*np.round(population.means[first], 9), population.scores.cost[first]]
    b = [*np.round(population.means[second], 9), population.scores.cost[second]]
    return all(x <= y for x, y in zip(a, b, strict=True)) and a != b


def outclasses(population, part, by, limit):
    """Whether `by` (None: nothing) takes the place of `part` in every build: never worse, once better or
    cheaper.

    Worse by the combined score; of builds whose score is at most `limit` also in each fight.
    """
    builds = builds_of(population)
    row_of = {key(build): i for i, build in enumerate(builds)}
    name = population.names[part]
    better = False

    def scores(row, i):
        fights = population.means[row] if population.scores.score[i] <= limit else ()
        return [population.scores.score[row], *fights]

    def as_good(row, i):
        return all(a <= b + 1e-9 for a, b in zip(scores(row, i), scores(i, i), strict=True))

    def is_better(row, i):
        return any(a < b - 1e-9 for a, b in zip(scores(row, i), scores(i, i), strict=True))

    for i, build in enumerate(builds):
        if name not in build:
            continue
        idle = row_of.get(key(without(build, name)))
        if by is None:
            if idle is None or not as_good(idle, i):
                return False
            better = better or is_better(idle, i)
            continue
        rival = population.names[by]
        if build.get(rival, 0) >= population.most[by]:
            continue
        row = row_of.get(key(without(build, name, rival)))
        if row is None:
            if idle is None or not as_good(idle, i):
                return False
            continue
        if population.scores.cost[row] > population.scores.cost[i] or not as_good(row, i):
            return False
        is_cheaper = population.scores.cost[row] < population.scores.cost[i]
        better = better or is_cheaper or is_better(row, i)
    return better

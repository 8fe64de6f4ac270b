"""A game without rules for tests of the search: builds are bit masks, and every true mean is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from buildsearch.model.evaluation import Metric
from buildsearch.model.scorer import Samples
from buildsearch.model.space import Chunk, Feature

METRICS = (
    Metric("turns", "turns", higher_is_better=False, low=1),
    Metric("wins", "wins", higher_is_better=True, low=0, high=1),
    Metric("speed", "speed", higher_is_better=True, low=0),
)
MOST = 50


@dataclass(frozen=True)
class FakeFight:
    name: str
    weight: float
    slope: float


FIGHTS = {"short": FakeFight("short", 1.0, 1.0), "long": FakeFight("long", 3.0, 2.0)}


class FakeSpace:
    """All masks of some bits; bit 0 makes a build unsolvable, and each bit costs its number."""

    grouped_by = "group"
    groups_have_parts = False
    feature_names = tuple(f"bit{i}" for i in range(6))
    most_to_rank = None
    bits = 6

    def _allowed(self, wanted):
        return [i for i in range(self.bits) if f"bit{i}" not in wanted.without_features]

    def count(self, wanted):
        free = [i for i in self._allowed(wanted) if f"bit{i}" not in wanted.with_features]
        return {group: 2 ** len(free) for group in wanted.groups or ("a", "b")}

    def sample(self, wanted, size, rng):
        groups = list(self.count(wanted))
        drawn = rng.random((size, self.bits)) < 0.5
        names = [[f"bit{i}" for i in self._allowed(wanted) if row[i]] for row in drawn]
        return [self.assembled(wanted, groups[int(rng.integers(len(groups)))], each) for each in names]

    def parts(self, wanted):
        return tuple(f"bit{i}" for i in self._allowed(wanted))

    def most_parts(self, wanted):
        return len(self._allowed(wanted))

    def assembled(self, wanted, group, parts):
        names = {*wanted.with_features, *(name for name in parts if name not in wanted.without_features)}
        return (group, sum(1 << int(name[3:]) for name in names))

    def neighbours(self, build):
        yield from ((build[0], build[1] ^ (1 << i)) for i in range(self.bits))
        yield ("b" if build[0] == "a" else "a", build[1])

    def chunks(self, wanted, size):
        codes = np.arange(64, dtype=np.uint64)[:, None]
        for group in ("a", "b"):
            for first in range(0, 64, size):
                yield Chunk(group, codes[first : first + size])

    def builds(self, chunk):
        return ((chunk.group, int(code)) for code in chunk.codes[:, 0])

    def name(self, build):
        return f"{build[0]}{build[1]:02d}"

    def cost(self, build):
        return sum(i for i in range(self.bits) if build[1] >> i & 1)

    def features(self, build):
        return tuple(Feature(f"bit{i}") for i in range(self.bits) if build[1] >> i & 1)

    def encode(self, build):
        return Chunk(build[0], np.array([[build[1]]], dtype=np.uint64))

    def drop(self, build, feature):
        bit = int(feature[3:])
        return (build[0], build[1] & ~(1 << bit)) if build[1] >> bit & 1 else None

    def costs(self, chunk):
        return np.array([self.cost(build) for build in self.builds(chunk)], dtype=np.int64)

    def table(self, chunk):
        names = [self.name(build) for build in self.builds(chunk)]
        return {"build": pa.array(names), "cost": pa.array(self.costs(chunk))}


class FakeBulk:
    """Fights that take 1 or MOST turns, so that bounds have something to do."""

    outcomes = ("turns", "wins")

    def __init__(self, solvable=True, solvable_alone=False):
        self.solvable, self.solvable_alone = solvable, solvable_alone
        self.solved = self.sampled = 0

    def true_mean(self, chunk, fight):
        codes = chunk.codes[:, 0].astype(float)
        return 2.0 + fight.slope * (codes % 61) / 12 + (0.5 if chunk.group == "b" else 0.0)

    def outcome_range(self, outcome, fight):
        return (1.0, float(MOST)) if outcome == "turns" else (0.0, 1.0)

    def derived(self, fight, primary):
        return {"speed": 100.0 / primary}

    def context(self, group, fight):
        return f"{group} {fight}".encode().ljust(32)

    def keys(self, chunk):
        return np.concatenate([chunk.codes, chunk.codes * np.uint64(7919)], axis=1)

    def solve(self, chunk, fight):
        self.solved += len(chunk)
        if not self.solvable:
            return np.full(len(chunk), np.nan)
        must_sample = chunk.codes[:, 0] % np.uint64(2) == 1
        return np.where(must_sample, np.nan, self.true_mean(chunk, fight))

    def solver(self, chunk, fights):
        return lambda number: self.solve(chunk, fights[number])

    def solve_alone(self, chunk, fight):
        return self.true_mean(chunk, fight) if self.solvable_alone else np.full(len(chunk), np.nan)

    def compile_apart(self, groups):
        pass

    def sample(self, chunk, fight, seed, fights):
        self.sampled += len(chunk) * fights
        totals, squares = np.zeros((2, len(chunk))), np.zeros(len(chunk))
        for i, (code, mean) in enumerate(zip(chunk.codes[:, 0], self.true_mean(chunk, fight), strict=True)):
            rng = np.random.default_rng([seed, int(code), ord(chunk.group), len(fight.name)])
            long = rng.random(fights) < (mean - 1) / (MOST - 1)
            turns = np.where(long, MOST, 1)
            totals[:, i], squares[i] = (turns.sum(), (~long).sum()), (turns**2).sum()
        return Samples(fights, totals, squares)


class NoEvaluator:
    """An engine that is exact and says only the mean."""

    method = "exact"
    default_fights = 0

    def __init__(self, bulk, space):
        self.bulk, self.space = bulk, space

    def why_not(self, build, fight):
        return None

    def evaluate(self, build, fight, sampling):
        from buildsearch.model.evaluation import Estimate, Evaluation

        mean = float(self.bulk.true_mean(self.space.encode(build), fight)[0])
        estimate = Estimate(mean, 0.0, mean, mean)
        return Evaluation("exact", "turns", {"turns": estimate}, 1.0, {}, np.zeros(1), None, None)

"""Games that are only a matrix: builds are numbers, and who wins how often against whom is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from buildsearch.meta.matches import Matches
from buildsearch.model.scorer import Samples
from buildsearch.model.space import Chunk, Feature
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import Executor
from buildsearch.search.score_cache import ScoreCache

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def ladder(size: int, step: float = 0.1) -> np.ndarray:
    """Each build beats all that come after it, the more the further they are behind."""
    places = np.arange(size)
    return np.clip(0.5 + step * (places[None, :] - places[:, None]), 0.0, 1.0)


def random_game(size: int, seed: int) -> np.ndarray:
    edges = np.triu(np.random.default_rng(seed).uniform(-0.5, 0.5, (size, size)), 1)
    return 0.5 + edges - edges.T


@dataclass(frozen=True)
class Against:
    build: int
    name: str = "match"
    weight: float = 1.0


class ToySpace:
    """Builds 0 to n - 1 in groups of five."""

    def __init__(self, size):
        self.size = size

    def chunks(self):
        numbers = np.arange(self.size, dtype=np.uint64)[:, None]
        return [Chunk(f"group{i // 5}", numbers[i : i + 5]) for i in range(0, self.size, 5)]

    def builds(self, chunk):
        return (int(code) for code in chunk.codes[:, 0])

    def name(self, build):
        return f"b{build}"

    def features(self, build):
        return (Feature(f"f{build}"),)

    def encode(self, build):
        return Chunk(f"group{build // 5}", np.array([[build]], np.uint64))


class ToyBulk:
    """Wins as the matrix says: exact, or by fights of which some are draws."""

    outcomes = ("wins",)

    def __init__(self, wins, *, exact, draws=0.0, alone=False):
        self.wins, self.exact, self.draws, self.alone = wins, exact, draws, alone
        self.played = {}

    def context(self, group, fight):
        return f"{group} {fight.build}".encode().ljust(32)

    def keys(self, chunk):
        return np.concatenate([chunk.codes, chunk.codes * np.uint64(7919)], axis=1)

    def true(self, chunk, fight):
        return self.wins[chunk.codes[:, 0].astype(int), fight.build]

    def solve(self, chunk, fight):
        return self.true(chunk, fight) if self.exact else np.full(len(chunk), np.nan)

    def solver(self, chunk, fights):
        return lambda number: self.solve(chunk, fights[number])

    def solve_alone(self, chunk, fight):
        return self.true(chunk, fight) if self.alone else np.full(len(chunk), np.nan)

    def sample(self, chunk, fight, seed, fights):
        totals, squares = np.zeros((1, len(chunk))), np.zeros(len(chunk))
        for i, (code, chance) in enumerate(zip(chunk.codes[:, 0], self.true(chunk, fight), strict=True)):
            self.played[int(code), fight.build] = fights
            rng = np.random.default_rng([seed, int(code), fight.build, fights])
            drawn = self.draws * 2 * min(chance, 1 - chance)
            rolls = rng.random(fights)
            # A draw is worth one half: wins give way for as many as losses, and the mean stays.
            outcomes = (1.0 * (rolls < chance - drawn / 2) + (rolls < chance + drawn / 2)) / 2
            totals[0, i], squares[i] = outcomes.sum(), (outcomes**2).sum()
        return Samples(fights, totals, squares)


def toy(wins, *, exact=True, draws=0.0, alone=False, seed=0, jobs=1, alpha=0.05):
    """Matches of a game, and the bulk scorer behind them."""
    space, bulk = ToySpace(len(wins)), ToyBulk(wins, exact=exact, draws=draws, alone=alone)
    matches = Matches(
        space, CachedScorer(bulk, ScoreCache(None), Executor(jobs)), Against, seed=seed, alpha=alpha
    )
    matches.add_builds(space.chunks())
    return matches, bulk

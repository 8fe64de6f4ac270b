"""`scripts/bench large [budget]`: the memory that a run of very many builds takes, and its analysis.

The builds are those of Vitality v2 at tier 5 (36 million at its budget of 10), the scores are made up:
everything of `optimize` but the fights, then `analyze`, each in a process of its own. What is held is what
the system cannot take back; the peak has pages of files too, which it can. `--keep` and a folder as a second
word leave the run there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from buildsearch.library.fight_setup import setup_of
from buildsearch.library.optimize import finish, open_search
from buildsearch.model.scorer import Samples
from buildsearch.model.space import Chunk
from buildsearch.options.search import SearchOptions
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.score_cache import ScoreCache

_AT_ONCE = 1 << 16


class MadeUpScorer:
    """Numbers instead of fights: effects of options and of some pairs. A quarter of the builds is sampled."""

    def __init__(self, real, space, fights) -> None:
        self._real, self._space, self._fights = real, space, list(fights)
        rng = np.random.default_rng(0)
        parts = len(space.feature_names)
        self._effects = rng.normal(-0.05, 0.12, (len(self._fights), parts))
        self._pairs, self._strengths = rng.choice(parts, (6, 2)), rng.normal(0, 0.15, 6)

    def __reduce__(self):
        raise TypeError("there is nothing to compile elsewhere")

    def __getattr__(self, name):
        return getattr(self._real, name)

    def keys(self, chunk):
        return np.column_stack([chunk.codes[:, 0], chunk.codes[:, -1]])

    def _means(self, chunk):
        """By fight and build."""
        found = np.empty((len(self._fights), len(chunk)))
        for first in range(0, len(chunk), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            levels = self._space.levels(Chunk(chunk.group, chunk.codes[some])).astype(np.float64)
            logs = self._effects @ levels.T
            for (a, b), strength in zip(self._pairs, self._strengths, strict=True):
                logs += strength * (levels[:, a] * levels[:, b])
            found[:, some] = 1 + np.exp(1.5 + logs)
        most = [self._real.outcome_range(self._real.outcomes[0], fight)[1] for fight in self._fights]
        return np.minimum(found, np.array(most)[:, None])

    def _number(self, fight):
        return next(i for i, each in enumerate(self._fights) if each is fight)

    def solve_alone(self, chunk, fight):
        return self._means(chunk)[self._number(fight)]

    def solver(self, chunk, fights):
        means = self._means(chunk)
        means[:, chunk.codes[:, 0] * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(62) == 0] = np.nan
        return lambda number: means[self._number(fights[number])]

    def compile_apart(self, groups):
        pass

    def sample(self, chunk, fight, seed, fights):
        means = self.solve_alone(chunk, fight)
        totals = np.round(np.stack([means] + [np.ones(len(chunk))] * (len(self._real.outcomes) - 1)) * fights)
        return Samples(fights, totals, totals[0] * totals[0] / fights + fights)


def optimize(budget: str, folder: Path) -> None:
    parameters = {"tier": "5", "budget": budget}
    request = SearchOptions(rules="vitality-v2", parameters=parameters, top=10, ranking_fights=1_000_000)
    setup = setup_of(request)
    search = open_search(setup, request)
    scorer = MadeUpScorer(search.scorer.scorer, setup.space, setup.fights.values())
    finish(replace(search, scorer=CachedScorer(scorer, ScoreCache(None))), str(folder), remember=False)


def watched(words: list[str]) -> str:
    """Run it; processor seconds, peak memory, and the most that cannot be taken back."""
    begun = time.perf_counter()
    process = subprocess.Popen(words)
    peak = held = ticks = 0
    while process.poll() is None:
        try:
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            ticks = sum(map(int, Path(f"/proc/{process.pid}/stat").read_text().split(")")[1].split()[11:13]))
        except OSError:
            break
        about = dict(line.split(":", 1) for line in lines)
        if "VmHWM" in about:
            peak = max(peak, int(about["VmHWM"].split()[0]))
            held = max(held, int(about["RssAnon"].split()[0]))
        time.sleep(0.2)
    if process.wait():
        sys.exit(process.returncode)
    taken = time.perf_counter() - begun
    return f"{taken:.0f} s ({ticks / 100:.0f} s of CPU), peak {peak / 1e6:.1f} GB, held {held / 1e6:.1f} GB"


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    if "--run" in sys.argv:
        optimize(words[0], Path(words[1]))
        return
    budget = "2" if "--warm-up" in sys.argv else (words[0] if words else "10")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        folder = Path(words[1]) if "--keep" in sys.argv else Path(place) / "run"
        me = [sys.executable, "-m", "scripts.benches.large", "--run", budget, str(folder)]
        print(f"budget {budget}, optimize: {watched(me)}", flush=True)
        print(f"scores.parquet: {(folder / 'scores.parquet').stat().st_size / 1e9:.2f} GB", flush=True)
        them = [sys.executable, "-m", "buildsearch", "analyze", str(folder), "--quiet"]
        print(f"budget {budget}, analyze: {watched(them)}", flush=True)


if __name__ == "__main__":
    main()

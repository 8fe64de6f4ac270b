"""Blocks of fights, sampled in parallel, and their tallies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from buildsearch.evaluate.statistics import mean_estimate
from buildsearch.evaluate.threads import in_parallel
from buildsearch.model.arrays import Ints
from buildsearch.model.evaluation import Sampling


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """`histogram[i]`: fights with the outcome i; `counts`: whatever else an engine counts."""

    histogram: Ints
    counts: Ints

    @property
    def fights(self) -> int:
        return int(self.histogram.sum())


def merged(tallies: Iterable[Tally]) -> Tally:
    first, *others = tallies
    histogram, counts = first.histogram.copy(), first.counts.copy()
    for tally in others:
        histogram += tally.histogram
        counts += tally.counts
    return Tally(histogram, counts)


BLOCK = 8192
# Sampling to a target error gives up here and reports the interval it has.
MOST_FIGHTS = 1 << 27
_FIRST_ROUND = 2


def sample(run_block: Callable[[int, int], Tally], sampling: Sampling) -> Tally:
    """Run `run_block(number, fights)` for as many blocks as the sampling asks for.

    The blocks of n fights are the first blocks of any larger number, and rounds toward a target error end
    where the numbers say so: the result is a function of the sampling alone, whatever `jobs` is.
    """
    if sampling.target_error is None:
        return merged(_run(run_block, blocks_of(0, sampling.fights), sampling.jobs))
    done = _FIRST_ROUND * BLOCK
    tally = merged(_run(run_block, blocks_of(0, done), sampling.jobs))
    while not _narrow_enough(tally, sampling.target_error) and done < MOST_FIGHTS:
        new = _run(run_block, blocks_of(done // BLOCK, done), sampling.jobs)
        done *= 2
        tally = merged([tally, *new])
    return tally


def _narrow_enough(tally: Tally, target: float) -> bool:
    mean = mean_estimate(tally.histogram)
    return (mean.high - mean.low) / 2 <= target * abs(mean.value)


def blocks_of(first: int, fights: int) -> list[tuple[int, int]]:
    """The blocks (number, fights) that so many fights are, from the first on."""
    whole, rest = divmod(fights, BLOCK)
    blocks = [(first + i, BLOCK) for i in range(whole)]
    return [*blocks, (first + whole, rest)] if rest else blocks


def _run(run_block: Callable[[int, int], Tally], blocks: list[tuple[int, int]], jobs: int) -> list[Tally]:
    return in_parallel(lambda block: run_block(*block), blocks, 1 if len(blocks) == 1 else jobs)

"""Blocks: which are run, and that nobody can tell who ran them."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.evaluate.sampling import BLOCK, Tally, sample
from buildsearch.model.evaluation import Sampling


def runner(log, spread=4):
    def run(block, fights):
        log.append((block, fights))
        outcomes = np.random.default_rng(block).integers(10, 10 + spread, fights)
        return Tally(np.bincount(outcomes, minlength=40).astype(np.int64), np.array([fights]))

    return run


def test_blocks_are_whole_but_for_the_last():
    log = []
    tally = sample(runner(log), Sampling(2 * BLOCK + 5))
    assert sorted(log) == [(0, BLOCK), (1, BLOCK), (2, 5)]
    assert tally.fights == tally.counts[0] == 2 * BLOCK + 5


@pytest.mark.parametrize("jobs", [2, 8, -1])
@pytest.mark.parametrize("target", [None, 0.001])
def test_workers_do_not_matter(jobs, target):
    one = sample(runner([]), Sampling(5 * BLOCK + 1, jobs=1, target_error=target))
    many = sample(runner([]), Sampling(5 * BLOCK + 1, jobs=jobs, target_error=target))
    assert one.histogram.tolist() == many.histogram.tolist()


def test_sampling_to_a_target_doubles_until_it_is_reached():
    log = []
    sample(runner(log, spread=25), Sampling(1, target_error=0.004))
    blocks = [block for block, _ in log]
    assert blocks == list(range(len(blocks)))
    assert len(blocks) in (4, 8, 16)
    assert all(fights == BLOCK for _, fights in log)

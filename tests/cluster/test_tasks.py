"""Tasks by content: what they are called, what comes back, and what is not taken for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from buildsearch.cluster.tasks import OtherVersionsError, name_of, packed, versions, work, wrapped
from buildsearch.library.fight_setup import setup_of
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.options.search import SearchOptions
from buildsearch.search.cached_scorer import SAMPLE, SOLVE, SOLVE_ALONE, CachedScorer, ScoreTask
from buildsearch.search.details import DescribeTask
from buildsearch.search.executor import Executor, Shared
from buildsearch.search.score_cache import ScoreCache
from tests.cluster.runs import REQUEST


class Distant(Executor):
    """Packs tasks and results as a cluster does."""

    def __init__(self):
        super().__init__(1)
        self.sent = []

    def run(self, task):
        self.sent.append(name_of(task, versions()))
        return task.unpack(work(wrapped(task, versions())))


@pytest.fixture(scope="module")
def setup():
    return setup_of(REQUEST)


@pytest.fixture(scope="module")
def scorer(setup):
    return setup.loaded.system.bulk(setup.loaded.model, setup.space)


def _chunk(setup, group):
    return next(iter(setup.space.chunks(Wanted(groups=(group,)), 20)))


def _distant(scorer, cache=None):
    return CachedScorer(scorer, ScoreCache(cache), Distant())


def test_the_same_scores_as_here(setup, scorer):
    distant = _distant(scorer)
    chunk, fights = _chunk(setup, "ranged"), list(setup.fights.values())
    np.testing.assert_array_equal(distant.solver(chunk, fights)(1), scorer.solve(chunk, fights[1]))
    few = Chunk(chunk.group, chunk.codes[:2])
    np.testing.assert_array_equal(distant.solve_alone(few, fights[0]), scorer.solve_alone(few, fights[0]))
    here, there = (each.sample(chunk, fights[2], 7, 16) for each in (scorer, distant))
    np.testing.assert_array_equal(there.totals, here.totals)
    np.testing.assert_array_equal(there.squares, here.squares)


def test_the_same_details_as_here(setup):
    evaluators = setup.loaded.system.evaluators(setup.loaded.model)
    build, fight = setup.space.parse("ranged"), next(iter(setup.fights.values()))
    here = evaluators[0].evaluate(build, fight, Sampling(0))
    others = [
        each for each in setup.space.builds(_chunk(setup, "ranged")) if not evaluators[0].why_not(each, fight)
    ]
    items = ((0, others[-1], Shared(fight)), (0, build, Shared(fight)))
    there = Distant().run(DescribeTask(Shared(tuple(evaluators)), items))[1]
    assert there.estimates == here.estimates
    np.testing.assert_array_equal(there.distribution, here.distribution)


def test_names_are_content(setup, scorer):
    chunk, (fight, other, *_) = _chunk(setup, "ranged"), map(Shared, setup.fights.values())
    again = setup.loaded.system.bulk(setup.loaded.model, setup.space)
    first, same = (ScoreTask.of(SAMPLE, Shared(each), chunk, fight, 0, 16) for each in (scorer, again))
    assert name_of(first, versions()) == name_of(same, versions())
    few = Chunk(chunk.group, chunk.codes[1:])
    tasks = [
        first,
        ScoreTask.of(SAMPLE, Shared(scorer), chunk, fight, 1, 16),
        ScoreTask.of(SAMPLE, Shared(scorer), chunk, fight, 0, 17),
        ScoreTask.of(SAMPLE, Shared(scorer), few, fight, 0, 16),
        ScoreTask.of(SAMPLE, Shared(scorer), chunk, other, 0, 16),
        ScoreTask.of(SOLVE_ALONE, Shared(scorer), chunk, fight),
        ScoreTask.of(SOLVE, Shared(scorer), chunk, fight),
    ]
    names = {name_of(task, versions()) for task in tasks} | {name_of(first, {})}
    assert len(names) == len(tasks) + 1


@pytest.mark.parametrize("wrong", ["fight", "builds", "way", "bytes"])
def test_scores_of_something_else_are_refused(setup, scorer, wrong):
    chunk = _chunk(setup, "ranged")
    first, second = map(Shared, list(setup.fights.values())[:2])
    task = ScoreTask.of(SOLVE, Shared(scorer), Chunk(chunk.group, chunk.codes[:3]), first)
    swapped = {
        "fight": {"fight": second},
        "builds": {"chunk": Chunk(chunk.group, chunk.codes[2::-1])},
        "way": {"how": SOLVE_ALONE},
        "bytes": {},
    }
    shard = work(wrapped(replace(task, **swapped[wrong]), versions()))
    with pytest.raises(UsageError, match="scores of something else"):
        task.unpack(shard[:-1] + b"\x01" if wrong == "bytes" else shard)


def test_other_versions_are_refused_before_anything_is_read():
    other = packed((versions() | {"numpy": "1.0"}, b"not even a task"))
    with pytest.raises(OtherVersionsError, match="instead of 1"):
        work(other)


def test_cached_scores_are_not_computed_again(setup, scorer, tmp_path: Path):
    chunk, fight = _chunk(setup, "ranged"), next(iter(setup.fights.values()))
    distant = [_distant(scorer, tmp_path) for _ in range(2)]
    for each in distant:
        each.solve(chunk, fight)
    assert [len(each.executor.sent) for each in distant] == [1, 0]


@pytest.mark.parametrize("rules", ["vitality-v1", "armitage", "dungeoneers", "animon-story"])
def test_what_has_worked_can_travel(rules):
    """Scorers and evaluators remember what they worked out: also then they can be pickled."""
    setup = setup_of(SearchOptions(rules=rules))
    system, model = setup.loaded.system, setup.loaded.model
    bulk, evaluators = system.bulk(model, setup.space), system.evaluators(model)
    chunk = next(iter(setup.space.chunks(Wanted(), 2)))
    fight = next(iter(setup.fights.values()))
    here = bulk.sample(chunk, fight, 0, 4)
    (build,) = setup.space.builds(Chunk(chunk.group, chunk.codes[:1]))
    for evaluator in evaluators:
        evaluator.why_not(build, fight)
    there = _distant(bulk).sample(chunk, fight, 0, 4)
    np.testing.assert_array_equal(there.totals, here.totals)
    assert packed(tuple(evaluators))

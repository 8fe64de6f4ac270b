"""Pieces by content: what they are called, what comes back, and what is not taken for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from buildsearch.cluster.proxies import RemoteEvaluators, RemoteScorer
from buildsearch.cluster.tasks import OtherVersionsError, packed, versions, work, wrapped
from buildsearch.library.fight_setup import setup_of
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.options.search import SearchOptions
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.score_cache import ScoreCache
from tests.cluster.runs import REQUEST


@pytest.fixture(scope="module")
def setup():
    return setup_of(REQUEST)


@pytest.fixture(scope="module")
def scorer(setup):
    return setup.loaded.system.bulk(setup.loaded.model, setup.space)


def _chunk(setup, group):
    return next(iter(setup.space.chunks(Wanted(groups=(group,)), 20)))


def _there(piece):
    return work(wrapped(piece))


def test_the_same_scores_as_here(setup, scorer):
    distant = RemoteScorer(scorer, _there, versions())
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
    assert evaluators[0].why_not(build, fight) is None
    here = evaluators[0].evaluate(build, fight, Sampling(0))
    others = [
        each for each in setup.space.builds(_chunk(setup, "ranged")) if not evaluators[0].why_not(each, fight)
    ]
    asked = [(0, others[-1], fight), (0, build, fight)]
    there = RemoteEvaluators(evaluators, _there, versions()).evaluated(asked)[1]
    assert there.estimates == here.estimates
    np.testing.assert_array_equal(there.distribution, here.distribution)


def test_names_are_content(setup, scorer):
    pieces = []
    distant = RemoteScorer(scorer, lambda piece: pieces.append(piece) or _there(piece), versions())
    chunk, fight = _chunk(setup, "ranged"), next(iter(setup.fights.values()))
    again = setup.loaded.system.bulk(setup.loaded.model, setup.space)
    for who in (
        distant,
        RemoteScorer(again, lambda piece: pieces.append(piece) or _there(piece), versions()),
    ):
        who.sample(chunk, fight, 0, 16)
    assert pieces[0].name == pieces[1].name
    distant.sample(chunk, fight, 1, 16)
    distant.sample(chunk, fight, 0, 17)
    distant.sample(Chunk(chunk.group, chunk.codes[1:]), fight, 0, 16)
    distant.sample(chunk, list(setup.fights.values())[1], 0, 16)
    distant.solve_alone(chunk, fight)
    distant.solver(chunk, [fight])(0)
    pieces.append(replace(pieces[0], versions={}))
    assert len({each.name for each in pieces[1:]}) == len(pieces) - 1


def test_scores_of_something_else_are_refused(setup, scorer):
    chunk = _chunk(setup, "ranged")
    first, second = list(setup.fights.values())[:2]
    swapped = {
        "fight": lambda piece: replace(piece, fight=packed(second)),
        "builds": lambda piece: replace(piece, codes=piece.codes[::-1]),
        "way": lambda piece: replace(piece, how=b"solve alone", codes=piece.codes),
    }
    for change in swapped.values():
        distant = RemoteScorer(scorer, lambda piece, change=change: _there(change(piece)), versions())
        with pytest.raises(UsageError, match="scores of something else"):
            distant.solver(Chunk(chunk.group, chunk.codes[:3]), [first])(0)
    damaged = RemoteScorer(scorer, lambda piece: _there(piece)[:-1] + b"\x01", versions())
    with pytest.raises(UsageError, match="scores of something else"):
        damaged.solver(Chunk(chunk.group, chunk.codes[:3]), [first])(0)


def test_other_versions_are_refused_before_anything_is_read(setup, scorer):
    asked = []
    distant = RemoteScorer(scorer, lambda piece: asked.append(piece) or _there(piece), versions())
    distant.solver(_chunk(setup, "ranged"), list(setup.fights.values()))(0)
    other = packed((versions() | {"numpy": "1.0"}, b"not even a piece"))
    with pytest.raises(OtherVersionsError, match="instead of 1"):
        work(other)


def test_what_is_kept_is_not_sent(setup, scorer, tmp_path: Path):
    chunk, fight = _chunk(setup, "ranged"), next(iter(setup.fights.values()))
    sent = []
    for _ in range(2):
        cached = CachedScorer(scorer, ScoreCache(tmp_path))
        cached.computing = RemoteScorer(
            scorer, lambda piece: sent.append(piece.name) or _there(piece), versions()
        )
        cached.solve(chunk, fight)
    assert len(sent) == 1


@pytest.mark.parametrize("rules", ["vitality-v1", "armitage", "dungeoneers", "animon-story"])
def test_what_has_worked_can_travel(rules):
    """Scorers and evaluators remember what they worked out: also then they fit into a piece."""
    setup = setup_of(SearchOptions(rules=rules))
    system, model = setup.loaded.system, setup.loaded.model
    bulk, evaluators = system.bulk(model, setup.space), system.evaluators(model)
    chunk = next(iter(setup.space.chunks(Wanted(), 2)))
    fight = next(iter(setup.fights.values()))
    here = bulk.sample(chunk, fight, 0, 4)
    (build,) = setup.space.builds(Chunk(chunk.group, chunk.codes[:1]))
    for evaluator in evaluators:
        evaluator.why_not(build, fight)
    there = RemoteScorer(bulk, _there, versions()).sample(chunk, fight, 0, 4)
    np.testing.assert_array_equal(there.totals, here.totals)
    assert packed(tuple(evaluators))

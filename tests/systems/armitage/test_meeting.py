"""Decks against decks: the double oracle finds what the whole matrix of a small space has."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from buildsearch.library.input_files import load_rules
from buildsearch.meta.double_oracle import MetaLimits, find_meta
from buildsearch.meta.equilibrium import exploitability
from buildsearch.meta.matches import Cells, Matches
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.executor import executor_of
from buildsearch.search.score_cache import ScoreCache

LINE = Wanted(groups=("eva+2",), without_features=("resolve",))


@pytest.fixture(scope="module")
def loaded():
    return load_rules("armitage-text")


def matches_of(loaded, jobs=1):
    system, rules = loaded.system, loaded.model
    space = system.space(rules, {})
    scorer = CachedScorer(system.bulk(rules, space), ScoreCache(None), executor_of(jobs))
    found = Matches(space, scorer, lambda build: system.match(rules, build, {}, {}), seed=0, alpha=0.05)
    found.add_builds(list(space.chunks(LINE, 1000)))
    return found


def nobody(_done):
    pass


def test_both_fighters_stand_alone_and_play_alike(loaded):
    space = loaded.system.space(loaded.model, {})
    build = space.parse("eva+2 / light_attack*8,heal*4")
    bout = loaded.system.match(loaded.model, build, {}, {"play": "lookahead"})
    first, second = bout.fighters(loaded.model, build)
    assert (first.stats, first.deck, first.play) == (second.stats, second.deck, second.play)
    assert (first.side, second.side) == (0, 1)
    with pytest.raises(UsageError, match="play alike"):
        loaded.system.match(loaded.model, build, {}, {"play": "greedy,lookahead"})


def test_one_kind_of_card_against_another_is_exact(loaded):
    matches = matches_of(loaded)
    attacks = matches.find(matches.space.encode(matches.space.parse("eva+2 / light_attack*12")))
    number = matches.add_opponent(attacks)
    assert matches.columns[number].exact[attacks] == 0.5
    heals = matches.find(matches.space.encode(matches.space.parse("eva+2 / heal*12")))
    assert set(np.flatnonzero(~np.isnan(matches.columns[number].exact))) == {attacks, heals}


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="minutes without compiled code")
def test_the_double_oracle_finds_what_the_whole_matrix_has(loaded):
    """13 decks of attacks and heals on one stat line; scripts/meta_figures.py does all 91."""
    whole = matches_of(loaded)
    everybody = np.arange(len(whole))
    assert len(everybody) == 13
    for row in everybody:
        whole.add_opponent(int(row))
    fights = 1024
    whole.play([Cells(number, everybody, fights) for number in range(len(everybody))], nobody)
    edges = whole.matrix()[0] - 0.5
    rules = MetaLimits(epsilon=0.05, budget=2_000_000)
    found = find_meta(matches_of(loaded), [0], rules, nobody)
    assert found.response.is_proved
    shares = np.zeros(len(everybody))
    shares[list(found.rows)] = found.shares
    assert exploitability(edges, shares) <= rules.epsilon + 4 * 0.5 / np.sqrt(fights)
    # Decks that stall hold out against any other: the equilibrium spreads over them.
    assert found.effective > 3
    again = find_meta(matches_of(loaded, jobs=2), [0], rules, nobody)
    assert again.names == found.names
    assert np.array_equal(again.shares, found.shares)
    assert np.array_equal(again.means, found.means)


def test_a_match_is_fair(loaded):
    """The exact win rates of a build against a rival and of the rival against it add up to one."""
    system, space = loaded.system, loaded.system.space(loaded.model, {})
    builds = [space.parse(f"eva+2 / light_attack*{cards}") for cards in ("12", "11,heal")]
    exact, won = system.evaluators(loaded.model)[0], []
    for build, rival in (builds, builds[::-1]):
        bout = system.match(loaded.model, rival, {}, {})
        assert exact.why_not(build, bout) is None
        won.append(exact.evaluate(build, bout, Sampling(0)).estimates["win_rate"].value)
    assert sum(won) == pytest.approx(1.0, abs=1e-9)
    assert won[0] < 0.4

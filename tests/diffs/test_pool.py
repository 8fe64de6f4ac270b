"""What blame looks at: the best builds and everything one change away from them."""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
import pytest

from buildsearch.diffs import blame
from buildsearch.diffs.sides import Side, build_keys, matches
from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Wanted
from buildsearch.search.ledger import Ledger
from buildsearch.search.scoring import ScoringSetup

SPACES = {
    "vitality-v2": ({"budget": "3"}, Wanted(groups=("melee_ac", "ranged"))),
    "armitage": ({}, Wanted(with_features=("heal", "resolve"), groups=("hth+3,eva+1", "hth+3,res+1,tuf+1"))),
}


@dataclass
class Fight:
    weight: float = 1.0


def side_of(name, renamed):
    loaded = load_rules(name)
    parameters, wanted = SPACES[name]
    arena = ScoringSetup(loaded.system.space(loaded.model, parameters), {"a": Fight()}, None, wanted)
    chunks = arena.chunks()
    ledger = Ledger.empty(arena.fights, chunks, ("x",))
    costs = np.random.default_rng(1).permutation(len(ledger)).astype(np.float64)
    return Side(arena, ledger, costs, build_keys(arena.space, chunks, renamed))


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="slow without compiled code")
@pytest.mark.parametrize("name", list(SPACES))
def test_the_pool_holds_every_neighbour_of_the_best(name, monkeypatch):
    monkeypatch.setattr(blame, "BEST", 5)
    side = side_of(name, {})
    space = side.arena.space
    found = blame.pool_of([(side, {})])
    chosen = list(blame.pooled(side.arena, found, {}))
    names = {space.name(build) for chunk in chosen for build in space.builds(chunk)}
    everything = {space.name(build) for chunk in side.ledger.chunks for build in space.builds(chunk)}
    expected = set()
    for row in side.best(5):
        build = side.build(int(row))
        expected |= {space.name(build), *(space.name(each) for each in space.neighbours(build))}
    assert expected & everything <= names
    assert len(expected & everything) > 5
    # And it is no more than that, but for swaps that the space itself does not count as one change.
    assert len(names) < len(everything)


def test_keys_follow_renames_and_match_builds():
    first, second = side_of("vitality-v2", {"bleed": "venom"}), side_of("vitality-v2", {})
    found = matches(first.keys, second.keys)
    levels = np.concatenate([second.arena.space.levels(chunk) for chunk in second.ledger.chunks])
    has = levels[:, second.arena.space.feature_names.index("bleed")] > 0
    assert has.any()
    assert (found[has] == -1).all()
    assert (found[~has] == np.flatnonzero(~has)).all()
    assert (matches(first.keys, second.keys[:0]) == -1).all()
    assert len(np.unique(second.keys, axis=0)) == len(second)

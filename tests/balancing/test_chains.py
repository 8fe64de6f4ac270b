"""Branch and bound over steps of numbers finds what brute force over the whole grid finds."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from buildsearch.balancing.number_games import Seen
from buildsearch.balancing.number_search import BranchAndBound, Trials, chains_of
from buildsearch.model.levers import Edit, Lever, number_lever

NAMES = "abcdef"


class Grid:
    """Builds of parts whose losses grow with every step of a lever of one of their parts; each has a limit
    that it must reach."""

    def __init__(self, seed, builds=8, grows=1):
        rng = np.random.default_rng(seed)
        self.levers = [
            number_lever(name, name, 4, range(1, 8), (name,), f"Change {name}", grows=grows) for name in NAMES
        ]
        self.has = rng.random((builds, len(NAMES))) < 0.4
        self.has[:, 0] |= ~self.has.any(axis=1)
        self.pull = rng.uniform(0.2, 1.0, self.has.shape) * self.has
        self.limit = rng.uniform(0.3, 1.9, builds)
        self.looks = 0
        self.refuted = set()

    def losses(self, edits):
        steps = {edit.lever: 4 - int(edit.text.partition("=")[2]) for edit in edits}
        return self.pull @ np.array([steps.get(name, 0) for name in NAMES])

    def short(self, edits):
        return np.flatnonzero(self.losses(edits) < self.limit - 1e-9)

    def parts(self, build):
        return frozenset(name for name, has in zip(NAMES, self.has[build], strict=True) if has)

    def blocker(self, edits):
        found = self.short(edits)
        return self.parts(found[0]) if len(found) else None

    def look(self, edits):
        self.looks += 1
        found = self.short(edits)
        gap = float((self.limit - self.losses(edits))[found].sum())
        return Seen(len(found) == 0, gap, tuple(self.parts(build) for build in found[:2]))

    def reach(self, edit):
        losses = self.losses([edit])
        return float((losses >= self.limit).mean()) if (losses != 0).any() else None

    def is_refuted(self, edits):
        return frozenset(edit.text for edit in edits) in self.refuted


class Rising(Grid):
    """What must be reached rises with whatever is weakened, as a reference level does."""

    def short(self, edits):
        limit = self.limit + 0.06 * sum(edit.steps for edit in edits)
        return np.flatnonzero(self.losses(edits) < limit - 1e-9)

    def blocker(self, edits):
        found = np.flatnonzero(self.losses(edits) < self.limit - 1e-9)
        return self.parts(found[0]) if len(found) else None


def brute_force(grid, size):
    """By sets of levers, the fewest steps that are enough."""
    found = {}
    for levers in combinations(grid.levers, size):
        weaker = [[edit for edit in lever.edits if edit.strength < 0] for lever in levers]
        for edits in product(*weaker):
            if len(grid.short(edits)) == 0:
                key = frozenset(lever.name for lever in levers)
                found[key] = min(found.get(key, 99), sum(edit.steps for edit in edits))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_the_fewest_steps_of_every_set_that_can_do_it(seed):
    grid = Grid(seed)
    search = BranchAndBound(
        [c for c in chains_of(grid.levers) if c.weakens], grid, looks=10_000, bounds=10_000
    )
    for size in (1, 2, 3):
        expected = brute_force(grid, size)
        found = {
            frozenset(edit.lever for edit in some): sum(edit.steps for edit in some)
            for some in search.sets(size)
        }
        assert {key: found[key] for key in found} == {key: expected[key] for key in found}
        # A set that has a smaller one that is enough needs no chain that touches anybody else.
        smaller = [key for less in range(1, size) for key in brute_force(grid, less)]
        assert set(found) == {key for key in expected if not any(less < key for less in smaller)}
        if expected:
            break
    assert search.is_whole


@pytest.mark.parametrize("seed", range(30))
def test_a_level_that_rises_with_the_edits(seed):
    """Every set that is found goes no farther than brute force says, and the fewest numbers are found."""
    grid = Rising(seed)
    search = BranchAndBound(
        [c for c in chains_of(grid.levers) if c.weakens], grid, looks=10_000, bounds=10_000
    )
    for size in (1, 2, 3):
        expected = brute_force(grid, size)
        found = {
            frozenset(edit.lever for edit in some): sum(edit.steps for edit in some)
            for some in search.sets(size)
        }
        assert found == {key: expected[key] for key in found}
        assert bool(found) == bool(expected)
        if expected:
            break


def test_three_numbers_where_no_two_are_enough():
    """So that the sets of three above are tried at all."""
    least = [next((size for size in (1, 2, 3) if brute_force(Grid(seed), size)), None) for seed in range(30)]
    assert {2, 3} <= set(least)


def test_bounds_save_looks():
    grid = Grid(seed=7)
    search = BranchAndBound(
        [c for c in chains_of(grid.levers) if c.weakens], grid, looks=10_000, bounds=10_000
    )
    found = [some for size in (1, 2, 3) for some in search.sets(size)]
    points = sum(len(list(combinations(NAMES, size))) * 3**size for size in (1, 2, 3))
    assert found
    assert grid.looks < points / 20
    assert search.ruled_out > 0


def test_what_is_refuted_is_not_the_end_of_its_set():
    grid = Grid(seed=7)
    search = BranchAndBound(
        [c for c in chains_of(grid.levers) if c.weakens], grid, looks=10_000, bounds=10_000
    )
    sizes = [size for size in (1, 2, 3) if brute_force(grid, size)]
    sets = search.sets(sizes[0])
    first = next(sets)
    grid.refuted.add(frozenset(edit.text for edit in first))
    levers = {edit.lever for edit in first}
    again = [some for some in sets if {edit.lever for edit in some} == levers]
    # Another point of the same box, which goes at least as far altogether.
    assert again == [] or sum(e.steps for e in again[0]) >= sum(e.steps for e in first)
    assert all(some != first for some in again)


def test_counts_end_a_search_and_it_says_so():
    grid = Grid(seed=7)
    search = BranchAndBound([c for c in chains_of(grid.levers) if c.weakens], grid, looks=10_000, bounds=3)
    assert not [some for size in (1, 2, 3) for some in search.sets(size)]
    assert not search.is_whole
    assert search.asked == 3


def test_a_lever_of_which_nobody_says_anything_is_no_chain():
    (lever,) = Grid(seed=0, grows=0).levers[:1]
    chains = chains_of([lever])
    assert len(chains) == len(lever.edits)
    assert not any(chain.weakens for chain in chains)
    up = Lever("up", (Edit("up", "values", ("a",), "up=2", "", 1, (), strength=1),))
    assert not chains_of([up])[0].weakens


@pytest.mark.parametrize("seed", [1, 3])
def test_trials_find_sets_of_numbers_that_nobody_says_anything_about(seed):
    grid = Grid(seed, builds=4, grows=0)
    trials = Trials(chains_of(grid.levers), grid, 3, 300, seed)
    alone = {edit.text for (edit,) in trials.alone()}
    assert alone == {e.text for lever in grid.levers for e in lever.edits if len(grid.short([e])) == 0}
    assert trials.is_whole
    found = list(trials.together())
    assert found
    assert all(len(grid.short(some)) == 0 for some in found)
    again = list(Trials(chains_of(grid.levers), grid, 3, 300, seed).together())
    assert [[e.text for e in some] for some in again] == [[e.text for e in some] for some in found]
    # Nothing that is not needed.
    for some in found:
        assert all(len(grid.short([e for e in some if e is not edit])) for edit in some)

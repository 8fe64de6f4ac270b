"""Eight profiles at a time: vectors against plain words, and nobody's result depends on who goes beside."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from test_vitality_exact_batch import masks_of
from vitality_exact_support import scene, v2_rules

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.exact import vectors
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, batch_means

# Name, and what is given besides: numbers in places of arrays and indices.
CALLS = {
    "add_product": ("out", 3, "one", 5, "two", 7),
    "copy": ("out", 3, "one", 7),
    "add_scaled_all": ("out", 3, 0.2, "two", 8, 9),
    "add_through": ("out", 3, "one", 7, "two", "codes", 2, "offsets", 1, 9),
}


# How often, for calls that say it.
COUNTS = (((),), ((9,), (8,), (1,), (0,)))


@pytest.mark.parametrize("name", CALLS)
def test_vectors(name):
    """Vectors of the machine do what the plain words say, and touch nothing else; also no times at all."""
    operate, plain = getattr(vectors, name), getattr(vectors, f"_plain_{name}")

    @njit
    def compiled(*words):
        operate(*words)

    rng = np.random.default_rng(1)
    counted = CALLS[name].count(9)
    for counts in COUNTS[counted]:
        given_ = {each: rng.random(200) for each in ("out", "one", "two")}
        # A code: so many eights behind the offset of this number.
        given_["codes"] = rng.integers(0, 12, 20) * 256 + rng.integers(0, 3, 20)
        given_["offsets"] = rng.integers(0, 90, 4)
        words = [*CALLS[name][: len(CALLS[name]) - counted], *counts]
        both = [{each: array.copy() for each, array in given_.items()} for _ in range(2)]
        for operator, own in zip((compiled, plain), both, strict=True):
            operator(*(own[word] if isinstance(word, str) else word for word in words))
        for each in given_:
            assert both[0][each] == pytest.approx(both[1][each], abs=1e-15)
        assert (both[0]["out"] != given_["out"]).any() == (not counted or any(counts))


@pytest.mark.parametrize(
    ("enemies", "max_turns", "with_"),
    [
        *(
            (enemies, max_turns, ())
            for enemies in ("100", "50,25,25", "25,25,10,10,10,10,10")
            for max_turns in (100, 40, 14)
        ),
        ("50,10,10,10,10,10", 100, ("bloodied",)),
        ("50,10,10,10,10,10", 100, ("splinter",)),
    ],
)
def test_results_do_not_depend_on_company(enemies, max_turns, with_):
    """Bit for bit: all at once, half of them, and each alone; also where the turn limit is near."""
    rules = v2_rules()
    attacker, encounter = scene(4, enemies, max_turns=max_turns)
    _, masks = masks_of(rules, "ranged", 300, seed=3, budget=6, with_=with_)
    together = batch_means(rules, attacker, encounter, "ranged", masks)
    assert (together.ways == (BY_WALK if max_turns < 100 else BY_VALUE)).sum() >= 20 or enemies == "100"
    half = batch_means(rules, attacker, encounter, "ranged", masks[::2])
    assert np.array_equal(half.means, together.means[::2], equal_nan=True)
    assert np.array_equal(half.ways, together.ways[::2])
    for i in range(0, len(masks), 10):
        alone = batch_means(rules, attacker, encounter, "ranged", masks[i : i + 1])
        assert np.array_equal(alone.means, together.means[i : i + 1], equal_nan=True), i


rows = st.tuples(st.integers(1, 30), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.sampled_from([-(2**62), -3, 0, 1, 2, 7, 2**61]))
)


@settings(max_examples=200, deadline=None)
@given(rows)
def test_distinct_rows(given_):
    """One row of each kind, and the kind of every row: also of numbers too large to be made one."""
    first, kinds = distinct_rows(given_)
    assert np.array_equal(given_[first][kinds], given_)
    assert len(first) == len({tuple(row) for row in given_.tolist()})


def test_proofs_do_not_depend_on_company():
    """Growths that only a neighbour needed leave no trace: many builds, the limit neither near nor far."""
    rules = v2_rules()
    attacker, encounter = scene(4, "25,25,10,10,10,10,10")
    _, masks = masks_of(rules, "ranged", 2000, seed=4, budget=6)
    together = batch_means(rules, attacker, encounter, "ranged", masks).means
    for i in range(7):
        apart = batch_means(rules, attacker, encounter, "ranged", masks[i::7]).means
        np.testing.assert_array_equal(apart, together[i::7])

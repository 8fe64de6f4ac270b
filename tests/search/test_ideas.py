"""Ideas of a leaderboard against their definition, taken literally."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from buildsearch.model.space import Feature
from buildsearch.search.ranks import RankedBuild, first_of_groups, variants

PARTS = "abcdefg"


def row(parts, saves=(), group="x"):
    """`ab` has two parts; `aab` has one of them twice."""
    counted = tuple(Feature(name, parts.count(name)) for name in dict.fromkeys(parts))
    return RankedBuild(counted, group, dict(saves))


def swaps(parts):
    """Every multiset that one swap, one part more or one part less makes of this one, and itself."""
    fewer = {"".join(sorted(each)) for each in itertools.combinations(parts, len(parts) - 1)}
    more = {"".join(sorted(parts + new)) for new in PARTS}
    return (
        {"".join(sorted(parts))} | fewer | more | {"".join(sorted(f + new)) for f in fewer for new in PARTS}
    )


def naive(rows):
    """For each row the first idea that it is a variant of, by trying every idea and every swap."""
    found = []
    for i, (parts, _) in enumerate(rows):
        of = None
        for j in range(i):
            if of is not None or found[j] is not None:
                continue
            saving = sorted(
                (p for p, saved in saves_of(rows[j]) if saved > 0), key=lambda p: -dict(rows[j][1])[p]
            )
            is_variant = (
                set(saving[:2]) <= set(parts)
                if len(saving) > 1
                else "".join(sorted(parts)) in swaps(rows[j][0])
            )
            of = j if is_variant else None
        found.append(of)
    return found


def saves_of(row_):
    return row_[1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("removable", [0, 2, 4])
def test_as_the_definition_says(seed, removable):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(40):
        parts = "".join(sorted(rng.choice(list(PARTS), 4)))
        names = list(dict.fromkeys(parts))[:removable]
        saves = [
            (name, float(saved)) for name, saved in zip(names, rng.normal(1, 1, len(names)), strict=True)
        ]
        rows.append((parts, sorted(saves, key=lambda each: -each[1])))
    assert variants([row(*each) for each in rows]) == naive(rows)


def test_a_variant_has_both_parts_that_save_the_most():
    best = row("abc", [("a", 7.0), ("b", 3.0), ("c", 1.0)])
    rows = [best, row("abd", [("d", 9.0), ("a", 8.0)]), row("acd", [("d", 9.0), ("a", 2.0)]), row("adef")]
    # The second is a variant of the first, so the fourth cannot be one of the second; it is one of the third.
    assert variants(rows) == [None, 0, None, 2]


def test_a_part_that_saves_nothing_is_no_key():
    assert row("ab", [("a", 7.0), ("b", -0.1)]).key_parts == ()


def test_decks_are_variants_one_swap_away():
    assert variants([row("aaab"), row("aaac"), row("aacc"), row("aaab"), row("aabcc")]) == [
        None,
        0,
        None,
        0,
        2,
    ]


def test_the_first_of_each_group():
    assert first_of_groups([row("a", group=each) for each in "xxyxz"]) == [True, False, True, False, True]

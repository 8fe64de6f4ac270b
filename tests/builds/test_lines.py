"""Lines of raises, and sets of names as masks."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.builds.lines import RaisedLines
from buildsearch.builds.masks import NamedSets
from buildsearch.builds.pointbuy import PointBuy
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted
from buildsearch.ruleset.messages import whole_number

LINES = RaisedLines(PointBuy((1, 1, 2), (2, 1, 1), 2, True), ("a", "b", "c"), ("line", "letter"))
FEATURES = ("a", "b", "c", "part")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), [(("c", 1),), (("a", 1), ("b", 1)), (("a", 2),)]),
        (Wanted(groups=("b+1,a+1",)), [(("a", 1), ("b", 1))]),
        (Wanted(with_features=("a", "part")), [(("a", 1), ("b", 1)), (("a", 2),)]),
        (Wanted(without_features=("b", "part")), [(("c", 1),), (("a", 2),)]),
    ],
)
def test_lines_are_filtered_in_order(wanted, expected):
    assert LINES.wanted(wanted, FEATURES) == expected


def test_a_line_is_read_in_any_order():
    assert LINES.read("b+1,a+1") == (("a", 1), ("b", 1))
    assert LINES.read("base") == ()
    assert LINES.row((("a", 1), ("c", 1))).tolist() == [1, 0, 1]
    assert set(LINES.trades((("a", 2),))) == {(("a", 1), ("b", 1)), (("c", 1),)}
    for group in ("b+1", "d+1", "a+x"):
        with pytest.raises(UsageError, match=f"unknown line `{group}`".replace("+", r"\+")):
            LINES.wanted(Wanted(groups=(group,)), FEATURES)


def test_sets_of_names():
    sets = NamedSets(f"n{i}" for i in range(64))
    masks = np.array([sets.mask(("n63", "n0")), sets.mask(())], np.uint64)
    assert [sets.named(mask) for mask in masks] == [("n0", "n63"), ()]
    assert sets.bits(masks).sum(axis=1).tolist() == [2, 0]
    assert sets.texts(masks).to_pylist() == ["n0,n63", ""]
    assert sets.texts(masks, np.arange(64) == 63).to_pylist() == ["n63", ""]


def test_parameters_are_plain_digits():
    assert whole_number({}, "points", 3, 0, 5) == 3
    assert whole_number({"points": "5"}, "points", 3, 0, 5) == 5
    for text in ("6", "-1", "1_0", "٣", "", "9" * 5000):
        with pytest.raises(UsageError, match="points must be a whole number from 0 to 5"):
            whole_number({"points": text}, "points", 3, 0, 5)

"""The benchmark's twin must list the same subsets, or its ratio would mean nothing."""

from __future__ import annotations

import runpy
from pathlib import Path

from hypothesis import given, settings

from .helpers import choices, listed, problem_of

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "benches" / "enumerate.py"))


@settings(deadline=None, max_examples=40)
@given(choices())
def test_the_twin_lists_the_same(choice):
    problem = problem_of(choice)
    if expected := listed(problem):
        assert [tuple(sorted(subset)) for subset in SCRIPT["plain_subsets"](problem)] == expected


def test_the_figures_add_up():
    problem = SCRIPT["made_up_problem"](3)
    figures = SCRIPT["bench"](problem, problem, repeats=1)
    assert figures["subsets"] == figures["twin_subsets"] > 500
    assert figures["bytes_per_subset"] == 8

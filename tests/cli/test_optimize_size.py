"""What is announced before a search: the whole run, or the next one."""

from __future__ import annotations

from buildsearch.cli.optimize_size import _time
from buildsearch.search.estimate import SearchEstimate

STAGES = {"estimate": 12.0, "solve": 85.0, "race": 24.0, "order": 15.0}


def test_what_has_passed_is_in_the_sum_and_told():
    cold = SearchEstimate(531_438, 0.96, STAGES, 1 << 30, compiling=80.0)
    assert _time(cold, is_next=False) == "4 minutes (92 s of it are over)"
    warm = SearchEstimate(531_438, 0.96, {**STAGES, "estimate": 5.0}, 1 << 30, compiling=1.0)
    assert _time(warm, is_next=False) == "2 minutes"


def test_a_dry_run_speaks_of_the_next_run_which_need_not_compile():
    cold = SearchEstimate(531_438, 0.96, STAGES, 1 << 30, compiling=80.0)
    assert _time(cold, is_next=True) == "2 minutes"
    assert cold.seconds == 136
    assert cold.passed == 92

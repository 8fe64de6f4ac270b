"""A short campaign for every change; `scripts/fuzz` is the long one."""

from __future__ import annotations

import logging

import numba
import pytest

from tests.fuzz.campaign import attack, targets_in


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_no_mutant_is_taken_for_an_answer_or_ends_in_a_traceback(tmp_path):
    logging.disable(logging.CRITICAL)  # optuna has its own words about journals
    try:
        targets = targets_in(tmp_path, with_run=not numba.config.DISABLE_JIT)
        report = attack(targets, mutants=660, seed=20)
    finally:
        logging.disable(logging.NOTSET)
    assert report.finds == []
    # Of every kind something was damaged beyond use, and something was still fit.
    assert {target.name for target in targets} == set(report.refused | report.taken)
    assert report.refused["rules"] > 20
    assert report.taken["rules"] > 5

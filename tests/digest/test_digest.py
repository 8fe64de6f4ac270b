"""The short form of the digest: what this tree says is what is kept. `scripts/digest` is the whole."""

from __future__ import annotations

import json

import numba
import pytest

from tests.digest import frozen
from tests.digest.frozen import CASES, FOLDER, NUMBERS, RUNS, moved_in_case, moved_in_run, moved_rows

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores builds by every engine")

_AGAIN = "; `scripts/digest` lists every row, and CONTRIBUTING says what a commit that moves some must do"


@pytest.mark.long
def test_no_row_moved():
    rows = [f"{name}: {old} -> {new}" for name, old, new in moved_rows(short=True)]
    assert rows == [], f"{len(rows)} rows moved{_AGAIN}"


def test_a_moved_row_is_told():
    """An answer, a build that engines take, a score and a finding: each as it was and as it is."""
    line = next(each for each in frozen.kept_cases() if "exact" in each["answers"])
    case, exact = line["case"], line["answers"]["exact"]
    assert moved_in_case(line) == []
    metric = next(iter(exact))
    value = exact[metric]
    exact[metric] += 1e-5
    del line["answers"]["sampled"]
    rows = moved_in_case(line)
    name = f"{case['game']} case {case['number']}"
    assert (f"{name}, exact, {metric}", value + 1e-5, value) in rows
    assert {row[0] for row in rows if row[1] is None} >= {f"{name}, sampled, {metric}"}


def test_a_moved_score_is_told(monkeypatch):
    kept = json.loads(RUNS.read_text(encoding="utf-8"))["dungeoneers"]
    build, *_, last = kept["top"]
    now = {"top": {**kept["top"], build: 0.5}, "findings": dict(list(kept["findings"].items())[1:])}
    del now["top"][last]
    now["top"]["another as good as the last"] = kept["top"][last]
    monkeypatch.setattr(frozen, "run_of", lambda game: now)
    gone = next(iter(kept["findings"]))
    assert moved_in_run("dungeoneers", kept) == [
        (f"dungeoneers finding, {gone}", kept["findings"][gone], None),
        (f"dungeoneers top, {build}", kept["top"][build], 0.5),
    ]


def test_what_is_kept_is_small_and_whole():
    assert sum(each.stat().st_size for each in FOLDER.iterdir()) < 3_000_000
    numbers = dict.fromkeys(NUMBERS, 0)
    for line in frozen.kept_cases():
        numbers[line["case"]["game"]] += 1
    assert numbers == NUMBERS
    assert CASES.exists()

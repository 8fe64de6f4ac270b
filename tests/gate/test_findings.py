from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from buildsearch.analysis.causes import minimal_causes
from buildsearch.gate.baseline import read_baseline, write_baseline
from buildsearch.gate.results import AssertionResult, CheckStatus, Level, Outcome, Violation
from buildsearch.model.errors import UsageError

FINDING = Violation(
    assertion="fast",
    kind="build-beats-limit",
    level=Level.ERROR,
    subjects=("brutal", "barrage"),
    where="tier 3, boss",
    message="too fast",
    value=1.2,
    limit=1.5,
    excess=0.3,
)


def result(*findings):
    return AssertionResult("fast", "build-beats-limit", Level.ERROR, "tier 3, boss", findings)


def test_verdicts():
    open_ = replace(FINDING, is_open=True)
    assert result().verdict is CheckStatus.PASS
    assert result(open_).verdict is CheckStatus.INCONCLUSIVE
    assert result(open_, FINDING).verdict is CheckStatus.FAIL
    assert Outcome((), (open_, FINDING)).verdict is CheckStatus.FAIL
    assert Outcome((), (open_,)).verdict is CheckStatus.INCONCLUSIVE
    assert Outcome((), (replace(FINDING, level=Level.WARN),)).verdict is CheckStatus.PASS


def test_fingerprints_are_of_the_cause_and_not_of_its_numbers():
    assert replace(FINDING, value=9.0, excess=7.0, message="other").fingerprint == FINDING.fingerprint
    assert replace(FINDING, subjects=("barrage", "brutal")).fingerprint == FINDING.fingerprint
    assert replace(FINDING, subjects=("brutal",)).fingerprint != FINDING.fingerprint
    assert replace(FINDING, where="tier 4, boss").fingerprint != FINDING.fingerprint


def test_a_baseline_hides_what_is_known_and_tells_what_is_worse_or_gone(tmp_path):
    path = tmp_path / "baseline.json"
    other = replace(FINDING, subjects=("bleed",), message="bleed is too fast")
    assert write_baseline(path, "game", "hash", [result(FINDING, other)], ["tier 3"], None) == 2
    baseline = read_baseline(path, "game")
    outcome = baseline.sift([result(FINDING)])
    assert (outcome.fresh, outcome.known, outcome.fixed) == ((), (FINDING,), ("bleed is too fast",))
    worse = replace(FINDING, excess=0.6)
    assert baseline.sift([result(worse)]).fresh == (worse,)
    new = replace(FINDING, subjects=("overhit",))
    assert baseline.sift([result(new)]).fresh == (new,)


def test_reasons_outlive_an_update(tmp_path):
    path = tmp_path / "baseline.json"
    write_baseline(path, "game", "hash", [result(FINDING)], ["tier 3"], None)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["findings"][0]["reason"] = "we like it"
    path.write_text(json.dumps(data), encoding="utf-8")
    write_baseline(path, "game", "other hash", [result(FINDING)], ["tier 3"], read_baseline(path, "game"))
    assert json.loads(path.read_text(encoding="utf-8"))["findings"][0]["reason"] == "we like it"


def test_what_was_not_judged_is_neither_fixed_nor_forgotten(tmp_path):
    path = tmp_path / "baseline.json"
    elsewhere = replace(FINDING, where="tier 30, boss", message="too fast at tier 30")
    there = replace(result(elsewhere), where=elsewhere.where)
    write_baseline(path, "game", "hash", [result(FINDING), there], ["tier 3", "tier 30"], None)
    baseline = read_baseline(path, "game")
    assert baseline.sift([result()]).fixed == ("too fast",)
    assert baseline.sift([replace(there, assertion="other", findings=())]).fixed == ()
    assert write_baseline(path, "game", "hash", [result()], ["tier 3"], baseline) == 1
    kept = json.loads(path.read_text(encoding="utf-8"))["findings"]
    assert [entry["fingerprint"] for entry in kept] == [elsewhere.fingerprint]
    assert write_baseline(path, "game", "hash", [], ["tier 30"], read_baseline(path, "game")) == 0


def test_a_baseline_of_another_ruleset_is_refused(tmp_path):
    path = tmp_path / "baseline.json"
    assert read_baseline(path, "game") is None
    write_baseline(path, "game", "hash", [], [], None)
    with pytest.raises(UsageError, match="baseline of game"):
        read_baseline(path, "other")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 99}', '{"format": 1, "findings": [{}]}'])
def test_what_is_no_baseline_is_told(tmp_path, text):
    path = tmp_path / "baseline.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="`update_baseline`"):
        read_baseline(path, "game")


def test_causes_are_the_smallest_sets_of_parts():
    names = ("melee", "ranged", "a", "b", "c", "d")
    levels = np.array(
        [
            [1, 0, 1, 1, 0, 0],  # a b
            [0, 1, 1, 1, 0, 0],  # a b, of the other kind
            [1, 0, 1, 1, 1, 0],  # a b c: the same cause
            [1, 0, 0, 0, 1, 1],  # c d
        ],
        dtype=np.uint8,
    )
    found = minimal_causes(levels, names, frozenset(("melee", "ranged")))
    assert [(cause.features, cause.rows.tolist()) for cause in found] == [
        (("a", "b"), [0, 1, 2]),
        (("c", "d"), [3]),
    ]
    assert minimal_causes(levels[:0], names, frozenset()) == []


def test_where_nothing_can_be_dropped_the_cause_is_what_all_have():
    levels = np.array([[3, 1, 0], [2, 0, 2]], dtype=np.uint8)
    (cause,) = minimal_causes(levels, ("light", "heal", "heavy"), frozenset())
    assert cause.features == ("light",)
    assert cause.rows.tolist() == [0, 1]

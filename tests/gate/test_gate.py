"""The config of a check, its findings, and on which side of a limit a number is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from buildsearch.analysis.causes import minimal_causes
from buildsearch.gate.baseline import read_baseline, write_baseline
from buildsearch.gate.checker import decide_limit
from buildsearch.gate.config import KINDS, PRESETS, preset, read_config
from buildsearch.gate.results import AssertionResult, CheckStatus, Level, Outcome, Violation
from buildsearch.model.errors import InputError, UsageError
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import sample_rows, solve_all
from tests.search.fakes import FIGHTS, FakeBulk, FakeSpace

GOOD = """
rules = "vitality-v2"
parameters = { tier = [3, 4], archetype = "focused" }

[assertions.fast-boss]
kind = "build-beats-limit"
scenario = ["boss"]
limit = 1.5
level = "warn"
"""


def problems_of(text, path):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_config(path)
    return caught.value.problems


def test_a_file_is_read(tmp_path):
    path = tmp_path / "buildsearch.toml"
    path.write_text(GOOD, encoding="utf-8")
    config, found = read_config(path)
    assert found == path
    assert config.parameters == {"tier": (3, 4), "archetype": ("focused",)}
    assert config.assertions["fast-boss"].limit == 1.5
    assert config.assertions["fast-boss"].level is Level.WARN


def test_the_usual_places_in_their_order(elsewhere):
    assert read_config(None)[1] is None
    Path("pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert read_config(None)[1] is None
    Path("pyproject.toml").write_text('[tool.buildsearch]\nrules = "a"\n', encoding="utf-8")
    config, path = read_config(None)
    assert (config.rules, str(path)) == ("a", "pyproject.toml")
    Path("buildsearch.toml").write_text('rules = "b"\n', encoding="utf-8")
    assert read_config(None)[0].rules == "b"


def test_every_one_of_many_unknown_keys_has_its_line(tmp_path):
    text = "".join(f"key{number} = 1\n" for number in range(2_000))
    found = problems_of(text + GOOD, tmp_path / "buildsearch.toml")
    assert [problem.line for problem in found] == list(range(1, 2_001))


REFUSED = yaml.safe_load(Path(__file__).with_name("refused.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: next(iter(case["problems"])))
def test_all_problems_at_once_with_line_and_hint_in_the_order_of_the_file(tmp_path, case):
    found = problems_of(case["text"], tmp_path / "buildsearch.toml")
    assert sorted(problem.path for problem in found) == sorted(case["problems"])
    assert [problem.line for problem in found] == sorted(problem.line for problem in found)
    for problem in found:
        expected = case["problems"][problem.path]
        assert problem.line == expected.get("line", problem.line)
        assert expected.get("message", "") in problem.message
        assert expected.get("hint", "") in (problem.hint or "")
        assert "Input should" not in str(problem)


def test_what_is_no_toml_is_told_with_its_line(tmp_path):
    (problem,) = problems_of('rules = "a"\nfights = [3\nx', tmp_path / "buildsearch.toml")
    assert problem.line is not None


def test_what_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_config(tmp_path / "none.toml")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no \[tool.buildsearch\]"):
        read_config(tmp_path / "pyproject.toml")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_configs(name):
    assert {assertion.kind for assertion in preset(name).assertions.values()} <= set(KINDS)


def test_an_unknown_preset_is_told():
    with pytest.raises(UsageError, match="strict"):
        preset("stict")


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


def ledger_of(bulk, floor=64):
    ledger = Ledger.empty(FIGHTS, list(FakeSpace().chunks(None, 64)), bulk.outcomes)
    scorer = CachedScorer(bulk, ScoreCache(None))
    solve_all(scorer, ledger)
    ledger.begin_sampling(everywhere=False)
    sample_rows(scorer, ledger, np.arange(len(ledger.sampled)), floor, 0)
    return ledger, scorer


@pytest.mark.parametrize("solvable", [True, False])
def test_only_builds_that_are_too_close_to_call_stay_open(solvable):
    bulk = FakeBulk(solvable=solvable)
    ledger, scorer = ledger_of(bulk)
    truth = np.concatenate([bulk.true_mean(chunk, FIGHTS["short"]) for chunk in ledger.chunks])
    limit = 3.03
    found = decide_limit(
        scorer,
        ledger,
        0,
        limit,
        higher_is_better=False,
        budget=6_000_000,
        seed=0,
        alpha=0.05,
        advance=lambda done: None,
    )
    assert (truth[found.better] < limit).all()
    others = np.setdiff1d(np.arange(len(truth)), np.concatenate([found.better, found.undecided]))
    assert (truth[others] >= limit).all()
    assert np.abs(truth[found.undecided] - limit).max(initial=0) < 1.0
    assert len(found.better) > 0
    if solvable:
        even = np.array([code % 2 == 0 for chunk in ledger.chunks for code in chunk.codes[:, 0]])
        assert not even[found.undecided].any()  # exact scores are never open


def test_nothing_is_spent_beyond_the_budget_nor_on_what_is_clear():
    bulk = FakeBulk(solvable=False)
    ledger, scorer = ledger_of(bulk)
    options = {"higher_is_better": True, "seed": 0, "alpha": 0.05, "advance": lambda done: None}
    assert decide_limit(scorer, ledger, 0, 49.999, budget=10**9, **options).fights == 0
    assert decide_limit(scorer, ledger, 0, 4.0, budget=1000, **options).fights <= 1000

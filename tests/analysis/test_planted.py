"""A ruleset with planted faults: each is found, with its cause, and nothing else is accused."""

from __future__ import annotations

import json

import numba
import pytest

from tests.analysis.tables import PLANTED

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores thousands of builds")

MUST_HAVE = "must-have"
ERROR = "error in rules or scenarios"
DOMINATED = "dominated option"
TOO_DEAR = "option too dear"


@pytest.fixture
def findings(run, elsewhere):
    """Rank everything under some changes to the planted rules, analyze, and give what is accused."""

    def findings_(*changes, budget=5):
        sets = [word for change in changes for word in ("--set", change)]
        words = ("--rules", PLANTED, "--budget", budget, "-q", "--no-cache", "--top", 1)
        scored = run("optimize", *words, *sets)
        assert scored.code == 0, scored.err
        ended = run("analyze", "--json")
        assert ended.code == 0, ended.err
        data = json.loads(ended.out)
        return {(finding["kind"], tuple(finding["culprits"])) for finding in data["findings"]}

    return findings_


def test_every_planted_fault_is_found_and_nothing_else(findings):
    """The pair and the blessing hide one another: without either the best build is hardly worse."""
    assert findings() == {
        (MUST_HAVE, ("wide_eye", "cruel_luck")),
        (MUST_HAVE, ("blessing",)),
        (ERROR, ("dragon_bane",)),
        (DOMINATED, ("feeble",)),
        (TOO_DEAR, ("opening",)),
    }


def test_one_fault_alone_is_found_as_what_it_is(findings):
    only_blessing = findings("cruel_luck.mechanics.critical_bonus.damage.flat=4", "cruel_luck.cost=1")
    assert (MUST_HAVE, ("blessing",)) in only_blessing
    assert not any("wide_eye" in culprits for _, culprits in only_blessing)


def test_mended_rules_accuse_nobody(findings):
    mended = (
        "cruel_luck.mechanics.critical_bonus.damage.flat=4",
        "cruel_luck.cost=1",
        "trade.modifiers.damage.flat=4",
        "blessing.modifiers.accuracy.flat=1",
        "blessing.modifiers.damage.flat=1",
        "dragon_bane.mechanics.slayer.max_hp=50",
        "dragon_bane.mechanics.slayer.damage.flat=3",
        "feeble.modifiers.accuracy.flat=1",
        "rested.modifiers.damage.flat=14",
        "opening.cost=0",
        "opening.modifiers.damage.flat=16",
    )
    assert findings(*mended) == set()

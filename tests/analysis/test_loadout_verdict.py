"""Verdicts on loadouts: the listed ones speak for themselves, and only so far."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.analysis.findings import FindingCode
from buildsearch.analysis.loadout_verdict import MEMBER, OPTION, LoadoutJudge, Loadouts
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.model.evaluation import Metric, Scale, ScoreWords

WORDS = ScoreWords(Metric("mean_turns", "mean turns", higher_is_better=False, unit="turns", verb="wins in"))
STICK = ScoreScale(Scale.POSITIVE, False, 1.0, read_thresholds().verdict)
JUDGE = LoadoutJudge(STICK, {}, WORDS)


def made_of(*members, scores, optional=4, decided=None):
    """Loadouts of two attacks; an attack is `a+b` of options a and b."""
    attacks = sorted({each for loadout in members for each in loadout})
    options = sorted({option for each in attacks for option in each.split("+")})
    has = [
        [any(option in each.split("+") for each in loadout) for option in options]
        + [attack in loadout for attack in attacks]
        for loadout in members
    ]
    return Loadouts(
        names=[" | ".join(loadout) for loadout in members],
        scores=np.array(scores),
        errors=np.zeros(len(scores)),
        parts=[*options, *attacks],
        kinds=[OPTION] * len(options) + [MEMBER] * len(attacks),
        has=np.array(has),
        optional=optional,
        decided=np.zeros(len(scores)) if decided is None else np.array(decided),
        searched=1_000,
        valued=100,
        is_complete=False,
    )


def test_a_pair_far_above_and_a_must_have_are_named():
    listed = (("a+b", "c"), ("a+b", "d"), ("a+c", "d"), ("a+d", "d"))
    found = JUDGE.judge(made_of(*listed, scores=[2.0, 2.1, 4.0, 4.1], optional=10))
    assert {(each.code, each.subjects) for each in found.findings} == {
        (FindingCode.OVERPOWERED, ("a", "b")),
        (FindingCode.MUST_HAVE, ("b",)),
        (FindingCode.MUST_HAVE, ("a",)),
    }
    assert found.overpowered == 2
    assert found.health == "The best loadout wins in 2 turns; the benchmark is 4.1 turns or worse."
    by_name = {each.name: each for each in found.standings}
    assert by_name["b"].best_without == 4.0
    assert by_name["b"].loss_when_banned == pytest.approx(2.0)
    # Every listed loadout has it: what is lost without it is at least the whole list.
    assert by_name["a"].best_without is None
    assert by_name["a"].loss_when_banned == pytest.approx(4.1 / 2.0)


def test_options_that_are_not_listed_bound_the_reference():
    few = made_of(("a", "b"), ("a", "c"), scores=[3.0, 3.1], optional=20)
    found = JUDGE.judge(few)
    assert found.reference_is_bound
    assert found.reference == 3.1
    assert "3.1 turns or worse" in found.health
    full = JUDGE.judge(made_of(("a", "b"), ("a", "c"), scores=[3.0, 3.1], optional=3))
    assert not full.reference_is_bound
    assert full.reference == 3.0
    assert full.findings == ()


def test_loadouts_that_decide_half_of_the_fights_at_once():
    found = JUDGE.judge(made_of(("a", "b"), ("c", "d"), scores=[3.0, 3.1], decided=[0.75, 0.25]))
    assert [each.code for each in found.findings] == [FindingCode.INSTANT_WIN]
    assert found.findings[0].numbers == {"builds": 1}

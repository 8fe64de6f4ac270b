"""What `validate` says of rules and scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest
from armitage_support import REPOSITORY

from buildsearch.library.input_files import inspect

RULES = REPOSITORY / "rules" / "armitage.yaml"
SCENARIOS = REPOSITORY / "scenarios" / "armitage.yaml"


def problems_with(*sets):
    loaded, problems = inspect(RULES, sets)
    return loaded, [problem for problem in problems if problem.path != "expectations[1].stated"]


def test_the_wrong_fourteen_per_cent():
    for path in (RULES, REPOSITORY / "rules" / "armitage-text.yaml"):
        loaded, (problem,) = inspect(path)
        assert loaded is not None
        assert (problem.severity, problem.path) == ("warning", "expectations[1].stated")
        assert "41.7% (5/12), not 0.14" in problem.message
        assert Path(problem.source).resolve() == RULES
        assert RULES.read_text(encoding="utf-8").splitlines()[problem.line - 1].count("stated: 0.14") == 1


def test_the_right_number_is_fine():
    assert inspect(RULES, ["expectations[1].stated=0.42"])[1] == []


@pytest.mark.parametrize(
    ("setting", "path", "expected"),
    [
        ("expectations[0].event=three_alice", "expectations[0].event", "unknown event"),
        ("presets.sample.lite_attack=3", "presets.sample.lite_attack", "unknown card `lite_attack`"),
        ("presets.sample.heal=200", "presets.sample", "at most 200 are a deck"),
        ("deck.copies=2", "deck.size", "do not make 12 cards"),
        ("points=1000", "points", "no stat line costs exactly 1000"),
        ("cards.eva={name: E, ap: 1, heal: 1}", "cards.eva", "is taken"),
        ("heal.attack={}", "cards.heal", "exactly one of"),
    ],
)
def test_errors(setting, path, expected):
    loaded, problems = problems_with(setting)
    assert loaded is None
    assert any(expected in problem.message and problem.path == path for problem in problems)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("heal.ap=4", "costs 4 AP, and a turn has 3"),
        ("quick.status.amount=0", "`quick` does nothing"),
        ("quick.status.amount=-1", "`quick` helps the other side"),
    ],
)
def test_warnings(setting, expected):
    loaded, (problem,) = problems_with(setting)
    assert loaded is not None
    assert expected in problem.message


def test_scenarios(tmp_path):
    path = tmp_path / "mine.yaml"
    text = SCENARIOS.read_text(encoding="utf-8")
    path.write_text(
        text.replace("[grunt, grunt, grunt]", "[sample, grnt]").replace(
            "  sample: {deck: sample}", "  sample: {deck: sample}\n  build: {deck: sample}"
        ),
        encoding="utf-8",
    )
    loaded, problems = inspect(path)
    assert loaded is None
    assert [problem.path for problem in problems] == [
        "combatants.build",
        "scenarios.outnumbered.opponents[1]",
        "combatants.grunt",
    ]

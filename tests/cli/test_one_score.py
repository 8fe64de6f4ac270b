"""A build has one score in all commands: `check` and `diff` read the very run that `analyze` reads."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from buildsearch.library.fight_setup import setup_of
from buildsearch.library.runs import load_run
from buildsearch.library.stored_runs import Making, facts_of, run_of
from buildsearch.options.search import SearchOptions

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="whole spaces are scored")

# Several at a time, so that some builds are sampled, and fight on in the race for the first ranks.
SWARM = """
kind: scenarios
system: vitality
id: swarm
name: A few
enemies:
  grunt: {hp: 30}
scenarios:
  few: {name: A few, enemies: [grunt, grunt, grunt]}
"""
# Builds that aim elsewhere than at the first are sampled.
AIM = "target=lowest_hp"
SPACE = ("--budget", "1", "--scenarios", "swarm.yaml", "--ruling", AIM)


@pytest.fixture
def place(elsewhere):
    (elsewhere / "swarm.yaml").write_text(SWARM, encoding="utf-8")
    return elsewhere


def request(**more):
    asked = {"rules": "vitality-v2", "rulings": (AIM,), "scenarios": "swarm.yaml"}
    return SearchOptions(**asked, parameters={"budget": "1"}, **more)


def test_the_commands_agree_on_one_run(run, place, monkeypatch):
    assert run("optimize", *SPACE, "--ranking-fights", "20000", "--quiet").code == 0
    # A run that is less sure than what is asked for is no answer; with as many fights it is.
    asked = request(ranking_fights=20_000)
    with monkeypatch.context() as patch:
        patch.setattr("buildsearch.library.stored_runs._made", None)
        found = run_of(setup_of(asked), asked, Making())
    whole = load_run(None)
    assert (whole.scores.error > 0).any()
    assert np.array_equal(facts_of(found).scores.score, whole.scores.score)
    # The same run made again, kept nowhere: the same scores for every build, sampled ones included.
    other = request(ranking_fights=20_000, seed=0, alpha=0.05, top=99)
    monkeypatch.setattr("buildsearch.library.stored_runs.stored_run", lambda *_: None)
    made = run_of(setup_of(asked), other.changed(top=100), Making())
    assert np.array_equal(made.run.scores.score, whole.scores.score)

# %% [markdown]
# # A gate in pytest
#
# `pytest examples/gate.py` fails when a rule change breaks what these tests promise. Put such a file beside
# your rules; `buildsearch check` does the same without Python, and knows baselines too.

# %%
import pytest

import buildsearch


@pytest.fixture(scope="module")
def game():
    """Your rules: a path works as well as a name."""
    return buildsearch.load("vitality-v2", budget=2, only=["boss", "mixed"])


@pytest.fixture(scope="module")
def run(game):
    """Every build, ranked once for all tests."""
    return buildsearch.optimize(game, top=20)


def test_the_shipped_assertions_hold(game):
    """What `buildsearch check --preset lenient` says; a failure prints every finding."""
    found = buildsearch.check(game, preset="lenient")
    assert found.passed, found.sentence


def test_no_build_beats_the_boss_in_five_turns(run):
    """A check of your own."""
    fastest = run.scores.to_pandas()["boss_mean_turns"].min()
    assert fastest > 5, f"{run.best} takes {fastest:.2f} turns"


def test_no_option_is_in_all_of_the_best_builds(run):
    """Names of builds are their parts."""
    parts = [set(name.split("+")) for name in run.to_pandas().index]
    assert not set.intersection(*parts)

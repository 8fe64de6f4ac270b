"""The example game, as its author would test it."""

from __future__ import annotations

import math

import pytest

from buildsearch.evaluate.sampling import BLOCK
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.testing import conformance
from tests.conftest import REPOSITORY

FIGHTERS = REPOSITORY / "examples" / "fighters"
TestFighters = conformance(FIGHTERS, feats=1, abilities=8)


@pytest.fixture
def loaded(own_games, monkeypatch):
    monkeypatch.setenv("BUILDSEARCH_GAME", str(FIGHTERS))
    return load_rules(str(FIGHTERS / "rules.yaml"))


def _sheet(loaded, text):
    game = loaded.system.game(loaded.model)
    return game._sheet(game.space.parse(text))


def test_numbers_of_the_text(loaded):
    """Typed a second time, from the text of the rules."""
    build = "greatsword / great_weapon / great_weapon_master,tough / plate / str+7,dex+4,con+7,wis+3"
    sheet = _sheet(loaded, build)
    assert (sheet["hp"], sheet["ac"], sheet["to_hit"], sheet["power"]) == (34 + 5 * (2 + 2), 18, 3 + 2, 10)
    # 2d6 with 1 and 2 rolled again, +2: (2 x 25/6) + 2.
    assert sheet["damage"].mean == pytest.approx(25 / 3 + 2)
    assert sheet["critical"].mean == pytest.approx(50 / 3 + 2)


def test_a_duel_by_hand(loaded):
    """One foe of one hit point: the fight is a geometric race that can be summed on paper."""
    game = loaded.system.game(loaded.model)
    bout = loaded.system.bouts(loaded.model, load_scenarios(str(FIGHTERS / "scenarios.yaml")).model, {})[
        "ogre"
    ]
    goblin = loaded.model.foes["goblin"].model_copy(update={"hp": 1, "ac": 8, "attacks": 1, "to_hit": -20})
    bout = bout.__class__(bout.name, 1.0, (("goblin", goblin),), 1, bout.rulings, "greedy")
    build = game.space.parse("rapier / dueling / none / chain_shirt / dex+7,con+7,wis+7")
    (exact, *_) = loaded.system.evaluators(loaded.model)
    found = exact.evaluate(build, bout, Sampling(0)).estimates
    # Four attacks of the first turn (two, and two more of the surge), at +5 against AC 8: a 1 and a 2 miss.
    # A round ends when the fighter is next; a goblin that begins costs the only one.
    assert found["win"].value == pytest.approx(0.5 * (1 - (2 / 20) ** 4))


def test_sampled_fights_agree_with_solved_ones(loaded):
    fights = loaded.system.bouts(loaded.model, load_scenarios(str(FIGHTERS / "scenarios.yaml")).model, {})
    space = loaded.system.space(loaded.model, {})
    build = space.parse("longbow / archery / sharpshooter,lucky / leather / dex+7,con+7,wis+7")
    exact, _, sampled, _ = loaded.system.evaluators(loaded.model)
    for fight in fights.values():
        true = exact.evaluate(build, fight, Sampling(0)).estimates
        found = sampled.evaluate(build, fight, Sampling(4 * BLOCK, seed=3)).estimates
        for name, estimate in found.items():
            assert abs(estimate.value - true[name].value) < 5 * estimate.se + 1 / math.sqrt(4 * BLOCK) / 50


def test_the_space(loaded):
    counts = loaded.system.space(loaded.model, {}).count(Wanted())
    assert list(counts) == ["greatsword", "longsword", "rapier", "longbow", "hand_crossbow"]
    assert sum(counts.values()) == 27_816

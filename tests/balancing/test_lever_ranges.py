"""[balance.levers]: a range and a step for each lever, and what is wrong with it, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildsearch.balancing.levers import LeverRequest, choose, names_of, ranged
from buildsearch.gate.config import LeverRange, read_config
from buildsearch.model.errors import InputError
from buildsearch.model.levers import Lever, number_lever
from tests.balancing.benches import Game

STRIKES = number_lever(
    "barrage.strikes", "barrage", 3, range(1, 7), ("s",), "", fits=lambda value: value >= 1
)
DAMAGE = number_lever("barrage.damage", "barrage", -2, range(-5, 2), ("d",), "")
HIT = number_lever("mace.hit", "mace", "d6", ("d4", "d8"), ("h",), "", scale=("d4", "d6", "d8", "d10", "d12"))
SHARE = number_lever("aim.share", "aim", 0.5, (), ("a",), "")
BAN = Lever("a+b", ())
ALL = [STRIKES, DAMAGE, HIT, SHARE, BAN]


def values(ranges):
    found = ranged(ALL, {name: LeverRange.model_validate(given) for name, given in ranges.items()})
    return {lever.name: [edit.writes[0].value for edit in lever.edits] for lever in found}


def test_ranges_are_whole_steps_from_today():
    found = values(
        {
            "barrage.strikes": {"from": 1, "to": 3},
            "barrage.damage": {"from": -8, "to": 4, "step": 2},
            "mace.hit": {"from": "d4", "to": "d12", "step": 2},
            "aim.share": {"from": 0.25, "to": 0.75, "step": 0.125},
        }
    )
    assert found["barrage.strikes"] == [1, 2]
    assert found["barrage.damage"] == [-8, -6, -4, 0, 2, 4]
    assert found["mace.hit"] == ["d10"]
    assert found["aim.share"] == [0.25, 0.375, 0.625, 0.75]
    assert all(isinstance(value, int) for value in found["barrage.damage"])


def test_one_end_a_range_without_today_and_patterns():
    assert values({"barrage.strikes": {"to": 4}})["barrage.strikes"] == [1, 2, 4]
    assert values({"barrage.strikes": {"from": 5, "to": 9, "step": 2}})["barrage.strikes"] == [5, 7, 9]
    found = values({"barrage.*": {"from": -4, "to": 4}, "barrage.damage": {"from": -3, "to": -3}})
    # Rules allow no strikes below one; the name goes before the pattern.
    assert found["barrage.strikes"] == [1, 2, 4]
    assert found["barrage.damage"] == [-3]
    # What no range names is as it was.
    assert found["mace.hit"] == ["d4", "d8"]
    assert names_of(ALL, {"*": LeverRange()}) == {lever.name for lever in ALL} - {"a+b"}


def test_all_problems_at_once():
    with pytest.raises(InputError) as caught:
        values(
            {
                "barage.strikes": {"from": 1},
                "a+b": {"from": 1},
                "barrage.strikes": {"from": -5, "to": 0},
                "barrage.damage": {"from": 0.5},
                "mace.hit": {"from": "d7"},
                "aim.share": {"from": 0, "to": 1000, "step": 0.001},
                "*.nothing": {"from": 1},
            }
        )
    said = {problem.path: problem.message for problem in caught.value.problems}
    assert "no lever" in said["barage.strikes"]
    assert "without values" in said["a+b"]
    assert "it is 3 today" in said["barrage.strikes"]
    assert "whole number" in said["barrage.damage"]
    assert "none of the values" in said["mace.hit"]
    assert "too many" in said["aim.share"]
    assert "no lever" in said["*.nothing"]
    assert all(problem.hint for problem in caught.value.problems)


def test_a_pattern_that_fits_nobody_s_values():
    with pytest.raises(InputError, match="none of the 2 levers"):
        values({"barrage.*": {"from": -50, "to": -50, "step": 1.5}})


CONFIG = """
[balance]
max_change = 2

[balance.levers]
kinds = ["values"]
"barrage.mechanics.strikes" = {from = 1, to = 3}
"*.modifiers.damage.*" = {from = -4, to = 4, step = 2}
charges_1.modifiers.damage.tier = {from = 0}
"""


def config(tmp_path, text):
    path = Path(tmp_path, "buildsearch.toml")
    path.write_text(text, encoding="utf-8")
    return read_config(path)[0]


def test_the_file(tmp_path):
    found = config(tmp_path, CONFIG).balance
    assert found.levers == ("values",)
    assert list(found.ranges) == [
        "barrage.mechanics.strikes",
        "*.modifiers.damage.*",
        "charges_1.modifiers.damage.tier",
    ]
    assert (found.ranges["barrage.mechanics.strikes"].least, found.ranges["*.modifiers.damage.*"].step) == (
        1,
        2,
    )
    assert config(tmp_path, '[balance]\nlevers = ["costs"]\n').balance.levers == ("costs",)


def test_what_is_wrong_in_the_file(tmp_path):
    with pytest.raises(InputError) as caught:
        config(
            tmp_path,
            '[balance.levers]\n"a" = 3\n"b" = {from = 4, to = 2}\n"c" = {from = 1, stepp = 2}\n'
            '"d" = {from = 1, step = -1}\nkinds = 7\n',
        )
    said = {problem.path: problem for problem in caught.value.problems}
    assert "needs a range" in said["balance.levers.a"].message
    assert "down to 2" in said["balance.levers.b"].message
    assert "stepp" in said["balance.levers.c.stepp"].message
    assert "balance.levers.d.step" in said
    assert "balance.levers" in said
    assert said["balance.levers.b"].line == 3


def test_ranges_choose_what_is_moved():
    game = Game(parameters={"budget": "3"})
    given = {"precise.cost": LeverRange.model_validate({"from": 2, "to": 9})}
    chosen = choose(game.levers, game.table, LeverRequest(kinds=("cost-raises",), ranges=given), "Vitality")
    (lever,) = [lever for lever in chosen.free if lever.name == "precise.cost"]
    # Beyond what `steps` allows: a range says how far.
    assert max(edit.steps for edit in lever.edits) > 3
    others = [edit.steps for each in chosen.free if each.name != "precise.cost" for edit in each.edits]
    assert max(others) <= 3


def test_ranges_of_numbers_alone_say_that_numbers_are_moved():
    game = Game(parameters={"budget": "3"})
    name = next(lever.name for lever in game.levers for edit in lever.edits if edit.changes_fights)
    chosen = choose(game.levers, game.table, LeverRequest(ranges={name: LeverRange()}), "Vitality")
    assert chosen.kinds == ("values",)

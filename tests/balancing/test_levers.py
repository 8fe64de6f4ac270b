"""Which levers, how far, and what they do, against the enumeration."""

from __future__ import annotations

import difflib
import random
from pathlib import Path

import pytest

from buildsearch.balancing.edits import edited_data, edited_text
from buildsearch.balancing.levers import LeverRequest, choose, names_of, ranged
from buildsearch.gate.config import LeverRange, read_config
from buildsearch.library.input_files import inspect, load_rules
from buildsearch.model.errors import InputError
from buildsearch.model.levers import Lever, Movable, number_lever
from buildsearch.ruleset.locate import list_files
from tests.balancing.benches import Game
from tests.conformance.test_systems import SMALL


def _rulesets():
    for path in list_files("rules").values():
        loaded = load_rules(str(path.resolve()))
        if isinstance(loaded.system, Movable):
            yield pytest.param(loaded, id=loaded.model.id)


EVERY_RULESET = pytest.mark.parametrize("loaded", list(_rulesets()))


def _some(levers, rng, *, removing=False):
    chosen = rng.sample(list(levers), min(len(levers), rng.randint(1, 4)))
    picked = [rng.choice(lever.edits) for lever in chosen if lever.edits]
    return [edit for edit in picked if not edit.changes_fights and not (removing and edit.lets_in)]


@EVERY_RULESET
def test_the_table_allows_what_the_edited_rules_allow(loaded):
    """Of the builds of today, those that the game itself enumerates under edited rules, whatever the edit."""
    sets = ["deck.size=4"] if loaded.system.id == "armitage" else []
    game = Game(str(loaded.path), SMALL[loaded.system.id], sets)
    rng = random.Random(5)  # noqa: S311 - no secret
    scores = game.table.population.scores
    here = [(scores.groups[g], code.tobytes()) for g, code in zip(scores.group, scores.codes, strict=True)]
    for _ in range(12):
        edits = [edit for edit in _some(game.levers, rng) if game.table.knows(edit)]
        legal = game.table.legal(edits)
        there = game.builds(edits)
        assert {key for key, ok in zip(here, legal, strict=True) if ok} == there & set(here), edits
        if game.table.is_closed(edits):
            assert there <= set(here), edits


@EVERY_RULESET
def test_edits_change_only_their_lines_and_mean_what_they_say(loaded, tmp_path):
    space = loaded.system.space(loaded.model, {})
    levers = loaded.system.levers(loaded.model, space)
    text = Path(loaded.path).read_text(encoding="utf-8")
    rng = random.Random(3)  # noqa: S311 - no secret
    for _ in range(25):
        edits = _some(levers, rng)
        new = edited_text(text, edits, loaded.document)
        path = tmp_path / "mine.yaml"
        path.write_text(new, encoding="utf-8")
        again, problems = inspect(path, kind="rules")
        assert again is not None, problems
        game_model = loaded.system.rules_model.model_validate(_data(loaded, edits))
        assert again.model == game_model
        changed = [line for line in difflib.ndiff(text.splitlines(), new.splitlines()) if line[:1] in "+-"]
        writes = sum(len(edit.writes) for edit in edits)
        assert len([line for line in changed if line[0] == "+"]) <= writes
        assert [line for line in text.splitlines() if "#" in line] == [
            line for line in new.splitlines() if "#" in line
        ] or any("#" in line for line in changed)


def _data(loaded, edits):
    return edited_data(loaded.document.root.plain(), edits)


def test_every_shipped_game_declares_levers():
    assert {each.values[0].model.system for each in _rulesets()} >= {"vitality", "armitage", "dungeoneers"}


def _numbers(loaded, space):
    levers = loaded.system.levers(loaded.model, space)
    return [lever for lever in levers if any(edit.changes_fights for edit in lever.edits)]


# What a designer would look for in each game.
PARTS = {
    "vitality": {"modifiers", "mechanics", "conditions", "flat_damage"},
    "armitage": {"ap", "heal"},
    "dungeoneers": {"hit", "pierce", "wounds", "av", "base"},
    "animon": {"damage", "hp", "amount", "dice", "extra"},
}


@EVERY_RULESET
def test_every_number_is_one_that_the_file_takes(loaded):
    """Each edit reads back as valid rules that differ in that number alone, and stands in the text."""
    levers = _numbers(loaded, loaded.system.space(loaded.model, {}))
    plain = loaded.document.root.plain()
    names = [lever.name for lever in levers]
    assert len(names) == len(set(names))
    assert PARTS[loaded.system.id] <= {part for name in names for part in name.split(".")}
    for lever in levers:
        for edit in lever.edits:
            model = loaded.system.rules_model.model_validate(edited_data(plain, (edit,)))
            assert model != loaded.model
            # To any other value: the same edit, or none where the rules allow no such.
            assert lever.to(edit.writes[0].value) == edit
        assert lever.to(lever.value) is None
        assert lever.to(10**9) is None or loaded.system.id == "vitality"
    text = Path(loaded.path).read_text(encoding="utf-8")
    for lever in levers[:: max(1, len(levers) // 8)]:
        after = edited_text(text, lever.edits[:1], loaded.document)
        added = [line for line in difflib.ndiff(text.splitlines(), after.splitlines()) if line[:1] == "+"]
        # A file that extends another gets the value, with the keys that lead to it.
        assert len(added) == 1 or (added and "extends" in plain_keys(text))


def plain_keys(text):
    return {line.partition(":")[0] for line in text.splitlines()}


@EVERY_RULESET
def test_numbers_leave_the_builds_as_they_are(loaded):
    """Else builds would be judged that there are not."""
    sets = ["deck.size=4"] if loaded.system.id == "armitage" else []
    game = Game(str(loaded.path), SMALL[loaded.system.id], sets)
    today, rng = game.builds(()), random.Random(7)  # noqa: S311 - no secret
    levers = _numbers(game.loaded, game.space)
    for lever in rng.sample(levers, min(len(levers), 10)):
        edits = [lever.edits[0], lever.edits[-1]]
        assert all(game.builds((edit,)) == today for edit in edits), lever.name


def test_stress_says_for_which_games_it_is():
    from types import SimpleNamespace

    from buildsearch.library.hold_outs import check_strainable
    from buildsearch.model.errors import UsageError

    desks = {
        name: SimpleNamespace(setup=SimpleNamespace(loaded=load_rules(name)))
        for name in ("vitality-v2", "dungeoneers")
    }
    assert check_strainable(desks["vitality-v2"])
    with pytest.raises(UsageError, match="is there for Vitality"):
        check_strainable(desks["dungeoneers"])


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

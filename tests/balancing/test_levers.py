"""What systems declare about their prices and bans is what their rules do."""

from __future__ import annotations

import difflib
import random
from pathlib import Path

import pytest

from buildsearch.balancing.edits import edited_data, edited_text
from buildsearch.library.input_files import inspect, load_rules
from buildsearch.model.levers import Movable
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

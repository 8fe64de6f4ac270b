"""Every suite for a game that is made with the kit, from one line of its test file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from buildsearch.library.input_files import inspect, load_rules
from buildsearch.model.errors import InputError
from buildsearch.model.levers import VALUES
from buildsearch.model.space import Wanted
from buildsearch.ruleset import locate
from buildsearch.ruleset.text_edits import rewrite
from buildsearch.systems.registry import GAME
from buildsearch.testing.rulesets import RulesetSuite
from buildsearch.testing.systems import SystemSuite

# Builds of a space that can be listed in a test.
_FEW = 1500


class GameSuite(SystemSuite, RulesetSuite):
    """A game in a folder; `conformance` makes one of these."""

    folder: Path
    small_limits: dict[str, str] | None = None

    @pytest.fixture(autouse=True)
    def named(self, monkeypatch):
        monkeypatch.setenv(GAME, str(self.folder))
        monkeypatch.setattr(locate, "GAME_FOLDERS", [self.folder])

    @pytest.fixture
    def loaded(self, named):
        return load_rules(str(self.folder / "rules.yaml"))

    @pytest.fixture
    def system(self, loaded):
        return loaded.system

    @pytest.fixture
    def small(self, loaded):
        """Limits halved until builds are few."""
        limits = {name: int(value) for name, value in _limits(loaded).items()}
        while self.small_limits is None and _count(loaded, limits) > _FEW and any(limits.values()):
            limits = {name: value // 2 for name, value in limits.items()}
        return self.small_limits or _text(limits)

    @pytest.fixture
    def large(self, loaded, small):
        """The limits of the rules, or one more of each."""
        limits = _text(_limits(loaded))
        return limits if limits != small else _text({name: int(value) + 1 for name, value in small.items()})

    def test_shipped_rules_have_no_remarks(self, loaded):
        assert loaded.warnings == ()
        for kind in ("rules", "scenarios"):
            found, problems = inspect(self.folder / f"{kind}.yaml", kind=kind)
            assert found is not None
            assert problems == []

    def test_edits_of_levers_are_what_the_edited_rules_say(self, loaded, small, tmp_path):
        """Costs, limits and bans by arithmetic, and by a space of the edited file; codes stay the same."""
        system, rules = loaded.system, loaded.model
        space = system.space(rules, {})
        builds = space.sample(Wanted(), 60, np.random.default_rng(11))
        accounts = {each.name: each for each in system.accounts(rules, space)}
        levers = system.levers(rules, space)
        assert len({lever.name for lever in levers}) == len(levers)
        edits = [edit for lever in levers for edit in lever.edits]
        plain = [edit for edit in edits if edit.kind != VALUES]
        for i, edit in enumerate(plain[:: max(1, len(plain) // 40)]):
            path = tmp_path / f"rules{i}.yaml"
            path.write_text(rewrite(loaded.path.read_text("utf-8"), edit.writes), encoding="utf-8")
            other = system.space(load_rules(str(path)).model, {})
            assert other.feature_names == space.feature_names
            for build in builds:
                chunk = space.encode(build)
                assert (other.encode(build).codes == chunk.codes).all()
                levels = dict(zip(space.feature_names, space.levels(chunk)[0].tolist(), strict=True))
                allowed = all(_pays(account, levels, edit) for account in accounts.values())
                allowed &= not any(all(levels[name] >= level for name, level in ban) for ban in edit.bans)
                assert (other.reasons_against(build) == []) == allowed, edit.words

    def test_edited_numbers_are_read(self, loaded, tmp_path):
        space = loaded.system.space(loaded.model, {})
        edits = [edit for lever in loaded.system.levers(loaded.model, space) for edit in lever.edits]
        values = [edit for edit in edits if edit.kind == VALUES]
        for i, edit in enumerate(values[:: max(1, len(values) // 20)]):
            path = tmp_path / f"rules{i}.yaml"
            path.write_text(rewrite(loaded.path.read_text("utf-8"), edit.writes), encoding="utf-8")
            other = loaded.system.space(load_rules(str(path)).model, {})
            assert other.count(Wanted()) == space.count(Wanted()), f"{edit.words}: name the field in `fixed`"

    def test_what_is_no_build_is_said_in_sentences(self, space):
        for text in ("", "nonsense", " / ".join(["nonsense"] * len(space.shelves))):
            with pytest.raises(InputError) as raised:
                space.parse(text)
            assert all(problem.message for problem in raised.value.problems)


def _limits(loaded):
    return loaded.system.space(loaded.model, {}).parameters


def _text(limits):
    return {name: str(value) for name, value in limits.items()}


def _count(loaded, limits):
    return sum(loaded.system.space(loaded.model, _text(limits)).count(Wanted()).values())


def _pays(account, levels, edit):
    prices = dict(account.prices)
    for name, part, change in edit.prices:
        if name == account.name:
            prices[part] += change
    budget = account.budget + sum(change for name, change in edit.budgets if name == account.name)
    paid = sum(price * levels[part] for part, price in prices.items())
    return paid == budget if account.is_spent else paid <= budget


def conformance(folder: str | os.PathLike[str], **small: object) -> type[GameSuite]:
    """The suites of the game in a folder; limits that are named make the space that is listed whole."""
    limits = {name: str(value) for name, value in small.items()} or None
    return type("TestGame", (GameSuite,), {"folder": Path(folder).resolve(), "small_limits": limits})

from __future__ import annotations

import re

import pytest

from buildsearch.library.input_files import inspect, load_rules, load_scenarios
from buildsearch.model.errors import InputError, UsageError


def test_rules_come_with_the_system_that_reads_them():
    loaded = load_rules("vitality-v2", ["bleed.cost=2"], ["retaliation_cap=3"])
    assert (loaded.kind, loaded.system.id, loaded.model.id) == ("rules", "vitality", "vitality-v2")
    assert loaded.model.upgrades["bleed"].cost == 2
    assert loaded.model.rulings.retaliation_cap == 3
    assert load_rules("vitality-v2").model.upgrades["bleed"].cost == 3


def test_scenarios():
    assert load_scenarios("default").kind == "scenarios"
    with pytest.raises(UsageError, match="no scenario set called"):
        load_scenarios("defalt")


def test_an_error_carries_errors_only(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    text = rules_text.replace("cost: 3\n", "cost: 99\n", 1).replace(
        "retaliation_cap: 2", "retaliation_cap: no"
    )
    path.write_text(text, encoding="utf-8")
    _, problems = inspect(path)
    assert len(problems) == 2
    with pytest.raises(InputError) as raised:
        load_rules(str(path))
    assert [problem.path for problem in raised.value.problems] == ["rulings.retaliation_cap"]


def test_a_mended_place_is_not_reported_twice(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    path.write_text(rules_text.replace("mechanics: {bleed: true}", "mechanics: 7"), encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades.bleed.mechanics"]


def test_the_head_is_checked_first(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("kind: dragons\nsystem: chess\n", encoding="utf-8")
    loaded, problems = inspect(path)
    assert loaded is None
    assert [problem.path for problem in problems] == ["kind", "system"]


def test_who_refers_to_a_broken_entry_is_not_to_blame(tmp_path, rules_text):
    path = tmp_path / "mine.yaml"
    broken = re.sub(r"\n  ricochet:\n(    .*\n)+", "\n  ricochet: 7\n", rules_text, count=1)
    path.write_text(broken, encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades.ricochet"]
    many = "".join(f"  x{i}: *x\n" for i in range(1, 1001))
    first = "  x0: &x {name: X, section: S, cost: 1, modifiers: {damage: {flat: 1}}}\n"
    path.write_text(rules_text.replace("\nupgrades:\n", f"\nupgrades:\n{first}{many}"), encoding="utf-8")
    _, problems = inspect(path)
    assert [problem.path for problem in problems] == ["upgrades"]

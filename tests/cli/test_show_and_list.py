from __future__ import annotations

import json

import pytest


def test_show_says_what_an_option_does(run, elsewhere):
    ended = run("show", "vitality-v2", "bleed")
    assert ended.code == 0
    assert ended.out.splitlines()[0] == "bleed - Bleed (upgrade, costs 3)"
    assert "-3 damage" in ended.out
    assert "Damage Over Time Upgrades" in ended.out


def test_show_everything(run, elsewhere, v2_rules):
    ended = run("show", "vitality-v2")
    heads = [line for line in ended.out.splitlines() if not line.startswith(" ")]
    assert len(heads) == len(v2_rules.attack_types) + len(v2_rules.enhancements)


def test_show_as_json(run, elsewhere):
    (option,) = json.loads(run("show", "vitality-v2", "bleed", "--json").out)
    assert set(option) == {"id", "kind", "name", "summary", "cost", "facts"}
    assert option["facts"]["Effects"] == "damage only"


@pytest.mark.parametrize(("name", "expected"), [("bled", "Did you mean `bleed`?"), ("zzzz", "Known: ")])
def test_an_unknown_option(name, expected, run, elsewhere):
    ended = run("show", "vitality-v2", name)
    assert (ended.code, ended.out) == (2, "")
    assert f"vitality-v2 has no option `{name}`." in ended.err
    assert expected in ended.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["bleed", "--set", "bleed.cost=2"], "costs 2)"),
        (["bleed", "--set", "upgrades.bleed.modifiers.damage={flat: -4}"], "-4 damage"),
        (["bleed", "--set", "bleed.cost=2", "--set", "bleed.cost=1"], "costs 1)"),
        (["bleed", "--ruling", "bleed_ticks=2"], "dealt again, twice"),
        (["brutal", "--set", "brutal.cost=5"], "costs 5)"),
        (["brutal", "--ruling", "brutal=excess"], "what exceeds that"),
        (["splinter", "--set", "tiers=[3, 4, 5]"], "3 at tier 5"),
        (["direct_damage", "--set", "direct_damage.flat_damage.flat=20"], "flat 20 instead"),
        (["near_death", "--set", "near_death.conditions.hp_at_most=10"], "at 10 HP or less"),
        (["timid", "--set", "timid.name=Shy [red]"], "timid - Shy [red] (limit"),
    ],
)
def test_what_if(arguments, expected, run, elsewhere):
    ended = run("show", "vitality-v2", *arguments)
    assert (ended.code, ended.err) == (0, "")
    assert expected in ended.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--set", "bled.cost=2"], "Did you mean `bleed`?"),
        (["--set", "bleed.cots=2"], "unknown key `cots`"),
        (["--set", "bleed.cost=two"], "`cost` must be a whole number"),
        (["--set", "bleed.cost"], "there is no `=` in it"),
        (["--set", "bleed.cost="], "there is no value"),
        (["--set", 'bleed.name="\\e[31m"'], "must be one line without control characters"),
        (["--set", "exclusions[99]=x"], "there is no entry 99"),
        (["--ruling", "retaliation_cup=3"], "Did you mean `retaliation_cap`?"),
        (["--ruling", "retaliation_cap=-1"], "must be at least 0"),
        (["--set", "system=chess"], "`system` cannot be 'chess'"),
    ],
)
def test_bad_overrides_end_with_2(arguments, expected, run, elsewhere):
    ended = run("show", "vitality-v2", "bleed", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert expected in ended.err
    assert arguments[0] in ended.err


def test_list_everything(run, elsewhere):
    out = run("list").out
    for words in ("vitality-v2", "long-day", "power_attack"):
        assert words in out


def test_list_as_json(run, elsewhere):
    found = json.loads(run("list", "--json").out)
    assert set(found) == {"rules", "scenarios", "options"}
    assert "vitality-v2" in {row["name"] for row in found["rules"]}
    assert {"default", "profiles", "long-day"} <= {row["name"] for row in found["scenarios"]}
    assert set(found["rules"][0]) == {"name", "title", "system", "path"}
    assert set(found["options"][0]) == {"id", "kind", "cost", "summary"}
    assert list(json.loads(run("list", "rules", "--json").out)) == ["rules"]


def test_list_options_under_overrides(run, elsewhere):
    found = json.loads(run("list", "options", "--set", "bleed.cost=1", "--json").out)
    assert {row["id"]: row["cost"] for row in found["options"]}["bleed"] == 1


def test_own_files_are_listed_even_when_broken(run, elsewhere, rules_text):
    (elsewhere / "rules").mkdir()
    (elsewhere / "scenarios").mkdir()
    (elsewhere / "rules" / "broken.yaml").write_text("kind: rules", encoding="utf-8")
    text = rules_text.replace("name: Vitality v2", 'name: "[red]Mine"')
    (elsewhere / "rules" / "mine.yaml").write_text(text, encoding="utf-8")
    rows = {row["name"]: row for row in json.loads(run("list", "--json").out)["rules"]}
    assert rows["broken"]["title"] == "invalid: 1 problem, see `validate broken`"
    assert rows["mine"]["title"] == "[red]Mine"
    assert "[red]Mine" in run("list", "rules").out


def test_a_scenario_file_is_no_rules_file(run, elsewhere, repository):
    ended = run("show", repository / "scenarios" / "default.yaml")
    assert ended.code == 2
    assert "this is a file of scenarios, and rules are needed" in ended.err

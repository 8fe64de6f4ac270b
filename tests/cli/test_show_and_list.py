from __future__ import annotations

import json

import pytest


def test_show_everything(run, elsewhere, v2_rules):
    ended = run("show", "vitality-v2")
    heads = [line for line in ended.out.splitlines() if not line.startswith(" ")]
    assert len(heads) == len(v2_rules.attack_types) + len(v2_rules.enhancements)


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

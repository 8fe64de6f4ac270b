"""A game of one's own: begun as a copy, changed by a designer who writes no code."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
import yaml

from buildsearch.library.input_files import load_rules
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.legality import Catalogue, reasons_against

NEW_UPGRADE = """
  frenzy:
    name: Frenzy
    section: House rules
    cost: 2
    modifiers: {accuracy: {flat: -2}, damage: {flat: 1, tier: 1}}
    mechanics: {critical_range: 18, critical_bonus: {damage: {tier: 2}}}
    conditions: {uses: 3, hp_at_most: 60}
"""


@pytest.fixture
def mine(run, elsewhere):
    assert run("init", "my-game", "--from", "vitality-v2").code == 0
    return elsewhere / "rules" / "my-game.yaml"


def test_the_copy_is_the_same_but_for_its_name(mine, repository):
    copied = mine.read_text(encoding="utf-8")
    assert "id: my-game\n" in copied
    assert 'name: "My Game"\n' in copied
    original = (repository / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8")
    changed = [(a, b) for a, b in zip(original.splitlines(), copied.splitlines(), strict=True) if a != b]
    assert len(changed) == 2
    assert (mine.parent / "schema" / "vitality.json").is_file()
    assert sorted(path.name for path in mine.parent.iterdir()) == ["my-game.yaml", "schema"]


def test_the_copy_works_by_name_and_by_path(mine, run):
    for name in ("my-game", "rules/my-game.yaml", mine):
        assert run("validate", name).code == 0
        answer = json.loads(run("enumerate", "-r", name, "--budget", 2, "--count", "--json").out)
        assert (answer["rules"], answer["total"]) == ("my-game", 876)


def test_an_enhancement_out_of_known_mechanics(mine, run):
    text = mine.read_text(encoding="utf-8").replace("\nupgrades:\n", f"\nupgrades:\n{NEW_UPGRADE}", 1)
    mine.write_text(text, encoding="utf-8")
    assert (run("validate", "my-game").out, run("validate", "my-game").err) == (
        "rules/my-game.yaml: valid\n",
        "",
    )
    shown = run("show", "my-game", "frenzy").out
    assert "-2 accuracy, +1 + tier damage" in shown
    assert "critical on a natural 18 or more" in shown
    assert "usable 3 times a fight; at 60 HP or less" in shown
    words = ["-r", "my-game", "--budget", 2, "--count", "--json"]
    with_it = json.loads(run("enumerate", *words, "--with", "frenzy").out)
    assert with_it["by_type"] == {
        "melee_ac": 1,
        "melee_dg": 1,
        "ranged": 1,
        "area": 0,
        "direct_damage": 1,
        "direct_area_damage": 0,
    }
    assert json.loads(run("enumerate", *words).out)["total"] == 876 + 4
    assert run("validate", "-r", "my-game", "--build", "ranged+frenzy").code == 0


@pytest.mark.parametrize(
    "source", ["armitage", "armitage-text", "dungeoneers", "animon-story", "vitality-v1"]
)
def test_every_ruleset_can_be_copied(run, elsewhere, source):
    assert run("init", "my-game", "--from", source).code == 0
    assert run("validate", "my-game").code == 0


def test_a_copy_can_be_made_of_a_copy_elsewhere(mine, run, tmp_path):
    ended = run("init", "third.game", "--from", "my-game", "--out", tmp_path / "other")
    assert ended.code == 0
    assert (tmp_path / "other" / "rules" / "third.game.yaml").is_file()


def test_nothing_is_overwritten(mine, run):
    mine.write_text("precious", encoding="utf-8")
    ended = run("init", "my-game")
    assert ended.code == 2
    assert "exists already" in ended.err
    assert mine.read_text(encoding="utf-8") == "precious"


def test_an_unwritable_place(run, elsewhere):
    (elsewhere / "file").write_text("x")
    ended = run("init", "my-game", "--out", elsewhere / "file")
    assert ended.code == 2
    assert "cannot write" in ended.err
    assert [path.name for path in elsewhere.iterdir()] == ["file"]


def test_a_file_whose_copy_cannot_be_renamed(run, elsewhere, rules_text):
    (elsewhere / "flow.yaml").write_text(json.dumps(yaml.safe_load(rules_text)), encoding="utf-8")
    ended = run("init", "my-game", "--from", "flow.yaml")
    assert ended.code == 2
    assert "flow.yaml: cannot rename its copy" in ended.err
    assert not (elsewhere / "rules" / "my-game.yaml").exists()


def test_more_than_64_options_work_from_end_to_end(mine, run):
    data = yaml.safe_load(mine.read_text(encoding="utf-8"))
    extra = {
        f"extra_{i}": {
            "name": f"Extra {i}",
            "section": "House rules",
            "cost": 1 + i % 3,
            "modifiers": {"damage": {"flat": i + 1}},
        }
        for i in range(70)
    }
    data["limits"] |= {name: entry | {"conditions": {"uses": 1}} for name, entry in list(extra.items())[::2]}
    data["upgrades"] |= dict(list(extra.items())[1::2])
    data["exclusions"] += [
        {"section": "House rules", "group": [f"extra_{i}", f"extra_{(i * 7 + 1) % 70}"]}
        for i in range(0, 70, 3)
    ]
    data["exclusions"].append({"section": "House rules", "one": "extra_69", "others": ["bleed", "slaughter"]})
    data["restrictions"].append(
        {"section": "House rules", "types": ["ranged"], "ban": ["extra_68", "extra_0"]}
    )
    mine.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")

    assert run("enumerate", "-r", "my-game", "--budget", 2, "--out", "all.csv").code == 0
    lines = (mine.parents[1] / "all.csv").read_text(encoding="utf-8").splitlines()[1:]
    listed = [line.split(",")[0].strip('"') for line in lines]
    catalogue = Catalogue(load_rules(str(mine)).model)
    assert len(catalogue.ids) > 2 * 64 - 6
    expected = set()
    for attack_type in catalogue.rules.attack_types:
        shape = catalogue.default_shape(attack_type)
        for size in range(3):
            for names in combinations(catalogue.ids, size):
                build = Build((Attack(attack_type, names, "damage", shape),))
                if not reasons_against(build, catalogue, 2, 1):
                    expected.add("+".join((attack_type, *names)))
    assert len(listed) == len(set(listed))
    assert set(listed) == expected
    some = next(name for name in listed if "extra_69" in name)
    assert run("validate", "-r", "my-game", "--budget", 2, "--build", some).code == 0

"""Values set on the command line."""

import copy
from pathlib import Path

import pytest
import yaml

from buildsearch.model.errors import InputError
from buildsearch.ruleset.node import Position
from buildsearch.ruleset.overrides import apply_overrides
from buildsearch.ruleset.yaml_reader import parse_document

TEXT = """\
name: x
rulings: {retaliation_cap: 2}
base: {shared: 1}
upgrades:
  power_attack: &p
    cost: 1
    modifiers: {damage: {tier: 1}}
    mechanics:
  sweep: *p
  shared: {cost: 3}
exclusions:
  - group: [a, b]
  - group: [c, d]
"""


CASES = yaml.safe_load(Path(__file__).with_name("overrides.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def document():
    return parse_document(TEXT, "f.yaml")


def refused(document, *sets, **options):
    with pytest.raises(InputError) as caught:
        apply_overrides(document, sets, **options)
    return caught.value.problems


@pytest.mark.parametrize(("text", "path", "value"), CASES["settings"])
def test_settings(document, text, path, value):
    before = copy.deepcopy(document.root)
    changed = apply_overrides(document, [text])
    node = changed.root.at(path)
    assert node.plain() == value
    assert document.root == before
    assert changed.text_sha256 == document.text_sha256
    assert changed.source == "f.yaml"


def test_what_is_set_knows_its_option_and_the_rest_its_file(document):
    changed = apply_overrides(
        document, ["power_attack.cost=2", "power_attack.new=1"], ["retaliation_cap=3", "odd=1"]
    )
    entry = changed.root.at(["upgrades", "power_attack"])
    assert entry.at(["cost"]).position == Position("‹overrides› power_attack.cost=2")
    assert entry.key_position("cost") == Position("f.yaml", 6, 5)
    assert entry.key_position("new") == Position("‹overrides› power_attack.new=1")
    assert entry.at(["modifiers"]).position == Position("f.yaml", 7, 16)
    rulings = changed.root.at(["rulings"])
    assert rulings.plain() == {"retaliation_cap": 3, "odd": 1}
    assert rulings.at(["odd"]).source == "‹rulings› odd=1"


def test_an_alias_of_the_changed_value_is_left_alone(document):
    changed = apply_overrides(document, ["power_attack.cost=2"])
    assert changed.root.at(["upgrades", "sweep", "cost"]).value == 1


def test_nothing_to_set(document):
    assert apply_overrides(document, []) == document


def test_rulings_are_made_if_there_are_none():
    changed = apply_overrides(parse_document("a: 1", "f"), [], ["cap=3"])
    assert changed.root.plain() == {"a": 1, "rulings": {"cap": 3}}


def test_the_later_wins_and_sees_the_earlier(document):
    sets = ["power_attack.cost=2", "upgrades.power_attack.cost=3", "upgrades.fresh={cost: 1}", "fresh.cost=4"]
    upgrades = apply_overrides(document, sets).root.at(["upgrades"]).plain()
    assert upgrades["power_attack"]["cost"] == 3
    assert upgrades["fresh"] == {"cost": 4}


def test_first_names(document):
    (unknown,) = refused(document, "powr_attack.cost=2")
    assert unknown.hint.startswith("Did you mean `power_attack`? Known: ")
    assert unknown.source == "‹overrides› powr_attack.cost=2"
    assert (unknown.line, unknown.path) == (None, "powr_attack.cost")
    (root_key,) = refused(document, "exclusion[0]=1")
    assert root_key.hint.startswith("Did you mean `exclusions`? Known: ")
    (several,) = refused(document, "shared.cost=2")
    assert several.hint == "Write the full path: `base.shared.cost` or `upgrades.shared.cost`."
    changed = apply_overrides(document, ["shared.cost=2"], catalogues=["upgrades"])
    assert changed.root.at(["upgrades", "shared", "cost"]).value == 2
    changed = apply_overrides(document, ["limits.rounds=2"], root_keys=["limits"])
    assert changed.root.at(["limits"]).plain() == {"rounds": 2}


def test_all_that_is_wrong_is_said_together(document):
    deep = {"base" + ".a" * 64 + "=1": "the path has more than 64 steps"}
    wrong = CASES["refused"] | deep
    problems = refused(document, *wrong)
    assert [(p.source, p.message) for p in problems] == [
        (f"‹overrides› {text}", said) for text, said in wrong.items()
    ]
    assert all(p.line is None for p in problems)
    (syntax,) = refused(document, "name=[")
    assert syntax.message.startswith("this is not YAML")
    (bytes_,) = refused(document, "name=\udce9")
    assert "U+DCE9" in bytes_.message


def test_an_empty_list_and_a_root_that_is_no_mapping():
    (empty,) = refused(parse_document("a: []", "f"), "a[0]=1")
    assert empty.message == "there is no entry 0 in `a`, which is empty"
    (root,) = refused(parse_document("[1]", "f"), "a=1")
    assert root.message == "there is nothing called `a`"
    with pytest.raises(InputError, match="`the document` is 3"):
        apply_overrides(parse_document("3", "f"), [], ["a=1"])

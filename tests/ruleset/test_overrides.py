"""Values set on the command line."""

import copy

import pytest

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


@pytest.fixture
def document():
    return parse_document(TEXT, "f.yaml")


def refused(document, *sets, **options):
    with pytest.raises(InputError) as caught:
        apply_overrides(document, sets, **options)
    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("power_attack.cost=2", ["upgrades", "power_attack", "cost"], 2),
        ("upgrades.power_attack.cost = 2", ["upgrades", "power_attack", "cost"], 2),
        (
            "upgrades.power_attack.modifiers.damage.tier=3",
            ["upgrades", "power_attack", "modifiers", "damage", "tier"],
            3,
        ),
        (
            "power_attack.modifiers={accuracy: {tier: 1}}",
            ["upgrades", "power_attack", "modifiers"],
            {"accuracy": {"tier": 1}},
        ),
        ("power_attack.modifiers.new.tier=3", ["upgrades", "power_attack", "modifiers", "new"], {"tier": 3}),
        (
            "power_attack.mechanics.explode.on=5",
            ["upgrades", "power_attack", "mechanics"],
            {"explode": {"on": 5}},
        ),
        ("exclusions[0].group=[x, y]", ["exclusions", 0, "group"], ["x", "y"]),
        ("exclusions.0.group=[x]", ["exclusions", 0, "group"], ["x"]),
        ("exclusions[1].group[1]=z", ["exclusions", 1, "group"], ["c", "z"]),
        ("name=a=b", ["name"], "a=b"),
        ("name=null", ["name"], None),
        ("name='3'", ["name"], "3"),
        ("power_attack={cost: 9}", ["upgrades", "power_attack"], {"cost": 9}),
    ],
)
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
    wrong = {
        "nonsense": "there is no `=` in it",
        "=3": "there is no path before the `=`",
        "a..b=3": "`a..b` is not a path",
        "[0]=3": "`[0]` is not a path",
        "a[x]=3": "`a[x]` is not a path",
        "name=": "there is no value after the `=`",
        "name.deeper=3": "cannot set `name.deeper`: `name` is 'x', not a mapping",
        "name[0]=3": "cannot set `name[0]`: `name` is 'x', not a list",
        "upgrades[0]=3": "cannot set `upgrades[0]`: `upgrades` is a mapping, not a list",
        "power_attack.none[0]=3": (
            "cannot set `upgrades.power_attack.none[0]`: `upgrades.power_attack.none` is missing, not a list"
        ),
        "exclusions[2]=3": "there is no entry 2 in `exclusions`, which has 2 entries, numbered from 0",
        "exclusions.group=3": "`exclusions` is a list, so `group` must be a position in it such as 0",
        "exclusions.-1=3": "`exclusions` is a list, so `-1` must be a position in it such as 0",
        "exclusions.9876543210=3": (
            "there is no entry 9876543210 in `exclusions`, which has 2 entries, numbered from 0"
        ),
        "base" + ".a" * 64 + "=1": "the path has more than 64 steps",
        "name={a: 1, a: 2}": "the key `a` is written twice",
        "name=.inf": "not a finite number: .inf",
        "name=!!python/name:os.system 1": "tags are not supported: tag:yaml.org,2002:python/name:os.system",
    }
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

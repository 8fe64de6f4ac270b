from __future__ import annotations

import pytest
import v2
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.builds.notation import LONGEST_BUILD_TEXT
from buildsearch.model.errors import InputError
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.grammar import name_build, parse_build


def parse(text, effect="damage"):
    return parse_build(text, v2.catalogue(), effect)


def problems_of(text):
    with pytest.raises(InputError) as raised:
        parse(text)
    return [str(problem) for problem in raised.value.problems]


@given(v2.builds(), st.sampled_from(("damage", "condition")))
def test_a_name_read_again_is_the_build(build, effect):
    name = name_build(build, v2.catalogue(), effect)
    assert parse(name, effect) == build
    assert name_build(parse(name, effect), v2.catalogue(), effect) == name


@given(v2.attacks(), st.randoms(use_true_random=False))
def test_the_order_of_enhancements_and_spaces_do_not_matter(attack, rng):
    name = name_build(Build((attack,)), v2.catalogue())
    head, *tail = name.split("+")
    rng.shuffle(tail)
    assert parse("  " + " + ".join([head, *tail]) + " ") == Build((attack,))


def test_the_canonical_order_is_that_of_the_file():
    ids = list(v2.catalogue().ids)
    assert ids == [*v2.rules().upgrades, *v2.rules().limits]
    ids.reverse()
    assert parse("+".join(["ranged", *ids])).attacks[0].enhancements == v2.catalogue().ids
    written = name_build(parse("melee_dg+charges_2+brutal+power_attack"), v2.catalogue())
    assert written == "melee_dg+power_attack+brutal+charges_2"


def test_a_loadout_keeps_its_order_and_may_hold_a_build_twice():
    build = parse("ranged+bleed | melee_ac|ranged+bleed")
    assert [attack.type for attack in build.attacks] == ["ranged", "melee_ac", "ranged"]
    assert build.attacks[0] == build.attacks[2]
    assert name_build(build, v2.catalogue()) == "ranged+bleed | melee_ac | ranged+bleed"


def test_effects_and_shapes():
    assert parse("melee_dg:condition+barrage").attacks == (Attack("melee_dg", ("barrage",), "condition"),)
    assert parse("area[cone]").attacks == (Attack("area", shape="cone"),)
    assert parse("area") == parse("area[burst]:damage") == Build((Attack("area", shape="burst"),))
    assert name_build(parse("area[burst]"), v2.catalogue()) == "area"
    assert name_build(parse("area[line]:condition+overhit"), v2.catalogue()) == "area[line]:condition+overhit"


def test_the_effect_of_the_space_is_taken_where_none_is_named():
    assert parse("ranged", "condition").attacks[0].effect == "condition"
    assert parse("ranged:damage", "condition").attacks[0].effect == "damage"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mele_dg+brutal", "unknown attack type `mele_dg`"),
        ("mele_dg+brutal", "Did you mean `melee_dg`?"),
        ("brutal", "A build begins with its attack type."),
        ("melee_dg+powr_attack", "unknown enhancement `powr_attack` Did you mean `power_attack`?"),
        ("melee_dg+", "an empty enhancement"),
        ("melee_dg+zzzzzz", "Known: "),
        ("melee_dg+brutal+brutal", "`brutal` is taken twice"),
        ("", "no attack type"),
        ("ranged | ", "no attack type"),
        ("area[cube]", "unknown shape `cube`"),
        ("area[]", "unknown shape ``"),
        ("ranged[cone]", "`ranged` has no shapes."),
        ("ranged:dmg", "unknown effect `dmg`"),
        ("ranged:", "unknown effect ``"),
        ("area[cone", "unknown attack type `area[cone`"),
        ("x" * (LONGEST_BUILD_TEXT + 1), "too long"),
    ],
)
def test_bad_texts(text, expected):
    assert expected in " ".join(problems_of(text))


def test_all_problems_of_a_text_come_at_once():
    found = problems_of("mele_ac+powr_attack | area[cube]:dmg+bleed+bleed")
    assert len(found) == 5
    assert found[0].startswith("build 'mele_ac+powr_attack'")


@given(st.text(max_size=60))
def test_any_text_is_a_build_or_an_input_error(text):
    try:
        build = parse(text)
    except InputError:
        return
    assert parse(name_build(build, v2.catalogue())) == build

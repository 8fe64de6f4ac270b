"""Spec, Builds, Parameters and counts: how builds are written, which are legal, how many there are."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from animon_support import build, rules, space
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Wanted
from buildsearch.systems.animon.builds.build import all_lines, lowered
from buildsearch.systems.animon.builds.grammar import name_build
from buildsearch.systems.animon.rules.model import STAGES
from buildsearch.systems.animon.rules.settings import read_settings

FOUR = "neutral+fire+water+nature"
COUNTS = {
    "fledgling": (57, 228, 570),
    "basic": (1_302, 21_948, 163_680),
    "super": (103_488, 7_351_872, 163_553_280),
    "ultra": (11_195_520, 3_351_785_280, 222_432_460_800),
}


cached = cache(space)


def number(**parameters):
    return sum(space(**parameters).count(Wanted()).values())


@pytest.mark.parametrize("stage", COUNTS)
def test_counts(stage):
    found = [number(stage=stage, elements=elements) for elements in ("fire", FOUR, "all")]
    assert tuple(found) == COUNTS[stage]


def test_more_counts():
    assert number() == 7_351_872
    assert number(bond_level="4") == 18_379_680
    assert number(effects="2") == 220_342_848
    for elements, signatures in (("dark", (14, 61, 151)), (FOUR, (59, 323, 1_017))):
        for effects, expected in enumerate(signatures, 1):
            some = space(elements=elements, effects=str(effects))
            assert len(some.axes[2].choices) == expected


def test_lower_forms():
    assert lowered((5, 4, 3, 2), 12) == (3, 4, 3, 2)
    found = all_lines(rules(), build("super fire 5-4-3-2 / attack / sap@fire / sap@fire / hp"))
    assert found == ((2, 2, 2, 2), (3, 4, 3, 2), (5, 4, 3, 2))
    own = build("super fire 4-4-2-2>5-4-3-2 / attack / sap@fire / sap@fire / hp")
    assert all_lines(rules(), own)[1:] == ((4, 4, 2, 2), (5, 4, 3, 2))
    assert space(lower_forms="own").reasons_against(own) == []
    assert space().reasons_against(own) != []


@pytest.mark.parametrize("stage", STAGES)
def test_derived_forms_are_legal(stage):
    everything = space(stage=stage)
    for group in everything.count(Wanted()):
        line = everything.line_named(group)
        for name in STAGES[: STAGES.index(stage)]:
            row = rules().stages[name]
            assert all(row.least <= stat <= row.most for stat in lowered(line, 4 * row.least + row.points))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (
            "super  fire 5-4-3-2/attack/heavy_strike @ fire/multi_element@water+fire / hp",
            "super fire 5-4-3-2 / attack / heavy_strike@fire / multi_element@fire+water / hp",
        ),
        (
            "ultra dark 5-4-4-3 / dodge / sap@fire / power_transfer / "
            "efficient+multi_element*2@mirage+dark+light / damage*2,hp",
            "ultra dark 5-4-4-3 / dodge / sap@fire / power_transfer / "
            "efficient+multi_element*2@light+dark+mirage / hp,damage*2",
        ),
        ("fledgling fire 3-2-2-1 / attack / none", "fledgling fire 3-2-2-1 / attack / none"),
    ],
)
def test_canonical_names(written, canonical):
    assert name_build(build(written)) == canonical
    assert build(canonical) == build(written)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "unknown stage|no stage"),
        ("super fire", "begins with stage, element and stats"),
        ("super fire 5-4-3-2 / attack / hp", "2 signature attacks"),
        ("super fyre 5-4-3 / atack / sapp@fire / sap@fire / hpp", "unknown element `fyre`"),
        ("fledgling fire 3-2-2-1 / attack / sap@fire / none", "no signature attack"),
    ],
)
def test_what_cannot_be_read(text, said):
    with pytest.raises(InputError, match=said):
        build(text)


def test_all_problems_at_once():
    with pytest.raises(InputError) as caught:
        build("super fyre 5-4-3 / atack / sapp@fire / sap@fire+fire / hpp")
    assert len(caught.value.problems) == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("super fire 5-5-3-2 / attack / sap@fire / sap@fire / hp", "add up to 15"),
        ("super fire 6-4-2-2 / attack / sap@fire / sap@fire / hp", "not from 2 to 5"),
        ("super fire 5-4-3-2 / attack / sap@fire / sap@fire / none", "0 improvements"),
        ("super fire 5-4-3-2 / attack / sap@fire / sap@fire / hp*3", "3 times"),
        ("super dark 5-4-3-2 / attack / sap@fire / sap@fire / hp", "`dark` is not an element"),
        ("super fire 5-4-3-2 / attack / sap+misdirect@fire / sap@fire / hp", "has 2 effects"),
        ("super fire 5-4-3-2 / attack / sap@fire+water / sap@fire / hp", "has 2 elements"),
        ("super fire 5-4-3-2 / attack / power_transfer@fire / sap@fire / hp", "has 1 elements, and 0"),
        ("super fire 5-4-3-2 / attack / block_break+tough_break@fire / sap@fire / hp", "not go together"),
        ("super fire 5-4-3-2 / attack / sap*2@fire / sap@fire / hp", "has sap 2 times"),
        ("basic fire 4-4-2-2 / attack / sap@fire / none", "this is a basic build"),
    ],
)
def test_reasons_against(text, said):
    reasons = space().reasons_against(build(text))
    assert any(said in each.message for each in reasons), reasons


def test_the_bond_level_is_that_of_the_space():
    text = "super fire 5-4-3-2 / attack / sap@fire / sap@fire / hp*2"
    assert build(text).bond_level == 4
    assert space(bond_level="5").parse(text).bond_level == 5


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_generated_builds_are_listed_where_they_belong(data):
    parameters = {
        "stage": data.draw(st.sampled_from(STAGES)),
        "effects": data.draw(st.sampled_from("123")),
        "elements": data.draw(st.sampled_from(["fire", FOUR, "all"])),
        "lower_forms": data.draw(st.sampled_from(["derived", "own"])),
    }
    everything = cached(**parameters)
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for some in everything.sample(Wanted(), 3, rng):
        assert everything.reasons_against(some) == []
        chunk = everything.encode(some)
        assert list(everything.builds(chunk)) == [some]
        assert everything.table(chunk)["build"].to_pylist() == [everything.name(some)]
        has = dict(zip(everything.feature_names, everything.levels(chunk)[0], strict=True))
        assert {name: level for name, level in has.items() if level} == dict(everything.features(some))
        assert everything.drop(some, "hp") is None


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"stage": "mega"}, "no such stage"),
        ({"bond_level": "2"}, "needs 3"),
        ({"bond_level": "19"}, "more improvements"),
        ({"effects": "4"}, "from 1 to 3"),
        ({"elements": "fire+ice"}, "unknown element `ice`"),
        ({"lower_forms": "mine"}, "no such lower forms"),
        ({"stages": "super"}, "unknown parameter"),
    ],
)
def test_parameters_that_cannot_be(parameters, said):
    with pytest.raises(UsageError, match=said):
        read_settings(rules(), parameters)


def test_filters_that_cannot_be():
    with pytest.raises(UsageError, match="super_overcharge"):
        space().count(Wanted(with_features=("overcharge",)))
    with pytest.raises(UsageError, match="unknown stats"):
        space().count(Wanted(groups=("9-9-9-9",)))
    with pytest.raises(UsageError, match="both required and excluded"):
        space().count(Wanted(with_features=("hp",), without_features=("hp",)))

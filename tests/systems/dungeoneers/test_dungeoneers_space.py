"""Spec, Builds: counts, names, and every reason against a build."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from dungeoneers_support import STILETTO, rules, space

from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Wanted
from buildsearch.systems.dungeoneers.builds.grammar import Build
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, SLOTS

COUNTS = {
    (0, 0, 0, "D"): 1,
    (1, 1, 1, "D"): 108,
    (2, 2, 1, "D"): 2_723,
    (2, 3, 2, "D"): 11_700,
    (4, 4, 2, "D"): 213_696,
    (6, 6, 0, "D"): 745_299,
    (6, 6, 1, "D"): 2_523_754,
    (6, 6, 2, "D"): 3_585_088,
    (9, 6, 2, "D"): 11_562_380,
    (6, 8, 2, "D"): 9_209_625,
    (6, 6, 2, "E"): 2_913_122,
    (6, 6, 2, "B"): 3_933_516,
}


@pytest.mark.parametrize("limits", COUNTS, ids=str)
def test_counts(limits):
    names = ("points", "gear", "max_spells", "rank")
    found = space(**dict(zip(names, map(str, limits), strict=True))).count(Wanted())
    assert sum(found.values()) == COUNTS[limits]
    if limits == (6, 6, 2, "D"):
        assert len(found) == 426


def plain_gear(points):
    """Every set of gear, slot by slot: the slow and obvious twin."""
    read = rules()
    weapons = [name for name, each in read.weapons.items() if each.rank in (None, "E", "D")]
    slots = [
        [None, *(name for name, each in read.armour.items() if each.slot == slot and name != "clothes")]
        for slot in SLOTS
    ]
    spells = [chosen for size in range(3) for chosen in combinations(read.spells, size)]
    for weapon, *pieces, known in product(weapons, *slots, spells):
        gear = (weapon, *(piece for piece in pieces if piece), *known)
        if sum(read.gear[name].cost for name in gear) <= points and (
            sum(read.gear[name].hands for name in gear) <= 2
        ):
            yield gear


def test_gear_is_what_the_twin_lists():
    listed = space(points="0", gear="3", max_spells="2")
    found = {build.gear for chunk in listed.chunks(Wanted(), 1000) for build in listed.builds(chunk)}
    power = {name: piece.power for name, piece in rules().armour.items()}
    assert found == {gear for gear in plain_gear(3) if all(power.get(name, 0) <= 1 for name in gear)}


def test_names():
    everything = space()
    assert everything.name(everything.parse(STILETTO)) == STILETTO
    text = " prowess+3 , power+1,endurance+2/gambeson,  clothes2"
    with pytest.raises(InputError, match="unknown gear `clothes2`"):
        everything.parse(text)
    mixed = everything.parse("endurance+2,prowess+3,power+1 / gambeson,medium_shield,stiletto")
    assert everything.name(mixed) == STILETTO
    assert everything.name(everything.parse("base / clothes,improvised")) == "base / improvised"
    with pytest.raises(InputError) as caught:
        everything.parse("strength+1,power,mind+1,mind+1 / mace,,mace")
    assert len(caught.value.problems) == 5
    with pytest.raises(InputError, match="a slash"):
        everything.parse("mace")


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ("power+6 / mace", "`power` is 7, and 5 is the most"),
        ("power+2 / mace", "4 points of attributes are left"),
        ("power+4,mind+4 / mace", "8 points of attributes, and there are 6"),
        ("prowess+4,mind+2 / mace,dagger", "2 weapons"),
        ("prowess+4,mind+2 / boots", "has a weapon"),
        ("prowess+4,mind+2 / mace,laminar", "needs power 2"),
        ("prowess+4,mind+2 / mace,robes,leather", "one place, body"),
        ("prowess+4,mind+2 / glaive,light_shield", "3 hands"),
        ("prowess+4,mind+2 / claymore", "rank B, above D"),
        ("prowess+4,mind+2 / improvised,spark,venom,mage_armor", "3 spells, and 2 is the most"),
        ("prowess+4,power+2 / stiletto,brigandine,boots", "costs 7 points"),
    ],
)
def test_reasons(build, words):
    everything = space()
    said = [reason.message for reason in everything.reasons_against(everything.parse(build))]
    assert any(words in each for each in said), said
    at_any_cost = everything.reasons_against(everything.parse(build), at_any_cost=True)
    kept = ("hands", "needs power", "one place", "weapon")
    assert bool(at_any_cost) == any(word in words for word in kept)


def test_every_reason_at_once():
    everything = space()
    build = everything.parse("power+6 / claymore,light_shield,plate,hauberk,spark")
    assert len(everything.reasons_against(build)) == 5


def test_lines_and_gear_filter():
    everything = space(points="2", gear="2", max_spells="1")
    wanted = Wanted(groups=("prowess+1,power+1",), with_features=("medium_shield",))
    assert everything.count(wanted) == {"power+1,prowess+1": 1}
    (chunk,) = everything.chunks(wanted, 10)
    assert list(everything.builds(chunk)) == [
        Build((("power", 1), ("prowess", 1)), ("improvised", "medium_shield"))
    ]
    for wrong in (Wanted(groups=("power+9",)), Wanted(with_features=("plat",))):
        with pytest.raises(UsageError, match="unknown"):
            everything.count(wrong)
    with pytest.raises(UsageError, match="both required and excluded"):
        everything.count(Wanted(with_features=("mace",), without_features=("mace",)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"points": "25"}, "cannot all be spent"),
        ({"points": "many"}, "whole number"),
        ({"rank": "A"}, "Ranks, the lowest first: E, D, C, B"),
        ({"level": "3"}, "unknown parameter"),
    ],
)
def test_parameters(given, words):
    with pytest.raises(UsageError, match=words):
        space(**given)


def test_neighbours_connect_the_space():
    small = space(points="1", gear="1", max_spells="1")
    everything = {build for chunk in small.chunks(Wanted(), 1000) for build in small.builds(chunk)}
    start = next(iter(everything))
    seen, open_ = {start}, [start]
    while open_:
        for other in small.neighbours(open_.pop()):
            if other not in seen:
                seen.add(other)
                open_.append(other)
    assert seen == everything
    assert {name for build in everything for name, _ in build.raises} == set(ATTRIBUTES)

from __future__ import annotations

from itertools import combinations

import numba
import pytest
import v1
import v2
from hypothesis import given, settings

from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.builds.legality import attack_cost, reasons_against
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.rules.settings import read_settings

JIT = not numba.config.DISABLE_JIT


def reasons(text, budget=None, attacks=None):
    build = parse_build(text, v2.catalogue())
    return [str(problem) for problem in reasons_against(build, v2.catalogue(), budget, attacks)]


def legal_subsets(catalogue, attack_type, effect, budget):
    """The plain definition: every subset, kept if nothing speaks against it."""
    ids = catalogue.ids
    assert min(catalogue.enhancements[name].cost for name in ids) >= 1  # so `budget` bounds the size
    for size in range(budget + 1):
        for names in combinations(ids, size):
            attack = Attack(attack_type, names, effect, catalogue.default_shape(attack_type))
            if not reasons_against(Build((attack,)), catalogue, budget, 1):
                yield Build((attack,))


@pytest.mark.parametrize("edition", [v1, v2], ids=["v1", "v2"])
@pytest.mark.parametrize("budget", [0, 1, 2, *([3] if JIT else [])])
@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_enumeration_is_all_subsets_filtered(edition, budget, effect):
    rules = edition.rules()
    space = VitalitySpace(rules, read_settings(rules, {"budget": str(budget), "effect": effect}))
    listed: dict[str, list[Build]] = {name: [] for name in rules.attack_types}
    for chunk in space.chunks(Wanted(), 1000):
        listed[chunk.group].extend(space.builds(chunk))
    for attack_type, found in listed.items():
        expected = set(legal_subsets(edition.catalogue(), attack_type, effect, budget))
        assert len(found) == len(set(found)) == len(expected)
        assert set(found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("melee_dg+double_tap+ricochet", "ricochet does not go with double_tap"),
        ("melee_dg+minion_slayer_acc+boss_slayer_dmg", "Rules: Enemy Type Bonuses."),
        ("direct_damage+extra_attack", "extra_attack does not go on direct_damage"),
        ("area+splinter", "splinter does not go on area (at splinter) Rules: AOE Restrictions."),
        ("direct_damage:condition", "direct_damage cannot have the effect condition"),
        ("ranged:condition+brutal", "brutal is for damage builds only"),
        ("ranged+boss_slayer_cond", "boss_slayer_cond is for condition builds only"),
    ],
)
def test_reasons(text, expected):
    assert expected in " ".join(reasons(text))


def test_every_reason_is_given():
    found = reasons("direct_damage:condition+power_attack+brutal+charges_1+charges_2 | ranged", 2, 1)
    assert len(found) == 6
    assert "2 attacks, and the archetype has 1" in found[0]
    assert "costs 5, and the budget is 2" in found[-1]


def test_a_budget_and_a_number_of_attacks_bind_only_when_given():
    assert reasons("ranged+bleed+splinter | ranged") == []
    assert len(reasons("ranged+bleed+splinter | ranged", budget=5)) == 1
    assert len(reasons("ranged+bleed+splinter | ranged", attacks=1)) == 1


def test_each_attack_has_the_budget_for_itself():
    assert reasons("ranged+bleed | ranged+bleed", budget=3, attacks=2) == []


@settings(deadline=None)
@given(v2.attacks())
def test_cost_is_doubled_for_areas(attack):
    plain = sum(v2.rules().enhancements[name].cost for name in attack.enhancements)
    factor = 2 if attack.type in ("area", "direct_area_damage") else 1
    assert attack_cost(attack, v2.catalogue()) == factor * plain


@settings(deadline=None)
@given(v2.attacks(most=4))
def test_what_is_legal_stays_legal_with_less(attack):
    if not reasons_against(Build((attack,)), v2.catalogue(), 6, 1):
        for dropped in attack.enhancements:
            fewer = tuple(name for name in attack.enhancements if name != dropped)
            lesser = Build((Attack(attack.type, fewer, attack.effect, attack.shape),))
            assert reasons_against(lesser, v2.catalogue(), 6, 1) == []

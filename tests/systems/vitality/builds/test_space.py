from __future__ import annotations

from collections import Counter

import numba
import numpy as np
import pytest
import v2
from hypothesis import assume, given, settings
from scipy.stats import chisquare

from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Feature, Wanted
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.system import VitalitySystem

JIT = not numba.config.DISABLE_JIT
needs_jit = pytest.mark.skipif(not JIT, reason="too slow without compiled kernels")
SPEC_COUNTS = [
    (2, 876),
    (4, 31_436),
    pytest.param(6, 531_438, marks=needs_jit),
    pytest.param(8, 5_342_394, marks=needs_jit),
    pytest.param(10, 36_282_241, marks=needs_jit),
]


EVERYTHING = Wanted()


def listed(space, wanted=EVERYTHING, size=1 << 16):
    return [build for chunk in space.chunks(wanted, size) for build in space.builds(chunk)]


@pytest.mark.parametrize(("budget", "total"), SPEC_COUNTS)
def test_the_counts_of_the_specification(budget, total):
    assert sum(v2.space(budget=budget).count(Wanted()).values()) == total


@needs_jit
def test_a_solver_finds_as_many_at_budget_4():
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    rules = v2.rules()

    class Counted(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self):
            self.found += 1

    counts = {}
    for name, attack_type in rules.attack_types.items():
        model = cp_model.CpModel()
        taken = {
            option: model.new_bool_var(option)
            for option, entry in rules.enhancements.items()
            if "damage" in entry.effects
        }
        for exclusion in rules.exclusions:
            if exclusion.group:
                model.add_at_most_one(taken[option] for option in exclusion.group if option in taken)
            for other in exclusion.others:
                if other in taken:
                    model.add_implication(taken[exclusion.one], ~taken[other])
        for restriction in rules.restrictions:
            if name in restriction.types:
                model.add(sum(taken[option] for option in restriction.ban if option in taken) == 0)
        costs = sum(rules.enhancements[option].cost * variable for option, variable in taken.items())
        model.add(attack_type.cost_factor * costs <= 4)
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        counted = Counted()
        assert solver.solve(model, counted) == cp_model.OPTIMAL
        counts[name] = counted.found
    assert counts == v2.space(budget=4).count(Wanted())
    assert sum(counts.values()) == 31_436


def test_archetypes_set_the_budget_and_tiers_do():
    assert v2.space(tier=4, archetype="versatile_master").parameters["budget"] == 4
    assert v2.space().parameters == {"tier": 3, "archetype": "focused", "budget": 6, "effect": "damage"}
    assert v2.space(tier=5, budget=2).count(Wanted()) == v2.space(tier=3, budget=2).count(Wanted())


def test_condition_builds():
    counts = v2.space(budget=2, effect="condition").count(Wanted())
    assert list(counts) == ["melee_ac", "melee_dg", "ranged", "area"]
    for build in listed(v2.space(budget=2, effect="condition")):
        assert build.attacks[0].effect == "condition"
        assert not {"brutal", "bleed", "boss_slayer_dmg"} & set(build.attacks[0].enhancements)


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 16])
def test_chunks_of_any_size_list_the_same(size):
    space = v2.space(budget=2)
    chunks = list(space.chunks(Wanted(), size))
    assert max(map(len, chunks)) <= size
    assert listed(space, size=size) == listed(space)
    assert Counter(build.attacks[0].type for build in listed(space, size=size)) == space.count(Wanted())


def test_filters():
    space = v2.space(budget=3)
    everything = listed(space)
    wanted = Wanted(("ranged", "area"), ("bloodied",), ("power_attack", "passive"))
    expected = [
        build
        for build in everything
        for attack in build.attacks
        if attack.type in wanted.groups
        and "bloodied" in attack.enhancements
        and not set(wanted.without_features) & set(attack.enhancements)
    ]
    assert Counter(listed(space, wanted)) == Counter(expected)
    assert sum(space.count(wanted).values()) == len(expected) > 0


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(groups=("mele_ac",)), "Did you mean `melee_ac`?"),
        (Wanted(with_features=("bled",)), "Did you mean `bleed`?"),
        (Wanted(without_features=("zzz",)), "Known: "),
        (Wanted(with_features=("bleed",), without_features=("bleed",)), "both required and excluded"),
    ],
)
def test_bad_filters(wanted, expected):
    space = v2.space(budget=2)
    for ask in (space.count, lambda w: list(space.chunks(w, 10))):
        with pytest.raises(UsageError) as raised:
            ask(wanted)
        assert expected in str(raised.value)


def test_filters_that_nothing_fits():
    space = v2.space(budget=2)
    assert sum(space.count(Wanted(with_features=("bleed",))).values()) == 0
    assert listed(space, Wanted(with_features=("charges_1", "charges_2"))) == []
    with pytest.raises(UsageError, match="no legal build matches"):
        space.sample(Wanted(with_features=("bleed",)), 3, np.random.default_rng(1))


def test_samples_are_uniform_over_all_types_together():
    space = v2.space(budget=1)
    builds = listed(space)
    drawn = Counter(space.sample(Wanted(), 20 * len(builds), np.random.default_rng(2)))
    assert set(drawn) <= set(builds)
    assert chisquare([drawn[build] for build in builds]).pvalue > 1e-4


def test_samples_are_repeatable_and_shuffled():
    space = v2.space(budget=4)
    first, second = (space.sample(Wanted(), 50, np.random.default_rng(3)) for _ in range(2))
    assert first == second
    types = [build.attacks[0].type for build in first]
    assert types != sorted(types, key=list(v2.rules().attack_types).index)
    assert space.sample(Wanted(), 0, np.random.default_rng(3)) == []


def changes(before, after):
    """How many single changes lie between two attacks: one dropped, added or swapped, or another type."""
    assert before.effect == after.effect
    a, b = set(before.enhancements), set(after.enhancements)
    return max(len(a - b), len(b - a)) + (before.type != after.type)


@settings(deadline=None, max_examples=60 if JIT else 15)
@given(v2.builds(most_attacks=2, most=3))
def test_neighbours_are_legal_one_change_away_and_symmetric(build):
    space = v2.space(budget=4, archetype="dual_natured")
    neighbours = list(space.neighbours(build))
    assert len(neighbours) == len(set(neighbours))
    legal = not space.reasons_against(build)
    for neighbour in neighbours:
        assert space.reasons_against(neighbour) == []
        moved = [pair for pair in zip(build.attacks, neighbour.attacks, strict=True) if pair[0] != pair[1]]
        assert [changes(*pair) for pair in moved] == [1]
        if legal and neighbour in neighbours[:10]:
            assert build in set(space.neighbours(neighbour))


def test_neighbours_are_all_builds_one_change_away():
    space = v2.space(budget=2)
    builds = listed(space)
    for build in builds[::97]:
        expected = {other for other in builds if changes(build.attacks[0], other.attacks[0]) == 1}
        assert set(space.neighbours(build)) == expected


def test_a_shape_is_kept_by_neighbours():
    space = v2.space(budget=2)
    cone = Build((Attack("area", ("finale",), shape="cone"),))
    neighbours = set(space.neighbours(cone))
    assert {attack.shape for neighbour in neighbours for attack in neighbour.attacks} == {"cone"}
    assert Build((Attack("direct_area_damage", ("finale",), shape="cone"),)) in neighbours
    plain = set(space.neighbours(Build((Attack("ranged", ("finale",)),))))
    assert Build((Attack("area", ("finale",), shape="burst"),)) in plain


def test_an_illegal_build_can_be_mended_step_by_step():
    space = v2.space(budget=4)
    build = space.parse("melee_dg+bleed+brutal")
    assert space.reasons_against(build)
    assert space.parse("melee_dg+bleed") in set(space.neighbours(build))


@settings(deadline=None)
@given(v2.builds())
def test_features_and_cost(build):
    space = v2.space()
    features = space.features(build)
    assert len({feature.name for feature in features}) == len(features)
    assert sum(feature.level for feature in features) == sum(
        1 + len(attack.enhancements) for attack in build.attacks
    )
    assert space.cost(build) == sum(space.cost(Build((attack,))) for attack in build.attacks)


def test_a_feature_of_two_attacks_has_level_2():
    space = v2.space()
    assert Feature("bleed", 2) in space.features(space.parse("ranged+bleed | area+bleed"))


@given(v2.builds())
def test_names_of_a_condition_space_read_back(build):
    space = v2.space(effect="condition")
    assert space.parse(space.name(build)) == build


def test_names_are_the_same_in_a_table_and_from_objects():
    for effect in ("damage", "condition"):
        space = v2.space(budget=2, effect=effect)
        for chunk in space.chunks(Wanted(), 1 << 16):
            named = space.table(chunk)["build"].to_pylist()
            assert named == [space.name(build) for build in space.builds(chunk)]


def test_at_any_cost_only_the_relations_bind():
    space = v2.space(budget=2)
    dear = space.parse("ranged+bleed+splinter | ranged")
    assert len(space.reasons_against(dear)) == 2
    assert space.reasons_against(dear, at_any_cost=True) == []
    assert space.reasons_against(space.parse("area+splinter"), at_any_cost=True) != []


def test_parse_reports_bad_text():
    with pytest.raises(InputError):
        v2.space().parse("nonsense")


@settings(deadline=None, max_examples=20)
@given(v2.attacks(most=2))
def test_the_system_opens_the_same_space(attack):
    assume(attack.effect == "damage")
    opened = VitalitySystem().space(v2.rules(), {"budget": "2"})
    assert opened.reasons_against(Build((attack,))) == v2.space(budget=2).reasons_against(Build((attack,)))

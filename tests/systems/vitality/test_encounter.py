from __future__ import annotations

import pytest

from buildsearch.library.input_files import load_scenarios
from buildsearch.systems.vitality.encounter import make_attacker, make_encounters
from buildsearch.systems.vitality.rules.model import StatChanges
from buildsearch.systems.vitality.rules.scenarios import VitalityScenarios
from buildsearch.systems.vitality.rules.vocabulary import CullingStrike, Slayer


def shipped(repository, name):
    return load_scenarios(str(repository / "scenarios" / f"{name}.yaml")).model


def hp_of(encounter):
    return [[foe.max_hp for foe in wave] for wave in encounter.waves]


def test_the_default_set_is_that_of_the_specification(repository, v2_rules):
    encounters = make_encounters(v2_rules, shipped(repository, "default"))
    assert {name: hp_of(encounter) for name, encounter in encounters.items()} == {
        "boss": [[100]],
        "mixed": [[50, 25, 25]],
        "swarm": [[25, 25, 10, 10, 10, 10, 10]],
        "guard": [[50, 10, 10, 10, 10, 10]],
    }
    assert {encounter.total_hp for encounter in encounters.values()} == {100}
    assert {encounter.max_turns for encounter in encounters.values()} == {100}
    assert {encounter.weight for encounter in encounters.values()} == {1.0}
    for encounter in encounters.values():
        assert (encounter.area_targets, encounter.cluster, encounter.adjacent) == ({}, None, False)
        assert all(foe.stats == v2_rules.character.stats for wave in encounter.waves for foe in wave)


def test_the_profiles_are_those_of_the_specification(repository, v2_rules):
    encounters = make_encounters(v2_rules, shipped(repository, "profiles"))
    assert len(encounters) == 16
    stats = {
        name: encounters[f"boss_{name}"].waves[0][0].stats
        for name in ("balanced", "evasive", "tanky", "elite")
    }
    assert {name: (s.focus, s.power, s.mobility, s.endurance) for name, s in stats.items()} == {
        "balanced": (2, 2, 2, 2),
        "evasive": (2, 2, 4, 2),
        "tanky": (2, 2, 2, 4),
        "elite": (2, 2, 4, 4),
    }


def test_waves(repository, v2_rules):
    (encounter,) = make_encounters(v2_rules, shipped(repository, "long-day")).values()
    assert hp_of(encounter) == [[25, 25], [50], [10] * 5, [100]]
    assert encounter.total_hp == 250


def test_the_last_change_of_a_stat_wins(v2_rules):
    scenarios = VitalityScenarios.model_validate(
        {
            "kind": "scenarios",
            "system": "vitality",
            "id": "x",
            "name": "X",
            "enemies": {"rat": {"hp": 10, "mobility": 5, "endurance": 1, "power": 0}},
            "scenarios": {
                "den": {
                    "name": "Den",
                    "enemies": ["rat"],
                    "area_targets": {"cone": 2},
                    "cluster": 0,
                    "adjacent": True,
                    "max_turns": 7,
                    "weight": 3,
                }
            },
            "profiles": {"quick": {"mobility": 6, "endurance": 7}},
        }
    )
    (encounter,) = make_encounters(v2_rules, scenarios, StatChanges(endurance=9)).values()
    stats = encounter.waves[0][0].stats
    assert (stats.mobility, stats.endurance, stats.power, stats.focus) == (6, 9, 0, 2)
    assert encounter.name == "den_quick"
    assert (encounter.area_targets, encounter.cluster, encounter.adjacent) == ({"cone": 2}, 0, True)
    assert (encounter.max_turns, encounter.weight) == (7, 3.0)


def test_the_attacker(v2_rules):
    attacker = make_attacker(v2_rules, 4)
    assert (attacker.tier, attacker.hp, attacker.stats) == (4, 100, v2_rules.character.stats)
    assert make_attacker(v2_rules, 3, StatChanges(focus=5)).stats.focus == 5


@pytest.mark.parametrize(
    ("match", "hits"), [("exactly", [False, True, False]), ("at_most", [True, True, False])]
)
def test_slayers(match, hits):
    slayer = Slayer(max_hp=25, match=match)
    assert [slayer.matches(hp) for hp in (10, 25, 50)] == hits


def test_culling_is_strict_unless_told():
    assert CullingStrike(one_in=5).inclusive is False

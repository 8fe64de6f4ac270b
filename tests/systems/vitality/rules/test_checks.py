"""What only the meaning of a rules or scenario file shows; each change to a good file must be noticed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml

from buildsearch.library.input_files import inspect
from buildsearch.model.errors import Severity
from buildsearch.systems.vitality.rules.scenarios import MOST_ENEMIES

SCENARIOS = {
    "kind": "scenarios",
    "system": "vitality",
    "id": "mine",
    "name": "Mine",
    "enemies": {"rat": {"hp": 10}},
    "scenarios": {"den": {"name": "Den", "enemies": ["rat", "rat"]}},
}


@pytest.fixture
def data(rules_text):
    return yaml.safe_load(rules_text)


@pytest.fixture
def found(tmp_path):
    """Every problem of a file with these data, as (severity, path, message and hint)."""

    def found_(data):
        path = Path(tmp_path) / f"{data.get('id', 'file')}.yaml"
        path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
        loaded, problems = inspect(path)
        errors = [problem for problem in problems if problem.severity is Severity.ERROR]
        assert (loaded is None) == bool(errors)
        assert all(problem.line for problem in problems)
        return [
            (problem.severity.value, problem.path, f"{problem.message} {problem.hint}")
            for problem in problems
        ]

    return found_


def only(problems):
    assert len(problems) == 1, problems
    return problems[0]


def test_the_shipped_rules_are_fine(data, found):
    assert found(data) == []


def test_an_id_of_an_upgrade_and_a_limit(data, found):
    data["limits"]["bleed"] = dict(data["limits"]["timid"])
    severity, path, text = found(data)[0]
    assert (severity, path) == ("error", "limits.bleed")
    assert "the id `bleed` is taken" in text


def test_budgets_with_holes_and_tiers(data, found):
    data["tiers"] = [3, 4, 5, 6, 3]
    data["archetypes"]["focused"]["budgets"] = {3: 6, 5: 10, 6: 12, 7: 1}
    del data["archetypes"]["dual_natured"]
    del data["archetypes"]["versatile_master"]["budgets"][4]
    texts = [f"{path}: {text}" for _, path, text in found(data)]
    assert texts == [
        "tiers[4]: tier 3 is listed twice Drop one.",
        "archetypes.focused.budgets: `focused` has no budget for tier 4 Add `4: POINTS`.",
        "archetypes.focused.budgets.7: a budget for tier 7, which `tiers` does not list "
        "Known: 3, 4, 5, 6, 3.",
        "archetypes.versatile_master.budgets: `versatile_master` has no budget for tier 4, 6 "
        "Add `4: POINTS`.",
    ]


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        ({"group": ["bleed", "bleed"]}, "exclusions[12]", "`bleed` excludes itself"),
        ({"one": "bleed", "others": ["brutal", "bleed"]}, "exclusions[12]", "`bleed` excludes itself"),
        ({"group": ["bleed", "bled"]}, "exclusions[12].group[1]", "Did you mean `bleed`?"),
        ({"one": "bled", "others": ["brutal"]}, "exclusions[12].one", "Did you mean `bleed`?"),
        ({"one": "bleed", "others": ["brutl"]}, "exclusions[12].others[0]", "Did you mean `brutal`?"),
        ({"group": ["bleed", "ranged"]}, "exclusions[12].group[1]", "unknown enhancement `ranged`"),
        ({}, "exclusions[12]", "write either `group: [a, b, ...]`"),
        ({"group": ["bleed"], "one": "brutal"}, "exclusions[12]", "write either"),
        ({"one": "bleed"}, "exclusions[12]", "write either"),
        ({"group": ["bleed"] * 300}, "exclusions[12].group", "at most 250"),
    ],
)
def test_bad_exclusions(change, path, expected, data, found):
    data["exclusions"].append({"section": "Mine", **change})
    problems = found(data)
    assert problems[0][:2] == ("error", path)
    assert expected in problems[0][2]


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        ({"group": ["bleed"]}, "exclusions[12].group", "a group of one excludes nothing"),
        ({"group": ["timid", "careful"]}, "exclusions[12]", "are excluded already by exclusions[10]"),
    ],
)
def test_idle_exclusions_are_warnings(change, path, expected, data, found):
    data["exclusions"].append({"section": "Mine", **change})
    severity, where, text = only(found(data))
    assert (severity, where) == ("warning", path)
    assert expected in text


def test_bad_restrictions_and_retaliation(data, found):
    data["restrictions"].append({"section": "Mine", "types": ["range"], "ban": ["bled", "brutal"]})
    data["retaliation"]["type"] = "rangd"
    texts = [f"{path}: {text.partition(' Known:')[0]}" for _, path, text in found(data)]
    assert texts == [
        "retaliation.type: unknown attack type `rangd` Did you mean `ranged`?",
        "restrictions[2].types[0]: unknown attack type `range` Did you mean `ranged`?",
        "restrictions[2].ban[0]: unknown enhancement `bled` Did you mean `bleed`?",
    ]


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        (lambda d: d["critical"].update(range=21), "critical.range", "never happens on a d20"),
        (
            lambda d: d["upgrades"]["ricochet"]["mechanics"].update(critical_range=25),
            "upgrades.ricochet.mechanics.critical_range",
            "never happens on a d20",
        ),
        (
            lambda d: d["limits"]["unreliable_1"]["conditions"].update(activation_roll=21),
            "limits.unreliable_1.conditions.activation_roll",
            "never shows 21",
        ),
        (lambda d: d["upgrades"]["overhit"].pop("mechanics"), "upgrades.overhit", "does nothing"),
        (lambda d: d["limits"]["timid"].pop("conditions"), "limits.timid", "a limit without conditions"),
        (
            lambda d: d["upgrades"]["bleed"].update(cost=11),
            "upgrades.bleed.cost",
            "more than any budget (10)",
        ),
        (
            lambda d: d["restrictions"].append(
                {"section": "Mine", "types": list(d["attack_types"]), "ban": ["brutal"]}
            ),
            "upgrades.brutal",
            "goes on no attack type",
        ),
        (lambda d: d.update(default_scenarios="nowhere"), "default_scenarios", "no scenario set called"),
    ],
)
def test_warnings(change, path, expected, data, found):
    change(data)
    severity, where, text = only(found(data))
    assert (severity, where) == ("warning", path)
    assert expected in text


@pytest.mark.parametrize(
    ("conditions", "word", "expected"),
    [
        ({"last_turn": "hit_target", "turn": {"to": 1}}, "turn", "`last_turn`, which never holds on turn 1"),
        ({"last_turn": "defeated_enemy", "turn": {"to": 2}}, None, ""),
        ({"since_last_turn": "hit", "turn": {"to": 1}}, "turn", "Raise `to` to 2 or more"),
        ({"since_last_turn": "all_missed", "turn": {"from": 1, "to": 1}}, "turn", "`since_last_turn`"),
        ({"since_last_turn": "not_damaged", "turn": {"to": 1}}, None, ""),
        ({"since_last_turn": "not_attacked", "turn": {"to": 1}}, None, ""),
        ({"charge": 2, "turn": {"to": 2}}, "turn", "turn 3 is the first that it allows: `charge` of 2"),
        ({"charge": 2, "turn": {"to": 3}}, None, ""),
        ({"charge": 1, "turn": {"from": 3, "to": 3}}, "turn", "from turn 3 and `charge` of 1"),
        ({"charge": 1, "last_turn": "dealt_damage", "turn": {"to": 2}}, "turn", "Raise `to` to 3 or more"),
        ({"charge": 1, "last_turn": "dealt_damage", "turn": {"to": 3}}, None, ""),
        ({"no_attack_last_turn": True, "turn": {"to": 1}}, None, ""),
        ({"no_attack_last_turn": True, "last_turn": "hit_target"}, "last_turn", "Drop one of the two"),
        # A bleed deals damage, and defeats, on a turn without an attack.
        ({"no_attack_last_turn": True, "last_turn": "dealt_damage"}, None, ""),
        ({"no_attack_last_turn": True, "last_turn": "defeated_enemy"}, None, ""),
        ({"hp_full": True, "since_last_turn": "damaged"}, "since_last_turn", "not at full HP"),
        ({"hp_full": True, "since_last_turn": "hit"}, None, ""),
        ({"hp_full": True, "hp_at_most": 99}, "hp_at_most", "`hp_full` means 100 HP"),
        ({"hp_full": True, "hp_at_most": 100}, None, ""),
        ({"hp_at_most": 20, "hp_cost": 20}, "hp_cost", "Lower it below 20"),
        ({"hp_at_most": 21, "hp_cost": 20}, None, ""),
        ({"hp_cost": 100}, "hp_cost", "there are 100 at most"),
    ],
)
def test_conditions_that_exclude_one_another(conditions, word, expected, data, found):
    data["limits"]["timid"]["conditions"] = conditions
    remarks = found(data)
    if word is None:
        assert remarks == []
        return
    severity, where, text = only(remarks)
    assert (severity, where) == ("warning", f"limits.timid.conditions.{word}")
    assert text.startswith("an attack with `timid` is never made")
    assert expected in text


def test_two_mechanics_that_no_rule_combines(data, found):
    data["upgrades"]["deep_cut"] = dict(data["upgrades"]["bleed"], name="Deep Cut")
    severity, path, text = only(found(data))
    assert (severity, path) == ("error", "upgrades.deep_cut.mechanics.bleed")
    assert "`deep_cut` and `bleed` both bring `bleed`" in text
    data["exclusions"].append({"section": "Mine", "group": ["bleed", "deep_cut"]})
    assert found(data) == []


def test_mechanics_for_different_effects_never_meet(data, found):
    data["upgrades"]["mind_barrage"] = dict(data["upgrades"]["barrage"], effects=["condition"])
    data["upgrades"]["barrage"]["effects"] = ["damage"]
    assert found(data) == []


def test_a_great_many_options_are_refused_quickly(data, found):
    entry = {"name": "Cut", "section": "Mine", "cost": 1, "mechanics": {"bleed": True}}
    data["upgrades"] |= {f"cut_{i}": entry for i in range(300)}
    start = time.perf_counter()
    problems = found(data)
    assert len(problems) == 300
    assert problems[-1][2].count("`cut_") <= 8
    data["upgrades"] |= {f"cut_{i}": entry for i in range(1100)}
    assert any("at most 1000" in text for _, _, text in found(data))
    assert time.perf_counter() - start < 60


def test_an_option_that_excludes_itself_often_is_reported_once(data, found):
    data["exclusions"].append({"section": "Mine", "group": ["bleed"] * 200})
    assert only(found(data))[2].startswith("`bleed` excludes itself")


def test_shape_and_meaning_at_once(data, found):
    data["upgrades"]["bleed"]["cost"] = -1
    data["upgrades"]["brutal"]["mechanics"] = {"brutl": {"threshold": 20, "per": 2}}
    data["exclusions"].append({"section": "Mine", "group": ["bled", "brutal"]})
    del data["archetypes"]["focused"]["budgets"][4]
    paths = {path for severity, path, _ in found(data) if severity == "error"}
    assert paths == {
        "upgrades.bleed.cost",
        "upgrades.brutal.mechanics.brutl",
        "exclusions[12].group[0]",
        "archetypes.focused.budgets",
    }


@pytest.mark.parametrize("turn", [{}, {"from": 4, "to": 2}, {"from": 0}, {"first": 3}])
def test_bad_turn_ranges(turn, data, found):
    data["limits"]["patient"]["conditions"] = {"turn": turn}
    assert found(data)[0][0] == "error"


def test_good_scenarios(found):
    assert found(SCENARIOS) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"scenarios": {"den": {"name": "Den", "enemies": ["rta"]}}}, "unknown enemy `rta`"),
        ({"scenarios": {"den": {"name": "Den", "waves": [["rat"], ["rta"]]}}}, "Did you mean `rat`?"),
        ({"scenarios": {"den": {"name": "Den"}}}, "write either `enemies: [a, b]`"),
        ({"scenarios": {"den": {"name": "Den", "waves": [[]]}}}, "at least 1 entry"),
        (
            {"scenarios": {"den": {"name": "Den", "waves": [["rat"] * 40] * 2}}},
            f"at most {MOST_ENEMIES} enemies",
        ),
        ({"enemies": {"rat": {"hp": 0}}}, "at least 1"),
        ({"scenarios": {}}, "at least 1"),
        (
            {
                "scenarios": {
                    "a": {"name": "A", "enemies": ["rat"]},
                    "a_b": {"name": "AB", "enemies": ["rat"]},
                },
                "profiles": {"b_c": {}, "c": {}},
            },
            "`a_b` against `c` is called `a_b_c`, and so is `a`",
        ),
    ],
)
def test_bad_scenarios(change, expected, found):
    problems = found(SCENARIOS | change)
    assert problems[0][0] == "error"
    assert expected in problems[0][2]


def test_an_enemy_that_nobody_meets_is_a_warning(found):
    severity, path, text = only(found(SCENARIOS | {"enemies": {"rat": {"hp": 10}, "cat": {"hp": 25}}}))
    assert (severity, path) == ("warning", "enemies.cat")
    assert "no scenario has a `cat`" in text

"""Solvers are asked in their order, and can be switched off by name."""

import numpy as np
import pytest
from vitality_exact_support import build_of, scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.model.errors import UsageError
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.bulk import VitalityBulk
from buildsearch.systems.vitality.exact.batch import solvers as batch_solvers
from buildsearch.systems.vitality.exact.batch.solving import LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import NAMES, SOLVERS, SWITCH, is_on, why_not_exact
from buildsearch.systems.vitality.rules.settings import read_settings

# A build of each solver of many, against two enemies.
OF_BATCHES = {
    "batch-single": Attack("melee_dg"),
    "batch-splinter": Attack("melee_dg", ("splinter",)),
    "batch-bleed": Attack("melee_dg", ("bleed",)),
    "batch-explosive": Attack("melee_dg", ("explosive_critical",)),
    "batch-flat-area": Attack("direct_area_damage", (), "damage", "burst"),
}


def test_every_solver_has_a_name():
    """The names that can be switched are those of the solvers, each once."""
    names = [solver.name for solver in (*batch_solvers.SOLVERS, *SOLVERS)]
    assert sorted(names) == sorted(NAMES)


@pytest.mark.parametrize("name", OF_BATCHES)
def test_switched_off_in_batches(name, monkeypatch):
    """Its builds are left, and those of all others are solved as before."""
    rules = v2_rules()
    attacker, encounter = scene(4, "25,10")
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))

    def solved():
        found = {}
        for other, attack in OF_BATCHES.items():
            codes = space.encode(Build((attack,))).codes
            found[other] = batch_means(rules, attacker, encounter, attack.type, codes)
        return found

    before = solved()
    monkeypatch.setenv(SWITCH, f"-{name}")
    for other, found in solved().items():
        assert before[other].ways[0] != LEFT
        if other == name:
            assert found.ways[0] == LEFT
            assert np.isnan(found.means[0])
        else:
            assert found.means[0] == before[other].means[0]


@pytest.mark.parametrize(
    ("text", "enemies", "name"),
    [
        ("melee_dg", (5, 3), "forward"),
        ("melee_dg+explosive_critical", (5, 3), "explosive"),
        ("melee_dg+ricochet", (5, 3), "ricochet"),
        ("area", (5, 3), "area"),
        ("direct_area_damage", (5, 3), "forward"),
        ("melee_dg+ricochet", (5,), "forward"),
    ],
)
def test_switched_off_for_one_build(text, enemies, name, monkeypatch):
    """A build whose solver is off is refused, with its name."""
    rules = tiny_rules()
    ground = exact_ground(rules, build_of(rules, text), tiny_attacker(rules), tiny_encounter(rules, enemies))
    assert why_not_exact(ground) is None
    monkeypatch.setenv(SWITCH, f"-{name}")
    assert why_not_exact(ground) == f"the solver `{name}` is switched off ({SWITCH})"
    monkeypatch.setenv(SWITCH, name)
    assert why_not_exact(ground) is None


def test_only_some(monkeypatch):
    """Names without a minus are all that is left."""
    monkeypatch.setenv(SWITCH, "batch-single, forward")
    assert [name for name in NAMES if is_on(name)] == ["batch-single", "forward"]


@pytest.mark.parametrize("text", ["-batch-blood", "forwards", "-batch-bleed,forward"])
def test_wrong_names(text, monkeypatch):
    """A name that is none is an error that lists them; so is a list that says both."""
    monkeypatch.setenv(SWITCH, text)
    with pytest.raises(UsageError, match=SWITCH) as raised:
        is_on("forward")
    assert "batch-bleed" in str(raised.value)


def test_kept_scores_know_what_was_off(monkeypatch):
    """What a solver would have solved is not kept as unsolved."""
    rules = v2_rules()
    bulk = VitalityBulk(rules, VitalitySpace(rules, read_settings(rules, {"budget": "2"})))
    attacker, encounter = scene(3, "25,10")
    bout = Bout(attacker, encounter)
    usual = bulk.context("melee_dg", bout)
    monkeypatch.setenv(SWITCH, "-batch-bleed")
    assert bulk.context("melee_dg", bout) != usual

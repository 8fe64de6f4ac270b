"""Attacker-HP limits, splinter and bleed near the turn limit on tiny rules, also without compiled code."""

import numpy as np
import pytest
from test_vitality_exact_batch import check
from vitality_exact_support import tiny_attacker, tiny_encounter, tiny_rules

from buildsearch.builds.masks import mask_of
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve


def one(rules, encounter, *names, attack_type="melee_dg"):
    """The batch's mean of one build (None where it is left), and the general engine's."""
    ids = list(rules.enhancements)
    masks = np.array([mask_of([ids.index(name) for name in names], 1)])
    found = batch_means(rules, tiny_attacker(rules), encounter, attack_type, masks)
    build = Build((Attack(attack_type, tuple(sorted(names, key=ids.index))),))
    mean = solve(exact_ground(rules, build, tiny_attacker(rules), encounter), survival=False).mean
    return None if found.ways[0] == LEFT else found.means[0], mean


@pytest.mark.parametrize("waves", [((5,),), ((4, 3),), ((3,), (4, 2, 3))])
@pytest.mark.parametrize(
    "with_",
    [
        ("near_death",),
        ("bloodied", "combo_move"),
        ("bloodied", "bleed"),
        ("splinter",),
        ("splinter", "combo_move"),
        ("splinter", "near_death", "double_tap"),
    ],
    ids="+".join,
)
@pytest.mark.parametrize("max_turns", [5, 60])
def test_tiny_builds(waves, with_, max_turns):
    rules = tiny_rules()
    encounter = tiny_encounter(rules, *waves, max_turns=max_turns, strong=True)
    ways = check(rules, tiny_attacker(rules), encounter, "melee_dg", 6, seed=4, budget=9, with_=with_)
    assert ways[BY_WALK if max_turns == 5 else BY_VALUE] + ways[BY_WALK] >= 2


@pytest.mark.parametrize(
    "names",
    [
        # Nothing but an accepted blow can cross, and a blow that damages is what Revenge waits for.
        ("bloodied", "revenge"),
        ("bloodied", "vengeful", "cooldown"),
        ("bloodied", "unbreakable"),
        ("bloodied", "untouchable"),
        ("bloodied", "careful", "charge_up_2"),
        # What the last basic attack did.
        ("bloodied", "combo_move"),
        ("bloodied", "relentless"),
        ("bloodied", "slaughter"),
        ("bloodied", "passive"),
        # The clock runs on before the crossing.
        ("bloodied", "patient"),
        ("bloodied", "finale", "revenge"),
        ("bloodied", "quickdraw"),
        ("near_death", "charges_2", "unreliable_2"),
        ("near_death", "channeled"),
    ],
    ids="+".join,
)
@pytest.mark.parametrize("unmet_limit", ["basic", "wait"])
def test_what_is_known_at_the_crossing(names, unmet_limit):
    rules = tiny_rules(unmet_limit=unmet_limit)
    for waves in (((7,),), ((4, 3, 3), (5,))):
        found, mean = one(rules, tiny_encounter(rules, *waves, max_turns=40, strong=True), *names)
        assert found == pytest.approx(mean, abs=TOLERANCE / 2)


def test_limits_on_hp_that_never_or_always_hold():
    rules = tiny_rules()
    encounter = tiny_encounter(rules, (4, 3), max_turns=40)
    found, mean = one(rules, encounter, "near_death", "timid")
    assert found == pytest.approx(mean, abs=TOLERANCE / 2)
    assert found == pytest.approx(one(rules, encounter, "bloodied", "timid")[0], abs=0)
    everything = rules.limits["bloodied"].conditions.model_copy(update={"hp_at_most": rules.character.hp})
    always = rules.model_copy(
        update={
            "limits": {
                **rules.limits,
                "bloodied": rules.limits["bloodied"].model_copy(update={"conditions": everything}),
            }
        }
    )
    found, mean = one(always, encounter, "bloodied", "cooldown")
    assert found == pytest.approx(mean, abs=TOLERANCE / 2)


@pytest.mark.parametrize("cap", [0, 1])
def test_retaliation_caps(cap):
    rules = tiny_rules(retaliation_cap=cap)
    found, mean = one(rules, tiny_encounter(rules, (4, 3, 3), max_turns=30), "bloodied", "power_attack")
    assert found == pytest.approx(mean, abs=TOLERANCE / 2)


def test_what_is_left():
    """Splinter fed by base strikes only; Splinter with bleed; defeat as a loss."""
    encounter = tiny_encounter(tiny_rules(), (4, 3, 3), max_turns=30)
    assert one(tiny_rules(triggered_defeats="none"), encounter, "splinter")[0] is None
    assert one(tiny_rules(), encounter, "splinter", "bleed")[0] is None
    assert one(tiny_rules(attacker_defeat="loss"), encounter, "bloodied")[0] is None
    assert one(tiny_rules(attacker_defeat="loss"), encounter, "splinter")[0] is None


@pytest.mark.parametrize("with_", [(), ("bleed",), ("bloodied",)], ids=str)
def test_areas_that_roll_nothing(with_):
    rules = tiny_rules()
    encounter = tiny_encounter(rules, (4, 3, 5), (7, 3), max_turns=30)
    ways = check(
        rules, tiny_attacker(rules), encounter, "direct_area_damage", 8, seed=2, budget=9, with_=with_
    )
    assert ways[BY_WALK] >= 4


def test_shapes_of_areas():
    """A cone catches two of these enemies, the first shape everybody."""
    rules = tiny_rules()
    encounter = tiny_encounter(rules, (7, 7, 7, 7), max_turns=30)
    masks = np.zeros((1, 1), np.uint64)
    means = [
        batch_means(rules, tiny_attacker(rules), encounter, "direct_area_damage", masks, shape=shape).means[0]
        for shape in (None, "burst", "cone")
    ]
    cone = Build((Attack("direct_area_damage", shape="cone"),))
    slow = solve(exact_ground(rules, cone, tiny_attacker(rules), encounter), survival=False).mean
    assert means[0] == means[1] < means[2] == pytest.approx(slow, abs=TOLERANCE / 2)

"""Areas that roll, against several enemies, solved exactly."""

import numpy as np
import pytest
from vitality_exact_naive import agrees
from vitality_exact_support import build_of, scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.areas.multisets import kernel_of, multisets_of
from buildsearch.systems.vitality.exact.nodes.areas.turns import HAPPENINGS, TOGETHER, told_apart
from buildsearch.systems.vitality.exact.solving import solve, why_not_exact

TWO, ALIKE, WAVES = ((4, 3),), ((3, 3),), ((3, 4), (3,))
AREAS = [
    "area",
    "area+barrage",
    "area+slaughter",
    "area+combo_move",
    "area+near_death",
    "area+bloodied+slaughter+combo_move",
    "area+timid+vengeful",
    "area+channeled+careful",
    "area+unreliable_2+charge_up+revenge",
    "area+barrage+charges_1+combo_move",
    "area+passive+finale+bloodied+unbreakable",
    "area+minion_slayer_dmg+finishing_blow",
    "area+extra_attack+barrage+slaughter+relentless",
    "area+brutal+overhit+cooldown",
    "area:condition+extra_attack",
]


@pytest.mark.parametrize("waves", [TWO, ALIKE, WAVES], ids=["two", "alike", "waves"])
@pytest.mark.parametrize("text", AREAS)
def test_areas_against_brute_force(text, waves):
    rules = tiny_rules()
    assert agrees(rules, build_of(rules, text), tiny_encounter(rules, *waves, max_turns=4))


@pytest.mark.parametrize("text", ["area+combo_move", "area+timid+slaughter", "area+power_attack+bloodied"])
def test_three_enemies_against_brute_force(text):
    rules = tiny_rules()
    assert agrees(rules, build_of(rules, text), tiny_encounter(rules, (2, 2, 3), max_turns=3))


@pytest.mark.parametrize(
    "rulings",
    [
        {"retaliation_cap": 1, "unmet_limit": "wait", "target": "lowest_hp"},
        {"retaliation_cap": 3, "natural_max_hits": True, "natural_min_misses": True},
        {"retaliation_cap": 0, "brutal": "excess", "channel_cap": "bonus", "flat_damage": "roll"},
        {"area_strikes": "once", "target": "highest_hp"},
    ],
    ids="-".join,
)
def test_areas_under_other_rulings(rulings):
    rules = tiny_rules(**rulings)
    for text in AREAS[1::4]:
        assert agrees(rules, build_of(rules, text), tiny_encounter(rules, (4, 3), max_turns=3, strong=True))


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("area+barrage+timid+charges_1", {"50,25,25": 1, "25,25,10,10,10,10,10": 1, "50,10,10,10,10,10": 1}),
        ("area+barrage+charges_1", {"50,25,25": 1.496637424875, "50,10,10,10,10,10": 1.496637424875}),
    ],
)
def test_known_means(text, turns):
    for enemies, mean in turns.items():
        attacker, encounter = scene(3, enemies)
        ground = exact_ground(v2_rules(), build_of(v2_rules(), text), attacker, encounter)
        assert solve(ground).mean == pytest.approx(mean, abs=1e-9)


def test_who_strikes_back_differently_must_stand_together():
    """Else it would matter who of a class lives."""
    rules = tiny_rules()
    apart, together = tiny_encounter(rules, (4, 3, 4)), tiny_encounter(rules, (4, 4, 3))
    stronger = rules.character.stats.model_copy(update={"power": 2})

    def reason(encounter):
        (wave,) = encounter.waves
        foes = tuple(
            type(foe)(foe.name, foe.max_hp, stronger if foe.max_hp == 3 else foe.stats) for foe in wave
        )
        changed = type(encounter)(encounter.name, (foes,), 4, {})
        return why_not_exact(exact_ground(rules, build_of(rules, "area"), tiny_attacker(rules), changed))

    assert "strike back differently" in reason(apart)
    assert reason(together) is None


def test_a_kernel_is_the_product_of_its_members():
    """Three members one by one, every way they may go."""
    multisets = multisets_of(4, 3)
    law = np.array([0.4, 0.1, 0.2, 0.0, 0.3, 0.0])
    told = told_apart(harm=True, defeats=True, hits=True)
    kernel = kernel_of(multisets, law, 1, told)
    numbers = {tuple(each): i for i, each in enumerate(multisets.members.tolist())}

    def ways(hp):
        if hp == 0:
            return [(0, 0, 1.0)]
        found = [(hp, 0, law[0]), (hp, 1, law[1])]
        for damage in range(1, 5):
            left = hp - damage
            found.append((0, 4, law[1 + damage]) if left <= 1 else (left, 2, law[1 + damage]))
        return found

    for i, members in enumerate(multisets.members.tolist()):
        expected = np.zeros((len(multisets), HAPPENINGS))
        for a, what_a, p in ways(members[0]):
            for b, what_b, q in ways(members[1]):
                for c, what_c, r in ways(members[2]):
                    what = TOGETHER[TOGETHER[what_a, what_b], what_c]
                    expected[numbers[tuple(sorted((a, b, c)))], what] += p * q * r
        found = np.zeros_like(expected)
        rows = slice(kernel.starts[i], kernel.starts[i + 1])
        found[kernel.targets[rows], kernel.happened[rows]] = kernel.chances[rows]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)

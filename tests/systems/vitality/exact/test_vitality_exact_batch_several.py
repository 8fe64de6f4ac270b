"""Attacks that hurt several enemies at once, in the full-size rules: batches, known means, one enemy."""

import numpy as np
import pytest
from vitality_exact_support import build_of, scene, v2_rules

from buildsearch.systems.vitality.exact.batch.crossing import TOLERANCE
from buildsearch.systems.vitality.exact.batch.solving import BY_VALUE, BY_WALK, batch_means
from buildsearch.systems.vitality.exact.forward import run_turns
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.areas.compiling import compile_families, compile_several
from buildsearch.systems.vitality.exact.nodes.families import solve_family
from buildsearch.systems.vitality.exact.nodes.limited import limited_family
from buildsearch.systems.vitality.exact.solving import solve

MIXED_FIGHT, SWARM, GUARD = "50,25,25", "25,25,10,10,10,10,10", "50,10,10,10,10,10"


@pytest.mark.parametrize(
    ("enemies", "mean"), [(MIXED_FIGHT, 3.702524882), (SWARM, 5.324035403), (GUARD, 3.051347171)]
)
def test_known_means(enemies, mean):
    text = "melee_dg+reliable_accuracy+barrage+explosive_critical+timid+charges_2"
    rules = v2_rules()
    ground = exact_ground(rules, build_of(rules, text), *scene(3, enemies))
    assert solve(ground).mean == pytest.approx(mean, abs=6e-10)
    assert means_of(rules, [text], enemies)[0][0] == pytest.approx(mean, abs=TOLERANCE / 2)


def means_of(rules, texts, enemies, **options):
    ids = list(rules.enhancements)
    masks = np.zeros((len(texts), -(-len(ids) // 64)), np.uint64)
    for row, text in enumerate(texts):
        for name in text.split("+")[1:]:
            at = ids.index(name)
            masks[row, at // 64] |= np.uint64(1) << np.uint64(at % 64)
    found = batch_means(rules, *scene(3, enemies, **options), texts[0].split("+")[0], masks)
    return found.means, found.ways


# Near the turn limit and far from it, struck alike and not, with limits of all kinds.
MANY = [
    "melee_dg+explosive_critical",
    "melee_dg+explosive_critical+power_attack+elite_slayer_dmg",
    "melee_dg+explosive_critical+barrage+captain_slayer_acc+combo_move",
    "melee_dg+explosive_critical+barrage+unreliable_3+power_attack",
    "melee_dg+explosive_critical+power_attack+charge_up_2",
    "melee_dg+explosive_critical+power_attack+passive+captain_slayer_dmg",
    "melee_dg+explosive_critical+barrage+relentless+vengeful",
    "melee_dg+explosive_critical+near_death+slaughter",
    "melee_dg+explosive_critical+bloodied+unreliable_3+power_attack",
    "melee_dg+explosive_critical+channeled+extra_attack",
    "melee_dg+explosive_critical+finishing_blow+charges_1",
    "melee_dg+explosive_critical+cooldown+timid+brutal",
]


@pytest.mark.parametrize(("enemies", "max_turns"), [(MIXED_FIGHT, 100), (SWARM, 100), (SWARM, 12)])
def test_batches_are_as_one_build_at_a_time(enemies, max_turns):
    rules = v2_rules()
    means, ways = means_of(rules, MANY, enemies, max_turns=max_turns)
    for text, mean, way in zip(MANY, means, ways, strict=True):
        if way in (BY_VALUE, BY_WALK):
            ground = exact_ground(rules, build_of(rules, text), *scene(3, enemies, max_turns=max_turns))
            assert mean == pytest.approx(solve(ground).mean, abs=TOLERANCE / 2), text
    assert (ways == BY_WALK).any()
    assert np.isin(ways, (BY_VALUE, BY_WALK)).sum() >= len(MANY) - 3


def test_company_changes_no_bit():
    rules = v2_rules()
    together, _ = means_of(rules, MANY, GUARD)
    alone = np.array([means_of(rules, [text], GUARD)[0][0] for text in MANY])
    np.testing.assert_array_equal(together, alone)


def test_what_is_compiled_apart_is_what_batches_use():
    kernels = (solve_family, limited_family, run_turns)
    rules = v2_rules()
    compile_families()
    compile_several(rules, 3, rules.attack_types)
    before = [len(kernel.signatures) for kernel in kernels]
    means_of(rules, MANY, SWARM)
    means_of(rules, ["melee_dg+power_attack", "melee_dg+bleed", "melee_dg+splinter+unreliable_3"], SWARM)
    solve(exact_ground(rules, build_of(rules, MANY[0]), *scene(3, SWARM)))
    assert [len(kernel.signatures) for kernel in kernels] == before

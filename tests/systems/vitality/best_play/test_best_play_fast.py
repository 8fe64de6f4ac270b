"""The fast kernel against the general solver, and both against greedy play of single attacks."""

import numba
import numpy as np
import pytest
import v2
from vitality_exact_support import scene

from buildsearch.systems.vitality.best_play.kits import make_kits
from buildsearch.systems.vitality.best_play.optimum import solve_best_play
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.exact.batch.solving import batch_means
from buildsearch.systems.vitality.exact.transitions import field_of

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow without compiled code")

# Every limit of the rules, and upgrades that strike in different ways.
ATTACKS = (
    *("melee_dg+power_attack+cooldown", "melee_ac+charge_up_2+revenge", "melee_ac+relentless"),
    *("melee_dg+combo_move+barrage", "ranged+charges_1+charge_up", "ranged+quickdraw+double_tap"),
    *("melee_ac+channeled+charges_2", "melee_dg+passive+vengeful", "direct_damage+unbreakable+finale"),
    *("ranged+timid+extra_attack", "melee_dg+unreliable_2+finishing_blow", "melee_ac+patient+careful"),
    *("melee_dg+slaughter+untouchable+culling_strike", "melee_ac+channeled+unreliable_1"),
)


def grouped(space, texts):
    """Builds in the order of kits, and their masks by type."""
    by_type = {}
    for build in map(space.parse, texts):
        by_type.setdefault(build.attacks[0].type, []).append(build)
    groups = [
        (name, np.concatenate([space.encode(build).codes for build in builds]))
        for name, builds in by_type.items()
    ]
    return [build for builds in by_type.values() for build in builds], groups


@pytest.mark.parametrize("hps", ["100", "50,25,25", "waves"])
def test_equals_the_general_solver(hps):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    builds, groups = grouped(space, ATTACKS)
    attacker, encounter = scene(4, hps) if hps != "waves" else scene(4, None, waves=[[25, 10], [50]])
    kits = make_kits(rules, attacker, encounter, groups)
    assert kits.ready.all()
    ones = np.arange(len(builds))
    singles = kits.values(ones[:, None])
    pairs = np.stack([ones, np.roll(ones, 5)], axis=1)
    values = kits.values(pairs)
    assert (values <= singles[pairs].min(axis=1) + 1e-9).all()
    for (one, two), value in zip(pairs, values, strict=True):
        build = Build(builds[one].attacks + builds[two].attacks)
        assert solve_best_play(rules, build, attacker, encounter).mean == pytest.approx(value, abs=1e-9)
    done = 0
    for name, masks in groups:
        greedy = batch_means(rules, attacker, encounter, name, masks).means
        # A mean that the turn limit cuts may lie below one without a limit.
        slow = np.isnan(greedy) | (greedy > 30)
        assert (singles[done : done + len(masks)] <= greedy + 1e-8)[~slow].all()
        done += len(masks)


# Limits on the attacker's own HP beside counters of every kind, and attacks whose limits never hold together.
READS_HP = (
    *("melee_dg+near_death+revenge", "melee_ac+bloodied+charge_up", "ranged+timid+charges_2+passive"),
    *("melee_dg+bloodied+cooldown+relentless", "melee_ac+near_death+channeled+finale"),
    *("ranged+timid+cooldown+unbreakable", "direct_damage+bloodied+charges_1+patient"),
)
USELESS = (
    *("melee_dg+slaughter+passive+bloodied", "melee_ac+quickdraw+charge_up", "ranged+quickdraw+near_death"),
    *("melee_dg+timid+revenge+cooldown", "melee_ac+quickdraw+vengeful"),
)
OTHERS = ("melee_dg+cooldown", "ranged+passive+unreliable_1", "melee_ac+combo_move+charges_2", "melee_dg")


@pytest.mark.parametrize("hps", ["31", "12,10", "waves"])
def test_limits_on_own_hp(hps):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    builds, groups = grouped(space, (*READS_HP, *USELESS, *OTHERS))
    attacker, encounter = scene(4, hps) if hps != "waves" else scene(4, None, waves=[[10, 5], [9]])
    kits = make_kits(rules, attacker, encounter, groups)
    names = [space.name(build) for build in builds]
    reads = [names.index(space.name(space.parse(text))) for text in (*READS_HP, *USELESS)]
    pairs = [(one, reads[(i + 1) % len(reads)]) for i, one in enumerate(reads)]
    pairs += [(one, names.index(space.name(space.parse(OTHERS[i % 4])))) for i, one in enumerate(reads)]
    values = kits.values(np.array(pairs))
    for (one, two), value in zip(pairs, values, strict=True):
        build = Build(builds[one].attacks + builds[two].attacks)
        assert solve_best_play(rules, build, attacker, encounter).mean == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("hps", ["25", "12,10", "waves"])
@pytest.mark.parametrize(
    "pair",
    [
        ("melee_dg+bloodied+cooldown", "ranged+timid+charges_2+vengeful"),
        ("melee_ac+near_death+charge_up", "melee_dg+passive"),
        ("melee_ac+timid+channeled", "melee_ac+combo_move+vengeful"),
        ("melee_ac+cooldown", "melee_dg+charges_1"),
    ],
)
def test_whole_value_functions_equal_those_of_the_general_solver(hps, pair):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    builds, groups = grouped(space, pair)
    attacker, encounter = scene(4, hps) if hps != "waves" else scene(4, None, waves=[[10, 5], [9]])
    solved = make_kits(rules, attacker, encounter, groups).solved(np.array([0, 1]))
    slow = solve_best_play(rules, Build(builds[0].attacks + builds[1].attacks), attacker, encounter)
    assert (solved.graph.values == slow.graph.values).all()
    for i, place in enumerate(slow.places):
        fields = np.arange(place["base"], place["next_base"])
        after = solved.after[i, :, :, 1 : 1 + len(fields)]
        assert after == pytest.approx(slow.values.after[fields].transpose(2, 1, 0), abs=1e-9)
        calm = solved.before[i, -1, :, :, len(fields)]
        assert calm == pytest.approx(slow.values.calm[i].T, abs=1e-9)
        # What the choice is worth after retaliation, put together again.
        blows = slow.loadout.blows()[i]
        before = solved.before[i, :-1, :, :, 1 : 1 + len(fields)]
        mean = np.zeros_like(after)
        for k in range(after.shape[0]):
            for (event, lost), chance in np.ndenumerate(blows):
                mean[k] += chance * before[event, max(k - lost, 0)]
        assert mean == pytest.approx(after, abs=1e-9)


BLEEDS = (
    *("melee_dg+bleed", "melee_ac+bleed+charge_up", "ranged+bleed+timid", "melee_dg+bleed+cooldown"),
    *("ranged+bleed+barrage", "melee_dg+bleed+unreliable_1", "melee_ac+bleed+extra_attack"),
)
BESIDE_BLEEDS = (
    *("melee_ac+relentless", "melee_dg+combo_move", "melee_ac+channeled+charges_2", "melee_dg+slaughter"),
    *("melee_dg+passive+vengeful", "melee_ac+near_death", "ranged+double_tap+finale"),
)


@pytest.mark.parametrize("hps", ["31", "12,10", "waves"])
def test_bleeds_equal_the_general_solver(hps):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    builds, groups = grouped(space, (*BLEEDS, *BESIDE_BLEEDS))
    attacker, encounter = scene(4, hps) if hps != "waves" else scene(4, None, waves=[[10, 5], [9]])
    kits = make_kits(rules, attacker, encounter, groups)
    bleeding = np.flatnonzero(kits.bleeds)
    assert kits.ready.all()
    assert len(bleeding) == len(BLEEDS)
    others = np.flatnonzero(~kits.bleeds)
    pairs = np.concatenate(
        [np.stack([bleeding, np.roll(bleeding, 2)], axis=1), np.stack([others, bleeding], axis=1)]
    )
    for (one, two), value in zip(pairs, kits.values(pairs), strict=True):
        build = Build(builds[one].attacks + builds[two].attacks)
        slow = solve_best_play(rules, build, attacker, encounter)
        assert slow.mean == pytest.approx(value, abs=1e-9)
    # What pricing reads: standing, at every HP, with everything that limits look at.
    solved = kits.solved(pairs[-1], bleeds=True)
    states = solved.graph.standing
    assert solved.mean == pytest.approx(value, abs=1e-12)
    assert (solved.graph.values[:states] == slow.graph.values).all()
    for i, place in enumerate(slow.places):
        for hp in range(1, int(place["max_hp"]) + 1):
            field = field_of(place["base"], 1, hp, 0, 0)
            assert solved.after[i, :, :states, hp] == pytest.approx(slow.values.after[field].T, abs=1e-9)
            for bleed in range(1, hp):
                field = field_of(place["base"], 1, hp, bleed, 1)
                pending = solved.after[i, :, states:, hp - bleed]
                assert pending == pytest.approx(slow.values.after[field].T, abs=1e-9)
            doomed = slow.values.after[field_of(place["base"], 1, hp, hp, 1)]
            assert solved.after[i, :, states:, 0] == pytest.approx(doomed.T, abs=1e-9)


def test_a_bleed_beside_a_threshold_is_left():
    space = v2.space(tier=4, archetype="dual_natured")
    _, groups = grouped(space, ["melee_dg+bleed", "melee_dg+finishing_blow", "melee_dg+bleed+culling_strike"])
    kits = make_kits(v2.rules(), *scene(4, "25"), groups)
    assert kits.ready.tolist() == [True, True, False]
    values = kits.values(np.array([[0, 0], [1, 1], [0, 1], [1, 0], [2, 2]]))
    assert np.isnan(values).tolist() == [False, False, True, True, True]


def test_what_the_kernel_does_not_know_is_left():
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured")
    _, groups = grouped(
        space, ["melee_dg+bleed+splinter", "melee_dg+splinter", "melee_dg+ricochet", "area", "melee_dg"]
    )
    kits = make_kits(rules, *scene(4, "25,25"), groups)
    assert np.isnan(kits.values(np.arange(4)[:, None])[[0, 1, 2]]).all()
    assert kits.ready.sum() == 1

"""Dominance and pricing against best play itself: what they promise holds for random loadouts."""

import numba
import numpy as np
import pytest
import v2
from vitality_exact_support import scene

from buildsearch.model.space import Wanted
from buildsearch.systems.vitality.best_play.dominance import dominators, tame
from buildsearch.systems.vitality.best_play.gains import price
from buildsearch.systems.vitality.best_play.kits import make_kits
from buildsearch.systems.vitality.best_play.relaxation import relaxed_value
from buildsearch.systems.vitality.best_play.savings import least_beside, least_turns, most_saved

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow without compiled code")

_WITHOUT = ("near_death", "bloodied", "bleed", "splinter", "ricochet", "explosive_critical")


def kits_of(hps, number=150, seed=1, without=(), bleeding=0):
    rules, space = v2.rules(), v2.space(tier=4, archetype="dual_natured", budget=4)
    rng = np.random.default_rng(seed)
    groups = []
    for name in ("melee_ac", "melee_dg", "ranged", "direct_damage"):
        # Nothing that needs slow engines; limits on few HP of one's own are slow to value.
        left_out = [each for each in without if space.count(Wanted((name,), with_features=(each,)))[name]]
        builds = space.sample(Wanted(groups=(name,), without_features=tuple(left_out)), number, rng)
        others = tuple(each for each in left_out if each != "bleed")
        wanted = Wanted(groups=(name,), with_features=("bleed",), without_features=others)
        builds += space.sample(wanted, bleeding, rng) if bleeding and name != "direct_damage" else []
        groups.append((name, np.concatenate([space.encode(build).codes for build in builds])))
    attacker, encounter = scene(4, hps) if hps != "waves" else scene(4, None, waves=[[25, 10], [10]])
    kits = make_kits(rules, attacker, encounter, groups)
    return kits.part(np.flatnonzero(kits.ready))


@pytest.mark.parametrize("hps", ["100", "25,10,10", "waves"])
def test_no_loadout_is_below_its_bound(hps):
    kits, rng = kits_of(hps, without=_WITHOUT), np.random.default_rng(2)
    charges = np.unique(kits.limits["charge"])
    count = len(kits.rows)
    for size in (0, 1, 1, 1, 2):
        rest = rng.integers(count, size=size)
        gains = price(kits, rest, charges)
        least, _, saved = least_turns(kits, gains)
        tried = rng.integers(count, size=60)
        values = kits.values(np.column_stack([np.tile(rest, (60, 1)), tried]))
        assert (least[tried] <= values + 1e-7).all()
        # Something must come of it: bounds are not just below everything.
        assert np.median(values / least[tried]) < 3
        others = rng.integers(count, size=(20, 2))
        assert (gains.mean - 2 * saved <= kits.values(others) + 1e-7).all()
    assert relaxed_value(kits) <= kits.values(rng.integers(count, size=(60, 2))).min() + 1e-9


@pytest.mark.parametrize("hps", ["60", "25,10", "waves"])
def test_no_loadout_with_a_bleed_is_below_its_bound(hps):
    kits, rng = kits_of(hps, number=60, without=_WITHOUT, bleeding=40), np.random.default_rng(2)
    charges = np.unique(kits.limits["charge"])
    bleeding, plain = np.flatnonzero(kits.bleeds), np.flatnonzero(~kits.bleeds & ~kits.thresholds)
    assert len(bleeding) > 40
    for rest, others in ((bleeding, bleeding), (bleeding, plain), (plain, bleeding)):
        for _ in range(3):
            one = rng.choice(rest, size=1)
            tried = rng.choice(others, size=40)
            values = kits.values(np.column_stack([np.tile(one, 40), tried]))
            least = least_beside(kits, one, charges).turns[tried]
            assert (least <= values + 1e-7).all()
            assert np.median(values / least) < 3
            # Whatever comes in, in any number.
            saved = most_saved(kits, one, charges)
            pairs = np.column_stack([rng.choice(bleeding, 30), rng.choice(plain, 30)])
            assert (kits.values(one[None])[0] - 2 * saved <= kits.values(pairs) + 1e-7).all()
    some = np.column_stack([rng.choice(bleeding, 60), rng.choice(np.append(bleeding, plain), 60)])
    assert relaxed_value(kits) <= kits.values(some).min() + 1e-9


def test_bleeds_are_never_compared():
    kits = kits_of("25,10", number=60, without=_WITHOUT, bleeding=40)
    by = dominators([kits])
    assert (by[kits.bleeds] < 0).all()
    assert not kits.bleeds[by[by >= 0]].any()
    assert not tame(kits)[kits.bleeds].any()


def test_an_attack_without_a_gain_changes_nothing():
    kits = kits_of("50", without=_WITHOUT)
    charges = np.unique(kits.limits["charge"])
    singles = kits.values(np.arange(len(kits.rows))[:, None])
    best = int(np.argmin(singles))
    least = least_turns(kits, price(kits, np.array([best]), charges)).turns
    useless = np.flatnonzero(least >= singles[best] - 1e-12)
    assert 0 < len(useless) < len(least)
    pairs = np.column_stack([np.full(len(useless), best), useless])
    assert kits.values(pairs) == pytest.approx(np.full(len(useless), singles[best]), abs=1e-9)


@pytest.mark.parametrize("hps", ["100", "25,10,10"])
def test_dominated_attacks_are_replaced_without_loss(hps):
    kits, rng = kits_of(hps, number=400, without=_WITHOUT), np.random.default_rng(3)
    by, calm = dominators([kits]), tame(kits)
    assert (by[by[by >= 0]] < 0).all()
    assert calm.all() == (hps == "100")
    dominated = np.flatnonzero((by >= 0) & calm)
    assert len(dominated) > 100
    chosen = rng.choice(dominated, 80)
    partners = rng.choice(np.flatnonzero(calm), 80)
    weaker = kits.values(np.column_stack([chosen, partners]))
    stronger = kits.values(np.column_stack([by[chosen], partners]))
    assert (stronger <= weaker + 1e-9).all()
    assert (stronger < weaker - 1e-6).any()


def covers(fights, one, other):
    """Whether an attack does no less than another of the same limits, fight by fight, in plain steps."""
    for kits in fights:
        damages = kits.damages
        if kits.limits[one] != kits.limits[other] or kits.basic_rows[one] != kits.basic_rows[other]:
            return False
        for row in range(damages.classes * int(kits.limits[one]["levels"])):
            a, b = kits.rows[one] + row, kits.rows[other] + row
            hits = [1 - damages.chances[i, 0] + damages.touched[i] for i in (a, b)]
            if damages.kill_at[a] < damages.kill_at[b] or hits[0] < hits[1] - 1e-13:
                return False
            if (damages.at_least[a, 1:] < damages.at_least[b, 1:] - 1e-13).any():
                return False
    return True


def test_dominance_equals_trying_every_pair():
    fights = [kits_of("100", number=60, without=_WITHOUT), kits_of("25,10", number=60, without=_WITHOUT)]
    by = dominators(fights)
    groups = {}
    for one, limit in enumerate(fights[0].limits):
        groups.setdefault((limit.tobytes(), int(fights[0].basic_rows[one])), []).append(one)
    assert (by >= 0).sum() > 10
    for group in groups.values():
        for one in group:
            if by[one] >= 0:
                assert by[one] in group
                assert covers(fights, by[one], one)
            else:
                # Of attacks that do the same one is kept.
                kept = [other for other in group if other != one and by[other] < 0]
                assert not any(covers(fights, other, one) for other in kept)


def test_nothing_is_tame_among_waves_of_several():
    assert not tame(kits_of("waves", number=20)).any()

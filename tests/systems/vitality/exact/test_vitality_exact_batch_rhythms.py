"""Attacks in a rhythm: counts of attacks against plain sums, turns followed against the general engine."""

import numpy as np
import pytest
from test_vitality_exact_batch import CLOSE
from vitality_exact_support import scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.exact.batch.chain import chain_of
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, gatings_of
from buildsearch.systems.vitality.exact.batch.lanes.attempts import Items, lasting_attempts, mean_attempts
from buildsearch.systems.vitality.exact.batch.lanes.bleeding_attempts import lasting_bleeding, mean_bleeding
from buildsearch.systems.vitality.exact.batch.lanes.in_turn import one_after_another
from buildsearch.systems.vitality.exact.batch.lumping import lumped
from buildsearch.systems.vitality.exact.batch.options import options_of
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, classes_of
from buildsearch.systems.vitality.exact.batch.rhythms import Clockwork, Renewal, rhythm_of
from buildsearch.systems.vitality.exact.batch.rounds import Rounds, attack_in
from buildsearch.systems.vitality.exact.batch.solving import BY_COUNTS, BY_VALUE, BY_WALK, LEFT, batch_means
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING, SPECIAL
from buildsearch.systems.vitality.exact.solving import solve
from buildsearch.systems.vitality.rules.settings import read_settings

MOST = 40


def sums_from_the_end(chances):
    return np.ascontiguousarray(np.cumsum(chances[:, ::-1], axis=1)[:, ::-1])


def some_damages(rows, size, seed):
    """Random rows of damage; the first never does any, the second always all."""
    rng = np.random.default_rng(seed)
    chances = rng.random((rows, size)) * (rng.random((rows, size)) < 0.4)
    chances[:, 0] += rng.random(rows)
    chances[:2] = 0.0
    chances[0, 0] = chances[1, -1] = 1.0
    chances /= chances.sum(axis=1, keepdims=True)
    at_least = sums_from_the_end(chances)
    found = np.array([np.flatnonzero(row[1:])[[0, -1]] + 1 if row[1:].any() else (1, 0) for row in chances])
    nothing = np.zeros((0, size))
    return Damages(
        chances=chances,
        at_least=at_least,
        touched=np.zeros(rows),
        lowest=found[:, 0].copy(),
        highest=np.minimum(found[:, 1], size - 2),
        echoes=nothing,
        echo_at_least=nothing,
        echo_highest=np.zeros(0, np.int64),
        basic=np.zeros(1, np.int64),
        rungs=np.arange(rows),
    )


def standing(chances, activation, hp, most):
    """P(K > m) for m up to the most, attack by attack."""
    attack = activation * chances
    attack[0] += 1.0 - activation
    damage, found = np.array([1.0]), [1.0]
    for _ in range(most):
        damage = np.convolve(damage, attack)[:hp]
        found.append(damage.sum())
    return np.array(found)


def some_items(rows, size, seed):
    """One to three HP of every row."""
    rng = np.random.default_rng(seed)
    heights = [np.sort(rng.permutation(np.arange(1, size))[: rng.integers(1, 4)]) for _ in range(rows)]
    first = np.cumsum([0, *map(len, heights)])
    return first, Items(np.arange(rows), first, np.concatenate(heights))


@pytest.mark.parametrize("activation", [1.0, 0.35])
def test_attempts(activation):
    """Means, moments and chances of the number of attacks are sums over the chances to stand."""
    damages = some_damages(19, 13, seed=4)
    first, items = some_items(19, 13, seed=1)
    means, moments, growth = np.zeros(first[-1]), np.zeros(first[-1]), 1.005
    lasts = np.zeros((first[-1], MOST + 1))
    mean_attempts(damages, items, activation, 1.0, means)
    mean_attempts(damages, items, activation, growth, moments)
    lasting_attempts(damages, items, activation, lasts)
    for row in range(19):
        for i in range(first[row], first[row + 1]):
            stands = standing(damages.chances[row].copy(), activation, items.heights[i], 4000)
            assert lasts[i] == pytest.approx(stands[: MOST + 1], abs=1e-13)
            if row == 0:
                assert means[i] == moments[i] == np.inf
                continue
            assert stands[-1] < 1e-14
            assert means[i] == pytest.approx(stands.sum(), abs=1e-9)
            powers = growth ** np.arange(len(stands))
            assert powers[-1] * stands[-1] < 1e-12
            assert moments[i] == pytest.approx(1 + (growth - 1) * (powers @ stands), rel=1e-9)


def some_bleeds(rows, size, seed):
    """Random rows of one strike's damage, and with the bleed."""
    damages = some_damages(rows, size, seed)
    echoes = np.zeros_like(damages.chances)
    for d in range(size):
        # All of a strike's damage bleeds.
        echoes[:, min(2 * d, size - 1)] += damages.chances[:, d]
    highest = [max((d for d in range(1, size - 1) if row[d] > 0.0), default=0) for row in echoes]
    return damages._replace(
        echoes=echoes,
        echo_at_least=sums_from_the_end(echoes),
        echo_highest=np.array(highest, np.int64),
    )


def standing_and_bleeding(chances, activation, hp, most):
    """P(K > m) turn by turn, as the rules say it: strike, then the bleed of an earlier turn ticks."""
    fights, found = {(hp, 0): 1.0}, [1.0]
    for _ in range(most):
        later = {}
        for (left, bleed), chance in fights.items():
            outcomes = [(0, 1.0 - activation), *((d, activation * p) for d, p in enumerate(chances))]
            for damage, p in outcomes:
                after = left - damage - bleed
                if p > 0.0 and left > damage and after > 0:
                    key = (after, damage if bleed == 0 else 0)
                    later[key] = later.get(key, 0.0) + chance * p
        fights = later
        found.append(sum(fights.values()))
    return np.array(found)


@pytest.mark.parametrize("activation", [1.0, 0.35])
def test_bleeding_attempts(activation):
    """Counts of attacks that bleed, against fights in which every bleed is remembered until it ticks."""
    damages = some_bleeds(19, 13, seed=4)
    first, items = some_items(19, 13, seed=1)
    means, lasts = np.zeros(first[-1]), np.zeros((first[-1], MOST + 1))
    mean_bleeding(damages, items, activation, 1.0, means)
    lasting_bleeding(damages, items, activation, lasts)
    for row in range(19):
        for i in range(first[row], first[row + 1]):
            stands = standing_and_bleeding(damages.chances[row], activation, items.heights[i], 400)
            assert lasts[i] == pytest.approx(stands[: MOST + 1], abs=1e-13)
            if row == 0:
                assert means[i] == np.inf
            elif stands[-1] < 1e-14:
                assert means[i] == pytest.approx(stands.sum(), abs=1e-9)


def standing_in_turn(rows, actions, enemies, most):
    """P(N > t) turn by turn: enemies of these HP and rows of damage, by action."""
    fights, found = {(0, enemies[0][0]): 1.0}, [1.0]
    for turn in range(most):
        later = {}
        for (place, hp), chance in fights.items():
            kind = actions[turn % len(actions)]
            chances = [1.0] if kind == NOTHING else rows[enemies[place][1 if kind == BASIC else 2]]
            for damage, p in enumerate(chances):
                key = (place, hp - damage)
                if damage >= hp:
                    key = (place + 1, enemies[place + 1][0]) if place + 1 < len(enemies) else None
                if key is not None and p > 0.0:
                    later[key] = later.get(key, 0.0) + chance * p
        fights = later
        found.append(sum(fights.values()))
    return np.array(found)


CYCLES = (
    (SPECIAL, BASIC, BASIC, BASIC),
    (BASIC, SPECIAL, BASIC),
    (NOTHING, SPECIAL, BASIC, NOTHING, BASIC),
)


@pytest.mark.parametrize("cycle", CYCLES)
def test_rounds(cycle):
    """Means, moments and means within a limit of attacks among basic attacks are sums over who stands."""
    damages = some_damages(19, 13, seed=4)._replace(basic=np.array([2, 3, 2]))
    class_hp, class_of = np.array([12, 7, 4]), np.array([1, 0, 2, 2])
    rows = np.stack([np.arange(19), np.arange(19)[::-1], (np.arange(19) + 5) % 19], axis=1)
    rounds = Rounds(damages, cycle, rows, class_hp, class_of)
    everybody, growth, limits = np.arange(19), 1.002, (1, 2, 3, 5, 9, 40)
    means, moments = rounds.means(), np.exp(rounds.log_moments(everybody, growth))
    limited = {limit: rounds.limited_means(everybody, limit) for limit in limits}
    assert rounds.limited_means(everybody[7:9], 40).tolist() == limited[40][7:9].tolist()
    for pair in everybody[::3]:
        enemies = [(class_hp[i], damages.basic[i], rows[pair, i]) for i in class_of]
        stands = standing_in_turn(damages.chances, cycle, enemies, 1100)
        powers = growth ** np.arange(len(stands))
        assert powers[-1] * stands[-1] < 1e-12
        assert means[pair] == pytest.approx(stands.sum(), abs=1e-9)
        assert moments[pair] == pytest.approx(1 + (growth - 1) * (powers @ stands), rel=1e-9)
        for limit in limits:
            assert limited[limit][pair] == pytest.approx(stands[:limit].sum(), abs=1e-12)


def test_rounds_without_an_end():
    """Where neither attacks nor basic attacks harm, there is no mean; within a limit there is."""
    damages = some_damages(19, 13, seed=4)._replace(basic=np.array([0]))
    rounds = Rounds(damages, CYCLES[0], np.array([[0], [5]]), np.array([12]), np.array([0, 0]))
    assert rounds.means()[0] == rounds.log_moments(np.arange(2), 1.01)[0] == np.inf
    assert np.isfinite(rounds.means()[1])
    assert rounds.limited_means(np.arange(2), 30)[0] == 30.0


def test_cycles_with_one_attack():
    """Rounds are of one attack and some basic attacks."""
    assert attack_in((SPECIAL, BASIC)) == SPECIAL
    assert attack_in((BASIC, SPECIAL + 2, NOTHING)) == SPECIAL + 2
    for cycle in ((SPECIAL,), (NOTHING, SPECIAL), (BASIC,), (SPECIAL, SPECIAL, BASIC)):
        assert attack_in(cycle) is None


@pytest.mark.parametrize("phases", [1, 3])
def test_one_after_another(phases):
    """Fights from the chances to last, turn after turn; bit-identical whoever goes beside."""
    rng = np.random.default_rng(3)
    most, items = 12, 11
    lasts = np.sort(rng.random((items, phases, most + 1)) ** 2, axis=2)[:, :, ::-1].copy()
    lasts[:, :, 0] = 1.0
    lasts[:3, :, 6:] = 0.0
    item_of, class_of = rng.integers(0, items, (21, 2)), np.array([0, 1, 1, 0])
    means, beyond = np.zeros(21), np.zeros(21)
    one_after_another(lasts, item_of, class_of, means, beyond)
    for i, pair in enumerate(item_of):
        taken, standing = np.eye(most + 1)[0], np.ones(most + 1)
        for which in class_of:
            after = np.zeros(most + 1)
            for t, s in np.argwhere(np.tri(most + 1)[::-1]):
                if s > 0:
                    chances = lasts[pair[which], t % phases]
                    after[t + s] += taken[t] * (chances[s - 1] - chances[s])
            taken = after
        standing -= np.cumsum(taken)
        assert means[i] == pytest.approx(standing[:-1].sum(), abs=1e-12)
        assert beyond[i] == pytest.approx(standing[-1], abs=1e-12)
    alone, rest = np.zeros(1), np.zeros(1)
    one_after_another(lasts, item_of[12:13], class_of, alone, rest)
    assert (alone[0], rest[0]) == (means[12], beyond[12])


def rhythm(names, levels=1, **rulings):
    """The rhythm of limits, under tiny rules: a cooldown of two turns."""
    rules = tiny_rules(**rulings)
    attacker, encounter = tiny_attacker(rules), tiny_encounter(rules, (5, 3), max_turns=30)
    given = Attackers(
        rules, attacker, encounter, options_of(rules, attacker), "melee_dg", "damage", classes_of([encounter])
    )
    has = np.array([[name in names for name in rules.enhancements]])
    ground = exact_ground(rules, Build((Attack("melee_dg"),)), attacker, encounter)
    (gating,) = gatings_of(ground, *all_fields(given, has))[0]
    whole = chain_of(gating.setup, levels, gating.activation)
    return rhythm_of(lumped(whole, bleeds=False, several=True, waves=False))


def test_rhythms():
    """What is found without a look at outcomes, and what is not."""
    assert rhythm(()) == Renewal(1, 1.0)
    assert rhythm(("charge_up_2",)) == Renewal(3, 1.0)
    assert rhythm(("charge_up", "unreliable_3")) == Renewal(2, 0.25)
    assert rhythm(("charges_2",)) == Clockwork((SPECIAL, SPECIAL), (BASIC,))
    assert rhythm((), levels=3) == Clockwork((SPECIAL, SPECIAL + 1), (SPECIAL + 2,))
    assert rhythm(("charges_2",), levels=2) == Clockwork((SPECIAL, SPECIAL + 1), (BASIC,))
    assert rhythm(("patient",)) == Clockwork((BASIC,), (SPECIAL,))
    assert rhythm(("patient",), unmet_limit="wait") == Clockwork((NOTHING,), (SPECIAL,))
    assert rhythm(("charges_1", "charge_up")) == Clockwork((NOTHING, SPECIAL), (BASIC,))
    for names in (
        ("slaughter",),
        ("unreliable_2", "charges_1"),
        ("timid",),
        ("revenge",),
    ):
        assert rhythm(names) is None
    assert rhythm(("cooldown",)) == Clockwork((), (SPECIAL, BASIC, BASIC))
    assert rhythm(("cooldown", "patient")) == Clockwork((), (BASIC, SPECIAL, BASIC))
    assert rhythm(("charges_1",), unmet_limit="wait") == Clockwork((SPECIAL,), (NOTHING,))
    assert Clockwork((1, 2), (3, 4)).actions(5).tolist() == [1, 2, 3, 4, 3]
    assert Clockwork((1, 2), (3,)).actions(1).tolist() == [1]


FIRST_TURNS = {
    "few uses": (("charges_1",), ("charges_2",), ("charges_2", "charge_up"), ("charges_1", "patient")),
    "channelling": (("channeled",), ("channeled", "charges_2"), ("channeled", "patient")),
    "cooling down": (("cooldown",), ("cooldown", "patient"), ("cooldown", "charges_2")),
    "turns": (("patient",), ("finale",), ("quickdraw",), ("patient", "charge_up")),
}


@pytest.mark.parametrize("waves", [[[60]], [[30, 10, 10]], [[25], [25, 10]]])
@pytest.mark.parametrize("max_turns", [1, 2, 9, 100])
@pytest.mark.parametrize("kind", FIRST_TURNS)
def test_first_turns(kind, max_turns, waves):
    """Few uses, channelling and turn limits, with thresholds, several strikes and bonuses against some."""
    rules = v2_rules()
    attacker, encounter = scene(4, "", waves=waves, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))
    upgrades = ((), ("culling_strike",), ("finishing_blow",), ("barrage", "minion_slayer_dmg"))
    for attack_type in ("melee_dg", "ranged"):
        attacks = [Attack(attack_type, (*more, *names)) for names in FIRST_TURNS[kind] for more in upgrades]
        masks = np.concatenate([space.encode(Build((attack,))).codes for attack in attacks])
        found = batch_means(rules, attacker, encounter, attack_type, masks)
        assert (found.ways != LEFT).all()
        for i, attack in enumerate(attacks):
            mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
            assert found.means[i] == pytest.approx(mean, abs=CLOSE), attack
        if kind == "few uses":
            assert (found.ways == BY_WALK).all()
        elif kind == "cooling down" and max_turns == 9 and waves != [[60]]:
            # With a threshold attacks and basic attacks do not add up.
            assert set(found.ways.tolist()) == {BY_WALK, BY_COUNTS}
        elif max_turns == 100 and attack_type == "melee_dg":
            assert (found.ways == BY_VALUE).any()


BLEEDS = (
    (),
    ("channeled",),
    ("channeled", "charges_2"),
    ("charges_1",),
    ("charges_2", "charge_up"),
    ("patient",),
    ("quickdraw",),
    ("cooldown",),
    ("charge_up",),
    ("unreliable_2",),
)


@pytest.mark.parametrize("waves", [[[25]], [[30, 10, 10]], [[25], [25, 10]]])
@pytest.mark.parametrize("max_turns", [1, 2, 9, 100])
def test_bleeds(max_turns, waves):
    """Bleeds in a rhythm, with several strikes and bonuses against some."""
    rules = v2_rules()
    attacker, encounter = scene(4, "", waves=waves, max_turns=max_turns)
    space = VitalitySpace(rules, read_settings(rules, {"budget": "10"}))
    upgrades = ((), ("barrage",), ("double_tap", "minion_slayer_dmg"))
    for attack_type in ("melee_dg", "ranged"):
        attacks = [Attack(attack_type, ("bleed", *more, *names)) for names in BLEEDS for more in upgrades]
        masks = np.concatenate([space.encode(Build((attack,))).codes for attack in attacks])
        found = batch_means(rules, attacker, encounter, attack_type, masks)
        assert (found.ways != LEFT).all()
        for i, attack in enumerate(attacks):
            mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
            assert found.means[i] == pytest.approx(mean, abs=CLOSE), attack
        if max_turns == 9:
            assert (found.ways == BY_WALK).any()
            assert (found.ways == BY_COUNTS).any()


def test_hardly_ever():
    """An attack that nearly always fails takes more turns than there are: no mean is taken off another."""
    rules = v2_rules()
    attacker, encounter = scene(1, "60", enemy="2,2,8,2")
    space = VitalitySpace(rules, read_settings(rules, {"budget": "8"}))
    attack = Attack("ranged", ("unreliable_3", "charge_up_2"))
    found = batch_means(rules, attacker, encounter, "ranged", space.encode(Build((attack,))).codes)
    mean = solve(exact_ground(rules, Build((attack,)), attacker, encounter), survival=False).mean
    assert found.ways.tolist() == [BY_COUNTS]
    assert found.means[0] == pytest.approx(mean, abs=CLOSE)

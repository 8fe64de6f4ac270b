"""The kernel's outcome tables against the reference's strike, enumerated over all dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.evaluate.alias_tables import table_weights
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Encounter, Foe
from buildsearch.systems.vitality.kernel.compiling import Tables, compile_plan, strike_distribution
from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, DAMAGE, HIT
from buildsearch.systems.vitality.kernel.profile import Parts, channel_levels, strike_record
from buildsearch.systems.vitality.kernel.retaliation import both, retaliation_distribution
from buildsearch.systems.vitality.reference.profile import make_profile
from buildsearch.systems.vitality.reference.strike import (
    AUTO_HIT,
    resolve_accuracy,
    resolve_condition,
    resolve_damage,
)
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    exact_exploding_sum,
    foes,
    legal_attacks,
    rulings,
    under,
)
from tests.v2 import rules

# Totals above this defeat anybody under any modifiers that are drawn here.
MOST_TOTAL = 230


def exact_strike(profile, foe, channel_turns):
    """The chance of each (hit, critical, damage up to the foe's HP), as fractions, by the reference."""
    rolls = profile.rules.rolls
    naturals: Counter = Counter()
    attack_type = profile.rules.attack_types[profile.attack.type]
    options = [profile.rules.enhancements[name] for name in profile.attack.enhancements]
    if attack_type.auto_hit:
        naturals[None] = Fraction(1)
    else:
        dice = max((option.mechanics.accuracy_dice or 1 for option in options), default=1)
        for faces in product(range(1, rolls.accuracy.sides + 1), repeat=dice):
            naturals[max(faces)] += Fraction(1, rolls.accuracy.sides**dice)
    explode_on = min(
        [rolls.damage.explode_on, *(o.mechanics.explode_on for o in options if o.mechanics.explode_on)]
    )
    totals = exact_exploding_sum(rolls.damage.count, rolls.damage.sides, explode_on, MOST_TOTAL)
    chances: Counter = Counter()
    for natural, chance in naturals.items():
        accuracy = AUTO_HIT if natural is None else resolve_accuracy(profile, foe, natural, channel_turns)
        if not accuracy.hit:
            chances[False, False, 0] += chance
        elif profile.attack.effect == "condition":
            for roll in range(1, rolls.condition.sides + 1):
                landed = resolve_condition(profile, foe, roll, accuracy, channel_turns).landed
                damage = foe.max_hp if landed else 0
                chances[True, accuracy.critical, damage] += chance / rolls.condition.sides
        else:
            for total, share in enumerate(totals):
                damage = resolve_damage(profile, foe, total, accuracy, channel_turns).damage
                chances[True, accuracy.critical, min(damage, foe.max_hp)] += chance * share
            rest = 1 - sum(totals)
            largest = resolve_damage(profile, foe, MOST_TOTAL + 1, accuracy, channel_turns).damage
            chances[True, accuracy.critical, min(largest, foe.max_hp)] += chance * rest
    return {key: chance for key, chance in chances.items() if chance}


def unpacked(code):
    return bool(code & HIT), bool(code & CRITICAL), code & DAMAGE


@settings(max_examples=60, deadline=None)
@given(rulings(), legal_attacks(), attackers(), st.booleans().flatmap(foes), st.booleans(), st.integers(0, 9))
def test_outcomes_equal_the_reference_over_all_dice(ruled, attack, attacker, foe, adjacent, channelled):
    game = under(ruled)
    parts = Parts.of(game, attack)
    levels = channel_levels(parts, attacker, 100)
    record = strike_record(parts, attacker, foe, levels[min(channelled, len(levels) - 1)], adjacent=adjacent)
    probabilities, codes = strike_distribution(parts, record, Tables(game, attacker))
    found: Counter = Counter()
    for code, chance in zip(codes.tolist(), probabilities.tolist(), strict=True):
        found[unpacked(code)] += chance
    profile = make_profile(game, attack, attacker.tier, attacker.stats, adjacent=adjacent)
    wanted = exact_strike(profile, foe, channelled)
    for key in set(found) | set(wanted):
        # As exact as numbers of 53 bits can be: both sides add up the same products.
        assert abs(found[key] - float(wanted.get(key, 0))) < 1e-14, key


@settings(max_examples=25, deadline=None)
@given(legal_attacks(), attackers(), st.booleans().flatmap(foes))
def test_alias_rows_draw_from_those_outcomes(attack, attacker, foe):
    encounter = Encounter("one", ((foe,),), 100, {})
    plan = compile_plan(rules(), Build((attack,)), attacker, encounter)
    parts = Parts.of(rules(), attack)
    tables = Tables(rules(), attacker)
    gains = channel_levels(parts, attacker, 100)
    bits = int(plan.setup["strike_bits"][0])
    assert len(plan.strikes) == 1 + len(gains)
    for row, gain in zip(plan.strikes[1:], gains, strict=True):
        record = strike_record(parts, attacker, foe, gain, adjacent=False)
        probabilities, codes = strike_distribution(parts, record, tables)
        weights = table_weights(row, bits)
        assert sum(weights.values()) == 1 << 32
        wanted: Counter = Counter()
        for code, chance in zip(codes.tolist(), probabilities.tolist(), strict=True):
            wanted[code] += chance * (1 << 32)
        # Each outcome is rounded to the nearest of 2^32 parts; the likeliest one takes what that leaves.
        likeliest = max(wanted, key=wanted.__getitem__)
        for code in set(weights) | set(wanted):
            slack = len(wanted) if code == likeliest else 0.501
            assert abs(weights.get(code, 0) - wanted[code]) <= slack


@settings(max_examples=25, deadline=None)
@given(rulings(), attackers(), foes(alike=False))
def test_retaliation_equals_the_reference_over_all_dice(ruled, attacker, foe):
    game = under(ruled)
    profile = make_profile(game, Attack(game.retaliation.type), attacker.tier, foe.stats)
    wanted = exact_strike(profile, Foe("attacker", attacker.hp, attacker.stats), 0)
    found = retaliation_distribution(game, attacker, foe)
    assert abs(found.sum() - 1) < 1e-12
    missed = float(wanted.get((False, False, 0), 0))
    assert abs(found[0] - missed) < 1e-14
    by_damage: Counter = Counter()
    for (hit, _, damage), chance in wanted.items():
        if hit:
            by_damage[damage] += chance
    for damage in range(attacker.hp + 1):
        assert abs(found[1 + damage] - float(by_damage[damage])) < 1e-14


def test_two_retaliations_at_once_are_two_draws_of_one():
    rng = np.random.default_rng(1)
    one = rng.random(7)
    other = rng.random(7)
    one, other = one / one.sum(), other / other.sum()
    wanted = np.zeros(7)
    for i, j in product(range(7), repeat=2):
        where = 0 if i == j == 0 else 1 + min(max(i - 1, 0) + max(j - 1, 0), 5)
        wanted[where] += one[i] * other[j]
    assert np.allclose(both(one, other), wanted, rtol=0, atol=1e-15)

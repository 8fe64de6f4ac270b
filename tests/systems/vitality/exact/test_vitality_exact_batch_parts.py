"""The parts of a batch against their slow twins: turns' damage, limit sets, lumped chains, counted hits."""

from dataclasses import replace

import numpy as np
import pytest
from numba import njit
from test_vitality_exact_batch import masks_of
from vitality_exact_support import scene, tiny_attacker, tiny_encounter, tiny_rules, v2_rules

from buildsearch.evaluate.distinct_rows import bits_of
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION, chain_of
from buildsearch.systems.vitality.exact.batch.class_rows import class_damages
from buildsearch.systems.vitality.exact.batch.damage_rows import dice_tables
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, gatings_of
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS, lumped
from buildsearch.systems.vitality.exact.batch.options import options_of
from buildsearch.systems.vitality.exact.batch.profiles import (
    Attackers,
    attack_records,
    classes_of,
    level_gains,
    strike_records,
)
from buildsearch.systems.vitality.exact.batch.solving import Batch, batch_means
from buildsearch.systems.vitality.exact.batch.tables import profiles_of
from buildsearch.systems.vitality.exact.batch.turn_damage import turn_damage
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.kernel.gating import activation_chance, gating_fields
from buildsearch.systems.vitality.kernel.outcomes import fill_outcomes
from buildsearch.systems.vitality.kernel.profile import kill_threshold


def attackers(rules, attacker, encounter, attack_type="melee_dg", effect="damage"):
    options = options_of(rules, attacker)
    return Attackers(rules, attacker, encounter, attack_type, effect, options, classes_of([encounter]))


def tiny(effect="damage", **rulings):
    rules = tiny_rules(**rulings)
    encounter = tiny_encounter(rules, (5, 3), (4,), max_turns=9)
    return attackers(rules, tiny_attacker(rules), encounter, "melee_dg", effect)


@njit
def _turn_of(plain, critical, strikes, double_tap, extra, times):
    return turn_damage(plain, critical, strikes, double_tap, extra, times)


def _turn(strike, attack, naturals, dice):
    """The damage of one profile's turn, worked out for its class of enemy alone, and a hit without damage."""
    size = int(strike["max_hp"]) + 1
    outcomes = np.zeros(2 * size + 1)
    fill_outcomes(strike, naturals, dice, 0, outcomes)
    plain, critical = outcomes[1 : size + 1], outcomes[size + 1 :]
    plain[0] += outcomes[0]
    numbers = [int(attack[name]) for name in ("strikes", "double_tap", "extra_limit")]
    total = _turn_of(plain, critical, *numbers, 1)
    return total, max(total[0] - outcomes[0] ** numbers[0], 0.0)


def _totals(plain, critical, strikes, double_tap, extra, times):
    """Every way that a turn's strikes can go, one by one: the chance of each total."""
    found = np.zeros(len(plain))

    def hit(damage, law, chance, after):
        for one, its in enumerate(law):
            counted = one * (times if damage == 0 else 1)
            if its > 0:
                after(min(damage + counted, len(plain) - 1), one, chance * its)

    def base(left, extras, damage, chance):
        if left == 0:
            found[damage] += chance
            return
        some = plain + critical

        def struck(is_critical):
            def after(damage, one, chance):
                def then(damage, _, chance):
                    if one > 0 and extras > 0:
                        hit(damage, some, chance, lambda d, _, c: base(left - 1, extras - 1, d, c))
                    else:
                        base(left - 1, extras, damage, chance)

                if is_critical and double_tap:
                    hit(damage, some, chance, then)
                else:
                    then(damage, one, chance)

            return after

        hit(damage, plain, chance, struck(False))
        hit(damage, critical, chance, struck(True))

    base(strikes, extra, 0, 1.0)
    return found


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("double_tap", [0, 1])
@pytest.mark.parametrize("extra", [0, 1])
def test_a_turn_is_its_strikes_one_by_one(double_tap, extra, times):
    """Double Tap after a critical, Extra Attack after damage, the first damage counted once or twice."""
    law = np.random.default_rng(4).dirichlet(np.ones(8))
    plain, critical = np.array([*law[:4], 0.0]), np.array([*law[4:], 0.0])
    for strikes in (1, 2, 3):
        total = _turn_of(plain, critical, strikes, double_tap, extra, times)
        assert total == pytest.approx(_totals(plain, critical, strikes, double_tap, extra, times), abs=1e-13)


@pytest.mark.parametrize("effect", ["damage", "condition"])
def test_rows_are_those_of_each_profile_alone(effect):
    """Rows that profiles, classes and levels share, cut to a class's HP, are what the class alone gets."""
    given = tiny(effect)
    _, masks = masks_of(given.rules, "melee_dg", 60, 8, effect=effect)
    has = bits_of(masks, len(given.options.known)) & ~given.options.is_limit
    extra = np.random.default_rng(2).integers(-1, 2, (len(has), 2))
    profiles = profiles_of(given, has, extra, bleeds=False)
    damages, first_rows, _ = class_damages(profiles, given.class_hp)
    assert len(profiles.damages.chances) < len(damages.chances)
    attacks, by_class = attack_records(given, has), strike_records(given, has, extra)
    for k, (foe, strikes) in enumerate(zip(given.classes, by_class, strict=True)):
        natural_of, dice_of, naturals, dice = dice_tables(given.rules, attacks)
        for i in range(len(has)):
            profile = profiles.of_row[i]
            channel = next(iter(np.flatnonzero(has[i] & (given.options.numbers["channel"] >= 0))), -1)
            gains = level_gains(given, int(channel))
            assert profiles.levels[profile] == len(gains)
            own = [option for option, chosen in zip(given.options.known, has[i], strict=True) if chosen]
            threshold = 0 if effect == "condition" else kill_threshold(own, foe.max_hp)
            assert profiles.kill_at[profile, k] == threshold
            for level, gain in enumerate(gains):
                strike = strikes[i : i + 1].copy()[0]
                strike["accuracy"] += gain[0]
                strike["effect"] += gain[1]
                total, touched = _turn(strike, attacks[i], naturals[natural_of[i]], dice[dice_of[i]])
                row = first_rows[profile] + level * len(given.classes) + k
                assert damages.chances[row, : foe.max_hp + 1] == pytest.approx(total, abs=1e-13)
                assert damages.at_least[row, 1] == pytest.approx(total[1:].sum(), abs=1e-13)
                assert damages.touched[row] == pytest.approx(touched, abs=1e-15)


def test_limit_sets():
    """Fields of many limit sets are those of each alone."""
    given = tiny(unmet_limit="wait")
    _, masks = masks_of(given.rules, "melee_dg", 60, 6)
    has = bits_of(masks, len(given.options.known)) & given.options.is_limit
    fields, chances = all_fields(given, has)
    ids, tier = list(given.rules.enhancements), given.attacker.tier
    for row, columns in enumerate(has):
        parts = given.parts(*(ids[i] for i in np.flatnonzero(columns)))
        own = gating_fields(parts, tier, given.encounter)
        if own["hp_at_most"] >= given.attacker.hp:
            own["hp_at_most"] = 1 << 30
        assert {name: int(values[row]) for name, values in fields.items()} == own
        assert chances[row] == pytest.approx(activation_chance(parts, tier), abs=1e-15)


def _actions(steps, states, events, by_event, outcomes):
    """The chance of each action, turn by turn, under these chances of events and these outcomes of turns."""
    now, told = np.zeros(states), []
    now[0] = 1.0
    for outcome in outcomes:
        later, found = np.zeros(states), np.zeros(16)
        for step in steps:
            weight = now[step["state"]] * step["chance"] * by_event(events, int(step["event"]))
            found[step["action"]] += weight
            later[step["missed" if step["action"] == 0 else outcome]] += weight
        now = later
        told.append(found)
    return np.array(told)


def test_lumped_chains_act_alike():
    """Whatever happens, the lumped chain chooses as the whole one does, and is never larger."""
    given = tiny()
    _, masks = masks_of(given.rules, "melee_dg", 80, 7)
    has = bits_of(masks, len(given.options.known)) & given.options.is_limit
    ground = exact_ground(given.rules, Build((Attack("melee_dg"),)), given.attacker, given.encounter)
    rng = np.random.default_rng(3)
    smaller = 0
    for gating in gatings_of(ground, *all_fields(given, has))[0]:
        whole = chain_of(gating.setup, 3, gating.activation)
        if whole is None:
            continue
        chain = lumped(whole, bleeds=True, several=True, waves=True)
        assert chain.states <= whole.states
        smaller += chain.states < whole.states
        events = rng.dirichlet(np.ones(NO_RETALIATION))
        turns = rng.choice(["missed", "touched", "damaged", "defeated", "cleared", "ticked"], 12)
        one = _actions(
            whole.steps, whole.states, events, lambda e, i: 1.0 if i == NO_RETALIATION else e[i], turns
        )
        other = _actions(
            chain.steps,
            chain.states,
            events,
            lambda e, i: 1.0 if i == ALWAYS else sum(e[k] for k in range(NO_RETALIATION) if i >> k & 1),
            turns,
        )
        assert other == pytest.approx(one, abs=1e-12)
    assert smaller > 5


def test_other_fights_change_nothing():
    """Bit for bit the same in one fight alone and beside others, with whom it shares what it can."""
    rules = v2_rules()
    _, masks = masks_of(rules, "melee_dg", 150, 9)
    scenes = [scene(4, "60"), scene(4, "25,10,10"), scene(4, "100"), scene(4, "10"), scene(3, "25,10,10")]
    scenes.append((scenes[1][0], replace(scenes[1][1], max_turns=30)))
    batch = Batch(rules, scenes, "melee_dg", masks)
    for number, (attacker, encounter) in enumerate(scenes):
        together, alone = batch.means(number), batch_means(rules, attacker, encounter, "melee_dg", masks)
        assert np.array_equal(together.means, alone.means, equal_nan=True)
        assert np.array_equal(together.ways, alone.ways)

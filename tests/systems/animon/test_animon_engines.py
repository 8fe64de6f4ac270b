"""What is derived from the statement: exact, best play, sampled, in bulk; against all dice."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
from animon_support import (
    A,
    B,
    best,
    bout,
    build,
    bulk,
    entered,
    evaluators,
    game,
    numbers,
    rules,
    scenarios,
    solved,
    space,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.engines.stated import StatedFight
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.animon.bouts.bout import combatants
from buildsearch.systems.animon.bouts.choice import make_bouts
from buildsearch.systems.animon.sheet import build_row
from tests.engines.brute_force import BruteForce

slow_without_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

DRAINING = "super water 5-3-3-3 / dodge / energy_drain@nature / sap@fire / uses"
BREAKING = "super nature 2-4-4-4 / initiative / tough_break@fire / quick_strike@water / dodge"
BLASTING = "super fire 4-3-4-3 / attack / multi_hit@fire / explosive@water / damage"
CHARGING = "super fire 5-3-4-2 / attack / efficient@fire / overcharge@fire / damage"
GIVING = "super fire 2-5-3-4 / dodge / power_transfer / misdirect@fire / hp"
DOUBLE = "super fire 3-4-4-3 / attack / efficient+overcharge@fire / poison_strike+multi_hit@fire / uses"
FIGHTS = [
    (A, "L6:super:neutral!sap;bp=on", ()),
    (B, "L7:super:fire!stunning_strike;bp=4;start=fledgling;first=yes", ("rulings.evolving=action",)),
    (DRAINING, "L8:super:fire!block_break;zero=devolve;bp=3", ()),
    (BREAKING, "L4:super:neutral>L5:super:water!poison_strike;between=breath;surprised=them", ()),
    (BREAKING, "L6:super:fire", ("rulings.vulnerable=target", "rulings.tough_break=half")),
    (BREAKING, "L5:super:fire", ("rulings.vulnerable=encounter", "rulings.initiative_ties=number")),
    (BLASTING, "L3:super:fire*2;surprised=us", ()),
    (BLASTING, "L2:basic:nature,L3:super:water", ("rulings.adjacent=1",)),
    (GIVING, "L5:super:neutral;allies=L4:super:nature!power_transfer", ("rulings.power_transfer=rank",)),
    (DOUBLE, "L6:super:neutral", ("rulings.overcharge=any", "rulings.damage_by_stage=revised")),
    (DOUBLE, "L6:ultra:dark;bp=5;start=basic;zero=devolve", ("rulings.bond_dice=none",)),
    (A, "{super water 4-4-3-3 / dodge / misdirect@water / stunning_strike@neutral / hp}", ()),
    # A wave may be beaten in the very last round: nobody catches breath, and no initiative is rolled.
    (CHARGING, "L1:fledgling:neutral>L6:super:neutral;rounds=1;between=breath", ()),
    (CHARGING, "L1:fledgling:fire>L1:basic:neutral>L2:super:fire;rounds=2;bp=2;start=basic;surprised=us", ()),
    (A, "L2:super:fire>L3:super:neutral;rounds=3;between=breath;zero=devolve;allies=L2:super:nature/hp5", ()),
]


@slow_without_jit
@pytest.mark.parametrize(("text", "foes", "sets"), FIGHTS)
def test_exact_and_sampled_fights_agree(text, foes, sets):
    some, asked = build(text, *sets), bout(foes, sets=sets)
    exact, _, sampled, _ = evaluators(*sets)
    assert exact.why_not(some, asked) is None
    truth, fights = exact.evaluate(some, asked, Sampling(0)), 40_000
    found = sampled.evaluate(some, asked, Sampling(fights, seed=3))
    for name, estimate in truth.estimates.items():
        other = found.estimates[name]
        error = math.hypot(other.se, 1 / fights, math.sqrt(max(0, estimate.value) / fights) / 10)
        assert abs(other.value - estimate.value) < 4.5 * error, name


@slow_without_jit
def test_threads_may_ask_one_engine():
    """Leaderboards are described by several threads, build by build, each in every fight."""
    asked, exact = bout("L5:super:neutral"), evaluators()[0]
    several = [build(text) for text in (A, B, DRAINING, BREAKING)]

    def found(some):
        assert exact.why_not(some, asked) is None
        return exact.evaluate(some, asked, Sampling(0)).estimates

    one_by_one = [found(some) for some in several]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(found, several * 6)) == one_by_one * 6


# Dice with two sides, and nobody rolls again: every course of a short fight can be gone through.
COINS = (
    *("dice.sides=2", "dice.success=2", "dice.most_boost=1", "rulings.initiative_ties=number"),
    *(
        f"stages.{stage}.{key}"
        for stage in ("fledgling", "basic", "super")
        for key in ("least=1", "points=0")
    ),
    "hearts.devolving=1",
)
SHORT = [
    ("fledgling fire 1-1-1-1 / dodge / none", "L1:fledgling:nature/hp3/dmg2/atk1/dod1/ini1"),
    (
        "super fire 1-1-1-1 / initiative / overcharge@fire / stunning_strike@fire / uses",
        "L1:basic:fire/hp9/dmg3/atk1/dod0/ini0",
    ),
    ("basic fire 1-1-1-1 / dodge / sap@fire / none", "L1:basic:water/hp5/dmg20/atk1/dod1/ini0;bp=3"),
    (
        "super fire 1-1-1-1 / dodge / poison_strike@fire / explosive@fire / hp",
        "L1:super:water!poison_strike/hp9/dmg40/atk1/dod0/ini0;zero=devolve",
    ),
    (
        "fledgling fire 1-1-1-1 / dodge / none",
        "L1:fledgling:nature/hp2/dmg1/atk1/dod0/ini0>L1:fledgling:fire/hp2/dmg1/atk1/dod0/ini1;between=breath",
    ),
]


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize(("text", "foes"), SHORT)
def test_every_sequence_of_dice_of_a_short_fight(text, foes, rounds):
    """Die by die in fractions: no table of chances, no tree, no graph."""
    fight, row = entered(text, f"{foes};rounds={rounds}", COINS)
    won, drawn, lost, left, length, gauge = (float(each) for each in BruteForce(fight.terms, row).whole())
    assert won + drawn + lost == 1
    expected = [won, drawn, lost, length, left, gauge]
    assert numbers(fight.solve(row)) == pytest.approx(expected, abs=1e-12)


@slow_without_jit
@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["L3:basic:neutral", "L3:basic:fire!sap", "L3:basic:fire;bp=1;start=fledgling"]),
)
def test_best_play_is_no_worse_than_greedy(seed, foes):
    everything = space(stage="basic")
    (some,) = everything.sample(Wanted(), 1, np.random.default_rng(seed))
    name = everything.name(some)
    greedy, free = solved(name, foes), best(name, foes)
    assert free[0] + free[1] / 2 >= greedy[0] + greedy[1] / 2 - 1e-12
    assert sum(free[:3]) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("text", "foes"), SHORT[:2])
def test_best_play_of_a_short_fight(text, foes):
    fight, row = entered(text, f"{foes};rounds=2", COINS)
    worth = game(*COINS).worth(bout(foes, sets=COINS))
    expected = BruteForce(fight.terms, row, worth=worth, tie=1e-9).whole()[:3]
    assert fight.best(row, worth).means[:3] == pytest.approx([float(each) for each in expected], abs=1e-7)


def told_apart(foes, text):
    """How a fight is solved as it is, and with foes of one kind told apart; how many states each has."""
    merged, row = entered(text, foes)
    who = merged.terms.tables.who.copy()
    who.kind = np.arange(len(who))
    terms = merged.terms.__class__(**{**vars(merged.terms), "tables": merged.terms.tables._replace(who=who)})
    fights = (merged, StatedFight(terms))
    return [numbers(each.solve(row)) for each in fights], [each.explored(row).graph.nodes for each in fights]


@slow_without_jit
@pytest.mark.parametrize(
    ("text", "foes"), [(BLASTING, "L2:super:fire*3"), (BREAKING, "L2:basic:water!misdirect*2")]
)
def test_equal_foes_are_one_multiset(text, foes):
    """Told apart, they come to the same with more states."""
    (merged, apart), (fewer, more) = told_apart(foes, text)
    assert apart == pytest.approx(merged, abs=1e-11)
    assert fewer < more


@slow_without_jit
def test_equal_foes_do_not_pass_others():
    """Greedy play does not see a signature attack, so of equals it takes the first, whoever fell before."""
    (merged, apart), _ = told_apart("L2:super:fire/hp9,L2:super:fire!heavy_strike/hp9,L2:super:fire/hp9", A)
    assert apart == pytest.approx(merged, abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("foes", ["L5:super:fire!sap@water", "L3:super:nature>L3:super:dark"])
def test_builds_that_a_fight_cannot_tell_apart_fare_alike(foes):
    everything = space(elements="all", effects="1")
    line = "super {} 4-4-3-3 / attack / heavy_strike@{} / multi_element@{} / hp"
    fight = game().fight(bout(foes))
    named = [
        ("neutral", "light", "light+earth"),
        ("mirage", "earth", "earth+light"),
        ("fire", "fire", "fire+dark"),
    ]
    builds = [everything.parse(line.format(*each)) for each in named]
    words = fight.tell_apart(np.array([build_row(rules(), each) for each in builds]))
    alike = (words[0] == words[1]).all()
    assert alike == ("dark" not in foes)
    assert (words[0] != words[2]).any()
    if alike:
        one, other = (fight.solve(build_row(rules(), each)) for each in builds[:2])
        assert numbers(one) == numbers(other)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"stage": "fledgling"},
        {"stage": "ultra", "effects": "2", "elements": "all", "bond_level": "7"},
        {"stage": "super", "lower_forms": "own", "elements": "fire+light"},
    ],
)
def test_rows_in_bulk_are_rows_of_builds(parameters):
    everything = space(**parameters)
    for some in everything.sample(Wanted(), 20, np.random.default_rng(2)):
        (found,) = game().rows(everything, everything.encode(some))
        assert (found == build_row(rules(), some)).all()


@slow_without_jit
def test_bulk_is_each_evaluator():
    everything = space(stage="basic")
    scorer = bulk(everything)
    fights = make_bouts(rules(), scenarios(), {})
    chunk = next(everything.chunks(Wanted(groups=("4-4-2-2",)), 1 << 20))
    some = Chunk(chunk.group, chunk.codes[::97])
    assert np.isnan(scorer.solve(some, fights["party"])).all()
    means = scorer.solve(some, fights["gauntlet"])
    samples = scorer.sample(some, fights["pack"], 7, 300)
    exact, _, sampled, _ = evaluators()
    for i, each in enumerate(everything.builds(some)):
        found = exact.evaluate(each, fights["gauntlet"], Sampling(0))
        assert means[i] == pytest.approx(found.estimates["win_rate"].value, abs=1e-14)
        fought = sampled.evaluate(each, fights["pack"], Sampling(300, seed=7))
        for total, name in zip(samples.totals, scorer.outcomes, strict=True):
            assert total[i] / 300 == pytest.approx(fought.estimates[name].value, abs=1e-12)
    assert len({key.tobytes() for key in scorer.keys(some)}) == len(some)


@slow_without_jit
def test_of_many_builds_only_contenders_are_solved():
    everything = space()
    scorer = bulk(everything)
    fights = make_bouts(rules(), scenarios(), {})
    some = everything.encode(build(A))
    assert np.isnan(scorer.solve(some, fights["duel"])).all()
    assert scorer.solve_alone(some, fights["duel"])[0] == pytest.approx(0.735294287005, abs=1e-11)
    assert np.isnan(scorer.solve_alone(some, fights["party"])).all()


@slow_without_jit
def test_best_play_in_bulk():
    everything = space(stage="basic", elements="fire")
    scorer = bulk(everything)
    chunk = next(everything.chunks(Wanted(groups=("4-4-2-2",)), 4))
    fights = make_bouts(rules(), scenarios(), {"play": "optimal"})
    means = scorer.solve(chunk, fights["duel"])
    engine = evaluators()[1]
    for each, mean in zip(everything.builds(chunk), means, strict=True):
        found = engine.evaluate(each, fights["duel"], Sampling(0))
        assert found.estimates["win_rate"].value == pytest.approx(mean, abs=1e-14)
    for name in ("party", "gauntlet"):
        with pytest.raises(UsageError, match="without allies in one wave"):
            scorer.solve(chunk, fights[name])
        assert "without allies" in engine.why_not(next(everything.builds(chunk)), fights[name])
    lines = engine.explain(next(everything.builds(chunk)), fights["duel"])
    assert lines[0].startswith("in a fight, in the mean: ")
    assert "HP" in lines[1]


def test_what_is_too_large_is_said_at_once():
    exact, _, sampled, _ = evaluators()
    asked = bout("L2:super:fire*5")
    assert "more states" in exact.why_not(build(A), asked)
    assert sampled.why_not(build(A), asked) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("L6:super", "is not a combatant"),
        ("L6:mega:fire", "stage cannot be `mega`"),
        ("L6:super:fire!sapp", "unknown effect"),
        ("L6:super:fire!poison_strike+sap", "do not go together"),
        ("L6:super:fire/hp0", "from 1 to"),
        ("L6:super:fire/xyz3", "changes nothing"),
        ("L6:super:fire*16", "count from 1"),
        ("L6:super:fire*9,L5:super:fire*9", "is the most"),
        ("{super fire 5-5-5-5 / attack / sap@fire / sap@fire / hp}", "not a legal build"),
        ("{super fire", "brace is not closed"),
        ("build", "is an ally"),
        ("L6:super:fire;bp=x", "bp must be"),
        ("L6:super:fire;bq=3", "no option `bq`"),
        ("bp=3", "there is no foe"),
    ],
)
def test_fights_that_cannot_be(text, said):
    with pytest.raises(UsageError, match=said):
        bout(text)


def test_levelled_animon_and_who_they_are():
    asked = bout(
        "L6:super:fire!sap@water/hp30/dmg4/atk2/dod3/ini1/use5,L2:basic:nature*2>L5:ultra:dark;allies=build,L4:super:fire"
    )
    units = combatants(rules(), asked, build(A))
    assert [unit.side for unit in units] == [0, 0, 0, 1, 1, 1, 1]
    assert [unit.is_pc for unit in units] == [True, True, False, False, False, False, False]
    changed, plain = units[3].forms[2], units[2].forms[2]
    assert (changed.hp, changed.damage, changed.attack, changed.dodge, changed.initiative, changed.uses) == (
        30,
        4,
        2,
        3,
        1,
        5,
    )
    assert (plain.hp, plain.damage, plain.attack, plain.power, plain.heart) == (30, 6, 3, 3, 3)
    assert [unit.wave for unit in units[3:]] == [0, 0, 0, 1]


def test_many_fights_are_the_first_of_more():
    engine = evaluators()[2]
    number = 40 if numba.config.DISABLE_JIT else 9000
    whole = engine.evaluate(build(B), bout("L6:super:neutral"), Sampling(number, seed=1))
    again = engine.evaluate(build(B), bout("L6:super:neutral"), Sampling(number, seed=1, jobs=2))
    assert whole.estimates == again.estimates

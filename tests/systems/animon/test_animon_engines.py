"""Reference, kernel and exact engine against one another, on fights of every kind and on generated builds."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numba
import numpy as np
import pytest
from animon_support import (
    A,
    B,
    EveryCourse,
    best,
    bout,
    build,
    field,
    rules,
    scenarios,
    solved,
    space,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.animon.bouts.bout import combatants
from buildsearch.systems.animon.bouts.choice import make_bouts
from buildsearch.systems.animon.bulk.rows import BuildRows
from buildsearch.systems.animon.bulk.scorer import AnimonBulk
from buildsearch.systems.animon.evaluators import Field, KernelEvaluator, evaluators
from buildsearch.systems.animon.exact.solver import Solver
from buildsearch.systems.animon.kernel.driver import plan_of
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.greedy import choose
from buildsearch.systems.animon.mechanics.rows import row_of
from buildsearch.systems.animon.reference import fight as reference
from buildsearch.systems.animon.reference.attacks import Strike, Transfer
from buildsearch.systems.animon.reference.events import Attacked, Harmed
from buildsearch.systems.animon.reference.greedy import Defend
from tests.scripted_dice import ScriptedDice

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
def test_three_engines_agree(text, foes, sets):
    some, asked = build(text, *sets), bout(foes, sets=sets)
    exact, _, kernel, slow = evaluators(rules(*sets))
    assert exact.why_not(some, asked) is None
    truth = exact.evaluate(some, asked, Sampling(0))
    for engine, fights in ((kernel, 40_000), (slow, 100)):
        found = engine.evaluate(some, asked, Sampling(fights, seed=3))
        for name, estimate in truth.estimates.items():
            other = found.estimates[name]
            error = math.hypot(other.se, 1 / fights, math.sqrt(max(0, estimate.value) / fights) / 10)
            assert abs(other.value - estimate.value) < 4.5 * error, (engine.method, name)


@slow_without_jit
def test_threads_may_ask_one_engine():
    """Leaderboards are described by several threads, build by build, each in every fight."""
    asked, exact = bout("L5:super:neutral"), evaluators(rules())[0]
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
def test_every_course_of_a_short_fight(text, foes, rounds):
    foes += f";rounds={rounds}"
    some, asked = build(text, *COINS), bout(foes, sets=COINS)
    dice, found = EveryCourse(), np.zeros(6)
    while True:
        result = reference.fight(rules(*COINS), some, asked, dice)
        outcome = ("won", "drawn", "lost").index(result.outcome)
        found[outcome] += dice.likely
        found[3:] += dice.likely * np.array([result.rounds, result.hp_left, result.gauge])
        if not dice.more(2):
            break
    truth = solved(text, foes, COINS)
    assert found[:3].sum() == pytest.approx(1, abs=1e-12)
    assert list(truth) == pytest.approx(found, abs=1e-12)


def packed(battle):
    """The reference's state as the engines have it."""
    state = np.zeros(len(battle.units) + 2, np.int64)
    for unit in battle.units:
        comes_later = unit.who.side == 1 and unit.who.wave != battle.wave
        if comes_later or (unit.is_down and unit.who.side == 1):
            continue
        bits = {
            at.HP: unit.hp,
            at.FORM: unit.stage,
            at.SPENT: unit.spent,
            at.BOND: unit.bond,
            at.EVOLVED: unit.has_evolved,
            at.DEVOLVED: unit.has_devolved,
            at.DEFENDING: unit.is_defending,
            at.ACTED: unit.has_acted,
            at.VULNERABLE: 0 if unit.vulnerable_by is None else 1,
            at.WAS_VULNERABLE: "block_break" in unit.marks,
            at.DISORIENTED: unit.disoriented_by is not None,
            at.WAS_DISORIENTED: "misdirect" in unit.marks,
            at.WEAKENED: unit.is_weakened,
            at.WAS_WEAKENED: "sap" in unit.marks,
            at.STUNNED: unit.is_stunned,
            at.WAS_STUNNED: "stunning_strike" in unit.marks,
            at.BOOSTED: unit.is_boosted,
            at.POISON: 0 if unit.poison is None else unit.poison + 1,
            at.HAS_POISONED: unit.has_poisoned,
            at.USED_EFFICIENT: sum(1 << place for place in unit.used_efficient),
        }
        state[unit.number] = sum(int(value) << shift for shift, value in bits.items())
    return state


@cache
def _spaces():
    return [space(effects=effects, elements="all") for effects in "123"]


ASKED = [
    "L3:super:fire*3;bp=8",
    "L6:super:water!sap@fire,L5:basic:neutral!multi_hit;allies=L4:super:nature!poison_strike,build;bp=4",
    "L5:super:dark!overcharge>L5:ultra:fire!explosive*2;between=breath;zero=devolve;start=basic;bp=2",
    "{ultra light 5-4-4-3 / attack / efficient@dark / energy_drain@dark / sap@light / hp,damage*2};bp=on",
]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_kernel_and_reference_decide_alike(data):
    """In every state that fights of generated builds come to."""
    some = data.draw(st.sampled_from(_spaces())).sample(
        Wanted(), 1, np.random.default_rng(data.draw(st.integers(0, 10_000)))
    )[0]
    asked = bout(data.draw(st.sampled_from(ASKED)))
    ready = Field(rules(), asked)
    # As it is: alike elements are tested below, and here the choice of an element is to be the same.
    plan, odds = plan_of(ready.template, row_of(rules(), asked, some))
    dice = SeededDice(data.draw(st.integers(0, 10_000)))
    battle = reference.Battle(rules(), some, asked, dice, lambda _: None)
    whole, seen = reference.decide, []

    def decide(given_rules, me, friends, enemies):
        decided = whole(given_rules, me, friends, enemies)
        with np.errstate(over="ignore"):
            kind, attack, choice, target, uses, bought = choose(
                plan, odds, packed(me_battle[0]), me.number, np.zeros(16)
            )
        if isinstance(decided, Strike):
            wanted = (
                at.STRIKE,
                (decided.place + 1) if decided.place is not None else 0,
                decided.target.number,
            )
            assert (kind, attack, target) == wanted
            assert (uses, bool(bought)) == (decided.uses, decided.is_bought)
            if decided.place is not None:
                signature = me.who.attacks[decided.place].signature
                assert signature.elements[choice] == decided.element
        elif isinstance(decided, Transfer):
            assert (kind, attack, bool(bought)) == (at.TRANSFER, decided.place + 1, decided.is_bought)
        else:
            assert isinstance(decided, Defend)
            assert kind == at.DEFEND
        seen.append(kind)
        return decided

    me_battle = [battle]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "decide", decide)
        patch.setattr(reference, "Battle", lambda *_: battle)
        reference.fight(rules(), some, asked, dice)
    assert seen


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
    assert free.won + free.drawn / 2 >= greedy.won + greedy.drawn / 2 - 1e-12
    assert free.won + free.drawn + free.lost == pytest.approx(1, abs=1e-12)


def told_apart(foes, text):
    """How a fight is solved as it is, and with foes of one kind told apart; how many states each has."""
    ready = field(foes)
    row = ready.row(build(text))
    apart = ready.template._replace(unit=ready.template.unit.copy())
    apart.unit[:, at.KIND] = np.arange(len(apart.unit))
    solvers = (ready.solver, Solver(apart))
    return [each.greedy(row) for each in solvers], [each.explored(row).graph.nodes for each in solvers]


@slow_without_jit
@pytest.mark.parametrize(
    ("text", "foes"), [(BLASTING, "L2:super:fire*3"), (BREAKING, "L2:basic:water!misdirect*2")]
)
def test_equal_foes_are_one_multiset(text, foes):
    """Told apart, they come to the same with more states."""
    (merged, apart), (fewer, more) = told_apart(foes, text)
    assert list(apart) == pytest.approx(list(merged), abs=1e-11)
    assert fewer < more


@slow_without_jit
def test_equal_foes_do_not_pass_others():
    """Greedy play does not see a signature attack, so of equals it takes the first, whoever fell before."""
    (merged, apart), _ = told_apart("L2:super:fire/hp9,L2:super:fire!heavy_strike/hp9,L2:super:fire/hp9", A)
    assert list(apart) == pytest.approx(list(merged), abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("foes", ["L5:super:fire!sap@water", "L3:super:nature>L3:super:dark"])
def test_elements_that_a_fight_cannot_tell_apart(foes):
    ready = field(foes)
    everything = space(elements="all")
    moved = 0
    for some in everything.sample(Wanted(), 8, np.random.default_rng(3)):
        row = row_of(rules(), ready.bout, some)
        reduced = ready.alike.reduced(row)
        moved += int((row != reduced).any())
        whole, other = Solver(ready.template).greedy(row), Solver(ready.template).greedy(reduced)
        assert list(whole) == pytest.approx(list(other), abs=1e-12)
    assert moved


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
    rows = BuildRows(rules(), everything)
    for foes in ("L5:super:fire!sap@water;bp=on;start=basic", "L5:ultra:light"):
        ready = field(foes)
        for some in everything.sample(Wanted(), 20, np.random.default_rng(2)):
            (found,) = rows.rows_in(everything.encode(some), ready.bout, ready.alike)
            assert (found == ready.row(some)).all()


@slow_without_jit
def test_bulk_is_each_evaluator():
    everything = space(stage="basic")
    bulk = AnimonBulk(rules(), everything)
    fights = make_bouts(rules(), scenarios(), {})
    chunk = next(everything.chunks(Wanted(groups=("4-4-2-2",)), 1 << 20))
    some = Chunk(chunk.group, chunk.codes[::97])
    assert np.isnan(bulk.solve(some, fights["party"])).all()
    means = bulk.solve(some, fights["gauntlet"])
    samples = bulk.sample(some, fights["pack"], 7, 300)
    exact, _, kernel, _ = evaluators(rules())
    for i, each in enumerate(everything.builds(some)):
        found = exact.evaluate(each, fights["gauntlet"], Sampling(0))
        assert means[i] == found.estimates["win_rate"].value
        fought = kernel.evaluate(each, fights["pack"], Sampling(300, seed=7))
        for total, name in zip(samples.totals, bulk.outcomes, strict=True):
            assert total[i] / 300 == pytest.approx(fought.estimates[name].value, abs=1e-12)
    assert len({key.tobytes() for key in bulk.keys(some)}) == len(some)


@slow_without_jit
def test_of_many_builds_only_contenders_are_solved():
    everything = space()
    bulk = AnimonBulk(rules(), everything)
    fights = make_bouts(rules(), scenarios(), {})
    some = everything.encode(build(A))
    assert np.isnan(bulk.solve(some, fights["duel"])).all()
    assert bulk.solve_alone(some, fights["duel"])[0] == pytest.approx(0.735294287005, abs=1e-11)
    assert np.isnan(bulk.solve_alone(some, fights["party"])).all()


@slow_without_jit
def test_best_play_in_bulk():
    everything = space(stage="basic", elements="fire")
    bulk = AnimonBulk(rules(), everything)
    chunk = next(everything.chunks(Wanted(groups=("4-4-2-2",)), 4))
    fights = make_bouts(rules(), scenarios(), {"play": "optimal"})
    means = bulk.solve(chunk, fights["duel"])
    _, engine, _, _ = evaluators(rules())
    for each, mean in zip(everything.builds(chunk), means, strict=True):
        found = engine.evaluate(each, fights["duel"], Sampling(0))
        assert found.estimates["win_rate"].value == mean
    for name in ("party", "gauntlet"):
        with pytest.raises(UsageError, match="without allies in one wave"):
            bulk.solve(chunk, fights[name])
    lines = engine.explain(next(everything.builds(chunk)), fights["duel"])
    assert lines[0].startswith("in a fight, in the mean: ")
    assert "HP" in lines[1]


def test_a_fight_by_the_book():
    """Heavy Strike hits by 2: damage score 8, 2 more and 1 + rank 1; the foe's sap halves the answer."""
    happened = []
    some = build("basic neutral 4-4-2-2 / initiative / heavy_strike@neutral / none")
    asked = bout("L1:basic:neutral!sap/hp30/dmg5/atk1/dod1/ini1;rounds=2")
    dice = ScriptedDice(
        *(4, 4, 1, 1),  # initiative 3 dice against 1
        *(4, 4, 1, 1, 1, 3),  # five dice, two successes, against one die
        *(4, 4, 1, 1, 1, 1),  # the foe: two dice against four
        *(4, 1, 1, 1, 1, 1),  # a second heavy strike
        *(1, 1, 1, 1, 1),  # and a plain attack of the foe
    )
    result = reference.fight(rules(), some, asked, dice, happened.append)
    attacks = [event for event in happened if isinstance(event, Attacked)]
    harmed = [event for event in happened if isinstance(event, Harmed)]
    assert [event.margin for event in attacks] == [2, 2, 1, 0]
    # (5 + 2) // 2 by the sap; then the build is weakened: (8 + 1 + 2) // 2.
    assert [event.damage for event in harmed] == [12, 3, 5]
    assert (result.outcome, result.rounds, result.hp_left, result.gauge) == ("drawn", 2, 8, 0)


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


def test_many_fights_of_the_kernel_are_the_first_of_more():
    engine = KernelEvaluator(rules())
    number = 40 if numba.config.DISABLE_JIT else 9000
    whole = engine.evaluate(build(B), bout("L6:super:neutral"), Sampling(number, seed=1))
    again = engine.evaluate(build(B), bout("L6:super:neutral"), Sampling(number, seed=1, jobs=2))
    assert whole.estimates == again.estimates

"""Kernel, reference and samples against one another; heroes that a fight cannot tell apart."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from dungeoneers_support import BATTLEAXE, MAGE, STILETTO, bout, rules, scenarios, solver, space
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds.build import Build
from buildsearch.systems.dungeoneers.builds.grammar import parse_build
from buildsearch.systems.dungeoneers.bulk.equivalence import Equivalence
from buildsearch.systems.dungeoneers.bulk.scorer import DungeoneersBulk
from buildsearch.systems.dungeoneers.evaluators import evaluators
from buildsearch.systems.dungeoneers.exact.graph import _choose
from buildsearch.systems.dungeoneers.exact.heroes import hero_row
from buildsearch.systems.dungeoneers.exact.layout import (
    AT_ARMOR,
    AT_DEFENDING,
    AT_MAGICA,
    AT_STRESS,
    AT_WOUNDS,
    ATTACK,
    CAST,
    DEFEND,
    END,
    MAGICA_TOP,
    MOST,
    SPELLS,
    STRESS_TOP,
)
from buildsearch.systems.dungeoneers.exact.template import make_template
from buildsearch.systems.dungeoneers.reference.creature import make_foe, make_hero
from buildsearch.systems.dungeoneers.reference.events import Attacked, SpellCast
from buildsearch.systems.dungeoneers.reference.fight import fight
from buildsearch.systems.dungeoneers.reference.greedy import Attack, Cast, Defend, decide
from tests.scripted_dice import ScriptedDice

slow_without_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

CASTER = "prowess+1,spell+2,mind+3 / improvised,robes,spark,venom"
DREADFUL = "prowess+2,spell+1,mind+3 / mace,robes,dread"
WARDED = "prowess+2,spell+1,mind+2,power+1 / stiletto,mage_armor,calm"
MENDING = "power+2,mind+2,prowess+2 / mace,mend,calm"
FIGHTS = [
    (STILETTO, "knight|ogre"),
    (CASTER, "hexer|golem@ambient=2"),
    (DREADFUL, "hexer{spells=dread,spark}|knight@target=weakest"),
    (WARDED, "ogre|hexer@defend_below=0.6 magica_price=0.02"),
    (MENDING, "goblin{bonus=1}|knight{endurance=1}@stress_price=0.1 spellbane=off"),
    (BATTLEAXE, "skeleton|zombie@magica_cap=none desperate_price=0.3 stress_per_attack=2"),
]


def packed(who, bodies):
    state = 0
    for creature, body in enumerate(bodies):
        wounds = who[creature, MOST] + 1 if body.is_dead else body.wounds
        parts = (wounds, body.stress, body.magica, int(body.armor > 0), int(body.is_defending))
        for at, value in zip((AT_WOUNDS, AT_STRESS, AT_MAGICA, AT_ARMOR, AT_DEFENDING), parts, strict=True):
            state |= (int(value) & int(who[creature, at + 1])) << int(who[creature, at])
    return state


@pytest.mark.parametrize(("text", "foes"), FIGHTS)
@settings(max_examples=60)
@given(data=st.data())
def test_kernel_and_reference_decide_alike(text, foes, data):
    """In any state, reached or not."""
    build, asked = parse_build(text, rules()), bout(foes)
    plan, _, _ = solver(asked).plan(hero_row(rules(), build))
    bodies = [
        make_hero(rules(), build, asked),
        *(make_foe(rules(), named, number) for number, named in enumerate(asked.foes, 1)),
    ]
    armors = [each for each in rules().spells if rules().spells[each].armor]
    for body, row in zip(bodies, plan.who, strict=True):
        body.wounds = data.draw(st.integers(0, body.maximum))
        body.stress = data.draw(st.integers(0, int(row[STRESS_TOP])))
        body.magica = data.draw(st.integers(0, int(row[MAGICA_TOP])))
        body.is_defending = data.draw(st.booleans())
        if set(armors) & set(body.spells) and row[SPELLS]:
            body.armor = data.draw(st.sampled_from([0, 3]))
    if data.draw(st.booleans()):
        bodies[1].is_dead, bodies[1].stress, bodies[1].magica = True, 0, 0
        bodies[1].is_defending = False
    state = packed(plan.who, bodies)
    living = [body for body in bodies[1:] if not body.is_dead]
    weakest = min(living, key=lambda foe: foe.life) if asked.rulings.target == "weakest" else living[0]
    for number, body in enumerate(bodies):
        if body.is_dead:
            continue
        target = weakest if number == 0 else bodies[0]
        kind, at, slot, amount = _choose(state, number, plan)
        decided = decide(rules(), asked, body, target)
        if isinstance(decided, Attack):
            assert (kind, bodies[at], amount) == (ATTACK, target, decided.bought)
        elif isinstance(decided, Cast):
            castable = [
                name
                for name in body.spells
                if max(0, rules().spells[name].base - asked.numbers.ambient) <= plan.who[number, MAGICA_TOP]
            ]
            assert (kind, castable[slot], amount) == (CAST, decided.spell, decided.extra)
        else:
            assert kind == (DEFEND if isinstance(decided, Defend) else END)


@slow_without_jit
@pytest.mark.parametrize(("text", "foes"), FIGHTS)
def test_three_engines_agree(text, foes):
    build, asked = parse_build(text, rules()), bout(foes)
    exact, _, drawn, reference = evaluators(rules())
    truth = exact.evaluate(build, asked, Sampling(0))
    for engine, fights in ((drawn, 40_000), (reference, 150)):
        found = engine.evaluate(build, asked, Sampling(fights, seed=3))
        for name, estimate in truth.estimates.items():
            other = found.estimates[name]
            error = math.hypot(other.se, 1 / fights, math.sqrt(max(0, estimate.value) / fights) / 10)
            assert abs(other.value - estimate.value) < 4.5 * error, (engine.method, name)


def test_a_fight_by_the_book():
    """Text, Armor Value: a mace, 2 power, a skeleton of AV 4 with a weakness: 2 wounds."""
    happened = []
    build = parse_build("power+1,prowess+1 / mace", rules())
    asked = bout("skeleton{av=4 endurance=0}@rounds=1 defend_below=0")
    # Hit 1+3 against 4, pierce 1+3; then miss; then hit and pierce again: 2 wounds at the maximum kill.
    dice = ScriptedDice(1, 3, 4, 1, 3, 1, 1, 3, 4, 4, 1, 3, 3)
    result = fight(rules(), build, asked, dice, happened.append)
    first, second, third = (event for event in happened if isinstance(event, Attacked))
    assert (first.hit, first.pierced, first.wounds, first.defeated) == (True, True, 2, False)
    assert (second.hit, second.pierce_dice) == (False, ())
    assert (third.wounds, third.defeated) == (2, True)
    assert (result.outcome, result.rounds, result.life) == ("won", 1, 4)
    assert dice.rolls == []


def test_a_spell_by_the_book():
    happened = []
    asked = bout("foe{size=tiny endurance=0 sr=4 av=9}@rounds=1 first=hero")
    build = parse_build("mind+1,spell+1 / improvised,spark", rules())
    # One extra die: 2 spell dice against 1 dodge die, then 2 pierce dice against SR 4.
    result = fight(rules(), build, asked, ScriptedDice(1, 3, 4, 1, 3), happened.append)
    (cast,) = (event for event in happened if isinstance(event, SpellCast))
    assert (cast.extra, cast.magica, cast.through, cast.defeated) == (1, 0, True, True)
    assert result.outcome == "won"


def test_the_order_of_turns():
    asked = bout("goblin*2|knight|zombie")
    assert asked.order(2) == [[3, 0, 1, 2, 4], [3, 1, 0, 2, 4], [3, 1, 2, 0, 4]]
    assert asked.order(5) == [[0, 3, 1, 2, 4]]
    assert bout("goblin|knight@first=foes").order(5) == [[2, 1, 0]]
    assert bout("goblin|knight@first=hero").order(1) == [[0, 2, 1]]


@slow_without_jit
@pytest.mark.parametrize(
    "foes",
    [
        *(scenario.foes for scenario in scenarios().scenarios.values()),
        "hexer{spells=dread,venom}|knight@ambient=1",
        "hexer{spells=dread}@spellbane=off magica_cap=none rounds=6",
        "goblin{av=5}|wraith@draw_value=0.5 rounds=3",
    ],
)
def test_those_that_a_fight_cannot_tell_apart_fare_alike(foes):
    asked, everything = bout(foes), space()
    found, alike = solver(asked), Equivalence(make_template(rules(), asked))
    builds = everything.sample(Wanted(), 25, np.random.default_rng(11))
    rows = np.array([hero_row(rules(), build) for build in builds])
    for row, reduced in zip(rows, alike.reduced(rows), strict=True):
        whole, other = found.greedy(row), found.greedy(reduced)
        assert whole.won.sum() == pytest.approx(other.won.sum(), abs=1e-14)
        assert whole.drawn.sum() == pytest.approx(other.drawn.sum(), abs=1e-14)


@pytest.mark.parametrize("play", ["greedy", "optimal"])
def test_bulk_is_each_evaluator(play):
    everything = space(points="3", gear="3")
    bulk = DungeoneersBulk(rules(), everything)
    fights = make_bouts(rules(), scenarios(), {"play": play})
    names = ("duel", "haunt") if play == "greedy" else ("duel",)
    chunk = next(everything.chunks(Wanted(groups=("prowess+2,mind+1",)), 1 << 20))
    some = Chunk(chunk.group, chunk.codes[:: 370 if numba.config.DISABLE_JIT else 37])
    for name in names:
        means = bulk.solve(some, fights[name])
        assert (bulk.solve(some, fights[name]) == means).all()
        for build, mean in zip(everything.builds(some), means, strict=True):
            engine = next(each for each in bulk.evaluators if each.why_not(build, fights[name]) is None)
            found = engine.evaluate(build, fights[name], Sampling(0))
            assert found.estimates["win"].value == pytest.approx(mean, abs=1e-14)


def test_best_play_is_explained():
    best = evaluators(rules())[1]
    lines = best.explain(parse_build(STILETTO, rules()), bout("knight", "optimal"))
    assert lines[0].startswith("in a fight, in the mean: attack 4.35")
    assert lines[1].split(": ")[-1] == "attack knight #1"
    lines = best.explain(parse_build(MAGE, rules()), bout("golem@ambient=1", "optimal"))
    assert any("venom at golem #1" in line for line in lines)


WRONG = {
    "gobln": "Did you mean `goblin`?",
    "goblin{hit=d7}": "there is no die `d7`",
    "goblin{wounds=2}": "no number with a type of damage",
    "goblin{weak=Q1}": "no number with a type of damage",
    "goblin{luck=2}": "a foe has no `luck`",
    "goblin{prowess=99}": "prowess=99",
    "goblin{prowess=-1}": "prowess=-1",
    "goblin{spells=sprak}": "Did you mean `spark`?",
    "goblin*0": "no foe at all",
    "goblin*9": "9 foes, and 8 is the most",
    "goblin|": "is no foe",
    "goblin@ambient": "is no change",
    "goblin@amount=3": "no option `amount`",
    "goblin@rounds=0": "rounds=0",
    "goblin@rounds=100000": "rounds=100000",
    "goblin@first=nobody": "first=nobody",
    "goblin@draw_value=0.7": "a draw is worth 0 or 0.5",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_line_of_foes(text):
    with pytest.raises(UsageError) as caught:
        bout(text)
    assert WRONG[text] in str(caught.value)


def test_fights_that_never_end():
    """A hero who cannot be hurt, nobody who can hurt: a draw, at once."""
    exact = evaluators(rules())[0]
    build = parse_build("power+1,prowess+1 / improvised,leather", rules())
    found = exact.evaluate(build, bout("foe{power=0 av=100}@rounds=200"), Sampling(0))
    assert (found.estimates["draw"].value, found.estimates["rounds"].value) == (1, 200)
    found = exact.evaluate(build, bout("foe{power=0 size=massive}@rounds=200"), Sampling(0))
    assert found.estimates["loss"].value == 0
    assert found.estimates["win"].value > 0.99


@slow_without_jit
def test_too_many_states_are_said_and_not_waited_for():
    exact, best, drawn, reference = evaluators(rules())
    asked = bout("hexer{size=massive endurance=9 spells=dread,calm,mend}*8@magica_cap=none rounds=200")
    build = parse_build(CASTER, rules())
    for engine in (exact, drawn):
        assert "more states" in engine.why_not(build, asked)
    assert reference.why_not(build, asked) is None
    assert "greedily" in reference.why_not(build, bout("knight", "optimal"))
    assert best.why_not(build, asked) == "this engine plays optimally"


def test_a_build_is_a_row():
    everything = space()
    bulk = DungeoneersBulk(rules(), everything)
    for build in everything.sample(Wanted(), 20, np.random.default_rng(5)):
        (row,) = bulk._rows.rows(everything.encode(build))
        assert (row == hero_row(rules(), build)).all()
    assert everything.drop(Build((), ("mace", "boots")), "boots") == Build((), ("mace",))
    assert everything.drop(Build((), ("mace", "boots")), "mace") is None

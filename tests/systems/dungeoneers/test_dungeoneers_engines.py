"""Everything that is derived from the statement, on Dungeoneers: engines, bulk, best play, the story."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from dungeoneers_support import (
    BATTLEAXE,
    MAGE,
    STILETTO,
    bout,
    evaluators,
    fight_of,
    row_of,
    rules,
    scenarios,
    space,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.engines.stated_game import StatedReplayer
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.dungeoneers.bouts import make_bouts
from buildsearch.systems.dungeoneers.builds.grammar import Build, parse_build
from buildsearch.systems.dungeoneers.game import DungeoneersGame
from buildsearch.systems.dungeoneers.sheet import hero_row, make_terms
from buildsearch.systems.dungeoneers.system import DungeoneersSystem
from tests.engines.brute_force import BruteForce

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


@slow_without_jit
@pytest.mark.parametrize(("text", "foes"), FIGHTS)
def test_engines_agree(text, foes):
    build, asked = parse_build(text, rules()), bout(foes)
    exact, _, drawn, reference = evaluators()
    truth = exact.evaluate(build, asked, Sampling(0))
    fights = 40_000
    found = drawn.evaluate(build, asked, Sampling(fights, seed=3))
    for name, estimate in truth.estimates.items():
        other = found.estimates[name]
        error = math.hypot(other.se, 1 / fights, math.sqrt(max(0, estimate.value) / fights) / 10)
        assert abs(other.value - estimate.value) < 4.5 * error, name
    # In plain Python they are the same fights.
    few = [engine.evaluate(build, asked, Sampling(30, seed=3)) for engine in (drawn, reference)]
    assert few[0].estimates == few[1].estimates


@st.composite
def foes(draw, most):
    """The compact form of a short fight."""
    found = []
    for _ in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(["foe", "goblin", "zombie", "hexer", "wraith", "knight"]))
        changes = {"ap": draw(st.integers(1, 2)), "endurance": draw(st.integers(0, 2))}
        for key, values in {
            "size": ["tiny", "small", "medium"],
            "buys": [0, 1],
            "weak": ["H1", "S1"],
            "resistant": ["B1", "P1"],
            "spells": ["none", "dread", "mend,spark", "mage_armor", "calm,venom"],
            "mind": [1, 2],
        }.items():
            if draw(st.booleans()):
                changes[key] = draw(st.sampled_from(values))
        found.append(f"{name}{{{' '.join(f'{key}={value}' for key, value in changes.items())}}}")
    terms = {"rounds": 1, "ambient": draw(st.integers(0, 1)), "stress_per_attack": draw(st.integers(0, 2))}
    for key, values in {
        "first": ["hero", "foes"],
        "target": ["weakest"],
        "spellbane": ["off"],
        "magica_cap": ["none"],
        "draw_value": ["0.5"],
    }.items():
        if draw(st.integers(0, 2)) == 0:
            terms[key] = draw(st.sampled_from(values))
    return "|".join(found) + "@" + " ".join(f"{key}={value}" for key, value in terms.items())


@slow_without_jit
@pytest.mark.parametrize(("play", "most"), [("greedy", 2), ("optimal", 1)])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_every_sequence_of_dice_of_a_short_fight(play, most, data):
    """The engine against a loop over all dice: what the statement says, it derives."""
    asked = bout(data.draw(foes(most)), play)
    (some,) = space(points="3", gear="3").sample(
        Wanted(), 1, np.random.default_rng(data.draw(st.integers(0, 1 << 30)))
    )
    game = DungeoneersGame(rules())
    terms, worth = make_terms(rules(), asked), game.worth(asked)
    truth = BruteForce(terms, hero_row(rules(), some), worth=worth if play == "optimal" else None, tie=1e-9)
    expected = [float(each) for each in truth.whole()]
    fight = game.fight(asked)
    found = fight.solve(game.row(some)) if play == "greedy" else fight.best(game.row(some), worth)
    # Best play carries the value of a decision within 1e-9 of the best.
    assert [*found.means[:3], found.rounds] == pytest.approx([*expected[:3], expected[4]], abs=1e-7)


def test_the_order_of_turns():
    asked = bout("goblin*2|knight|zombie")
    assert asked.order(2) == [[3, 0, 1, 2, 4], [3, 1, 0, 2, 4], [3, 1, 2, 0, 4]]
    assert asked.order(5) == [[0, 3, 1, 2, 4]]
    assert bout("goblin|knight@first=foes").order(5) == [[2, 1, 0]]
    assert bout("goblin|knight@first=hero").order(1) == [[0, 2, 1]]


SEVERAL = [
    *(scenario.foes for scenario in scenarios().scenarios.values()),
    "hexer{spells=dread,venom}|knight@ambient=1",
    "hexer{spells=dread}@spellbane=off magica_cap=none rounds=6",
    "goblin{av=5}|wraith@draw_value=0.5 rounds=3",
]


@slow_without_jit
@pytest.mark.parametrize("foes", SEVERAL)
def test_those_that_a_fight_cannot_tell_apart_fare_alike(foes):
    fight = fight_of(foes)
    builds = space().sample(Wanted(), 400, np.random.default_rng(11))
    rows = np.array([hero_row(rules(), build) for build in builds])
    _, first, where = np.unique(fight.tell_apart(rows), axis=0, return_index=True, return_inverse=True)
    alike = np.flatnonzero(first[where.ravel()] != np.arange(len(rows)))[:30]
    assert len(alike)
    for i in alike:
        whole, other = fight.solve(rows[i]), fight.solve(rows[first[where.ravel()[i]]])
        assert (whole.means == other.means).all()
        assert whole.rounds == other.rounds


@pytest.mark.parametrize(
    ("one", "other", "foes", "is_alike"),
    [
        # A mind without spells; armour that every blow pierces; a die that always pierces; bane of no caster.
        ("prowess+3,mind+3 / mace", "prowess+3,spell+3 / mace", "goblin", True),
        ("prowess+3,mind+3 / mace", "prowess+3,spell+3 / mace", "hexer{spells=dread}", False),
        ("power+6 / mace,boots", "power+6 / mace", "knight", True),
        ("power+6 / mace,brigandine", "power+6 / mace", "knight", False),
        ("power+2,prowess+4 / stiletto", "power+1,prowess+4,spell+1 / stiletto", "foe", True),
        ("power+2,prowess+4 / stiletto", "power+1,prowess+4,spell+1 / stiletto", "foe{av=3}", False),
        ("prowess+6 / mace,gauntlet", "prowess+6 / mace,gloves,boots", "goblin", True),
        ("prowess+6 / mace,robes", "prowess+6 / mace", "knight", True),
        ("prowess+6 / mace,robes", "prowess+6 / mace", "hexer", False),
    ],
)
def test_what_a_fight_looks_at(one, other, foes, is_alike):
    words = fight_of(foes).tell_apart(np.array([row_of(one), row_of(other)]))
    assert (words[0] == words[1]).all() == is_alike


@pytest.mark.parametrize("play", ["greedy", "optimal"])
def test_bulk_is_each_evaluator(play):
    everything = space(points="3", gear="3")
    bulk = DungeoneersSystem().bulk(rules(), everything)
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
    best = evaluators()[1]
    lines = best.explain(parse_build(STILETTO, rules()), bout("knight", "optimal"))
    assert lines[0].startswith("in a fight, in the mean: attack 4.35")
    assert lines[1].split(": ")[-1] == "attack knight #1"
    lines = best.explain(parse_build(MAGE, rules()), bout("golem@ambient=1", "optimal"))
    assert any("venom at golem #1" in line for line in lines)


@pytest.mark.parametrize(("text", "foes"), FIGHTS)
def test_the_dice_of_a_story_come_to_what_happened(text, foes):
    replayer = StatedReplayer(DungeoneersGame(rules()))
    build, asked = parse_build(text, rules()), bout(foes)
    kinds = set()
    for seed in range(25):
        told = replayer.replay(build, asked, seed)
        assert told.value == replayer.value(build, asked, seed)
        first, *events, last = told.events
        assert (first["event"], last["event"]) == ("order_set", "fight_ended")
        for event in events:
            kinds.add(event["event"])
            if event["event"] == "attacked":
                hit = sum(event["hit_dice"]) >= sum(event["dodge_dice"])
                assert event["hit"] == hit
                assert event["pierced"] == (hit and sum(event["pierce_dice"]) >= event["av"])
                assert event["wounds"] == 0 or event["pierced"]
            if event["event"] == "spell_cast":
                hit = sum(event["test_dice"]) >= sum(event["against_dice"])
                assert event["through"] == (hit and sum(event["pierce_dice"]) >= event["sr"])
        rounds = [event["round"] for event in events if event["event"] == "turn_started"]
        assert sorted(rounds) == rounds
        assert rounds[-1] == last["result"]["rounds"]
    assert {"attacked", "turn_started"} <= kinds


def test_triggers_are_counted():
    replayer = StatedReplayer(DungeoneersGame(rules()))
    build = parse_build(MAGE, rules())
    rates = replayer.triggers(build, bout("golem@ambient=1"), 50, 1)
    assert list(rates) == ["ice_lance", "venom"]
    assert 0 < rates["venom"].fired <= 1
    with pytest.raises(UsageError, match="greedily"):
        replayer.triggers(build, bout("knight", "optimal"), 5, 1)


WRONG = {
    "gobln": "Did you mean `goblin`?",
    "goblin{hit=d7}": "there is no die `d7`",
    "goblin{wounds=2}": "is not a number with a type of damage",
    "goblin{weak=Q1}": "is not a number with a type of damage",
    "goblin{luck=2}": "a foe has no `luck`",
    "goblin{prowess=99}": "prowess=99",
    "goblin{prowess=-1}": "prowess=-1",
    "goblin{spells=sprak}": "Did you mean `spark`?",
    "goblin*0": "is zero foes",
    "goblin*9": "9 foes, and 8 is the most",
    "goblin|": "is not a foe",
    "goblin@ambient": "is not a change",
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
    exact = evaluators()[0]
    build = parse_build("power+1,prowess+1 / improvised,leather", rules())
    found = exact.evaluate(build, bout("foe{power=0 av=100}@rounds=200"), Sampling(0))
    assert (found.estimates["draw"].value, found.estimates["rounds"].value) == (1, 200)
    found = exact.evaluate(build, bout("foe{power=0 size=massive}@rounds=200"), Sampling(0))
    assert found.estimates["loss"].value == 0
    assert found.estimates["win"].value > 0.99


@slow_without_jit
def test_too_many_states_are_said_and_not_waited_for():
    exact, best, drawn, reference = evaluators()
    asked = bout("hexer{size=massive endurance=9 spells=dread,calm,mend}*8@magica_cap=none rounds=200")
    build = parse_build(CASTER, rules())
    assert "more states" in exact.why_not(build, asked)
    for engine in (drawn, reference):
        assert engine.why_not(build, asked) is None
        assert engine.why_not(build, bout("knight", "optimal")) == "best play is solved, not sampled"
    assert drawn.evaluate(build, asked, Sampling(20)).fights == 20
    assert best.why_not(build, asked) == "this engine plays optimally"


def test_a_build_is_a_row():
    everything = space()
    game = DungeoneersGame(rules())
    for build in everything.sample(Wanted(), 20, np.random.default_rng(5)):
        (row,) = game.rows(everything, everything.encode(build))
        assert (row == hero_row(rules(), build)).all()
    assert everything.drop(Build((), ("mace", "boots")), "boots") == Build((), ("mace",))
    assert everything.drop(Build((), ("mace", "boots")), "mace") is None

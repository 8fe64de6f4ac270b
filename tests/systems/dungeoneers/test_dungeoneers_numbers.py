"""Spec, Numbers to reproduce: rolls, attacks, states, whole fights, and the goldens."""

from __future__ import annotations

from fractions import Fraction

import numba
import pytest
from dungeoneers_support import BATTLEAXE, MAGE, STILETTO, bout, goldens, rules, solved, solver
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.systems.dungeoneers.builds.grammar import parse_build
from buildsearch.systems.dungeoneers.exact.best import best_of
from buildsearch.systems.dungeoneers.exact.heroes import hero_row
from buildsearch.systems.dungeoneers.mechanics.rolls import SIDES, rolls
from buildsearch.systems.dungeoneers.mechanics.steps import gain, harm, life
from buildsearch.systems.dungeoneers.reference.chances import contest, reach
from buildsearch.systems.dungeoneers.reference.creature import make_foe
from buildsearch.systems.dungeoneers.reference.greedy import attack_chance, spell_chance
from buildsearch.systems.dungeoneers.rules.compact import NamedFoe
from buildsearch.systems.dungeoneers.rules.model import Foe

slow_without_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

CONTESTS = {
    (2, 4, 1, 4): "15/16",
    (1, 4, 1, 4): "5/8",
    (2, 4, 2, 4): "75/128",
    (1, 4, 2, 6): "5/72",
    (4, 4, 3, 4): "431/512",
    (2, 8, 2, 6): "1669/2304",
    (2, 6, 1, 6): "49/54",
    (2, 6, 2, 6): "721/1296",
    (2, 6, 3, 6): "287/1296",
}
REACHES = {(2, 6, 4): ("11/12", "143/144"), (2, 8, 13): ("5/32", "25/64")}


@pytest.mark.parametrize("dice", CONTESTS, ids=str)
def test_contests(dice):
    ours, our_die, theirs, their_die = dice
    expected = Fraction(CONTESTS[dice])
    assert contest(((ours, our_die),), ((theirs, their_die),)) == expected
    found = rolls(4).beats[SIDES.index(our_die), ours, SIDES.index(their_die), theirs]
    assert found == pytest.approx(float(expected), abs=1e-15)


@pytest.mark.parametrize("dice", REACHES, ids=str)
def test_numbers_to_reach(dice):
    number, die, value = dice
    for over, text in enumerate(REACHES[dice]):
        extra = ((1, 4),) if over else ()
        assert reach(((number, die), *extra), value) == Fraction(text)
        found = rolls(4).reaches[SIDES.index(die), number, over, value]
        assert found == pytest.approx(float(Fraction(text)), abs=1e-15)
    for extra, text in enumerate(("1/4", "13/16", "63/64")):
        assert reach(((extra + 1, 4),), 4) == Fraction(text)


@given(st.integers(0, 6), st.sampled_from(SIDES), st.integers(0, 6), st.sampled_from(SIDES))
def test_tables_are_the_chances(ours, our_die, theirs, their_die):
    table = rolls(4)
    found = table.beats[SIDES.index(our_die), ours, SIDES.index(their_die), theirs]
    assert found == pytest.approx(float(contest(((ours, our_die),), ((theirs, their_die),))), abs=1e-14)
    for over in (0, 1):
        dice = ((ours, our_die), (over, 4))
        assert table.reaches[SIDES.index(our_die), ours, over, 9] == pytest.approx(float(reach(dice, 9)))


def creature(**numbers):
    return make_foe(rules(), NamedFoe("somebody", Foe(**numbers)), 1)


def of_rules(name):
    return make_foe(rules(), NamedFoe(name, rules().foes[name]), 1)


def test_attacks():
    warhammer = creature(prowess=2, power=2, pierce="d8")
    assert attack_chance(warhammer, creature(av=4), 0, False) == float(Fraction(915, 1024))
    stiletto = creature(prowess=3, power=2, pierce="d8")
    assert attack_chance(stiletto, of_rules("knight"), 0, False) == float(Fraction(57281, 131072))
    hit = attack_chance(of_rules("knight"), creature(prowess=4, av=4), 0, False)
    assert hit == pytest.approx(7177775 / 11943936, abs=1e-15)
    assert attack_chance(of_rules("goblin"), creature(prowess=2, av=2), 0, False) == 681 / 1024
    venom = rules().spells["venom"]
    assert spell_chance(creature(mind=4), of_rules("hexer"), venom, 1) == pytest.approx(11785 / 15552)


def test_states():
    freya = creature(endurance=3)
    freya.stress = 2
    freya.suffer(2, "slashing")
    assert (freya.stress, freya.wounds) == (3, 1)
    freya = creature(endurance=3)
    freya.stress = 9
    freya.gain(2)
    assert (freya.stress, freya.wounds, freya.is_dead) == (13, 2, False)
    for dealt, is_dead in (((2, 1), True), ((1, 2), False), ((3,), True)):
        alberich = creature(endurance=0)
        for number in dealt:
            alberich.sustain(number)
        assert alberich.is_dead == is_dead
    alberich = creature(endurance=1)
    alberich.suffer(3, "slashing")
    assert (alberich.is_dead, alberich.wounds) == (False, 2)
    skeleton = creature(endurance=0, size="large", weak={"bludgeoning": 1})
    skeleton.stress = 1
    assert skeleton.suffer(1, "bludgeoning") == 3
    small = creature(endurance=0, size="small")
    small.gain(2)
    assert small.is_dead


NUMBERS = st.integers(0, 6)


@given(NUMBERS, st.integers(0, 5), st.integers(0, 14), st.integers(0, 4), NUMBERS, st.integers(-2, 3))
def test_steps_are_what_happens_to_a_creature(wounds, most, stress, capacity, number, change):
    size = next(name for name, can in rules().sizes.items() if can == most)
    wounds = min(wounds, most)
    for step in ("harm", "gain"):
        body = creature(endurance=capacity, size=size)
        body.wounds, body.stress = wounds, stress
        assert life(wounds, most, stress, capacity) == body.life
        if step == "harm":
            found = harm(wounds, most, stress, capacity, number, 2, change)
            body.suffer(number, "slashing", change)
        else:
            found = gain(wounds, most, stress, capacity, number, 2, 3 * capacity, 2)
            body.gain(number)
        assert found[1] == body.stress
        assert found[0] == (most + 1 if body.is_dead else body.wounds)


FIGHTS = [
    (
        "power+1,prowess+1 / warhammer",
        "foe{size=tiny endurance=0 av=4}@rounds=1 first=hero",
        "1072446795/1073741824",
        "1295029/1073741824",
        "1",
    ),
    (
        "power+1,prowess+1 / mace",
        "skeleton{av=4 endurance=0}@rounds=1",
        "124025/131072",
        "7047/131072",
        "1",
    ),
    (
        "base / improvised",
        "foe{size=tiny endurance=0 ap=1}@rounds=1",
        "16015/16384",
        "369/16384",
        "1",
    ),
    (
        "base / improvised",
        "foe{size=small ap=1}@rounds=2 first=hero",
        "240625/262144",
        "21519/262144",
        "1673/1024",
    ),
    (
        "mind+1,spell+1 / improvised,spark",
        "foe{size=tiny endurance=0 sr=4 av=9}@rounds=1 first=hero",
        "455/576",
        "121/576",
        "1",
    ),
    (
        "mind+1 / improvised,venom",
        "foe{size=tiny endurance=0 sr=2 av=9 resistance=2}@ambient=2 rounds=1 first=hero",
        "1986672961/2176782336",
        "190109375/2176782336",
        "1",
    ),
    (
        "mind+1 / improvised,calm",
        "foe{size=small endurance=0 hit=d6 ap=1}@rounds=1 first=foes",
        "225/1024",
        "799/1024",
        "1",
    ),
    (
        "endurance+1 / dagger",
        "foe{size=small prowess=2 ap=1}@rounds=2 first=foes",
        "32546853625/274877906944",
        None,
        "33306857/16777216",
    ),
]


@pytest.mark.parametrize(("build", "scenario", "win", "draw", "rounds"), FIGHTS)
def test_small_fights(build, scenario, win, draw, rounds):
    found = solved(build, scenario)
    assert found.won.sum() == pytest.approx(float(Fraction(win)), abs=1e-14)
    if draw is not None:
        assert found.drawn.sum() == pytest.approx(float(Fraction(draw)), abs=1e-14)
    assert found.rounds == pytest.approx(float(Fraction(rounds)), abs=1e-13)
    assert found.lost + found.won.sum() + found.drawn.sum() == pytest.approx(1, abs=1e-14)


@slow_without_jit
@pytest.mark.parametrize(
    ("build", "scenario", "win", "rounds"),
    [
        (STILETTO, "knight", 0.878466271688, 2.047209512779),
        (MAGE, "wraith|hexer", 0.790120011698, 2.856366697739),
        (BATTLEAXE, "goblin*3|hexer", 0.749951622409, 3.378578148980),
        (STILETTO, "hexer*2@ambient=1", 0.987926461266, None),
    ],
)
def test_whole_fights(build, scenario, win, rounds):
    found = solved(build, scenario)
    assert found.won.sum() == pytest.approx(win, abs=1e-11)
    assert rounds is None or found.rounds == pytest.approx(rounds, abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("case", goldens("greedy"), ids=lambda case: case["case"])
def test_greedy_goldens(case):
    found = solved(case["build"], case["scenario"])
    assert found.won.sum() == pytest.approx(float(case["win"]), abs=1e-11)
    assert found.drawn.sum() == pytest.approx(float(case["draw"]), abs=1e-11)
    assert found.lost == pytest.approx(float(case["loss"]), abs=1e-11)
    assert found.rounds == pytest.approx(float(case["mean_rounds"]), abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("case", goldens("best"), ids=lambda case: case["case"])
def test_best_play_goldens(case):
    fight = bout(case["scenario"], "optimal")
    row = hero_row(rules(), parse_build(case["build"], rules()))
    found = best_of(solver(fight), row, 0.0)
    assert found.won == pytest.approx(float(case["win"]), abs=1e-11)
    assert found.drawn == pytest.approx(float(case["draw"]), abs=1e-11)
    assert found.rounds == pytest.approx(float(case["mean_rounds"]), abs=1e-11)
    greedy = solved(case["build"], case["scenario"])
    assert found.won >= greedy.won.sum() - 1e-9

"""Spec, Numbers to reproduce: rolls, attacks, states, whole fights, and the goldens; and the text, quoted."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numba
import numpy as np
import pytest
from dungeoneers_support import (
    BATTLEAXE,
    MAGE,
    STILETTO,
    act_out,
    evaluators,
    fight_of,
    goldens,
    opened,
    row_of,
    rules,
    solved,
)
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.engines.plain import plain
from buildsearch.systems.dungeoneers import statement as stated
from buildsearch.systems.dungeoneers.rolls import SIDES, rolls
from buildsearch.systems.dungeoneers.statement import ATTACK, CAST, DEFEND, STOP

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


def totals(dice):
    """The total of each throw of dice, written out."""
    return [sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice))]


@pytest.mark.parametrize("dice", CONTESTS, ids=str)
def test_contests(dice):
    ours, our_die, theirs, their_die = dice
    found = rolls(4).beats[SIDES.index(our_die), ours, SIDES.index(their_die), theirs]
    assert found == pytest.approx(float(Fraction(CONTESTS[dice])), abs=1e-15)


@pytest.mark.parametrize("dice", REACHES, ids=str)
def test_numbers_to_reach(dice):
    number, die, value = dice
    for over, text in enumerate(REACHES[dice]):
        found = rolls(4).reaches[SIDES.index(die), number, over, value]
        assert found == pytest.approx(float(Fraction(text)), abs=1e-15)
    for extra, text in enumerate(("1/4", "13/16", "63/64")):
        assert rolls(4).reaches[0, extra + 1, 0, 4] == pytest.approx(float(Fraction(text)))


@given(st.integers(0, 3), st.sampled_from(SIDES), st.integers(0, 3), st.sampled_from(SIDES[:3]))
def test_tables_are_the_throws_counted(ours, our_die, theirs, their_die):
    own, other = totals([our_die] * ours), totals([their_die] * theirs)
    wins = sum(mine >= yours for mine in own for yours in other)
    found = rolls(4).beats[SIDES.index(our_die), ours, SIDES.index(their_die), theirs]
    assert found == pytest.approx(wins / len(own) / len(other), abs=1e-13)
    for over in (0, 1):
        both = totals([our_die] * ours + [4] * over)
        share = sum(each >= 9 for each in both) / len(both)
        assert rolls(4).reaches[SIDES.index(our_die), ours, over, 9] == pytest.approx(share, abs=1e-13)


ATTACKS = [
    ("power+1,prowess+1 / warhammer", "foe{av=4}", 0, "915/1024"),
    ("power+1,prowess+2 / stiletto", "knight", 0, "57281/131072"),
    ("prowess+3 / improvised,brigandine", "knight", 1, "7177775/11943936"),
    ("prowess+1 / improvised,light_shield,boots", "goblin", 1, "681/1024"),
]


@pytest.mark.parametrize(("build", "foe", "who", "expected"), ATTACKS)
def test_attacks(build, foe, who, expected):
    _, c, g = opened(build, foe)
    found = plain(stated.attack_chance)(c, g, who, 1 - who, 0, 0)
    assert found == pytest.approx(float(Fraction(expected)), abs=1e-15)


def test_a_save_spell():
    _, c, g = opened("mind+3 / improvised,venom", "hexer")
    venom = list(rules().spells).index("venom")
    assert plain(stated.spell_chance)(c, g, 0, 1, venom, 1) == pytest.approx(11785 / 15552, abs=1e-15)


# What the text says happens to a creature: who it is, (wounds, stress) before, effects, the same after.
# Effects are numbers of wounds, and `+n` for n stress gained. None: dead.
TEXT = [
    (
        "If Alberich is hit by an attack and is dealt 2 wounds, he won't die just yet.",
        ("endurance=0", (0, 0), [2], (2, 0)),
    ),
    (
        "If Alberich is hit by another attack and that deals at least 1 wound, Alberich is dead.",
        ("endurance=0", (0, 0), [2, 1], None),
    ),
    (
        "if Alberich had already sustained 1 wound, taking 2 wounds would not kill Alberich",
        ("endurance=0", (1, 0), [2], (2, 0)),
    ),
    (
        "if Alberich sustains 3 wounds at any time in a single attack, he will die instantly",
        ("endurance=0", (0, 0), [3], None),
    ),
    ("Spec: 3 with one free stress lives.", ("endurance=1", (0, 0), [3], (2, 1))),
    (
        "instead of sustaining the wound(s) they instead accumulate the number of wounds as stress",
        ("endurance=3", (0, 0), [2], (0, 2)),
    ),
    (
        "sustaining 2 wounds would accumulate 1 wound as stress and Freya would sustain the remaining 1",
        ("endurance=3", (0, 2), [2], (1, 3)),
    ),
    (
        "she accumulates twice as much stress, so she now has accumulated 13. Freya sustains 2 wounds! "
        "(beyond ten all stress is one state)",
        ("endurance=3 buys=1", (0, 9), ["+2"], (2, 10)),
    ),
    (
        "If Freya doesn't have any wound reduction effects, the next wound she sustains will kill her!",
        ("endurance=3 buys=1", (0, 9), ["+2", 1], None),
    ),
    (
        "Gaining stress in any way other than sustaining wounds will still accumulate past the capacity.",
        ("endurance=3 buys=1", (0, 3), ["+1"], (0, 4)),
    ),
    (
        "while you have more stress than you can handle, you take twice as many wounds",
        ("endurance=3 buys=1 size=large", (0, 4), [1], (2, 4)),
    ),
    (
        "since the skeleton is weak to bludgeoning, the skeleton instead sustains 2 wounds!",
        ("endurance=0 weak=B1", (0, 0), [1], (2, 0)),
    ),
    (
        "The 1 bludgeoning wound becomes 2 due to stress, and then the weak modifier increases that to 3",
        ("endurance=0 size=large weak=B1 buys=1", (0, 1), [1], (3, 1)),
    ),
    ("Spec: at least 0.", ("endurance=0 resistant=B2", (1, 0), [1], (1, 0))),
    ("Spec: capacity 0, small: dread kills.", ("endurance=0 size=small buys=1", (0, 0), ["+2"], None)),
]


@pytest.mark.parametrize(("quote", "case"), TEXT, ids=[quote for quote, _ in TEXT])
def test_the_text_says(quote, case):
    who, before, effects, after = case
    _, c, g = opened("base / mace", f"foe{{{who}}}")
    c[1].wounds, c[1].stress = before
    for effect in effects:
        if isinstance(effect, str):
            body = plain(stated.stressed)(c, g, 1, int(effect))
        else:
            body = plain(stated.harmed)(c, g, 1, effect, g.who[1].takes)
        plain(stated.put)(c, g, 1, body)
    assert plain(stated.is_dead)(c, g, 1) == (after is None)
    assert after is None or (c[1].wounds, c[1].stress) == after


# Fights by a script: the chance of each attempt, and whether it comes about; what is done, and how it ends.
# Actions are (kind, at whom, spell, stress or extra magica).
SCRIPTS = [
    (
        "The mace deals 1 wound on a pierce; since the skeleton is weak, 2. At the most the next one kills.",
        "power+1,prowess+1 / mace",
        "skeleton{av=4 endurance=0}@rounds=1 defend_below=0 stress_price=9",
        [("55/64", True), ("55/64", False), ("55/64", True)],
        [(ATTACK, 1, 0, 0)] * 3,
        [1, 0, 0, 4],
    ),
    (
        "Spell pierce dice equal to the extra magica + 1: one extra die against SR 4.",
        "mind+1,spell+1 / improvised,spark",
        "foe{size=tiny endurance=0 sr=4 av=9}@rounds=1 first=hero",
        [("455/576", True)],
        [(CAST, 1, 0, 1)],
        [1, 0, 0, 4],
    ),
    (
        "The magica is spent whatever is rolled; then nothing is worth anything: defend, and the turn ends.",
        "mind+1,spell+1 / improvised,spark",
        "foe{size=tiny endurance=0 sr=4 av=9 ap=0}@rounds=1 first=hero",
        [("455/576", False)],
        [(CAST, 1, 0, 1), (DEFEND, 0, 0, 0), (STOP, 0, 0, 0)],
        [0, 1, 0, 4],
    ),
    (
        "Mage armor: AV +3 until the fight ends; not twice. A foe that cannot pierce it defends.",
        "mind+1 / improvised,mage_armor",
        "foe{power=0}@rounds=1 first=hero stress_price=9",
        [("5/8", False), ("5/8", False)],
        [(CAST, 0, 4, 0), (ATTACK, 1, 0, 0), (ATTACK, 1, 0, 0), (DEFEND, 1, 0, 0), (STOP, 1, 0, 0)],
        [0, 1, 0, 4],
    ),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=[script[0] for script in SCRIPTS])
def test_fights_by_a_script(script):
    _, build, foes, attempts, actions, metrics = script
    found, did, _ = act_out(build, foes, attempts)
    assert did == actions
    assert found == metrics


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
    assert found.means[0] == pytest.approx(float(Fraction(win)), abs=1e-14)
    if draw is not None:
        assert found.means[1] == pytest.approx(float(Fraction(draw)), abs=1e-14)
    assert found.rounds == pytest.approx(float(Fraction(rounds)), abs=1e-13)
    assert found.means[:3].sum() == pytest.approx(1, abs=1e-14)


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
    assert found.means[0] == pytest.approx(win, abs=1e-11)
    assert rounds is None or found.rounds == pytest.approx(rounds, abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("case", goldens("greedy"), ids=lambda case: case["case"])
def test_greedy_goldens(case):
    found = solved(case["build"], case["scenario"])
    expected = [float(case[name]) for name in ("win", "draw", "loss")]
    assert found.means[:3] == pytest.approx(expected, abs=1e-11)
    assert found.rounds == pytest.approx(float(case["mean_rounds"]), abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize("case", goldens("best"), ids=lambda case: case["case"])
def test_best_play_goldens(case):
    fight, row = fight_of(case["scenario"]), row_of(case["build"])
    found = fight.best(row, np.array([1.0, 0.0, 0.0, 0.0]))
    assert found.means[0] == pytest.approx(float(case["win"]), abs=1e-11)
    assert found.means[1] == pytest.approx(float(case["draw"]), abs=1e-11)
    assert found.rounds == pytest.approx(float(case["mean_rounds"]), abs=1e-11)
    assert found.means[0] >= fight.solve(row).means[0] - 1e-9


@slow_without_jit
def test_goldens_are_sampled():
    """Win, draw and rounds of all greedy goldens: the sum of squared z is that of so many numbers."""
    squares, numbers, fights = 0.0, 0, 100_000
    for case in goldens("greedy"):
        fight, row = fight_of(case["scenario"]), row_of(case["build"])
        counted, exact = fight.sample(row, 11, 0, fights), fight.solve(row)
        for i, name in enumerate(("win", "draw", "loss")):
            p = float(case[name])
            if 20 < p * fights < fights - 20:
                z = (counted.counts[i, 1] - p * fights) / (fights * p * (1 - p)) ** 0.5
                assert abs(z) < 4.5
                squares, numbers = squares + z * z, numbers + 1
        lives = np.arange(counted.counts.shape[1])
        assert counted.counts[3] @ lives / fights == pytest.approx(exact.means[3], abs=0.05)
    assert 0.6 < (squares / numbers) ** 0.5 < 1.5


def test_engines_are_four():
    assert [each.method for each in evaluators()] == ["exact", "exact", "sampled", "reference"]

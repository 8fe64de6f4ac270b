"""Spec, Numbers to reproduce: rolls, whole fights, best play, and the goldens."""

from __future__ import annotations

import math
from fractions import Fraction

import numba
import numpy as np
import pytest
from animon_support import A, B, best, bout, build, entered, evaluators, goldens, rules, solved

from buildsearch.model.evaluation import Sampling
from buildsearch.systems.animon.builds.build import forms_of
from buildsearch.systems.animon.chances import tables_of

slow_without_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

# attack dice, net, dodge dice, net: chance of a hit, mean margin, mean damage with a damage score of 8
ROLLS = {
    (4, 0, 3, 0): ("1/2", "51/64", "307/64"),
    (4, 1, 3, 0): ("19/27", "104/81", "560/81"),
    (4, -1, 3, 0): ("8/27", "67/162", "451/162"),
    (4, 2, 3, 0): ("95/108", "9635/5184", "46115/5184"),
    (4, -2, 3, 0): ("13/108", "755/5184", "5747/5184"),
    (4, 0, 3, 1): ("149/432", "107/216", "703/216"),
    (4, 0, 3, -1): ("283/432", "497/432", "2761/432"),
}
HITS = {(4, 0, 4, 0): "93/256", (1, 0, 1, 0): "1/4", (6, 0, 3, 0): "191/256"}


def successes(dice, net):
    """The chance of each number, die by die: one succeeds on 4 of 6 faces."""
    found, chance = np.ones(1), (3 + net) / 6
    for _ in range(dice):
        found = np.convolve(found, [1 - chance, chance])
    return found


def both(dice, net, dodge, dodge_net):
    """From the tables of the engine, and die by die."""
    found = tables_of(rules().dice).margins[dice, net + 2, dodge, dodge_net + 2, : dice + 1]
    slow = np.zeros(dice + 1)
    for hits, likely in enumerate(successes(dice, net)):
        for dodges, also in enumerate(successes(dodge, dodge_net)):
            slow[max(0, hits - dodges)] += likely * also
    assert found == pytest.approx(slow, abs=1e-15)
    return found


@pytest.mark.parametrize("roll", ROLLS, ids=str)
def test_single_rolls(roll):
    hit, extra, damage = (float(Fraction(each)) for each in ROLLS[roll])
    chances = both(*roll)
    margin = np.arange(len(chances))
    assert chances[1:].sum() == pytest.approx(hit, abs=1e-14)
    assert chances @ margin == pytest.approx(extra, abs=1e-14)
    assert chances[1:] @ (8 + margin[1:]) == pytest.approx(damage, abs=1e-14)


@pytest.mark.parametrize("roll", HITS, ids=str)
def test_chances_to_hit(roll):
    assert both(*roll)[1:].sum() == pytest.approx(float(Fraction(HITS[roll])), abs=1e-14)


def test_damage_of_effects():
    """Attack 6 against 3 with a damage score of 12."""
    chances = both(6, 0, 3, 0)
    for damage, mean in (
        (lambda d: (12 + d) // 2, "2595/512"),
        (lambda d: 12 + d + 1 + 2, "6555/512"),
        (lambda d: 3 * 12 + d, "14577/512"),
    ):
        found = sum(chances[d] * damage(d) for d in range(1, 7))
        assert found == pytest.approx(float(Fraction(mean)), abs=1e-13)


def test_heart_tests_and_hp():
    for dice, needed, chance in ((3, 2, "1/2"), (3, 3, "1/8"), (4, 3, "5/16")):
        assert sum(successes(dice, 0)[needed:]) == pytest.approx(float(Fraction(chance)))
    basic = build("basic fire 4-4-1-3 / attack / sap@fire / none")
    assert forms_of(rules(), basic)[1].hp == 14


@pytest.mark.parametrize(
    ("ours", "theirs", "more", "chance"),
    [(3, 2, "", "8/11"), (3, 4, "", "29/93"), (4, 4, ";surprised=us", "17/65")],
)
def test_initiative(ours, theirs, more, chance):
    line = f"super neutral {14 - ours - 4}-2-{ours}-2 / attack / sap@fire / sap@fire / hp"
    fight, row = entered(line, f"L1:super:neutral/ini{theirs}{more}")
    explored = fight.explored(row)
    first = explored.states(explored.starts)[:, fight.desk.state.names.index("acts of actor 0")]
    assert explored.chances[first == 0].sum() == pytest.approx(float(Fraction(chance)), abs=1e-14)
    assert explored.chances.sum() == pytest.approx(1, abs=1e-14)


SHORT = [
    (
        "fledgling neutral 3-3-1-1 / attack / none",
        "L1:fledgling:neutral/hp4/dmg3/atk1/dod1/ini1;rounds=1",
        ("403/512", "45/256", "19/512", "1"),
    ),
    (
        "fledgling neutral 2-2-2-2 / attack / none",
        "L1:fledgling:neutral/hp3/dmg6/atk1/dod1/ini1;rounds=2",
        ("69927/81920", "1225/16384", "1467/20480", "163/128"),
    ),
    (
        "basic neutral 4-4-2-2 / attack / heavy_strike@neutral / none",
        "L1:basic:neutral/hp6/dmg3/atk2/dod1/ini1;rounds=3",
        ("21465641889/21474836480", "1832607/4294967296", "7889/5368709120", "273/256"),
    ),
]


@pytest.mark.parametrize(("text", "foes", "expected"), SHORT)
def test_short_fights(text, foes, expected):
    found = solved(text, foes)
    numbers = [float(Fraction(each)) for each in expected]
    assert found[:4] == pytest.approx(numbers, abs=1e-13)


FIGHTS = [
    ("fledgling neutral 2-2-2-2 / attack / none", "L1:fledgling:neutral", 0.981081724704, 5.469739862102),
    (A, "L6:super:neutral", 0.735294287005, 4.781132841935),
    (A, "L6:super:neutral;bp=8", 0.945738557096, 4.327765184944),
    (A, "L7:super:fire;bp=4;start=basic", 0.528477565957, 5.431118047200),
    (A, "L8:super:neutral;zero=devolve", 0.184877431438, 6.468315288877),
    (A, "L4:super:neutral>L4:super:neutral", 0.950582433641, 6.868799843422),
    (B, "L6:super:neutral", 0.854491247731, 1.494480432172),
    (B, "L5:ultra:nature", 0.967270729760, 1.415213506086),
]


@slow_without_jit
@pytest.mark.parametrize(("text", "foes", "win", "rounds"), FIGHTS)
def test_whole_fights(text, foes, win, rounds):
    found = solved(text, foes)
    assert (found[0], found[3]) == pytest.approx((win, rounds), abs=1e-11)
    assert sum(found[:3]) == pytest.approx(1, abs=1e-12)


@slow_without_jit
@pytest.mark.parametrize(
    ("text", "foes", "win", "rounds"),
    [
        (A, "L6:super:neutral", 0.735294287005, 4.781132841936),
        (B, "L6:super:neutral", 0.883163819758, 2.202160115399),
        (A, "L7:super:fire;bp=4;start=basic", 0.532366656491, 5.298674040554),
    ],
)
def test_best_play(text, foes, win, rounds):
    found = best(text, foes)
    assert (found[0], found[3]) == pytest.approx((win, rounds), abs=1e-11)


@slow_without_jit
@pytest.mark.parametrize(
    "row", [row for row in goldens() if row["se"] == "exact"], ids=lambda row: row["case"]
)
def test_goldens(row):
    found = (solved if row["policy"] == "greedy" else best)(row["build"], row["scenario"])
    expected = [float(row[name]) for name in ("win", "draw", "loss", "mean_rounds")]
    assert found[:4] == pytest.approx(expected, abs=5e-11)
    if row["hp_left"]:
        assert found[4:] == pytest.approx([float(row["hp_left"]), float(row["gauge"])], abs=2e-9)


@slow_without_jit
@pytest.mark.parametrize(
    "row", [row for row in goldens() if row["se"] != "exact"], ids=lambda row: row["case"]
)
def test_sampled_goldens(row):
    """200,000 fights of theirs, 20,000 of ours."""
    asked = bout(row["scenario"])
    found = evaluators()[2].evaluate(build(row["build"]), asked, Sampling(20_000, seed=5)).estimates
    for name, column in (("win_rate", "win"), ("rounds", "mean_rounds"), ("hp_left",) * 2, ("gauge",) * 2):
        error = found[name].se * math.sqrt(1 + 20_000 / 200_000)
        assert abs(found[name].value - float(row[column])) < 4.5 * error, name


def test_rounds_of_the_rules_hold_unless_a_fight_says_otherwise():
    assert entered(A, "L1:fledgling:neutral")[0].terms.limit == rules().fights.max_rounds
    assert entered(A, "L1:fledgling:neutral;rounds=2")[0].terms.limit == 2

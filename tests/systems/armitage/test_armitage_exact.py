"""Exact results against enumeration by hand, the reference and the kernel."""

from __future__ import annotations

from fractions import Fraction

import pytest
from armitage_support import duel, fighter, rules, scenarios, space, z_score
from numba import config

from buildsearch.engines.wins import DREW, WON
from buildsearch.model.evaluation import Sampling
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Bout, make_bouts
from buildsearch.systems.armitage.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.armitage.exact.race import attacks_a_turn, besiege, race
from buildsearch.systems.armitage.exact.turn import Duelists, turn_outcomes
from buildsearch.systems.armitage.rules.settings import read_settings

FULL = Duelists(20, 0, 20, 0)


def test_one_light_attack():
    found = turn_outcomes(rules(), ["light_attack"], rules().base, rules().base, FULL)
    assert sum(found.values()) == 1
    assert found[FULL] == Fraction(1, 2)
    assert found[Duelists(20, 0, 20, 1)] == Fraction(1, 6)  # a hit for 1 or 2: nothing
    assert found[Duelists(20, 0, 16, 1)] == Fraction(1, 12)


def test_a_turn_of_everything():
    start = Duelists(10, 2, 1, 4)
    cards = ["resolve", "heal", "light_attack"]
    found = turn_outcomes(rules(), cards, rules().base, rules().base, start)
    assert sum(found.values()) == 1
    assert {state.own_hits for state in found} == {1}
    assert sum(chance for state, chance in found.items() if state.target_hp == 0) == Fraction(1, 2)
    assert {state.own_hp for state in found} == set(range(11, 17))
    with pytest.raises(ValueError, match="status"):
        turn_outcomes(rules(), ["quick"], rules().base, rules().base, FULL)


def test_after_a_defeat_nothing_is_played():
    start = Duelists(10, 0, 1, 4)
    found = turn_outcomes(rules(), ["light_attack", "heal"], rules().base, rules().base, start)
    assert found[Duelists(10, 0, 0, 4)] == Fraction(1, 2)


def test_a_siege_is_turns_of_attacks():
    ours, theirs = duel({"light_attack": 12}, {"light_attack": 12})
    siege = besiege(rules(), ours, theirs, 2)
    after = turn_outcomes(rules(), ["light_attack"] * 6, ours.stats, theirs.stats, FULL)
    standing = sum(chance for state, chance in after.items() if state.target_hp > 0)
    mean_hp = sum(chance * state.target_hp for state, chance in after.items())
    assert siege.standing[2] == pytest.approx(float(standing), abs=1e-14)
    assert siege.mean_hp[2] == pytest.approx(float(mean_hp), abs=1e-12)


@pytest.mark.parametrize(
    ("deck", "stats", "attacks"),
    [({"light_attack": 12}, {}, 3), ({"heavy_attack": 12}, {}, 1), ({"light_attack": 2}, {}, 2)],
)
def test_attacks_a_turn(deck, stats, attacks):
    assert attacks_a_turn(rules(), fighter(deck, **stats)) == attacks


def test_a_mirror_is_even_and_the_first_is_better():
    ours, theirs = duel({"light_attack": 12}, {"light_attack": 12})
    even = race(rules(), ours, theirs, 200)
    assert even.outcomes.sum() == pytest.approx(1)
    assert even.outcomes[WON] + even.outcomes[DREW] / 2 == pytest.approx(0.5)
    quick = fighter({"light_attack": 12}, initiative=1)
    assert race(rules(), quick, theirs, 200).outcomes[WON] > 0.55


def test_short_fights_are_drawn():
    ours, theirs = duel({"light_attack": 12}, {"light_attack": 12})
    result = race(rules(), ours, theirs, 3)
    assert result.outcomes[DREW] == pytest.approx(1, abs=1e-2)
    assert result.rounds == pytest.approx(2, abs=1e-2)


RACES = {
    "light": ({"light_attack": 12}, {"light_attack": 12}, {}),
    "mixed": ({"heavy_attack": 12}, {"light_attack": 12}, {"initiative": 3}),
    "tough": ({"light_attack": 12}, {"heavy_attack": 3}, {"res": 4, "tuf": 8, "hth": 25}),
}


@pytest.mark.parametrize("name", RACES)
def test_the_kernel_agrees(name):
    first, second, stats = RACES[name]
    ours, theirs = fighter(first, OURS, name="ours", **stats), fighter(second, THEIRS, name="theirs")
    bout = Bout("race", 1.0, 200, ((ours,), (theirs,)), ("greedy", "greedy"))
    build = space().parse("base / heal")
    exact = ExactEvaluator(rules())
    assert exact.why_not(build, bout) is None
    truth = exact.evaluate(build, bout, Sampling(2))
    fights = 200 if config.DISABLE_JIT else 100_000
    found = KernelEvaluator(rules()).evaluate(build, bout, Sampling(fights, seed=5))
    assert (truth.method, truth.fights, truth.seed) == ("exact", None, None)
    for metric, estimate in truth.estimates.items():
        assert estimate.se == 0
        assert z_score(estimate, found.estimates[metric], fights) < 4.5, metric
    assert truth.distribution.sum() == pytest.approx(1)


def test_what_it_does_not_solve():
    bouts = make_bouts(rules(), scenarios(), read_settings(rules(), {}), {})
    build = space().parse("base / light_attack*12")
    exact = ExactEvaluator(rules())
    assert exact.why_not(build, bouts["mirror"]) is None
    assert "not all attacks" in exact.why_not(build, bouts["sample"])
    assert "only duels" in exact.why_not(build, bouts["pairs"])
    hard = fighter({"light_attack": 12}, THEIRS, res=6)
    ours = fighter({"light_attack": 12})
    bout = Bout("hard", 1.0, 200, ((ours,), (hard,)), ("greedy", "greedy"))
    assert "may do no damage" in exact.why_not(build, bout)

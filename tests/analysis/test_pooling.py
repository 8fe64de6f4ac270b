"""How often an option that changes something is called dead, on made-up samples whose truth is known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from buildsearch.analysis.pooling import Pooling
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.model.evaluation import Scale

LIMITS = read_thresholds()
# One option at this rate instead of 1 in 1,000, so that a few hundred games show it.
RATE = 0.05
GAMES = 400


def pairs_of(with_it, without, errors, names=("option",)):
    """Builds with the one option, then the same builds without it."""
    number = with_it.shape[0]
    items = np.full((2 * number, 1), -1, dtype=np.int16)
    items[:number] = 0
    down = np.full((2 * number, 1), -1, dtype=np.int32)
    down[:number, 0] = np.arange(number, 2 * number)
    return SimpleNamespace(
        names=names,
        free=np.zeros(1, dtype=np.int64),
        has=lambda _part: items[:, 0] == 0,
        items=items,
        down=down,
        means=np.concatenate([with_it, without]),
        errors=errors,
    )


def rates(rng, truth, fights):
    """Sampled win rates as a run has them, turned so that smaller is better, and their errors."""
    won = rng.binomial(fights, truth) / fights
    return -won, np.maximum(np.sqrt(won * (1 - won) / fights), 1 / fights)


def pooling(scale, rate=RATE):
    return Pooling(
        ScoreScale(scale, scale is Scale.PROBABILITY, 1.0, LIMITS.verdict), LIMITS.dead.point, rate
    )


def pool_rates(rng, base, effect, fights, copies=1, rate=RATE):
    """`copies`: so many builds are the same to the engine, and fight the same fights."""
    sides = [rates(rng, np.clip(base + change, 0, 1), fights) for change in (effect, 0.0)]
    means = [np.repeat(side[0], copies)[:, None] for side in sides]
    errors = np.concatenate([np.repeat(side[1], copies) for side in sides])[:, None]
    judge = pooling(Scale.PROBABILITY, rate)
    found = judge.pool(pairs_of(*means, errors), 0)
    return judge.changes_nothing(found), judge.never_helps(found)


EFFECTS = {
    "one point": lambda rng, n: np.full(n, 0.01),
    "a point up or down": lambda rng, n: rng.choice([-0.01, 0.01], n),
    "a tenth of the builds": lambda rng, n: np.where(np.arange(n) % 10 == 0, 0.032, 0.0),
}


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("base", [(0.2, 0.8), (0.95, 0.968), (0.01, 0.011)])
@pytest.mark.parametrize(
    ("pairs", "fights", "copies"),
    [(12, 16, 1), (40, 256, 1), (300, 1024, 1), (400, 4096, 1), (400, 256, 1), (40, 4096, 8)],
)
def test_one_point_is_never_called_nothing(effect, base, pairs, fights, copies):
    """The rate is promised for a change of exactly one point: whatever changes more is missed more seldom."""
    rng = np.random.default_rng(pairs * fights)
    wrong = helped = 0
    for _ in range(GAMES):
        changes = EFFECTS[effect](rng, pairs)
        nothing, helps_not = pool_rates(rng, rng.uniform(*base, pairs), changes, fights, copies)
        wrong += nothing
        helped += helps_not and effect == "one point"
    # Three standard errors of a share of 400 games above the promised rate.
    most = GAMES * RATE + 3 * np.sqrt(GAMES * RATE)
    assert wrong <= most
    assert helped <= most


@pytest.mark.parametrize(("pairs", "fights"), [(400, 4096), (100, 16_384)])
def test_what_does_nothing_is_called_so(pairs, fights):
    rng = np.random.default_rng(1)
    told = [pool_rates(rng, rng.uniform(0.2, 0.8, pairs), 0.0, fights, rate=0.001 / 50)[0] for _ in range(50)]
    assert np.mean(told) > 0.9


def test_the_same_fights_with_and_without_it_are_the_same_build_to_the_engine():
    rng = np.random.default_rng(2)
    means, errors = rates(rng, rng.uniform(0.2, 0.8, 200), 16)
    judge = pooling(Scale.PROBABILITY)
    found = judge.pool(pairs_of(means[:, None], means[:, None], np.tile(errors, 2)[:, None]), 0)
    assert judge.changes_nothing(found)
    # But a handful proves nothing.
    few = judge.pool(pairs_of(means[:5, None], means[:5, None], np.tile(errors[:5], 2)[:, None]), 0)
    assert not judge.changes_nothing(few)


@pytest.mark.parametrize("factor", [1.01, 1 / 1.01])
def test_turns_are_compared_by_ratio(factor):
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(GAMES):
        truth = rng.uniform(3, 60, 300)
        errors = 0.02 * np.concatenate([factor * truth, truth])
        means = np.concatenate([factor * truth, truth]) + errors * rng.normal(size=600)
        judge = pooling(Scale.POSITIVE)
        found = judge.pool(pairs_of(means[:300, None], means[300:, None], errors[:, None]), 0)
        wrong += judge.changes_nothing(found)
    assert wrong <= GAMES * RATE + 3 * np.sqrt(GAMES * RATE)


def test_pairs_that_differ_together_are_no_dead_option():
    """4,880 pairs of which none differs by six errors: each by a third of one, all in one direction."""
    rng = np.random.default_rng(4)
    nothing, _ = pool_rates(rng, rng.uniform(0.3, 0.7, 4880), 0.015, 256)
    assert not nothing


@pytest.mark.parametrize(("change", "expected"), [(0.0, True), (0.02, False)])
def test_exact_pairs_count_and_hide_nothing(change, expected):
    """A twentieth of the builds is sampled, with errors of 3 %: too few to exclude 1 % alone."""
    rng = np.random.default_rng(7)
    without = rng.uniform(3, 60, 6000)[:, None]
    errors = np.zeros((12000, 1))
    sampled = np.arange(6000) % 20 == 0
    errors[:6000][sampled] = 0.03 * without[sampled]
    errors[6000:][sampled] = 0.03 * without[sampled]
    with_it = np.where(sampled[:, None], (1 - change) * without, without)
    with_it = with_it + errors[:6000] * rng.normal(size=(6000, 1))
    without = without + errors[6000:] * rng.normal(size=(6000, 1))
    judge = pooling(Scale.POSITIVE, rate=0.001 / 50)
    found = judge.pool(pairs_of(with_it, without, errors), 0)
    assert judge.changes_nothing(found) == expected
    assert judge.never_helps(found) == expected
    alone = judge.pool(
        pairs_of(with_it[sampled], without[sampled], np.tile(errors[:6000][sampled], (2, 1))), 0
    )
    assert not judge.changes_nothing(alone)


def test_so_many_fights_without_a_firing_exclude_one_point():
    judge = pooling(Scale.PROBABILITY, rate=0.001)
    fights = judge.fights_without(44)
    assert 44 * (1 - LIMITS.dead.point) ** fights <= 0.001
    assert 44 * (1 - LIMITS.dead.point) ** (fights * 0.98) > 0.001

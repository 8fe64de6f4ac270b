"""The steps of the rules: the same compiled and plain, and what the text says of each in other words."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numba import njit

from buildsearch.systems.vitality.kernel.plan import SETUP
from buildsearch.systems.vitality.mechanics import limits, strikes
from buildsearch.systems.vitality.mechanics.limits import ATTACK, BASIC, CHARGE, WAIT
from buildsearch.systems.vitality.mechanics.strikes import BASE, DOUBLE_TAP, EXTRA, RICOCHET, SPLINTER

BOTH = (False, True)
FEW = range(4)


def _setups(*limits: dict[str, int]) -> list[np.void]:
    """Limits as they stand in plans."""
    records = np.zeros(len(limits), SETUP)
    for record, given in zip(records, limits, strict=True):
        for name, number in given.items():
            record[name] = number
    return list(records)


SETUPS = _setups(
    {"last_turn": 9, "uses": -1},
    {"first_turn": 2, "last_turn": 4, "uses": 2, "cooldown": 3},
    {"last_turn": 9, "uses": 1, "last_damage": 1, "last_defeat": 1, "last_hit": 1},
)
# Every step, and every argument that can make a difference to it.
STEPS = {
    strikes.strike: product(FEW, range(1, 6), range(7)),
    strikes.exposed_to: product(BOTH, FEW, FEW, FEW),
    strikes.healed: product(range(-2, 5), [4], range(7), [1, 2]),
    strikes.begins: product(FEW, FEW, FEW, FEW),
    strikes.is_due: product(FEW, FEW, FEW, range(1, 4)),
    strikes.tick: product(range(1, 5), range(6)),
    limits.state_allows: product((-1, 0, 1), FEW, [3], FEW, (0, 1), (0, 2)),
    limits.timing_allows: product((1, 2, 3), (1, 2), (2, 3), (0, 3), range(16), FEW),
    limits.last_turn_allows: product(BOTH, (0, 1), BOTH, (0, 2), BOTH, BOTH),
    limits.ready_after: product(FEW, FEW),
    limits.uses_after: product((-1, 0, 1, 2)),
    limits.greedy_action: product(BOTH, BOTH, FEW, FEW, BOTH),
    limits.held_after: product(FEW, BOTH),
    limits.channel_after: product(FEW, BOTH),
    limits.is_made: product(BOTH, BOTH, BOTH),
    limits.counters_allow: product(SETUPS, (1, 3), (0, 1), (0, 1), (0, 2), (0, 1), (0, 1), (0, 1)),
    limits.counters_after: product(SETUPS, (1, 3), FEW, (0, 1), (0, 2), (0, 2), FEW, BOTH),
    strikes.goes_before: product(range(3), FEW, range(1, 4)),
    strikes.follow_up: product(range(6), BOTH, BOTH, (-1, 0, 1), BOTH, BOTH),
    strikes.feeds_splinter: product(range(6), BOTH),
}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_a_step_says_the_same_compiled_and_plain(step):
    plain = getattr(step, "py_func", step)
    compiled = njit(plain)
    for given in list(STEPS[step]):
        assert compiled(*given) == plain(*given), given


def test_every_step_is_looked_at():
    for module in (limits, strikes):
        own = {
            value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__
        }
        assert own <= set(STEPS), module


def test_a_strike_defeats_by_damage_that_leaves_too_little():
    for kill_at, hp, damage in product(range(3), range(1, 8), range(9)):
        left, felled = strikes.strike(kill_at, hp, damage)
        assert felled == (damage > 0 and max(hp - damage, 0) <= kill_at)
        assert left == (0 if felled else hp - damage)


def test_counters_follow_attempts():
    once, *_ = _setups({"uses": 1, "cooldown": 3})
    assert limits.counters_after(once, 5, 1, 2, 0, 0, ATTACK, True) == (0, 0, 3, 1), "spent, next on turn 9"
    assert limits.counters_after(once, 5, 1, 2, 2, 1, CHARGE, False) == (1, 3, 1, 0), "the channel breaks"


def test_a_finishing_blow_needs_damage():
    assert strikes.strike(10, 8, 0) == (8, False)
    assert strikes.strike(10, 8, 1) == (0, True)


def test_who_was_hit_takes_more_from_the_next_hit():
    exposed, taken = 0, []
    for hit, damage, vulnerable in ((True, 3, 2), (False, 0, 2), (True, 0, 0), (True, 5, 0)):
        more, exposed = strikes.exposed_to(hit, damage, exposed, vulnerable)
        taken.append(more)
    assert taken == [3, 0, 2, 5], "the miss leaves it exposed, the basic attack takes it along"


def test_a_bleed_ticks_on_the_turns_after_it_began():
    assert [strikes.is_due(5, 2, 3, turn) for turn in (3, 4, 5)] == [False, True, True]
    assert not strikes.is_due(0, 2, 3, 4)
    assert not strikes.is_due(5, 0, 3, 4)


def test_a_bleed_begins_while_none_is_pending_unless_it_replaces():
    assert strikes.begins(2, 7, 0, 0)
    assert not strikes.begins(2, 7, 1, 0)
    assert strikes.begins(2, 7, 1, 2)
    assert not strikes.begins(2, 0, 0, 2)


def test_a_cooldown_of_three_is_over_on_the_fourth_turn():
    ready = limits.ready_after(5, 3)
    allowed = [limits.timing_allows(turn, 1, 100, ready, 0b1111, 0) for turn in (8, 9)]
    assert allowed == [False, True]


def test_greedy_play_waits_for_passive_and_charges_what_it_owes():
    assert limits.greedy_action(True, True, 0, 2, False) == WAIT
    assert [limits.greedy_action(True, False, held, 2, False) for held in FEW] == [
        CHARGE, CHARGE, ATTACK, ATTACK,
    ]  # fmt: skip
    assert limits.greedy_action(False, False, 0, 0, False) == BASIC
    assert limits.greedy_action(False, True, 0, 0, True) == WAIT


def test_what_follows_a_base_strike_comes_in_order():
    stages, stage = [], BASE
    while stage < RICOCHET:
        stage = strikes.follow_up(stage, True, True, 1, True, True)
        stages.append(stage)
    assert stages == [DOUBLE_TAP, EXTRA, RICOCHET]
    assert strikes.follow_up(BASE, True, True, 1, True, False) == RICOCHET, "the target is down"
    assert strikes.follow_up(BASE, True, False, 0, True, True) == RICOCHET
    assert strikes.follow_up(SPLINTER, True, True, 1, True, True) == SPLINTER

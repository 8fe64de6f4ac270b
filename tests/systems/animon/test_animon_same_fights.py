"""Plain and compiled rules fight the very same fights, of every kind; stories tell them as they were."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from animon_fights import builds, fights, rulings
from animon_support import bout, game, replayer
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from buildsearch.engines.told import play_plainly
from buildsearch.model.errors import UsageError


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_plain_and_compiled_fights_are_the_same(data):
    sets = data.draw(rulings())
    some, _ = data.draw(builds(sets))
    try:
        asked = bout(data.draw(fights(sets)), sets=sets)
    except UsageError:  # too many at once
        assume(False)
    fight, row = game(*sets).entered(some, asked)
    seed = data.draw(st.integers(0, 1 << 30))
    whole = fight.sample(row, seed, 0, 3)
    one_by_one = [play_plainly(fight, row, seed, number) for number in range(3)]
    for part in range(4):
        assert (np.sum([each[part] for each in one_by_one], axis=0) == whole[part]).all()
    told = replayer(*sets).replay(some, asked, seed)
    _check_story(told, fight.sample(row, seed, 0, 1), asked)


def _check_story(told, counted, asked):
    """What is told adds up: dice to margins, rounds, HP, the gauge."""
    first, *events, last = told.events
    assert first["event"] == "order_set"
    result = last["result"]
    assert result["rounds"] == np.argmax(counted.rounds) <= asked.max_rounds
    assert (result["hp_left"], result["gauge"]) == (np.argmax(counted.counts[3]), counted.gains[0])
    assert told.value == counted.counts[0, 1] + counted.counts[1, 1] / 2
    rounds = [event["round"] for event in events if event["event"] == "slot_started"]
    assert sorted(rounds) == rounds
    assert rounds[-1] == result["rounds"]
    for event in events:
        if event["event"] == "attacked":
            assert (event["margin"] > 0) <= any(face >= 2 for face in event["dice"])
        if event["event"] == "harmed":
            assert event["defeated"] == event["after"].endswith(" down")

"""What analyze says of the game: effects are accused by name, and what nobody chooses is no option."""

from __future__ import annotations

import json

import numba
import pytest
from animon_support import bout, build, replayer, space

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="solves a thousand builds")


@compiled
def test_a_planted_must_have_is_accused_by_name_and_so_is_what_is_never_better(run, elsewhere):
    """One hit of this Heavy Strike fells the foe; what halves its damage is worse than what does not."""
    fight = ("--enemies", "L4:basic:neutral;rounds=3", "--set", "effects.heavy_strike.extra=20")
    words = ("--rules", "animon-story", "--stage", "basic", "-p", "elements=neutral", *fight)
    scored = run("optimize", *words, "-q", "--no-cache", "--top", 1)
    assert scored.code == 0, scored.err
    ended = run("analyze", "--json", "--no-triggers")
    assert ended.code == 0, ended.err
    findings = json.loads(ended.out)["findings"]
    accused = {(finding["code"], *finding["subjects"]) for finding in findings}
    assert ("must-have", "basic_heavy_strike") in accused
    assert "basic_block_break" in {
        name for code, *names in accused for name in names if code == "strictly-worse"
    }
    assert not any("neutral" in name for _, *names in accused for name in names)


def test_the_only_element_is_no_option_of_attacks():
    names = space(stage="basic", elements="neutral").feature_names
    assert not any(name.endswith("_neutral") for name in names)
    assert "basic_fire" in space(stage="basic").feature_names


def test_an_effect_that_both_attacks_have_fires_by_attack():
    """The attack of rank 2 is always worth more, so the same effect of rank 1 never comes about."""
    told, fight = replayer(), bout("L6:super:neutral")
    mine = build("super fire 5-3-2-4 / attack / heavy_strike@fire / heavy_strike@fire / hp")
    rates = told.triggers(mine, fight, 20, 0)
    assert rates["basic_heavy_strike"].fired == 0
    assert rates["super_heavy_strike"].fired > 0
    alone = build("super fire 5-3-2-4 / attack / power_transfer / heavy_strike@fire / hp")
    assert told.triggers(alone, fight, 20, 0)["basic_power_transfer"].fired == 0

"""Animon against animon: a match has two sides that are alike."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.library.input_files import load_rules
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted
from buildsearch.systems.animon.bouts.bout import combatants


@pytest.fixture(scope="module")
def loaded():
    return load_rules("animon-story")


@pytest.fixture(scope="module")
def build(loaded):
    space = loaded.system.space(loaded.model, {})
    return space.sample(Wanted(), 1, np.random.default_rng(1))[0]


def test_both_stand_alone_in_their_own_stage_without_bond_points(loaded, build):
    bout = loaded.system.match(loaded.model, build, {}, {})
    first, second = combatants(loaded.model, bout, build)
    assert (first.forms, first.attacks) == (second.forms, second.attacks)
    assert (bout.start, bout.bond_points) == (None, 0)
    assert bout.zero_hp == "out"


@pytest.mark.parametrize(
    ("options", "said"), [({"play": "optimal"}, "play alike"), ({"enemies": "L3:super:fire"}, "Leave it out")]
)
def test_what_would_make_them_unlike_is_refused(loaded, build, options, said):
    with pytest.raises(UsageError, match=said):
        loaded.system.match(loaded.model, build, {}, options)


def test_ties_of_initiative_are_rolled_again(build):
    other = load_rules("animon-story", rulings=["initiative_ties=number"])
    with pytest.raises(UsageError, match="initiative_ties=again"):
        other.system.match(other.model, build, {}, {})

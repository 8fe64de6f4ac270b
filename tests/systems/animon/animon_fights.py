"""Fights of every kind for hypothesis: waves, allies, companions, rivals, all terms, all rulings."""

from __future__ import annotations

from functools import cache
from typing import get_args

import numpy as np
from animon_support import rules
from hypothesis import strategies as st

from buildsearch.model.space import Wanted
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.rules.model import EFFECTS, ELEMENTS, STAGES, Rulings
from buildsearch.systems.animon.rules.settings import read_settings

_CHANGES = (("hp", 60), ("dmg", 20), ("atk", 6), ("dod", 6), ("ini", 6), ("use", 6))


@st.composite
def rulings(draw):
    """Some of the rulings, otherwise than by default."""
    return tuple(
        f"rulings.{name}={draw(st.sampled_from(get_args(field.annotation)))}"
        for name, field in Rulings.model_fields.items()
        if draw(st.integers(0, 3)) == 0
    )


@cache
def _space(sets, stage, effects, lower_forms, more_bond):
    parameters = {"stage": stage, "elements": "all", "lower_forms": lower_forms}
    parameters["bond_level"] = str(rules(*sets).stages[stage].bond_level + more_bond)
    if stage != STAGES[0]:
        parameters["effects"] = effects
    return AnimonSpace(rules(*sets), read_settings(rules(*sets), parameters))


@st.composite
def builds(draw, sets, stages=STAGES):
    """A build with its name."""
    found = _space(
        sets,
        draw(st.sampled_from(stages)),
        draw(st.sampled_from("123")),
        draw(st.sampled_from(("derived", "own"))),
        draw(st.integers(0, 2)),
    )
    (some,) = found.sample(Wanted(), 1, np.random.default_rng(draw(st.integers(0, 1 << 30))))
    return some, found.name(some)


@st.composite
def levelled(draw):
    """An animon by level, with or without a signature attack, some of its numbers changed."""
    stage, element = draw(st.sampled_from(STAGES[:4])), draw(st.sampled_from(ELEMENTS[:6]))
    text = f"L{draw(st.integers(0, 9))}:{stage}:{element}"
    if draw(st.booleans()):
        effect = draw(st.sampled_from(EFFECTS))
        text += f"!{effect}" + ("@fire+dark" if effect == "multi_element" else "")
    for name, most in _CHANGES:
        if draw(st.integers(0, 5)) == 0:
            text += f"/{name}{draw(st.integers(1 if name == 'hp' else 0, most))}"
    return text


@st.composite
def units(draw, sets):
    """Somebody by level, or a whole build."""
    if draw(st.integers(0, 5)) == 0:
        return "{" + draw(builds(sets, STAGES[:4]))[1] + "}"
    return draw(levelled())


@st.composite
def fights(draw, sets):
    """The compact form. Rounds are often few, so that fights end between two waves."""
    waves = []
    for _ in range(draw(st.integers(1, 3))):
        kinds = draw(st.lists(units(sets), min_size=1, max_size=2))
        waves.append(",".join(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))))
    parts = ["foes=" + ">".join(waves)]
    if draw(st.booleans()):
        allies = draw(st.lists(st.one_of(st.just("build"), units(sets)), min_size=1, max_size=2))
        parts.append("allies=" + ",".join(allies))
    terms = {
        "bp": ("on", "1", "3", "4", "7", "20"),
        "start": STAGES[:3],
        "first": ("yes",),
        "zero": ("devolve", "out"),
        "between": ("breath",),
        "surprised": ("us", "them"),
        "rounds": ("1", "2", "3", "5"),
    }
    parts += [f"{name}={draw(st.sampled_from(some))}" for name, some in terms.items() if draw(st.booleans())]
    return ";".join(parts)

"""Vitality v2 for property tests, which cannot take it from a fixture: the rules, and builds of any kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from buildsearch.library.input_files import load_rules
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.rules.settings import read_settings

RULES_FILE = Path(__file__).resolve().parents[1] / "rules" / "vitality-v2.yaml"


@cache
def rules():
    return load_rules(str(RULES_FILE)).model


@cache
def catalogue():
    return Catalogue(rules())


def space(**parameters):
    given = {name: str(value) for name, value in parameters.items()}
    return VitalitySpace(rules(), read_settings(rules(), given))


@st.composite
def attacks(draw, most=8, shapes=True):
    """Attacks of every type, effect and shape, legal or not."""
    type_ = draw(st.sampled_from(tuple(rules().attack_types)))
    known = rules().attack_types[type_].shapes
    shape = draw(st.sampled_from(known if shapes else known[:1])) if known else None
    taken = draw(st.sets(st.sampled_from(catalogue().ids), max_size=most))
    return Attack(type_, catalogue().in_order(taken), draw(st.sampled_from(("damage", "condition"))), shape)


def builds(most_attacks=3, **options):
    """Loadouts of such attacks."""
    return st.lists(attacks(**options), min_size=1, max_size=most_attacks).map(
        lambda drawn: Build(tuple(drawn))
    )

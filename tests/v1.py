"""Vitality v1 for property tests, which cannot take it from a fixture."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from buildsearch.library.input_files import load_rules
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.rules.settings import read_settings

RULES_FILE = Path(__file__).resolve().parents[1] / "rules" / "vitality-v1.yaml"


@cache
def rules():
    return load_rules(str(RULES_FILE)).model


@cache
def catalogue():
    return Catalogue(rules())


@cache
def unrestricted():
    """Every option on every type: what the engines know, whatever the text allows."""
    return Catalogue(rules().model_copy(update={"restrictions": ()}))


def space(**parameters):
    given = {name: str(value) for name, value in parameters.items()}
    return VitalitySpace(rules(), read_settings(rules(), given))

"""Exclusions and restrictions as what they mean: pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.model.rules_file import KeyPath, Pair, Relation
from buildsearch.systems.vitality.rules.model import VitalityRules

# Which part of the text an entry comes from decides nothing; pairs written by the tool say so.
_SECTION = "as pairs"


def _exclusions(rules: VitalityRules) -> Mapping[Pair, KeyPath]:
    found: dict[Pair, KeyPath] = {}
    for i, exclusion in enumerate(rules.exclusions):
        key, listed = ("group", exclusion.group) if exclusion.one is None else ("others", exclusion.others)
        for first, second in exclusion.pairs():
            low, high = sorted((first, second))
            found.setdefault((low, high), ("exclusions", i, key, listed.index(second)))
    return found


def _restrictions(rules: VitalityRules) -> Mapping[Pair, KeyPath]:
    found: dict[Pair, KeyPath] = {}
    for i, restriction in enumerate(rules.restrictions):
        for attack_type in restriction.types:
            for j, banned in enumerate(restriction.ban):
                found.setdefault((attack_type, banned), ("restrictions", i, "ban", j))
    return found


def _exclusion(pair: Pair) -> Mapping[str, Any]:
    return {"section": _SECTION, "group": list(pair)}


def _restriction(pair: Pair) -> Mapping[str, Any]:
    return {"section": _SECTION, "types": [pair[0]], "ban": [pair[1]]}


RELATIONS = (
    Relation("exclusions", "exclusion", _exclusions, _exclusion, is_symmetric=True),
    Relation("restrictions", "ban", _restrictions, _restriction, is_symmetric=False),
)

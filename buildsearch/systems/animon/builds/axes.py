"""A build is one choice on each of some axes: element, quality, a signature attack for each stage, ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.pointbuy import PointBuy, point_buys
from buildsearch.model.space import Feature
from buildsearch.systems.animon.builds.build import Line, Signature, signature_stages
from buildsearch.systems.animon.builds.grammar import make_signature, name_improvements, name_signature
from buildsearch.systems.animon.builds.legality import own_lines, signature_problems
from buildsearch.systems.animon.rules.model import (
    EFFECTS,
    IMPROVEMENTS,
    QUALITIES,
    STATS,
    AnimonRules,
    Stage,
)
from buildsearch.systems.animon.rules.settings import Settings


@dataclass(frozen=True, eq=False)
class Axis:
    """The choices of one place of a build: what each is, how it is written, and its features."""

    choices: tuple[Any, ...]
    names: tuple[str, ...]
    features: tuple[tuple[Feature, ...], ...]

    @cached_property
    def place(self) -> dict[Any, int]:
        """The number of each choice."""
        return {choice: i for i, choice in enumerate(self.choices)}

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """Everything that some choice has, in the order of the choices."""
        return tuple(dict.fromkeys(feature.name for some in self.features for feature in some))

    @cached_property
    def levels(self) -> NDArray[np.uint8]:
        """(choices, features)."""
        found = np.zeros((len(self.choices), len(self.feature_names)), np.uint8)
        column = {name: i for i, name in enumerate(self.feature_names)}
        for row, features in zip(found, self.features, strict=True):
            for feature in features:
                row[column[feature.name]] = feature.level
        return found

    def kept(self, with_: Sequence[str], without: Sequence[str]) -> NDArray[np.int64]:
        """The numbers of the choices that have all of the first and none of the second."""
        fits = np.ones(len(self.choices), bool)
        for name in with_:
            if name in self.feature_names:
                fits &= self.levels[:, self.feature_names.index(name)] > 0
        for name in without:
            if name in self.feature_names:
                fits &= self.levels[:, self.feature_names.index(name)] == 0
        return np.flatnonzero(fits)


def make_axes(rules: AnimonRules, settings: Settings) -> tuple[Axis, ...]:
    """Element, quality, signature attacks from the lowest stage up, improvements, own lower lines."""
    signatures = list_signatures(rules, settings)
    stages = signature_stages(rules, settings.stage)
    return (
        Axis(
            settings.elements,
            settings.elements,
            tuple((Feature(element),) for element in settings.elements),
        ),
        Axis(QUALITIES, QUALITIES, tuple((Feature(f"quality_{each}"),) for each in QUALITIES)),
        *(_signature_axis(stage, signatures, settings) for stage in stages),
        _improvement_axis(rules, settings),
        *(_line_axis(rules, stage) for stage in stages[: own_lines(rules, settings) - 1]),
    )


def list_signatures(rules: AnimonRules, settings: Settings) -> tuple[Signature, ...]:
    """Every legal signature attack with so many effects, in the order of effects, then of elements."""
    found = []
    for effects in combinations_with_replacement(EFFECTS, settings.effects):
        number = 0 if "power_transfer" in effects else 1 + effects.count("multi_element")
        for elements in combinations(settings.elements, number):
            signature = make_signature(effects, elements)
            if not signature_problems(signature, rules):
                found.append(signature)
    return tuple(found)


def _signature_axis(stage: Stage, signatures: tuple[Signature, ...], settings: Settings) -> Axis:
    return Axis(
        signatures,
        tuple(name_signature(each) for each in signatures),
        tuple(signature_features(stage, each, settings) for each in signatures),
    )


def signature_features(stage: Stage, signature: Signature, settings: Settings) -> tuple[Feature, ...]:
    """Effects and elements of an attack; where there is but one element, nobody chooses it."""
    effects, elements = signature.effects, signature.elements if len(settings.elements) > 1 else ()
    return (
        *(Feature(f"{stage}_{name}", effects.count(name)) for name in dict.fromkeys(effects)),
        *(Feature(f"{stage}_{element}") for element in elements),
    )


def _improvement_axis(rules: AnimonRules, settings: Settings) -> Axis:
    number = settings.bond_level // rules.improvements.levels
    counts = [
        tuple((name, count) for name, count in zip(IMPROVEMENTS, row, strict=True) if count)
        for row in product(range(rules.improvements.most, -1, -1), repeat=len(IMPROVEMENTS))
        if sum(row) == number
    ]
    return Axis(
        tuple(counts),
        tuple(name_improvements(each) for each in counts),
        tuple(tuple(Feature(name, count) for name, count in each) for each in counts),
    )


def _line_axis(rules: AnimonRules, stage: Stage) -> Axis:
    lines = stat_lines(rules, stage)
    names = tuple("-".join(map(str, line)) for line in lines)
    return Axis(lines, names, tuple((Feature(f"{stage}_{name}"),) for name in names))


def stat_problem(rules: AnimonRules, stage: Stage) -> PointBuy:
    """Points above the least."""
    row = rules.stages[stage]
    return PointBuy((1,) * len(STATS), (row.most - row.least,) * len(STATS), row.points, True)


def stat_lines(rules: AnimonRules, stage: Stage) -> tuple[Line, ...]:
    """Every legal line of a stage."""
    least = rules.stages[stage].least
    rows = point_buys(stat_problem(rules, stage)) + least
    return tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in rows)

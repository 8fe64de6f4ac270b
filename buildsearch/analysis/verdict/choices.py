"""What players choose between: options, groups, and how many of a card. What acts alike counts once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from buildsearch.analysis.dead import SURE
from buildsearch.analysis.lookup import find_rows
from buildsearch.analysis.parts import Part, parts_of
from buildsearch.analysis.population import Population
from buildsearch.analysis.verdict.contest import Rule
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.evaluation import TIE

# Exchanges that are looked at before all of them are.
_FIRST_LOOK = 512
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """A part that some builds have and others lack. `price` is None where the rules ask no points for it.

    `like` is the earlier choice that it cannot be told from: in every context the one does what the other
    does, at the same price.
    """

    part: Part
    price: int | None
    builds: int
    like: str | None = None

    @property
    def name(self) -> str:
        """As the rules call it, with how many of it."""
        return self.part.name

    def has(self, population: Population, rows: Ints) -> Bools:
        """Which of some builds have it."""
        found: Bools = population.levels[self.part.feature, rows] >= self.part.at_least
        return found


def with_choice(population: Population, choice: Choice) -> Rule:
    """Builds that have a choice."""
    return lambda rows: choice.has(population, rows)


def with_none(population: Population, choices: Sequence[Choice]) -> Rule:
    """Builds that have none of some choices."""
    return lambda rows: ~np.logical_or.reduce([choice.has(population, rows) for choice in choices])


def with_not_all(population: Population, choices: Sequence[Choice]) -> Rule:
    """Builds that lack at least one of some choices."""
    return lambda rows: ~np.logical_and.reduce([choice.has(population, rows) for choice in choices])


def choices_of(population: Population, prices: Mapping[str, int | None]) -> list[Choice]:
    """Every choice of a run, in the order of the rules; groups last."""
    found: list[Choice] = []
    seen: dict[bytes, str] = {}
    for part in parts_of(population):
        has = part.of(population)
        builds = int(has.sum())
        # Other names for all builds, or for builds that another part stands for already, are no choice.
        if builds == len(population):
            continue
        several = population.most[part.feature] > 1
        # Most decks hold some of every card: only a number that sets a deck apart is a choice.
        if several and 2 * builds > len(population):
            continue
        key = np.packbits(has).tobytes() if several else b""
        if several and key in seen:
            continue
        seen[key] = part.name
        price = prices.get(population.names[part.feature]) if part.is_chosen else None
        found.append(Choice(part, price, builds))
    return _mark_alike(population, found)


def _mark_alike(population: Population, choices: Sequence[Choice]) -> list[Choice]:
    """Say of each choice which earlier one it cannot be told from."""
    found: list[Choice] = []
    for choice in choices:
        like = None
        if choice.part.is_chosen and choice.part.at_least == 1:
            rivals = [
                each
                for each in found
                if each.like is None
                and each.part.is_chosen
                and each.part.at_least == 1
                and each.price == choice.price
            ]
            like = next((each.name for each in rivals if _act_alike(population, each, choice)), None)
        found.append(replace(choice, like=like))
    return found


def _act_alike(population: Population, first: Choice, second: Choice) -> bool:
    """Whether each build with the first scores in every fight as with the second in its place, both ways."""
    one, other = first.part.feature, second.part.feature
    return all(_same_when_swapped(population, a, b) for a, b in ((one, other), (other, one)))


def _same_when_swapped(population: Population, out: int, into: int) -> bool:
    rows = np.flatnonzero((population.levels[out] > 0) & (population.levels[into] < population.most[into]))
    for some in (rows[:: max(1, len(rows) // _FIRST_LOOK)], rows):
        exchanged, compared, same = 0, 0, 0
        for part in stretches(len(some)):
            keys = population.keys[some[part]] - population.strides[out] + population.strides[into]
            swapped = find_rows(population.keys, population.slots, keys)
            legal = swapped >= 0
            here, there = some[part][legal], swapped[legal]
            apart = np.abs(population.means[here] - population.means[there])
            doubt = SURE * np.hypot(population.errors[here], population.errors[there])
            if bool((apart > TIE + doubt).any()):
                return False
            exchanged, compared = exchanged + len(here), compared + apart.size
            same += int((apart <= TIE).sum())
        # Where most exchanges are illegal the two do not stand for one another. What acts alike fights the
        # same fights under one seed; only builds that fought on may differ.
        if len(some) == 0 or 2 * exchanged < len(some) or same < _MOSTLY * compared:
            return False
    return True

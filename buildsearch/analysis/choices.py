"""What players choose between: options, groups, and how many of a card; and what these are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from buildsearch.analysis.population import SURE, Population, find_rows
from buildsearch.analysis.score_order import Rule
from buildsearch.files.large_arrays import stretches
from buildsearch.model.arrays import Bools, Ints
from buildsearch.model.evaluation import TIE
from buildsearch.model.text import listed


@dataclass(frozen=True, slots=True)
class Part:
    """At least `at_least` of a feature. Parts that come with a group are not chosen. A stat is what groups
    are made of: every build spends its points on some."""

    name: str
    feature: int
    at_least: int
    is_chosen: bool
    is_stat: bool = False

    def of(self, population: Population) -> Bools:
        found: Bools = population.levels[self.feature] >= self.at_least
        return found


def parts_of(population: Population) -> list[Part]:
    """Every part that some builds have: chosen ones first, then those that come with a group."""
    chosen = set(population.free.tolist())
    stats = set(population.stats.tolist())
    others = [feature for feature in np.flatnonzero(population.most > 0).tolist() if feature not in chosen]
    parts = []
    for feature in [*population.free.tolist(), *others]:
        for level in range(1, int(population.most[feature]) + 1):
            name = population.names[feature] + (f" x{level}" if level > 1 else "")
            parts.append(Part(name, feature, level, feature in chosen, feature in stats))
    return parts


# Exchanges that are looked at before all of them are.
_FIRST_LOOK = 512
_MOSTLY = 0.5


@dataclass(frozen=True, slots=True)
class Choice:
    """A part that some builds have and others lack. `price` is None where the rules ask no points for it.

    `like` is the earlier choice that it cannot be told from: in every context the one does what the other
    does, at the same price. One that `is_common` is a card that most decks have some of: it can be banned as
    a whole, but sets no deck apart, so it does not count among the options.
    """

    part: Part
    price: int | None
    builds: int
    like: str | None = None
    is_common: bool = False

    @property
    def counts(self) -> bool:
        """Whether it counts among the options: what acts like an earlier one does not count again."""
        return self.like is None and not self.is_common

    @property
    def name(self) -> str:
        return self.part.name

    def has(self, population: Population, rows: Ints) -> Bools:
        found: Bools = population.levels[self.part.feature, rows] >= self.part.at_least
        return found


def with_choice(population: Population, choice: Choice) -> Rule:
    return lambda rows: choice.has(population, rows)


def with_none(population: Population, choices: Sequence[Choice]) -> Rule:
    return lambda rows: ~np.logical_or.reduce([choice.has(population, rows) for choice in choices])


def with_not_all(population: Population, choices: Sequence[Choice]) -> Rule:
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
        # Most decks hold some of every card: a number that sets a deck apart is a choice, and the whole card.
        is_common = several and 2 * builds > len(population)
        if is_common and (part.at_least > 1 or part.is_stat):
            continue
        key = np.packbits(has).tobytes() if several else b""
        if several and key in seen:
            continue
        seen[key] = part.name
        price = prices.get(population.names[part.feature]) if part.is_chosen else None
        found.append(Choice(part, price, builds, is_common=is_common))
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


@dataclass(frozen=True, slots=True)
class Naming:
    """`names` are those of the rules by part, `titles` what people call them."""

    names: Sequence[str]
    titles: Mapping[str, str]

    def part(self, part: int) -> str:
        return self.titles.get(self.names[part], self.names[part])

    def parts(self, parts: Sequence[int]) -> str:
        return listed([self.part(part) for part in parts])

    def choice(self, choice: Choice) -> str:
        """A choice: an option, or at least so many of a card."""
        title = self.part(choice.part.feature)
        least = choice.part.at_least
        return title if least == 1 else f"{least} or more {title}"

    def together(self, choices: Sequence[Choice]) -> str:
        """Choices that stand together in a build, with the group that they stand in."""
        chosen = [self.choice(choice) for choice in choices if choice.part.is_chosen]
        groups = [self.choice(choice) for choice in choices if not choice.part.is_chosen]
        said = " + ".join(chosen)
        return f"{said} on {' and '.join(groups)}" if chosen and groups else said or " and ".join(groups)

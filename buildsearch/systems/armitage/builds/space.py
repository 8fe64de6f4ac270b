"""Armitage's build space: every stat line with every deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds.lines import LinedSpace, RaisedLines
from buildsearch.builds.multisets import (
    MultisetProblem,
    count_multisets,
    iter_multisets,
    multiset_neighbours,
    sample_multisets,
)
from buildsearch.builds.notation import name_raises
from buildsearch.builds.pointbuy import PointBuy
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Chunk, Feature, Wanted
from buildsearch.systems.armitage.builds import grammar, legality
from buildsearch.systems.armitage.builds.build import Build, Counts
from buildsearch.systems.armitage.builds.legality import cost_of
from buildsearch.systems.armitage.builds.table import chunk_table
from buildsearch.systems.armitage.rules.model import ArmitageRules
from buildsearch.systems.armitage.rules.settings import Settings


class ArmitageSpace(LinedSpace):
    """Builds grouped by stat line; codes are counts a card."""

    grouped_by = "stats"
    grammar, legality = grammar, legality
    # Builds are played one by one: some minutes for so many, months for the decks with status cards.
    most_to_rank = 50_000

    def __init__(self, rules: ArmitageRules, settings: Settings) -> None:
        self.stats: tuple[str, ...] = tuple(rules.raises)
        self.cards = tuple(
            name for name, card in rules.cards.items() if settings.status_cards or card.status is None
        )
        entries = tuple(rules.raises.values())
        points = PointBuy(
            tuple(entry.cost for entry in entries),
            tuple(entry.most for entry in entries),
            rules.points,
            settings.spend_all,
        )
        lines = RaisedLines(points, self.stats, ("stat line", "stat or card"))
        super().__init__(rules, settings, lines, self.cards)
        copies = rules.deck.size if rules.deck.copies is None else rules.deck.copies
        self._decks = MultisetProblem((copies,) * len(self.cards), rules.deck.size)

    def features(self, build: Build) -> tuple[Feature, ...]:
        """Raised stats and cards, with how much there is of each."""
        return tuple(Feature(name, number) for name, number in (*build.raises, *build.deck))

    def cost(self, build: Build) -> int:
        """The points of the stat line."""
        return cost_of(build, self.rules)

    def count(self, wanted: Wanted) -> dict[str, int]:
        """Decks for each stat line."""
        decks = count_multisets(self._wanted_decks(wanted)[0])
        return {name_raises(line): decks for line in self.lines.wanted(wanted, self.feature_names)}

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """Stat lines in lexicographic order, and the decks of each in theirs."""
        problem, required = self._wanted_decks(wanted)
        for line in self.lines.wanted(wanted, self.feature_names):
            for counts in iter_multisets(problem, size):
                yield Chunk(name_raises(line), counts.astype(np.uint64) + required)

    def builds(self, chunk: Chunk) -> Iterator[Build]:
        """The builds of a chunk."""
        raises = self.lines.read(chunk.group)
        return (Build(raises, self._deck(row)) for row in chunk.codes)

    def part_levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """Counts a card."""
        return chunk.codes.astype(np.uint8)

    def encode(self, build: Build) -> Chunk:
        """A build as counts a card."""
        return Chunk(name_raises(build.raises), self._row(build.deck, self.cards).astype(np.uint64)[None, :])

    def costs(self, chunk: Chunk) -> NDArray[np.int64]:
        """The points of the stat line: cards cost nothing."""
        cost = cost_of(Build(self.lines.read(chunk.group), ()), self.rules)
        return np.full(len(chunk), cost, np.int64)

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """Name, stat line, deck, cost and cards."""
        return chunk_table(chunk.group, self.costs(chunk), self.cards, chunk.codes)

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Build]:
        """A stat line and a deck each, all pairs equally likely."""
        lines = self.lines.wanted(wanted, self.feature_names)
        problem, required = self._wanted_decks(wanted)
        if size and not (lines and count_multisets(problem)):
            raise UsageError("there is no build to draw. Loosen the filters.")
        chosen = rng.integers(max(1, len(lines)), size=size)
        decks = sample_multisets(problem, size, rng).astype(np.uint64) + required
        return [Build(lines[line], self._deck(deck)) for line, deck in zip(chosen, decks, strict=True)]

    def drop(self, build: Build, feature: str) -> Build | None:
        """Nothing can be dropped: decks have a size, and points left over are no build of their own."""
        return None

    def neighbours(self, build: Build) -> Iterator[Build]:
        """One card swapped for another, or points of one stat for those of another."""
        for line in self.lines.trades(build.raises):
            yield Build(line, build.deck)
        for row in multiset_neighbours(self._decks, self._row(build.deck, self.cards)):
            yield Build(build.raises, self._deck(row))

    def most_parts(self, wanted: Wanted) -> int:
        """The size of a deck."""
        return self._decks.size

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Build | None:
        """Cards as long as there is room; if they are too few, the same again, then any."""
        problem, required = self._wanted_decks(wanted)
        if count_multisets(problem) == 0:
            return None
        limits = np.array(problem.limits, dtype=np.int64)
        open_, counts = required.astype(np.int64), np.zeros(len(limits), np.int64)
        places = [self.cards.index(name) for name in parts]
        for i in places:
            if open_[i]:
                open_[i] -= 1  # it is in the deck anyway
            elif counts[i] < limits[i] and counts.sum() < problem.size:
                counts[i] += 1
        for i in [*places * problem.size, *np.repeat(np.arange(len(limits)), problem.size)]:
            if counts[i] < limits[i] and counts.sum() < problem.size:
                counts[i] += 1
        return Build(self.lines.read(group), self._deck(counts.astype(np.uint64) + required))

    def _deck(self, row: Any) -> Counts:
        return self._counts(row, self.cards)

    @staticmethod
    def _counts(row: Any, names: tuple[str, ...]) -> Counts:
        return tuple((name, int(number)) for name, number in zip(names, row, strict=True) if number)

    @staticmethod
    def _row(counts: Counts, names: tuple[str, ...]) -> Any:
        numbers = dict(counts)
        return np.array([numbers.get(name, 0) for name in names], dtype=np.int64)

    def _wanted_decks(self, wanted: Wanted) -> tuple[MultisetProblem, Any]:
        """The decks beyond the cards that must be in, and those cards."""
        required = np.array([int(card in wanted.with_features) for card in self.cards], dtype=np.uint64)
        limits = tuple(
            0 if card in wanted.without_features else limit - int(must)
            for card, limit, must in zip(self.cards, self._decks.limits, required, strict=True)
        )
        size = self._decks.size - int(required.sum())
        if size < 0:
            return MultisetProblem((0,) * len(limits), 1), required
        return MultisetProblem(limits, size), required

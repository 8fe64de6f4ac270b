"""What builds choose: declared in a line each, with all that follows for one choice alone.

The parts of a choice are its options or scores; a build has each part at a level, 0 where it lacks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from buildsearch.builds.notation import BuildReader
from buildsearch.kit.entries import Entry, ScoreTable
from buildsearch.model.errors import Problem, UsageError
from buildsearch.model.rules_file import Identifier, Natural

Ints = NDArray[np.int64]
ONE, SOME, SCORES, COUNTS = "one_of", "any_of", "scores", "counts"
NOTHING = "none"
_MOST_ROWS = 1 << 20


@dataclass(frozen=True)
class Choice:
    """`limit` and `pool` are names in the `limits` of the rules: how many there may be, points to pay."""

    name: str
    kind: str
    entry: type[Entry] | None = None
    limit: str = ""
    pool: str = ""
    is_optional: bool = False
    spend_all: bool = False

    @property
    def field(self) -> tuple[Any, Any]:
        """Its place in the rules file."""
        if self.entry is None:
            return ScoreTable, ...
        return dict[Identifier, self.entry], Field(min_length=1)  # type: ignore[name-defined]

    @property
    def limits(self) -> dict[str, tuple[Any, Any]]:
        """What it needs in the `limits` of the rules file."""
        about = {self.limit: f"how many {self.name} a build has", self.pool: f"points of {self.pool}"}
        return {
            name: (Annotated[Natural, Field(le=255 if name == self.limit else 10_000, description=text)], ...)
            for name, text in about.items()
            if name
        }

    def of(self, rules: Any, limits: Mapping[str, int]) -> Shelf:
        """The choice under some rules."""
        return Shelf(self, getattr(rules, self.name), limits)


def one_of(name: str, entry: type[Entry], *, optional: bool = False, pool: str = "") -> Choice:
    """Exactly one of the options, or none if that is optional; `pool` names the points that pay its cost."""
    return Choice(name, ONE, entry, pool=pool, is_optional=optional)


def any_of(name: str, entry: type[Entry], *, limit: str = "", pool: str = "") -> Choice:
    """Any of the options, each at most once; `limit` names how many at most."""
    return Choice(name, SOME, entry, limit=limit, pool=pool)


def scores(name: str, *, spend_all: bool = True) -> Choice:
    """Scores from least to most at the costs of a table, with the points that `limits` has by its name."""
    return Choice(name, SCORES, pool=name, spend_all=spend_all)


def counts(name: str, entry: type[Entry], *, limit: str, pool: str = "") -> Choice:
    """As many in all as `limit` names, each up to the `copies` of its entry, if it has such a field."""
    return Choice(name, COUNTS, entry, limit=limit, pool=pool)


class Shelf:
    """A choice with the options of a rules file: names, costs, every way to choose."""

    def __init__(self, choice: Choice, given: Any, limits: Mapping[str, int]) -> None:
        self.choice, self.name, self.kind = choice, choice.name, choice.kind
        self.given = given
        self.entries: Mapping[str, Entry] = {} if choice.entry is None else given
        self.names: tuple[str, ...] = tuple(given.names if choice.entry is None else given)
        self.limit = limits[choice.limit] if choice.limit else None
        self.points = limits[choice.pool] if choice.pool else None
        highest = {ONE: 1, SOME: 1, COUNTS: self.limit or 0}.get(self.kind, 0)
        self.costs: tuple[Sequence[int], ...] = (
            (given.steps,) * len(self.names)
            if choice.entry is None
            else tuple(
                [
                    level * (entry.cost if choice.pool else 0)
                    for level in range(1 + min(highest, getattr(entry, "copies", highest)))
                ]
                for entry in self.entries.values()
            )
        )

    @property
    def least(self) -> int:
        """Levels in all, at least."""
        if self.kind == COUNTS:
            return self.limit or 0
        return int(self.kind == ONE and not self.choice.is_optional)

    @property
    def most(self) -> int | None:
        """Levels in all, at most."""
        return 1 if self.kind == ONE else self.limit

    @property
    def is_linear(self) -> bool:
        """Whether each level of a part costs the same."""
        return all(cost == level * costs[-1] // max(1, len(costs) - 1)
                   for costs in self.costs for level, cost in enumerate(costs))  # fmt: skip

    def rows(self) -> Ints:
        """Every way to choose within its own limits and points, in a fixed order."""
        rows = np.zeros((1, 0), np.int64)
        spent, taken = np.zeros(1, np.int64), np.zeros(1, np.int64)
        budget = np.iinfo(np.int64).max if self.points is None else self.points
        most = np.iinfo(np.int64).max if self.most is None else self.most
        for place, costs in enumerate(self.costs):
            rest = self.costs[place + 1 :]
            levels = np.tile(np.arange(len(costs)), len(rows))
            rows = np.repeat(rows, len(costs), axis=0)
            spent = np.repeat(spent, len(costs)) + np.array(costs)[levels]
            taken = np.repeat(taken, len(costs)) + levels
            keep = (spent <= budget) & (taken <= most)
            keep &= taken + sum(len(each) - 1 for each in rest) >= self.least
            if self.choice.spend_all:
                keep &= spent + sum(each[-1] for each in rest) >= budget
            rows = np.column_stack([rows, levels])[keep]
            spent, taken = spent[keep], taken[keep]
            if len(rows) > _MOST_ROWS:
                raise UsageError(
                    f"`{self.name}` can be chosen in more than {_MOST_ROWS:,} ways. Lower its limit."
                )
        return rows[::-1] if self.kind == ONE else rows  # options as the file lists them

    def cost(self, rows: Any) -> Ints:
        """What each way costs; steps beyond the table cost as much as its last."""
        found = np.zeros(len(rows), np.int64)
        for place, costs in enumerate(self.costs):
            found += np.array(costs)[np.minimum(rows[:, place], len(costs) - 1)]
        return found

    def view(self, row: Sequence[int]) -> Any:
        """What a function of the game is given: an entry, entries by id, scores by id, numbers by id."""
        if self.kind == SCORES:
            return {name: self.given.least + int(level) for name, level in zip(self.names, row, strict=True)}
        chosen = {name: int(level) for name, level in zip(self.names, row, strict=True) if level}
        if self.kind == COUNTS:
            return {name: chosen.get(name, 0) for name in self.names}
        taken = {name: self.entries[name] for name in chosen}
        return next(iter(taken.values()), None) if self.kind == ONE else taken

    def text(self, row: Sequence[int]) -> str:
        """`greatsword`; `tough,lucky`; `str+7,con+2`; `strike*4,heal`."""
        sign = "+" if self.kind == SCORES else "*"
        said = [
            name if level == 1 and sign == "*" else f"{name}{sign}{level}"
            for name, level in zip(self.names, row, strict=True)
            if level
        ]
        return ",".join(said) or NOTHING

    def read(self, text: str, reader: BuildReader) -> list[int]:
        """The levels that a text has; complains of what it cannot be."""
        parts = [] if text.strip() == NOTHING else text.split(",")
        found = reader.numbers(parts, "+" if self.kind == SCORES else "*", self.names, self.name)
        row = [found.get(name, 0) for name in self.names]
        for name, level, costs in zip(self.names, row, self.costs, strict=True):
            highest = len(costs) - 1
            if level > highest:
                reader.complain(f"`{name}` is there {level} times, and {highest} is the most")
        return row

    def reasons(self, row: Sequence[int]) -> Iterator[Problem]:
        """Why it is no way to choose, points aside."""
        taken = sum(map(int, row))
        if taken < self.least and self.kind == ONE:
            yield Problem(f"a build has one {self.name}", hint=f"Choose among {', '.join(self.names)}.")
        elif taken < self.least:
            yield Problem(f"{taken} of {self.name}, and a build has {self.least}")
        elif self.most is not None and taken > self.most:
            yield Problem(f"{self.text(row)}: {taken} of {self.name}, and {self.most} is the most")

    def near(self, row: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Ways one small change away; which of them are allowed is another matter."""
        parts, one = range(len(row)), np.eye(len(row), dtype=np.int64)
        moves = [*one, *(one[a] - one[b] for a, b in permutations(parts, 2))]
        if self.choice.spend_all:  # steps of one score may cost as much as two of another
            moves += [2 * one[a] - one[b] for a, b in permutations(parts, 2)]
            moves += [one[a] + one[b] - one[c] for a, b, c in permutations(parts, 3) if a < b]
        for move in moves:
            for way in (move, -move) if move.sum() else (move,):
                yield tuple((np.array(list(row)) + way).tolist())

    def describe(self, name: str) -> tuple[str, str, int | None, tuple[tuple[str, str], ...]]:
        """Title, summary, cost and facts of a part."""
        if self.choice.entry is None:
            table = self.given
            ends = (("From", str(table.least)), ("To", str(table.most)))
            return table.names[name], f"{table.least} to {table.most}", self.price(name), ends
        entry, facts = self.entries[name], self.entries[name].facts()
        said = ", ".join(f"{label} {text}" for label, text in facts)
        return entry.name, entry.summary or said or f"one of {self.name}", self.price(name), facts

    def price(self, name: str) -> int | None:
        """What a level of a part costs; None where nothing is paid, or steps differ."""
        if not self.choice.pool or not self.is_linear:
            return None
        costs = self.costs[self.names.index(name)]
        return int(costs[1]) if len(costs) > 1 else 0

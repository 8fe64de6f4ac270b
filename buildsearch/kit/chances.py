"""What dice come to, as chances: a sheet holds them, and the fight rolls them with `roll`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from buildsearch.engines.dice import Sampler, Tree, branch, primitive, uniform
from buildsearch.evaluate.fixed_order import convolved
from buildsearch.model.errors import UsageError

Floats = NDArray[np.float64]

_DICE = re.compile(r"([0-9]{0,2})d([0-9]{1,3})(?:([+-])([0-9]{1,3}))?", re.ASCII)


def is_dice(text: str) -> bool:
    """Whether a text is dice."""
    return _DICE.fullmatch(text) is not None


def _checked(text: str) -> str:
    if not is_dice(text):
        raise ValueError("dice are written as 1d8 or 2d6+3")
    return text


# Dice of a rules file.
Dice = Annotated[
    str,
    AfterValidator(_checked),
    Field(description="such as 1d8 or 2d6+3", json_schema_extra={"pattern": f"^{_DICE.pattern}$"}),
]


@dataclass(frozen=True)
class Chances:
    """`odds[n]` is the chance of n, from 0 up. `+` adds an independent roll, or a number (not below 0)."""

    odds: tuple[float, ...]

    def __add__(self, other: Chances | int) -> Chances:
        return _sum(self, other) if isinstance(other, Chances) else _shifted(self, int(other))

    __radd__ = __add__

    def __sub__(self, less: int) -> Chances:
        return self + -less

    def times(self, number: int) -> Chances:
        """The sum of so many rolls."""
        found = Chances((1.0,))
        for _ in range(number):
            found += self
        return found

    def highest(self, of: int = 2) -> Chances:
        """The highest of so many rolls."""
        return _highest(self, of)

    def lowest(self, of: int = 2) -> Chances:
        """The lowest of so many rolls."""
        top = self.most
        return self.mapped(lambda value: top - value).highest(of).mapped(lambda value: top - value)

    def mapped(self, to: Callable[[int], int]) -> Chances:
        """Each value as something else, such as successes: `die(10).mapped(lambda face: int(face >= 7))`."""
        found: dict[int, float] = {}
        for value, chance in enumerate(self.odds):
            if chance > 0.0:
                found[int(to(value))] = found.get(int(to(value)), 0.0) + chance
        if min(found) < 0:
            raise ValueError(f"a roll cannot come to {min(found)}; make it 0 or more")
        return Chances(tuple(found.get(value, 0.0) for value in range(max(found) + 1)))

    @property
    def mean(self) -> float:
        """Its expected value."""
        return float(sum(value * chance for value, chance in enumerate(self.odds)))

    @property
    def most(self) -> int:
        """Its highest value."""
        return len(self.odds) - 1


# Sheets of builds make the same sums again and again.
@lru_cache(maxsize=4096)
def _sum(first: Chances, second: Chances) -> Chances:
    return _chances(convolved(np.array(first.odds), np.array(second.odds)))


@lru_cache(maxsize=4096)
def _shifted(rolled: Chances, more: int) -> Chances:
    return rolled.mapped(lambda value: max(0, value + more))


@lru_cache(maxsize=4096)
def _highest(rolled: Chances, of: int) -> Chances:
    return rolled if of == 1 else _chances(np.diff(np.cumsum(rolled.odds) ** of, prepend=0.0))


def _chances(odds: Floats) -> Chances:
    return Chances(tuple(np.clip(odds, 0.0, 1.0).tolist()))


def die(sides: int, reroll: int = 0) -> Chances:
    """One die. Faces up to `reroll` are rolled again, once."""
    again = reroll / sides / sides
    return Chances((0.0, *(again + (0.0 if face <= reroll else 1 / sides) for face in range(1, sides + 1))))


@lru_cache(maxsize=1024)
def dice(text: str, reroll: int = 0) -> Chances:
    """`2d6+3`; of each die, faces up to `reroll` are rolled again, once."""
    found = _DICE.fullmatch(text)
    if found is None or not int(found[2]):
        raise UsageError(f"`{text}` does not name dice. Write them as 1d8 or 2d6+3.")
    total = die(int(found[2]), reroll).times(int(found[1] or 1))
    return total + int(f"{found[3]}{found[4]}") if found[3] else total


def yes(chance: float) -> Chances:
    """1 with this chance, else 0."""
    return Chances((1.0 - chance, chance))


def table_of(rows: list[Chances]) -> Floats:
    """Rows as `roll` reads them, for a table that builds share: `roll(dice, g.pool, number_of_dice)`."""
    found = np.zeros((len(rows), max(map(len, (each.odds for each in rows)))))
    for row, chances in zip(found, rows, strict=True):
        row[: len(chances.odds)] = chances.odds
    return found


@primitive
def roll(dice: Any, table: Floats, row: int) -> Any:
    """What a row of chances comes to: `roll(dice, g.damage, me)`."""


@roll.by(Sampler)
def _(dice: Sampler, table: Floats, row: int) -> int:
    left, value = uniform(dice.stream), 0
    while value < table.shape[1] - 1 and left >= table[row, value]:
        left -= table[row, value]
        value += 1
    return value


@roll.by(Tree)
def _(dice: Tree, table: Floats, row: int) -> int:
    number = table.shape[1]
    while number > 1 and table[row, number - 1] <= 0.0:
        number -= 1
    depth = dice.at[0]
    value = branch(dice, number)
    while value < number - 1 and table[row, value] <= 0.0:
        value += 1
    if dice.at[2] == 0:
        dice.path[depth] = value
    dice.p[0] *= table[row, value]
    return value

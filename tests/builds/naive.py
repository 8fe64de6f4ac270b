"""The slow, obvious twins: list everything, keep what is legal. Subsets are sorted tuples of indices here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product


@dataclass(frozen=True)
class Choice:
    """A subset problem in plain Python."""

    costs: tuple[int, ...]
    exclusions: tuple[tuple[int, int], ...]
    budget: int
    allowed: tuple[int, ...]
    required: tuple[int, ...]


def is_legal(choice: Choice, subset: Iterable[int]) -> bool:
    taken = set(subset)
    return (
        taken <= set(choice.allowed)
        and set(choice.required) <= taken
        and not any(first in taken and second in taken for first, second in choice.exclusions)
        and sum(choice.costs[option] for option in taken) <= choice.budget
    )


def subsets(choice: Choice) -> list[tuple[int, ...]]:
    options = range(len(choice.costs))
    every = (subset for size in range(len(choice.costs) + 1) for subset in combinations(options, size))
    legal = [subset for subset in every if is_legal(choice, subset)]
    # Tuples compare as the search goes: index by index, and a prefix before what extends it.
    return sorted(legal, key=lambda subset: tuple(i for i in subset if i not in choice.required))


def subset_neighbours(choice: Choice, subset: tuple[int, ...]) -> set[tuple[int, ...]]:
    taken = set(subset)

    def is_one_change(other: set[int]) -> bool:
        return len(taken ^ other) == 1 or (len(taken - other) == 1 and len(other - taken) == 1)

    return {other for other in subsets(choice) if is_one_change(set(other))}


def lines(costs: tuple[int, ...], maxima: tuple[int, ...], points: int, exact: bool) -> list[tuple[int, ...]]:
    every = product(*(range(maximum + 1) for maximum in maxima))  # product is lexicographic by itself
    spent = ((line, sum(cost * x for cost, x in zip(costs, line, strict=True))) for line in every)
    return [line for line, cost in spent if cost == points or (not exact and cost < points)]


def is_swap(line: tuple[int, ...], other: tuple[int, ...]) -> bool:
    changes = sorted(b - a for a, b in zip(line, other, strict=True) if a != b)
    return changes == [-1, 1]

"""From the twin's vocabulary to the package's and back, and the problems that Hypothesis generates."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from buildsearch.builds.masks import indices_of
from buildsearch.builds.subsets import SubsetProblem, iter_subsets

from .naive import Choice


@st.composite
def choices(draw: st.DrawFn, most: int = 10) -> Choice:
    options = draw(st.integers(0, most))
    some = st.sets(st.integers(0, most - 1)).map(lambda drawn: tuple(sorted(i for i in drawn if i < options)))
    pairs = list(combinations(range(options), 2))
    return Choice(
        costs=tuple(draw(st.lists(st.integers(0, 4), min_size=options, max_size=options))),
        exclusions=tuple(draw(st.lists(st.sampled_from(pairs), max_size=12, unique=True)) if pairs else ()),
        budget=draw(st.integers(0, 14)),
        # Mostly everything allowed and nothing required, as few draws would otherwise leave much to list.
        allowed=draw(st.one_of(st.just(tuple(range(options))), some)),
        required=draw(st.one_of(st.just(()), some.map(lambda drawn: drawn[:2]))),
    )


def problem_of(choice: Choice) -> SubsetProblem:
    return SubsetProblem.from_pairs(
        choice.costs, choice.exclusions, choice.budget, choice.allowed, choice.required
    )


def spread(choice: Choice, offset: int, options: int) -> Choice:
    """Place the options from `offset` on among `options`; the others are there, cheap, but not allowed."""
    costs = [1] * options
    costs[offset : offset + len(choice.costs)] = choice.costs
    return Choice(
        costs=tuple(costs),
        exclusions=tuple((a + offset, b + offset) for a, b in choice.exclusions),
        budget=choice.budget,
        allowed=tuple(i + offset for i in choice.allowed),
        required=tuple(i + offset for i in choice.required),
    )


def listed(problem: SubsetProblem, chunk_size: int = 1 << 10) -> list[tuple[int, ...]]:
    return as_tuples(chunk for chunk in iter_subsets(problem, chunk_size))


def as_tuples(chunks) -> list[tuple[int, ...]]:
    return [indices_of(row) for chunk in chunks for row in chunk]


def rows(array: NDArray[np.generic]) -> list[tuple[int, ...]]:
    return [tuple(row) for row in array.tolist()]

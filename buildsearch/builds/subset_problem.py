"""The statement of a budgeted choice: options with costs, pairs that exclude one another, a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from buildsearch.builds._checks import whole_number, whole_numbers
from buildsearch.builds._subset_rows import SubsetRules
from buildsearch.builds.masks import mask_of, word_count

_INT64_MAX = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class SubsetProblem:
    """Subsets of n options within a budget, without conflicting pairs; checked, copied and frozen when made.

    Costs may be zero. A required set that is over the budget, at odds with itself or not allowed is no error:
    such a problem has no legal subset.
    """

    costs: NDArray[np.int64]
    """(n,), zero or more."""
    conflicts: NDArray[np.uint64]
    """(n, words): row i is the mask of the options that exclude option i; symmetric, without i itself."""
    budget: int
    allowed: NDArray[np.uint64]
    """(words,): options that may be taken."""
    required: NDArray[np.uint64]
    """(words,): options that must be taken."""

    def __post_init__(self) -> None:
        options = len(self.costs)
        words = word_count(options)
        self._freeze("costs", np.dtype(np.int64), (options,))
        self._freeze("conflicts", np.dtype(np.uint64), (options, words))
        self._freeze("allowed", np.dtype(np.uint64), (words,))
        self._freeze("required", np.dtype(np.uint64), (words,))
        object.__setattr__(self, "budget", whole_number(self.budget, "The budget"))
        if options and int(self.costs.min()) < 0:
            raise ValueError(
                f"Costs must be zero or more; option {self.costs.argmin()} costs {self.costs.min()}."
            )
        if sum(self.costs.tolist()) > _INT64_MAX:
            raise ValueError("The costs together must fit into 64 bits.")
        beyond = ~self.every_option
        for name in ("conflicts", "allowed", "required"):
            if np.any(getattr(self, name) & beyond):
                raise ValueError(
                    f"The field {name} names options beyond the last one, which is {options - 1}."
                )
        self._check_conflicts()

    def _freeze(self, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        array = np.asarray(getattr(self, name))
        if array.dtype != dtype or array.shape != shape:
            raise ValueError(
                f"The field {name} must be an array of {dtype} with shape {shape}, "
                f"not of {array.dtype} with shape {array.shape}."
            )
        # A copy, so that nobody can change the problem from outside once it has been checked.
        array = array.copy(order="C")
        array.setflags(write=False)
        object.__setattr__(self, name, array)

    def _check_conflicts(self) -> None:
        bits = np.unpackbits(self.conflicts.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        matrix = bits[:, : self.options]
        if matrix.diagonal().any():
            raise ValueError(f"Option {int(matrix.diagonal().argmax())} excludes itself.")
        if not np.array_equal(matrix, matrix.T):
            first, second = np.argwhere(matrix != matrix.T)[0].tolist()
            raise ValueError(f"Conflicts must go both ways; those of options {first} and {second} do not.")

    @classmethod
    def from_pairs(
        cls,
        costs: Sequence[int] | NDArray[np.int64],
        exclusions: Iterable[tuple[int, int]],
        budget: int,
        allowed: Iterable[int] | None = None,
        required: Iterable[int] = (),
    ) -> Self:
        """Build the problem from indices; pairs may repeat or turn round, `allowed` None allows all."""
        prices = np.array(whole_numbers(costs, "The cost of option"), dtype=np.int64)
        words = word_count(prices.size)
        rivals: list[set[int]] = [set() for _ in range(prices.size)]
        for first, second in exclusions:
            for option in (first, second):
                if not 0 <= option < prices.size:
                    raise ValueError(
                        f"The pair {(first, second)} names an option beyond the {prices.size} given."
                    )
            rivals[first].add(second)
            rivals[second].add(first)
        conflicts = np.zeros((prices.size, words), dtype=np.uint64)
        for option, others in enumerate(rivals):
            conflicts[option] = mask_of(others, words)
        return cls(
            costs=prices,
            conflicts=conflicts,
            budget=budget,
            allowed=mask_of(range(prices.size) if allowed is None else allowed, words),
            required=mask_of(required, words),
        )

    @property
    def options(self) -> int:
        """The number of options, taken or not."""
        return int(self.costs.size)

    @property
    def words(self) -> int:
        """The number of 64-bit words in a mask."""
        return int(self.allowed.size)

    @cached_property
    def every_option(self) -> NDArray[np.uint64]:
        """The mask of all options, allowed or not."""
        return mask_of(range(self.options), self.words)

    @cached_property
    def kernel_rules(self) -> SubsetRules:
        """The problem as the kernels take it; for use inside this package."""
        # Read-only arrays are another type to numba and would compile every kernel again: hence copies.
        return SubsetRules(
            costs=self.costs.copy(),
            conflicts=self.conflicts.copy(),
            allowed=self.allowed.copy(),
            required=self.required.copy(),
            # No subset spends more than everything, so a budget beyond 64 bits means the same as that.
            budget=min(self.budget, sum(self.costs.tolist())),
        )

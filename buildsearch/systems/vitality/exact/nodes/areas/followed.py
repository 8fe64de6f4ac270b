"""Fields in which the attacker's HP are an axis: few enemies are left, or there are several waves.

Everything that these fields lead to is one of them, so each roll is a sparse kernel over them alone.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.systems.vitality.exact.nodes.areas.kernels import Kernel, collect, forget, made
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll
from buildsearch.systems.vitality.exact.nodes.areas.turns import CLEARED, HAPPENINGS, TOGETHER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OVER = -1


def field_kernel(roll: Roll, rows: Ints, columns: Ints, numbers: Ints, cleared: int) -> Kernel:
    """The kernel of these fields (pairs of rows and columns), which lead to nothing but one another.

    `numbers[row, column]`: which they are. `cleared`: where the end of the wave leads.
    """
    size = (len(roll.row_starts[0]) - 1) * numbers.shape[1] * HAPPENINGS
    sums, touched = np.zeros(size), np.zeros(size, np.int64)
    return made(
        len(rows),
        16 * len(rows),
        lambda first, kernel: _fill_fields(
            roll, rows, columns, numbers, cleared, first, sums, touched, kernel
        ),
    )


@kernel_without_refcounts
def _fill_fields(
    roll: Roll, rows: Ints, columns: Ints, numbers: Ints, cleared: int, begin: int, sums: Floats,
    touched: Ints, kernel: Kernel,
) -> int:  # fmt: skip
    fields = len(rows)
    targets = kernel.targets
    happened = kernel.happened
    for i in range(begin, fields):
        row = rows[i]
        column = columns[i]
        count = 0
        for group in range(len(roll.row_starts)):
            for j in range(roll.column_starts[group, column], roll.column_starts[group, column + 1]):
                for k in range(roll.row_starts[group, row], roll.row_starts[group, row + 1]):
                    both = TOGETHER[roll.column_happened[j], roll.row_happened[k]]
                    place = roll.row_targets[k] * numbers.shape[1] + roll.column_targets[j]
                    place = place * HAPPENINGS + both
                    if sums[place] == 0.0:
                        touched[count] = place
                        count += 1
                    sums[place] += roll.column_chances[j] * roll.row_chances[k]
        first = kernel.starts[i]
        if first + count > len(targets):
            forget(count, touched, sums)
            return i
        collect(first, count, touched, sums, targets, happened, kernel.chances)
        for k in range(first, first + count):
            if targets[k] == 0:
                targets[k] = cleared
                happened[k] = CLEARED
            else:
                targets[k] = numbers[targets[k] // numbers.shape[1], targets[k] % numbers.shape[1]]
        kernel.starts[i + 1] = first + count
    return fields


def no_fields() -> Kernel:
    """A kernel of no fields at all."""
    return Kernel(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

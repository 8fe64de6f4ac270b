"""Bleed that is not renewed while it is pending: only HP less what is pending matters.

With the first damaging strike's damage b and the turn's damage D, an enemy of h HP is down at once when
D >= h, and otherwise stands at e = h - D - b "pending": at the end of its next turn it is down when that
turn's damage reaches e, and else no longer pending. For e <= 0 it is doomed whatever the next turn brings.
As D < h wherever e >= 1, the distributions of D and of D + b are all that is needed.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.batch.turn_damage import (
    Strikes,
    add_convolved,
    add_times,
    sum_of,
)


@step
def _doubled(damage: NDArray[np.float64]) -> NDArray[np.float64]:
    """Damage that will be dealt again."""
    last = len(damage) - 1
    twice = np.zeros(last + 1)
    for i in range(1, last + 1):
        twice[min(2 * i, last)] += damage[i]
    return twice


@step
def echoed_damage(
    one: Strikes, plain: NDArray[np.float64], criticals: NDArray[np.float64], strikes: int, double_tap: int,
    extra: int,
) -> NDArray[np.float64]:  # fmt: skip
    """The chance of each total in which the first damaging strike counts twice; 0: no damage."""
    max_hp = len(plain) - 1
    any_strike, harmless, _, both, again = one
    # One base strike with its Double Tap where no damage was done before: the first of it counts twice.
    first_by_tap = np.zeros(max_hp + 1)
    first_by_base = np.zeros(max_hp + 1)
    if double_tap != 0:
        add_times(criticals[0], _doubled(any_strike), first_by_tap)
        add_times(1.0, _doubled(plain), first_by_base)
        add_convolved(_doubled(criticals), any_strike, first_by_base)
    else:
        add_times(1.0, _doubled(any_strike), first_by_base)
    untouched = harmless[0]
    first = sum_of(first_by_tap, first_by_base)
    first_again = np.zeros(max_hp + 1)
    if extra > 0:
        add_convolved(first_by_base, any_strike, first_again)
    nothing_yet = untouched
    ready = first_by_tap if extra > 0 else np.zeros(max_hp + 1)
    spent = first_again if extra > 0 else first
    for _ in range(1, strikes):
        next_ready = np.zeros(max_hp + 1)
        next_spent = np.zeros(max_hp + 1)
        add_convolved(spent, both, next_spent)
        if extra > 0:
            add_convolved(ready, harmless, next_ready)
            add_convolved(ready, again, next_spent)
            add_times(nothing_yet, first_by_tap, next_ready)
            add_times(nothing_yet, first_again, next_spent)
        else:
            add_times(nothing_yet, first, next_spent)
        nothing_yet *= untouched
        ready = next_ready
        spent = next_spent
    total = sum_of(ready, spent)
    total[0] += nothing_yet
    return total

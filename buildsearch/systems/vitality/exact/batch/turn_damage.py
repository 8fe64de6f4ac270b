"""The damage of a whole turn's attack, from that of one strike.

Without splinter and bleed a turn does the same to every HP: strikes add up, and a target is down when
their sum reaches its HP. What would follow after that changes nothing, so strikes are simply convolved.
`mechanics` says what follows a strike.

Of a bleed that is not renewed while it is pending, only HP less what is pending matters. With the first
damaging strike's damage b and the turn's damage D, an enemy of h HP is down at once when D >= h, and
otherwise stands at e = h - D - b "pending": at the end of its next turn it is down when that turn's
damage reaches e, and else no longer pending. For e <= 0 it is doomed whatever the next turn brings. As D
< h wherever e >= 1, the distributions of D and of D + b are all that is needed.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.mechanics.strikes import BASE, EXTRA, RICOCHET, follow_up

Floats = NDArray[np.float64]


@step
def _add_times(weight: float, row: Floats, out: Floats) -> None:
    """Add a row so many times. A loop, as numba compiles every formula over arrays as a function."""
    for i in range(len(out)):
        out[i] += weight * row[i]


@step
def _add_strike(before: Floats, law: Floats, first: Floats, out: Floats) -> None:
    """Add the distribution of damage after one more strike; its own is `first` where there was none before.

    The last index is "that much or more".
    """
    _add_times(before[0], first, out)
    last = len(out) - 1
    low = 0
    while low < last and law[low] == 0.0:
        low += 1
    high = last
    while high > low and law[high - 1] == 0.0:
        high -= 1
    beyond = np.empty(last + 1)
    total = 0.0
    for i in range(last, -1, -1):
        total += law[i]
        beyond[i] = total
    for i in range(1, last + 1):
        weight = before[i]
        if weight == 0.0:
            continue
        for k in range(min(high, last - i) - low):
            out[np.uint64(i + low + k)] += weight * law[np.uint64(low + k)]
        out[last] += weight * beyond[last - i]


@step
def _counted(law: Floats, times: int) -> Floats:
    """A strike's damage counted so many times."""
    last = len(law) - 1
    found = np.zeros(last + 1)
    for i in range(last + 1):
        found[min(times * i, last)] += law[i]
    return found


@step
def _base_strikes(plain: Floats, critical: Floats, double_tap: int, extra: int, times: int) -> Floats:
    """A base strike with all that follows it at its target: by Extra Attacks left before and after it a law.

    `times`: how often the first damage is counted.
    """
    size = len(plain)
    some = np.zeros(size)
    _add_times(1.0, plain, some)
    _add_times(1.0, critical, some)
    first = _counted(some, times)
    laws = np.zeros((extra + 1, extra + 1, size))
    for part in range(4):
        is_critical = part >= 2
        harmed = part % 2 == 1
        own = _counted(critical if is_critical else plain, times)
        if harmed:
            own[0] = 0.0
        else:
            own[1:] = 0.0
        for ready in range(extra + 1):
            law = own
            left = ready
            stage = follow_up(BASE, double_tap != 0, is_critical, left, harmed, True)
            while stage < RICOCHET:
                left -= 1 if stage == EXTRA else 0
                after = np.zeros(size)
                _add_strike(law, some, first, after)
                law = after
                stage = follow_up(stage, double_tap != 0, is_critical, left, harmed, True)
            _add_times(1.0, law, laws[ready, left])
    return laws


@step
def turn_damage(
    plain: Floats, critical: Floats, strikes: int, double_tap: int, extra: int, times: int
) -> Floats:
    """The chance of each total (the last: all of the HP or more), the first damage counted so many times.

    From one strike's damage without and with a critical, misses being 0 damage; so many Extra Attacks a turn.
    """
    laws = _base_strikes(plain, critical, double_tap, extra, 1)
    firsts = laws if times == 1 else _base_strikes(plain, critical, double_tap, extra, times)
    size = len(plain)
    now = firsts[extra]
    for _ in range(1, strikes):
        later = np.zeros((extra + 1, size))
        for ready in range(extra + 1):
            for left in range(ready + 1):
                _add_strike(now[ready], laws[ready, left], firsts[ready, left], later[left])
        now = later
    total = np.zeros(size)
    for left in range(extra + 1):
        _add_times(1.0, now[left], total)
    return total

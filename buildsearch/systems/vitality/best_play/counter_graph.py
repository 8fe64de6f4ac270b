"""Every state of a loadout's counters that can be reached, and what may be done in it.

A state is a number in a mixed radix. Its digits run so that what follows a turn tends to have the smaller
number: uses are spent, the clock runs, a charge grows. Solving in the order of numbers then needs few sweeps.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.exact.batch.gatings import NEVER_BINDS
from buildsearch.systems.vitality.exact.transitions import DAMAGED, DEFEATED, HIT
from buildsearch.systems.vitality.mechanics.limits import (
    ATTACK,
    BASIC,
    CHARGE,
    WAIT,
    counters_after,
    counters_allow,
    greedy_action,
    is_made,
)

# Sets of the bits DAMAGED, DEFEATED, HIT.
SETS = 8
SHARED = 5  # clock, attacked, damaged, defeated, hit
CLOCK, ATTACKED, DAMAGED_BIT, DEFEATED_BIT, HIT_BIT = range(SHARED)
OWN = 4
_USES, _HELD, _REST, _CHANNEL = range(OWN)
# Instead of what greedy play does when nothing else is possible.
BEST_PLAY = -1
# Hashing without overflow, which numpy would warn of where nothing is compiled.
_WORD, _SPREAD = (1 << 31) - 1, 0x4F1BBCDD

CHOICE = np.dtype(
    [
        (name, np.int64)
        for name in (
            "kind",
            "which",  # the attack, or the basic attack
            "accepts",  # bits over classes of events
            "usable_from",
            "usable_to",
            # what it leads to, and what it leads to when the activation roll fails (-1: no such roll)
            "lead",
            "failed",
        )
    ]
    + [("chance", np.float64)]
)


class CounterGraph(NamedTuple):
    """States in the order of solving; `choices[first_choice[s]:first_choice[s + 1]]` are those of state s.

    `leads[l]`: a table of moves, then the state after it for each set of bits.
    """

    first_choice: NDArray[np.int64]
    choices: NDArray[np.void]
    leads: NDArray[np.int64]
    values: NDArray[np.int64]  # by state: clock and bits, then uses, charge, rest and channel of each attack
    first: int
    standing: int  # so many states with nothing pending; the others are behind them (`stays`)


@step
def widen_shared(limit: np.void, sizes: NDArray[np.int64]) -> None:
    """Make room for what a limit looks at besides the attack's own counters."""
    clock = limit["first_turn"]
    if limit["last_turn"] != NEVER_BINDS:
        clock = max(clock, limit["last_turn"] + 1)
    sizes[CLOCK] = max(sizes[CLOCK], clock)
    if limit["passive"] != 0:
        sizes[ATTACKED] = 2
    if limit["last_damage"] != 0:
        sizes[DAMAGED_BIT] = 2
    if limit["last_defeat"] != 0:
        sizes[DEFEATED_BIT] = 2
    if limit["last_hit"] != 0:
        sizes[HIT_BIT] = 2


@step
def _sizes(limits: NDArray[np.void]) -> NDArray[np.int64]:
    """Sizes of the dimensions of `values`."""
    sizes = np.ones(SHARED + OWN * len(limits), np.int64)
    for i in range(len(limits)):
        limit = limits[i]
        widen_shared(limit, sizes)
        own = SHARED + OWN * i
        sizes[own + _USES] = max(limit["uses"], 0) + 1
        sizes[own + _HELD] = limit["charge"] + 1
        sizes[own + _REST] = limit["cooldown"] + 1
        sizes[own + _CHANNEL] = limit["levels"]
    return sizes


@step
def _order(sizes: NDArray[np.int64], states: NDArray[np.int64]) -> NDArray[np.int64]:
    """States sorted by number: the clock counts most, then uses, then what was done last turn."""
    digits = np.zeros(len(sizes), np.int64)  # dimensions from the last digit to the first
    count = 0
    for own in (_CHANNEL, _REST, _HELD):
        for at in range(SHARED + own, len(sizes), OWN):
            digits[count] = at
            count += 1
    for at in (HIT_BIT, DEFEATED_BIT, DAMAGED_BIT, ATTACKED):
        digits[count] = at
        count += 1
    for at in range(SHARED + _USES, len(sizes), OWN):
        digits[count] = at
        count += 1
    digits[count] = CLOCK
    numbers = np.zeros(len(states), np.int64)
    step = 1
    for at in digits:
        # Some run down while counters run up.
        falls = at == CLOCK or (at >= SHARED and (at - SHARED) % OWN in (_CHANNEL, _HELD))
        for state in range(len(states)):
            numbers[state] += step * (sizes[at] - 1 - states[state, at] if falls else states[state, at])
        step *= sizes[at]
    return np.argsort(numbers)


@step
def _hash_table(rows: int) -> NDArray[np.int64]:
    """Room for the places of so many rows."""
    width = 16
    while width < 2 * rows + 2:
        width *= 2
    return np.full(width, -1, np.int64)


@step
def _find(table: NDArray[np.int64], rows: NDArray[np.int64], count: int, row: NDArray[np.int64]) -> int:
    """The place of a row among `count`, behind which it is put if it is new; -1: there is no room."""
    digest = 0
    for i in range(len(row)):
        digest = (digest * 1000003 + row[i]) & _WORD
    at = (digest * _SPREAD >> 16) & (len(table) - 1)
    while table[at] >= 0:
        same = True
        for i in range(len(row)):
            if rows[table[at], i] != row[i]:
                same = False
                break
        if same:
            return table[at]
        at = (at + 1) & (len(table) - 1)
    if count == len(rows):
        return -1
    table[at] = count
    for i in range(len(row)):
        rows[count, i] = row[i]
    return count


@step
def _happens(bits: int, table: int, condition: bool, bleeds: bool, several: bool, splinters: bool) -> bool:
    """Whether an action can end with this set of bits and the fight not over."""
    if bits & DEFEATED and not several:
        return False
    if table == 0:
        return bits in (0, DAMAGED, DAMAGED | DEFEATED) if bleeds else bits == 0
    if bits & DEFEATED:
        return splinters or bits & HIT == 0
    if bits == DAMAGED:
        return bleeds
    return bits != DAMAGED | HIT or not condition or bleeds


@step
def _use(limit: np.void, now: NDArray[np.int64], own: int) -> int:
    """What could be done with an attack: `CHARGE`, `ATTACK`, `WAIT` for Passive, or `BASIC`: nothing."""
    usable = counters_allow(
        limit, now[CLOCK] + 1, now[own + _USES], now[own + _HELD], now[own + _REST], now[DAMAGED_BIT],
        now[DEFEATED_BIT], now[HIT_BIT],
    )  # fmt: skip
    attacked = limit["passive"] != 0 and now[ATTACKED] != 0
    return greedy_action(usable, attacked, now[own + _HELD], limit["charge"], False)


@step
def _fill_after(
    limits: NDArray[np.void],
    sizes: NDArray[np.int64],
    now: NDArray[np.int64],
    kind: int,
    which: int,
    activated: bool,
    after: NDArray[np.int64],
) -> None:
    """The state after an action but for what it did; an attack that can be used no more has no counters."""
    turn = now[CLOCK] + 1
    made = is_made(kind == ATTACK and activated, not activated, False)
    after[CLOCK] = min(turn, sizes[CLOCK] - 1)
    after[ATTACKED] = min(1 if made or kind == BASIC else 0, sizes[ATTACKED] - 1)
    for i in range(len(limits)):
        own = SHARED + OWN * i
        mine = i == which and kind != BASIC
        uses, held, rest, channel = counters_after(
            limits[i], turn, now[own + _USES], now[own + _HELD], now[own + _REST], now[own + _CHANNEL],
            kind if mine else WAIT, mine and made,
        )  # fmt: skip
        gone = (limits[i]["uses"] > 0 and uses == 0) or after[CLOCK] + 1 > limits[i]["last_turn"]
        after[own + _USES] = uses
        after[own + _HELD] = 0 if gone else held
        after[own + _REST] = 0 if gone else rest
        after[own + _CHANNEL] = 0 if gone else min(channel, sizes[own + _CHANNEL] - 1)


@njit(cache=True, nogil=True)
def find_states(  # noqa: PLR0915 - one walk; the order of the choices is the rule
    limits: NDArray[np.void],
    basics: NDArray[np.int64],
    bleeds: bool,
    several: bool,
    splinters: bool,
    greedy: int,
    most: int,
) -> tuple[bool, CounterGraph]:
    """Walk through every state; False: more than `most`. `basics[i]`: whether a basic attack is a condition.

    With `greedy` (an action: what to do when nothing else is possible; or `BEST_PLAY`) choices stand in the
    order in which greedy play takes the first that it can; else attacks stand before basic ones and waiting.
    """
    sizes = _sizes(limits)
    room = 1
    for size in sizes:
        room = min(room * size, most)
    table = _hash_table(room)
    states = np.zeros((room, len(sizes)), np.int64)
    first_choice = np.zeros(room + 1, np.int64)
    after = np.zeros(len(sizes), np.int64)
    for i in range(len(limits)):
        after[SHARED + OWN * i + _USES] = sizes[SHARED + OWN * i + _USES] - 1
    count = _find(table, states, 0, after) + 1
    choices = np.zeros(64, CHOICE)
    # By choice twice: what it leads to, and what it leads to when it fails.
    leads = np.zeros((128, 1 + SETS), np.int64)
    made = 0
    here = 0
    fits = True
    while here < count and fits:
        now = states[here]
        first_choice[here] = made
        # Attacks, greedy play's waiting for Passive, basic attacks, waiting.
        for action in range(2 * len(limits) + len(basics) + 1):
            if made == len(choices):
                choices = np.concatenate((choices, np.zeros(made, CHOICE)))
                leads = np.concatenate((leads, np.zeros((2 * made, 1 + SETS), np.int64)))
            choice = choices[made]
            choice["accepts"] = -1
            choice["usable_from"] = 0
            choice["usable_to"] = NEVER_BINDS
            choice["chance"] = 1.0
            moves = 0
            if action < 2 * len(limits):
                which = action % len(limits)
                limit = limits[which]
                kind = _use(limit, now, SHARED + OWN * which)
                if (kind < CHARGE) if action < len(limits) else (greedy == BEST_PLAY or kind != WAIT):
                    continue
                choice["accepts"] = limit["accepts"]
                choice["usable_from"] = limit["usable_from"]
                choice["usable_to"] = limit["usable_to"]
                condition = limit["condition"] != 0
                if kind == ATTACK:
                    moves = limit["first_table"] + now[SHARED + OWN * which + _CHANNEL]
                    choice["chance"] = limit["activation"]
            else:
                moves = (action - 2 * len(limits) + 1) % (len(basics) + 1)
                which = moves - 1
                kind = BASIC if moves > 0 else WAIT
                condition = moves > 0 and basics[which] != 0
                if greedy not in (BEST_PLAY, moves):
                    continue
            choice["kind"] = kind
            choice["which"] = which
            choice["lead"] = 2 * made
            choice["failed"] = 2 * made + 1 if choice["chance"] < 1.0 else -1
            for failed in range(2 if choice["chance"] < 1.0 else 1):
                _fill_after(limits, sizes, now, kind, which, failed == 0, after)
                lead = leads[2 * made + failed]
                lead[0] = moves if failed == 0 else 0
                for bits in range(SETS):
                    # Where nobody asks for hits, tables do not tell of them.
                    told = bits | HIT if sizes[HIT_BIT] == 1 and bits & DAMAGED and lead[0] > 0 else bits
                    if (
                        bits > 0
                        and not _happens(bits, lead[0], condition, bleeds, several, splinters)
                        and not _happens(told, lead[0], condition, bleeds, several, splinters)
                    ):
                        lead[1 + bits] = lead[1]
                        continue
                    after[DAMAGED_BIT] = min(bits & DAMAGED, sizes[DAMAGED_BIT] - 1)
                    after[DEFEATED_BIT] = min(bits & DEFEATED, sizes[DEFEATED_BIT] - 1)
                    after[HIT_BIT] = min(bits & HIT, sizes[HIT_BIT] - 1)
                    lead[1 + bits] = _find(table, states, count, after)
                    count = max(count, lead[1 + bits] + 1)
                    fits = fits and lead[1 + bits] >= 0
            made += 1
        here += 1
    first_choice[here] = made
    return fits, _sorted(sizes, states[: count if fits else 0], first_choice, choices, leads)


@step
def _sorted(
    sizes: NDArray[np.int64],
    found: NDArray[np.int64],
    found_first: NDArray[np.int64],
    found_choices: NDArray[np.void],
    found_leads: NDArray[np.int64],
) -> CounterGraph:
    """States in the order of their numbers; equal leads are one."""
    count = len(found)
    order = _order(sizes, found)
    place = np.zeros(count + 1, np.int64)
    for i in range(count):
        place[order[i]] = i
    total = found_first[count]
    first_choice = np.zeros(count + 1, np.int64)
    choices = np.zeros(total, CHOICE)
    leads = np.zeros((2 * total, 1 + SETS), np.int64)
    values = np.zeros((count, len(sizes)), np.int64)
    table = _hash_table(2 * total)
    made = 0
    known = 0
    for state in range(count):
        for at in range(len(sizes)):
            values[state, at] = found[order[state], at]
        first_choice[state] = made
        for c in range(found_first[order[state]], found_first[order[state] + 1]):
            choices[made] = found_choices[c]
            for failed in range(2 if choices[made]["failed"] >= 0 else 1):
                lead = found_leads[2 * c + failed]
                for bits in range(1, 1 + SETS):
                    lead[bits] = place[lead[bits]]
                at = _find(table, leads, known, lead)
                known = max(known, at + 1)
                if failed == 1:
                    choices[made]["failed"] = at
                else:
                    choices[made]["lead"] = at
            made += 1
    first_choice[count] = made
    return CounterGraph(first_choice, choices, leads[:known].copy(), values, place[0], count)

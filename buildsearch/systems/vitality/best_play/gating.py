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

from buildsearch.engines.inner_kernels import inner
from buildsearch.systems.vitality.best_play.loadout import NO_HP_LIMIT
from buildsearch.systems.vitality.exact.moves import DAMAGED, DEFEATED, HIT

WAIT, BASIC_ATTACK, CHARGE, ATTACK = range(4)
# Sets of the bits DAMAGED, DEFEATED, HIT.
SETS = 8
SHARED = 5  # clock, attacked, damaged, defeated, hit
CLOCK, ATTACKED, DAMAGED_BIT, DEFEATED_BIT, HIT_BIT = range(SHARED)
OWN = 4
_USES, _HELD, _REST, _CHANNEL = range(OWN)
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


class Gating(NamedTuple):
    """States in the order of solving; `choices[first_choice[s]:first_choice[s + 1]]` are those of state s.

    `leads[l]`: a table of moves, then the state after it for each set of bits.
    """

    first_choice: NDArray[np.int64]
    choices: NDArray[np.void]
    leads: NDArray[np.int64]
    values: NDArray[np.int64]  # by state: clock and bits, then uses, charge, rest and channel of each attack
    first: int


@inner
def widen_shared(limit: np.void, sizes: NDArray[np.int64]) -> None:
    """Make room for what a limit looks at besides the attack's own counters."""
    clock = limit["first_turn"]
    if limit["last_turn"] != NO_HP_LIMIT:
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


@inner
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


@inner
def _steps(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """What each dimension counts in a number: clock first, then uses, then the rest."""
    steps = np.zeros(len(sizes), np.int64)
    step = 1
    for own in (_CHANNEL, _REST, _HELD):
        for at in range(SHARED + own, len(sizes), OWN):
            steps[at] = step
            step *= sizes[at]
    for at in (HIT_BIT, DEFEATED_BIT, DAMAGED_BIT, ATTACKED):
        steps[at] = step
        step *= sizes[at]
    for at in range(SHARED + _USES, len(sizes), OWN):
        steps[at] = step
        step *= sizes[at]
    steps[CLOCK] = step
    return steps


@inner
def _number(
    limits: NDArray[np.void], sizes: NDArray[np.int64], steps: NDArray[np.int64], values: NDArray[np.int64]
) -> int:
    """The number of a state; an attack that cannot be used any more has no counters."""
    clock = min(values[CLOCK], sizes[CLOCK] - 1)
    number = (sizes[CLOCK] - 1 - clock) * steps[CLOCK]
    for at in range(1, SHARED):
        number += min(values[at], sizes[at] - 1) * steps[at]
    for i in range(len(limits)):
        own = SHARED + OWN * i
        if sizes[own + _USES] > 1:
            if values[own + _USES] == 0:
                continue
            number += values[own + _USES] * steps[own + _USES]
        if clock + 1 > limits[i]["last_turn"]:
            continue
        # Digits that run down while counters run up.
        number += (sizes[own + _HELD] - 1 - values[own + _HELD]) * steps[own + _HELD]
        number += values[own + _REST] * steps[own + _REST]
        channel = min(values[own + _CHANNEL], sizes[own + _CHANNEL] - 1)
        number += (sizes[own + _CHANNEL] - 1 - channel) * steps[own + _CHANNEL]
    return number


@inner
def _read(
    limits: NDArray[np.void],
    sizes: NDArray[np.int64],
    steps: NDArray[np.int64],
    number: int,
    values: NDArray[np.int64],
) -> None:
    """The state behind a number."""
    for at in range(len(sizes)):
        values[at] = number // steps[at] % sizes[at]
    values[CLOCK] = sizes[CLOCK] - 1 - values[CLOCK]
    for i in range(len(limits)):
        own = SHARED + OWN * i
        gone = sizes[own + _USES] > 1 and values[own + _USES] == 0
        if gone or values[CLOCK] + 1 > limits[i]["last_turn"]:
            values[own + _HELD] = 0
            values[own + _REST] = 0
            values[own + _CHANNEL] = 0
            continue
        values[own + _HELD] = sizes[own + _HELD] - 1 - values[own + _HELD]
        values[own + _CHANNEL] = sizes[own + _CHANNEL] - 1 - values[own + _CHANNEL]


@inner
def _find(table: NDArray[np.int64], number: int, queue: NDArray[np.int64], most: int) -> int:
    """The place of a number in the queue, where it is put if it is new. `queue[0]`: how many there are."""
    mask = len(table) - 1
    at = ((number & _WORD) * _SPREAD >> 16) & mask
    while table[at] >= 0:
        if queue[1 + table[at]] == number:
            return table[at]
        at = (at + 1) & mask
    if queue[0] == most:
        return -1
    table[at] = queue[0]
    queue[0] += 1
    queue[queue[0]] = number
    return table[at]


@inner
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


@njit(cache=True, nogil=True)
def find_states(  # noqa: PLR0912, PLR0915 - one walk; the order of the choices is the rule
    limits: NDArray[np.void],
    basics: NDArray[np.int64],
    bleeds: bool,
    several: bool,
    splinters: bool,
    greedy: int,
    most: int,
) -> tuple[bool, Gating]:
    """Walk through every state; False: more than `most`. `basics[i]`: whether a basic attack is a condition.

    With `greedy` (an action: what to do when nothing else is possible; -1: best play) choices stand in the
    order in which greedy play takes the first that it can; else attacks stand before basic ones and waiting.

    Spec, The attacker's action: a held charge is lost on any turn that neither charges nor attempts; every
    attempt spends a use and starts the cooldown; a channel needs its attack made turn after turn.
    """
    sizes = _sizes(limits)
    steps = _steps(sizes)
    total = steps[CLOCK] * sizes[CLOCK]
    width = 16
    while width < 2 * min(total, most) + 2:
        width *= 2
    table = np.full(width, -1, np.int64)
    queue = np.zeros(min(total, most) + 1, np.int64)
    now = np.zeros(len(sizes), np.int64)
    after = np.zeros(len(sizes), np.int64)
    for i in range(len(limits)):
        now[SHARED + OWN * i + _USES] = sizes[SHARED + OWN * i + _USES] - 1
    _find(table, _number(limits, sizes, steps, now), queue, most)
    # Waiting, basic attacks, attacks with what follows when they fail, greedy play's waiting for Passive.
    actions = 1 + len(basics) + 3 * len(limits)
    passive_waits = 1 + len(basics) + 2 * len(limits)
    # By (state, action): table + 1 and the numbers of the states after it; 0: not there.
    room = 64
    made = np.zeros((room, actions, 2 + SETS), np.int64)
    here = 0
    fits = True
    while here < queue[0] and fits:
        if here == room:
            grown = np.zeros((2 * room, actions, 2 + SETS), np.int64)
            grown[:room] = made
            made = grown
            room *= 2
        _read(limits, sizes, steps, queue[1 + here], now)
        turn = now[CLOCK] + 1
        for action in range(actions):
            which = -1
            moves = action
            kind = WAIT
            condition = False
            if action <= len(basics) and greedy not in (-1, action):
                continue
            if action > len(basics):
                # An attack charges or is attempted; the second action is an attempt that fails.
                which = (action - 1 - len(basics)) // 2
                failing = (action - 1 - len(basics)) % 2 == 1
                waits = action >= passive_waits
                if waits:
                    which = action - passive_waits
                    failing = False
                    if greedy < 0 or limits[which]["passive"] == 0 or now[ATTACKED] == 0:
                        continue
                limit = limits[which]
                own = SHARED + OWN * which
                usable = (
                    limit["first_turn"] <= turn <= limit["last_turn"]
                    and now[own + _REST] == 0
                    and (sizes[own + _USES] == 1 or now[own + _USES] > 0)
                    and (waits or limit["passive"] == 0 or now[ATTACKED] == 0)
                )
                if now[own + _HELD] == 0 and (
                    (limit["last_damage"] != 0 and now[DAMAGED_BIT] == 0)
                    or (limit["last_defeat"] != 0 and now[DEFEATED_BIT] == 0)
                    or (limit["last_hit"] != 0 and now[HIT_BIT] == 0)
                ):
                    usable = False
                kind = CHARGE if now[own + _HELD] < limit["charge"] else ATTACK
                if waits:
                    kind = WAIT
                if not usable or (failing and (kind == CHARGE or limit["activation"] == 1.0)):
                    continue
                moves = 0
                condition = limit["condition"] != 0
                if kind == ATTACK and not failing:
                    moves = limit["first_table"] + now[own + _CHANNEL]
            elif action > 0:
                kind = BASIC_ATTACK
                condition = basics[action - 1] != 0
            after[:] = 0
            after[CLOCK] = turn
            for i in range(len(limits)):
                mine = SHARED + OWN * i
                after[mine + _USES] = now[mine + _USES]
                after[mine + _REST] = max(now[mine + _REST] - 1, 0)
                if i == which and kind == CHARGE:
                    after[mine + _HELD] = now[mine + _HELD] + 1
                elif i == which and kind == ATTACK:
                    after[mine + _USES] = max(now[mine + _USES] - 1, 0)
                    after[mine + _REST] = limits[i]["cooldown"]
                    if moves > 0:
                        after[mine + _CHANNEL] = now[mine + _CHANNEL] + 1
            after[ATTACKED] = 1 if moves > 0 else 0
            entry = made[here, action]
            entry[0] = 1 + moves
            entry[1] = kind
            for bits in range(SETS):
                # Where nobody asks for hits, tables do not tell of them.
                told = bits | HIT if sizes[HIT_BIT] == 1 and bits & DAMAGED and moves > 0 else bits
                if (
                    bits > 0
                    and not _happens(bits, moves, condition, bleeds, several, splinters)
                    and not _happens(told, moves, condition, bleeds, several, splinters)
                ):
                    entry[2 + bits] = entry[2]
                    continue
                after[DAMAGED_BIT] = 1 if bits & DAMAGED else 0
                after[DEFEATED_BIT] = 1 if bits & DEFEATED else 0
                after[HIT_BIT] = 1 if bits & HIT else 0
                entry[2 + bits] = _find(table, _number(limits, sizes, steps, after), queue, most)
                if entry[2 + bits] < 0:
                    fits = False
        here += 1
    return _collect(limits, sizes, steps, queue, made, len(basics), fits)


@inner
def _collect(  # noqa: PLR0915 - one pass
    limits: NDArray[np.void],
    sizes: NDArray[np.int64],
    steps: NDArray[np.int64],
    queue: NDArray[np.int64],
    made: NDArray[np.int64],
    basics: int,
    fits: bool,
) -> tuple[bool, Gating]:
    """States in the order of their numbers, choices with leads; equal leads are one."""
    count = queue[0] if fits else 0
    order = np.argsort(queue[1 : 1 + count])
    place = np.zeros(count, np.int64)
    for i in range(count):
        place[order[i]] = i
    actions = made.shape[1]
    first_choice = np.zeros(count + 1, np.int64)
    choices = np.zeros(count * actions, CHOICE)
    leads = np.zeros((count * actions, 1 + SETS), np.int64)
    values = np.zeros((count, len(sizes)), np.int64)
    width = 16
    while width < 2 * count * actions + 2:
        width *= 2
    table = np.full(width, -1, np.int64)
    lead = np.zeros(1 + SETS, np.int64)
    chosen = 0
    found = 0
    for state in range(count):
        _read(limits, sizes, steps, queue[1 + order[state]], values[state])
        first_choice[state] = chosen
        for turn in range(actions):
            # Attacks, waiting for Passive, basic attacks, waiting.
            action = (turn + 1 + basics) % actions
            if action <= basics:
                action = (action + 1) % (1 + basics)
            entry = made[order[state], action]
            if entry[0] == 0:
                continue
            lead[0] = entry[0] - 1
            digest = lead[0]
            for bits in range(SETS):
                lead[1 + bits] = place[entry[2 + bits]]
                digest = (digest * 1000003 + lead[1 + bits]) & _WORD
            at = (digest * _SPREAD >> 16) & (width - 1)
            while table[at] >= 0:
                same = True
                for i in range(1 + SETS):
                    if leads[table[at], i] != lead[i]:
                        same = False
                        break
                if same:
                    break
                at = (at + 1) & (width - 1)
            if table[at] < 0:
                table[at] = found
                leads[found] = lead
                found += 1
            number = table[at]
            waits = action >= 1 + basics + 2 * len(limits)
            which = action - 1 - basics - 2 * len(limits) if waits else (action - 1 - basics) // 2
            if basics < action and not waits and (action - 1 - basics) % 2 == 1:
                # The attempt itself stands right before.
                choices[chosen - 1]["failed"] = number
                choices[chosen - 1]["chance"] = limits[which]["activation"]
                continue
            choice = choices[chosen]
            chosen += 1
            choice["kind"] = entry[1]
            choice["lead"] = number
            choice["failed"] = -1
            choice["chance"] = 1.0
            if action > basics:
                choice["which"] = which
                choice["accepts"] = limits[which]["accepts"]
                choice["usable_from"] = limits[which]["usable_from"]
                choice["usable_to"] = limits[which]["usable_to"]
            else:
                choice["which"] = action - 1
                choice["accepts"] = -1
                choice["usable_from"] = 0
                choice["usable_to"] = NO_HP_LIMIT
    first_choice[count] = chosen
    first = place[0] if count > 0 else 0
    return fits, Gating(first_choice, choices[:chosen].copy(), leads[:found].copy(), values, first)

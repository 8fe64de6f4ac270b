"""What is compiled for each statement: builds told apart, states explored, many solved, fights sampled.

This file is run once for each statement, with the statement's rules in the places of the functions below
(`derived.py`). All that knows no rules is elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import GOLDEN, Sampler, Tree, first_path, mix, next_path, start_path
from buildsearch.engines.graphs import END, NEXT, ROUND, TICK, arrange, sweep
from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.engines.keys import digest_of, lay_out, pack, unpack, visit
from buildsearch.engines.rooms import (
    BAD_CODE,
    BAD_METRIC,
    CYCLE,
    ENDLESS,
    ENDS,
    FINE,
    FREE,
    FULL,
    MOST_STEPS,
    NODES,
    OPTIONS,
    OUTCOMES,
    SOLVE,
    STARTS,
    TELL,
    TOO_MANY,
    TOO_MANY_ROLLS,
    Desk,
    Room,
    Sweeping,
    add_measured,
    clear,
    end_number,
    report,
)
from buildsearch.engines.statement import rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


# The rules of a statement take these places -------------------------------------------------------


def begin(t: Any, c: Any, g: Any, dice: Any) -> None:
    """See `statement.py`, here and below."""


def decide(t: Any, c: Any, g: Any) -> int:
    """A policy."""
    raise NotImplementedError


def act(t: Any, c: Any, g: Any, action: int, dice: Any) -> int:
    """One action."""
    raise NotImplementedError


def measure(t: Any, c: Any, g: Any, out: Ints) -> None:
    """The metrics."""


def ranges(t: Any, c: Any, g: Any) -> None:
    """The most that each field can be."""


def options(t: Any, c: Any, g: Any, out: Ints) -> int:
    """All that may be done."""
    raise NotImplementedError


def prepare(g: Any, source: Any, sheet: Any) -> None:
    """A build into its tables."""


def same(t: Any, c: Any, g: Any, code: int) -> int:
    """Equal states made equal."""
    raise NotImplementedError


# Builds -------------------------------------------------------------------------------------------


@rule
def _write_build(g: Any, source: Any, own: Ints, blank: Ints, sheet: Any) -> None:
    for i in range(len(own)):
        own[i] = blank[i]
    prepare(g, source, sheet)


@rule
def _measured(g: Any, t: Any, c: Any, out: Ints, tops: Ints, trouble: Ints) -> int:
    """What is measured as one number, from 0 up; -1 if there is trouble."""
    measure(t[0], c, g, out)
    code = 0
    for i in range(len(tops)):
        if out[i] < 0 or out[i] > tops[i]:
            report(trouble, BAD_METRIC, i, out[i])
            return -1
        code = code * (tops[i] + 1) + out[i]
    return code


@rule
def _explore(g: Any, desk: Desk, room: Room, dice: Tree, words: int, free: bool, stands: bool) -> int:
    """Every state of the build's fight, as a graph in the room; gives the words of a key, or 0 if trouble.

    `free`: whoever has options may take any; else `decide` chooses. `stands`: the end is noted that each
    state is when time runs out there.
    """
    flat, t, c, _, _, most, mask, shift, word, here, key, out, tops, listed, trouble = desk
    keys, table, slots, seen, _, _, _, _, _, chance, target, end_of, ends, starts, likely, used, _, _ = room
    for i in range(len(used)):
        used[i] = 0
    gained_at_once, done = 0.0, -1  # the beginning is the option of a node before the first
    while done < used[NODES]:
        number = 1
        if done >= 0:
            unpack(keys, done * words, mask, shift, word, words, here)
            for i in range(len(flat)):
                flat[i] = here[i]
            room.first[done] = used[OPTIONS]
            if stands:
                room.standing[done] = end_number(_measured(g, t, c, out, tops, trouble), end_of, ends, used)
                if room.standing[done] < 0:
                    return 0
            number = options(t[0], c, g, listed) if free else 0
            if number < 0 or number > len(listed):
                return report(trouble, TOO_MANY, 0, number)
            if number == 0:
                listed[0] = decide(t[0], c, g)
                number = 1
            if used[OPTIONS] + number >= len(room.what):
                return report(trouble, FULL, 0, 0)
        else:
            for i in range(len(flat)):
                here[i] = 0
        for option in range(number):
            first = used[OUTCOMES]
            outcome, gained = first, 0.0
            trouble[3] = 0 if done < 0 else 1
            trouble[4] = listed[option]
            first_path(dice)
            while True:
                start_path(dice)
                for i in range(len(flat)):
                    flat[i] = here[i]
                if done < 0:
                    begin(t[0], c, g, dice)
                    code = NEXT
                else:
                    code = act(t[0], c, g, listed[option], dice)
                if code == END:
                    end = end_number(_measured(g, t, c, out, tops, trouble), end_of, ends, used)
                    if end < 0:
                        return 0
                    to, mark = -1 - end, len(slots) + end
                else:
                    code = same(t[0], c, g, code)
                    if code != NEXT and code != ROUND and code != TICK:
                        return report(trouble, BAD_CODE, 0, code)
                    if not pack(flat, most, mask, shift, word, key, trouble, words):
                        return 0
                    node = visit(key, keys, table, slots, used, words)
                    if node < 0:
                        return report(trouble, FULL, 0, 0)
                    to, mark = (node << 2) | code, node
                if done < 0:
                    if used[STARTS] >= len(starts):
                        return report(trouble, FULL, 0, 0)
                    starts[used[STARTS]] = to >> 2
                    likely[used[STARTS]] = dice.p[0]
                    used[STARTS] += 1
                else:
                    at = seen[mark]
                    if at < first or at >= outcome or target[at] != to:
                        at = outcome
                        if at >= len(target):
                            return report(trouble, FULL, 0, 0)
                        seen[mark] = at
                        target[at] = to
                        chance[at] = 0.0
                        outcome += 1
                    chance[at] += dice.p[0]
                gained += dice.p[0] * dice.gained[0]
                if dice.at[2] != 0:
                    return report(trouble, TOO_MANY_ROLLS, 0, 0)
                if not next_path(dice):
                    break
            if done < 0:
                gained_at_once = gained
            else:
                room.begin[used[OPTIONS]] = first
                room.what[used[OPTIONS]] = listed[option]
                room.gain[used[OPTIONS]] = gained
                used[OPTIONS] += 1
                used[OUTCOMES] = outcome
        done += 1
    room.first[done] = used[OPTIONS]
    room.begin[used[OPTIONS]] = used[OUTCOMES]
    room.gain[len(room.gain) - 1] = gained_at_once
    return words


@rule
def _solve(g: Any, desk: Desk, room: Room, words: int, limit: int, sweeping: Sweeping, found: Floats) -> bool:
    """The mean of each metric, of rounds and of the gain of an explored fight; False if there is trouble."""
    mass, later, ended, ticks, none = sweeping
    tops, used = desk.tops, room.used
    nodes, metrics = used[NODES], len(tops)
    if arrange(nodes, room.first, room.begin, room.target, room.degree, room.order) < nodes:
        report(desk.trouble, CYCLE, 0, 0)
        return False
    for j in range(metrics + 2):
        found[j] = 0.0
    for j in range(used[ENDS]):
        ended[j] = 0.0
    for j in range(used[STARTS]):
        mass[room.starts[j]] += room.start_chances[j]
    rounds, gained = sweep(
        nodes, room.order, room.first, room.begin, room.chance, room.target, room.gain,
        limit, mass, later, ended, ticks, none,
    )  # fmt: skip
    for j in range(used[ENDS]):
        add_measured(room.ends[j], ended[j], tops, found)
    for node in range(nodes):
        share = mass[node] + later[node]
        if share != 0.0:
            mass[node] = 0.0
            later[node] = 0.0
            unpack(room.keys, node * words, desk.mask, desk.shift, desk.word, words, desk.flat)
            code = _measured(g, desk.t, desk.c, desk.out, tops, desk.trouble)
            if code < 0:
                return False
            add_measured(code, share, tops, found)
    found[metrics] = rounds
    found[metrics + 1] = gained + room.gain[len(room.gain) - 1]
    return True


@kernel_without_refcounts
def work(
    what: int,
    g: Any,
    source: Any,
    desk: Desk,
    room: Room,
    dice: Tree,
    sheets: Any,
    limit: int,
    sweeping: Sweeping,
    words: Words,
    found: Floats,
) -> int:
    """One kernel for all that writes builds into tables, since compiling it is what takes long.

    TELL: two words for each build, equal where the build's tables are; gives the words of the last one's
    keys. EXPLORE, FREE: the graph of the first build, as in `_explore`; gives the words of its keys. SOLVE:
    the means of each build, NaN where the room is too small; gives how many builds were solved.
    `desk.trouble` says why it is 0, or too few.
    """
    width = 0
    for i in range(len(sheets)):
        desk.trouble[0] = FINE
        _write_build(g, source, desk.own, desk.blank, sheets[i])
        if what == TELL:
            digest_of(desk.own, words[i])
            if i + 1 < len(sheets):
                continue
        for field in range(len(desk.flat)):
            desk.flat[field] = 0
        ranges(desk.t[0], desk.c, g)
        width = lay_out(desk.flat, desk.most, desk.mask, desk.shift, desk.word, desk.trouble)
        if what == TELL:
            return width
        if width > 0:
            width = _explore(g, desk, room, dice, width, what == FREE, what != SOLVE)
        if what != SOLVE:
            return width
        if desk.trouble[0] == FULL:
            for j in range(found.shape[1]):
                found[i, j] = np.nan
        elif width == 0 or not _solve(g, desk, room, width, limit, sweeping, found[i]):
            return i
        clear(room.table, room.slots, room.end_of, room.ends, room.used)
    return len(sheets)


# Samples ------------------------------------------------------------------------------------------


@kernel_without_refcounts
def sample(
    g: Any,
    desk: Desk,
    dice: Sampler,
    base: np.uint64,
    fights: tuple[int, int],
    limit: int,
    counts: Ints,
    rounds: Ints,
    gains: Floats,
) -> bool:
    """Fights from the first number to below the second; whether all of them came to an end.

    `counts[metric, value]` and `rounds[number]` count them, `gains` adds up the gain and its square. The
    stream of a fight depends on `base` and on its number alone.
    """
    flat, out, tops = desk.flat, desk.out, desk.tops
    desk.trouble[0] = FINE
    for number in range(fights[0], fights[1]):
        dice.stream[0] = mix(base + np.uint64(number) * GOLDEN)
        dice.fight[0] = number + 1
        dice.gained[0] = 0.0
        for i in range(len(flat)):
            flat[i] = 0
        begin(desk.t[0], desk.c, g, dice)
        tick, begun, steps = 1, 1, 0
        while True:
            code = act(desk.t[0], desk.c, g, decide(desk.t[0], desk.c, g), dice)
            if code == END:
                break
            steps += 1
            if code != NEXT:
                if tick == limit:
                    break
                tick += 1
                steps = 0
                if code == ROUND:
                    begun += 1
            elif steps > MOST_STEPS:
                report(desk.trouble, ENDLESS, 0, 0)
                return False
        measure(desk.t[0], desk.c, g, out)
        for i in range(len(tops)):
            if out[i] < 0 or out[i] > tops[i]:
                report(desk.trouble, BAD_METRIC, i, out[i])
                return False
            counts[i, out[i]] += 1
        rounds[begun] += 1
        gains[0] += dice.gained[0]
        gains[1] += dice.gained[0] * dice.gained[0]
    return True

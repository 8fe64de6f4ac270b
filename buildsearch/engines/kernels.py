"""What is compiled for each statement: builds told apart, states explored, many solved, fights sampled.

This file is run once for each statement, with the statement's rules in the places of the functions below
(`derived.py`). All that knows no rules is elsewhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.dice import GOLDEN, Sampler, Tree, first_path, mix, next_path, start_path
from buildsearch.engines.graphs import END, NEXT, ROUND, TICK, arrange, sweep
from buildsearch.engines.jit import kernel_without_refcounts
from buildsearch.engines.statement import ANY, MOST_BITS, MOST_WORDS, rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

# What went wrong, as `Trouble` holds it.
FINE, FULL, OUT_OF_RANGE, TOO_WIDE, TOO_MANY_ROLLS, ENDLESS, BAD_METRIC, CYCLE, BAD_CODE = range(9)
# What `work` does.
TELL, EXPLORE, FREE, SOLVE = range(4)
# Columns of `Room.used`.
NODES, OPTIONS, OUTCOMES, ENDS, STARTS = range(5)
# Actions between two ticks of the clock.
MOST_STEPS = 100_000


class Desk(NamedTuple):
    """What one thread writes on while it follows a fight."""

    flat: Ints  # the state
    t: Any
    c: Any
    own: Ints  # the tables of the build, as words
    blank: Ints  # the same before a build is written
    most: Ints  # ranges of the fields
    mask: Words  # their bits in a key
    shift: Words
    word: Ints  # the first field of each word of a key
    here: Ints  # the state that is being explored
    key: Words
    out: Ints  # metrics
    tops: Ints  # ranges of the metrics
    listed: Ints  # options
    trouble: Ints  # what, which field or metric, its value; whether in `act`, and in which action


class Room(NamedTuple):
    """Where a graph is written; see `graphs.py`."""

    keys: Words
    table: NDArray[np.int32]
    slots: NDArray[np.int32]
    seen: Ints  # the last outcome that led to a node, or to an end
    standing: Ints
    first: Ints
    begin: Ints
    what: Ints
    gain: Floats
    chance: Floats
    target: NDArray[np.int32]
    end_of: NDArray[np.int32]  # by what is measured
    ends: Ints  # what is measured, by end
    starts: Ints
    start_chances: Floats
    used: Ints  # nodes, options, outcomes, ends, starts
    order: Ints
    degree: NDArray[np.int32]


class Sweeping(NamedTuple):
    """What `sweep` works on; all zero between two builds. `none`: nobody counts visits."""

    mass: Floats
    later: Floats
    ended: Floats
    ticks: Floats
    none: Floats


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

_A, _B = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xA0761D6478BD642F)
_S29, _S32 = np.uint64(29), np.uint64(32)


@rule
def _write_build(g: Any, source: Any, own: Ints, blank: Ints, sheet: Any) -> None:
    for i in range(len(own)):
        own[i] = blank[i]
    prepare(g, source, sheet)


@rule
def _digest(own: Ints, words: Words) -> None:
    """Two words of the tables of a build."""
    one, two = GOLDEN, _A
    for j in range(len(own)):
        value = np.uint64(own[j])
        one = (one ^ value) * _B
        one ^= one >> _S32
        two = (two + value) * GOLDEN
        two ^= two >> _S29
    words[0] = mix(one)
    words[1] = mix(two)


# States -------------------------------------------------------------------------------------------


@rule
def _lay_out(
    g: Any, flat: Ints, t: Any, c: Any, most: Ints, mask: Words, shift: Words, word: Ints, trouble: Ints
) -> int:
    """Give the fields of a state their bits; gives how many words a key has, or 0 if there is trouble."""
    for i in range(len(flat)):
        flat[i] = 0
    ranges(t[0], c, g)
    words, at = 1, 0
    word[0] = 0
    for i in range(len(flat)):
        top = flat[i]
        width = 0
        while top > 0 and (top >> width) > 0:
            width += 1
        if top < ANY or width > MOST_BITS:
            return _trouble(trouble, TOO_WIDE, i, top)
        if at + width > MOST_BITS:
            if words == MOST_WORDS:
                return _trouble(trouble, TOO_WIDE, i, top)
            word[words] = i
            words += 1
            at = 0
        most[i] = top if top != ANY else np.int64(0x7FFFFFFFFFFFFFFF)
        mask[i] = np.uint64((1 << width) - 1)
        shift[i] = np.uint64(at)
        at += width
    word[words] = len(flat)
    return words


@rule
def _trouble(trouble: Ints, what: int, where: int, value: int) -> int:
    trouble[0] = what
    trouble[1] = where
    trouble[2] = value
    return 0


@rule
def _pack(
    flat: Ints, most: Ints, mask: Words, shift: Words, word: Ints, key: Words, trouble: Ints, words: int
) -> bool:
    """The key of the state; whether every field is in its range."""
    bad = 0
    for j in range(words):
        value = np.uint64(0)
        for i in range(word[j], word[j + 1]):
            field = flat[i]
            bad |= field | (most[i] - field)  # the sign of what is below 0, or above the most
            value |= (np.uint64(field) & mask[i]) << shift[i]
        key[j] = value
    if bad < 0:
        for i in range(len(flat)):
            if flat[i] < 0 or flat[i] > most[i]:
                _trouble(trouble, OUT_OF_RANGE, i, flat[i])
                return False
    return True


@rule
def _unpack(keys: Words, at: int, mask: Words, shift: Words, word: Ints, words: int, state: Ints) -> None:
    """The state of a key."""
    for j in range(words):
        value = keys[at + j]
        for i in range(word[j], word[j + 1]):
            state[i] = np.int64((value >> shift[i]) & mask[i])


@rule
def _visit(
    key: Words, keys: Words, table: NDArray[np.int32], slots: NDArray[np.int32], used: Ints, words: int
) -> int:
    """The node of a key, a new one if need be; -1 if there is no room for it."""
    word = np.uint64(0)
    for j in range(words):
        word = (word ^ key[j]) * GOLDEN
        word ^= word >> _S29
    mask = len(table) - 1
    slot = np.int64(word >> np.uint64(8)) & mask
    while table[slot] >= 0:
        node = int(table[slot])
        j = 0
        while j < words and keys[node * words + j] == key[j]:
            j += 1
        if j == words:
            return node
        slot = (slot + 1) & mask
    node = used[NODES]
    if node >= len(slots) or (node + 1) * words > len(keys):
        return -1
    for j in range(words):
        keys[node * words + j] = key[j]
    table[slot] = node
    slots[node] = slot
    used[NODES] = node + 1
    return node


@rule
def _measured(g: Any, t: Any, c: Any, out: Ints, tops: Ints, trouble: Ints) -> int:
    """What is measured as one number, from 0 up; -1 if there is trouble."""
    measure(t[0], c, g, out)
    code = 0
    for i in range(len(tops)):
        if out[i] < 0 or out[i] > tops[i]:
            _trouble(trouble, BAD_METRIC, i, out[i])
            return -1
        code = code * (tops[i] + 1) + out[i]
    return code


@rule
def _end(code: int, end_of: NDArray[np.int32], ends: Ints, used: Ints) -> int:
    """The number of the end that has these metrics; -1 if there is trouble with them."""
    if code < 0:
        return -1
    end = int(end_of[code])
    if end < 0:
        end = used[ENDS]
        end_of[code] = end
        ends[end] = code
        used[ENDS] = end + 1
    return end


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
            _unpack(keys, done * words, mask, shift, word, words, here)
            for i in range(len(flat)):
                flat[i] = here[i]
            room.first[done] = used[OPTIONS]
            if stands:
                room.standing[done] = _end(_measured(g, t, c, out, tops, trouble), end_of, ends, used)
                if room.standing[done] < 0:
                    return 0
            number = options(t[0], c, g, listed) if free else 0
            if number == 0:
                listed[0] = decide(t[0], c, g)
                number = 1
            if used[OPTIONS] + number >= len(room.what):
                return _trouble(trouble, FULL, 0, 0)
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
                    end = _end(_measured(g, t, c, out, tops, trouble), end_of, ends, used)
                    if end < 0:
                        return 0
                    to, mark = -1 - end, len(slots) + end
                else:
                    code = same(t[0], c, g, code)
                    if code != NEXT and code != ROUND and code != TICK:
                        return _trouble(trouble, BAD_CODE, 0, code)
                    if not _pack(flat, most, mask, shift, word, key, trouble, words):
                        return 0
                    node = _visit(key, keys, table, slots, used, words)
                    if node < 0:
                        return _trouble(trouble, FULL, 0, 0)
                    to, mark = (node << 2) | code, node
                if done < 0:
                    if used[STARTS] >= len(starts):
                        return _trouble(trouble, FULL, 0, 0)
                    starts[used[STARTS]] = to >> 2
                    likely[used[STARTS]] = dice.p[0]
                    used[STARTS] += 1
                else:
                    at = seen[mark]
                    if at < first or at >= outcome or target[at] != to:
                        at = outcome
                        if at >= len(target):
                            return _trouble(trouble, FULL, 0, 0)
                        seen[mark] = at
                        target[at] = to
                        chance[at] = 0.0
                        outcome += 1
                    chance[at] += dice.p[0]
                gained += dice.p[0] * dice.gained[0]
                if dice.at[2] != 0:
                    return _trouble(trouble, TOO_MANY_ROLLS, 0, 0)
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
def _clear(
    table: NDArray[np.int32], slots: NDArray[np.int32], end_of: NDArray[np.int32], ends: Ints, used: Ints
) -> None:
    """For the next build."""
    for node in range(used[NODES]):
        table[slots[node]] = -1
    for end in range(used[ENDS]):
        end_of[ends[end]] = -1


@rule
def _add_measured(code: int, share: float, tops: Ints, found: Floats) -> None:
    """Add a share of the metrics that were measured as one number."""
    for i in range(len(tops) - 1, -1, -1):
        found[i] += share * (code % (tops[i] + 1))
        code //= tops[i] + 1


@rule
def _solve(g: Any, desk: Desk, room: Room, words: int, limit: int, sweeping: Sweeping, found: Floats) -> bool:
    """The mean of each metric, of rounds and of the gain of an explored fight; False if there is trouble."""
    mass, later, ended, ticks, none = sweeping
    tops, used = desk.tops, room.used
    nodes, metrics = used[NODES], len(tops)
    if arrange(nodes, room.first, room.begin, room.target, room.degree, room.order) < nodes:
        _trouble(desk.trouble, CYCLE, 0, 0)
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
        _add_measured(room.ends[j], ended[j], tops, found)
    for node in range(nodes):
        share = mass[node] + later[node]
        if share != 0.0:
            mass[node] = 0.0
            later[node] = 0.0
            _unpack(room.keys, node * words, desk.mask, desk.shift, desk.word, words, desk.flat)
            code = _measured(g, desk.t, desk.c, desk.out, tops, desk.trouble)
            if code < 0:
                return False
            _add_measured(code, share, tops, found)
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
            _digest(desk.own, words[i])
            if i + 1 < len(sheets):
                continue
        width = _lay_out(
            g, desk.flat, desk.t, desk.c, desk.most, desk.mask, desk.shift, desk.word, desk.trouble
        )
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
        _clear(room.table, room.slots, room.end_of, room.ends, room.used)
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
                _trouble(desk.trouble, ENDLESS, 0, 0)
                return False
        measure(desk.t[0], desk.c, g, out)
        for i in range(len(tops)):
            if out[i] < 0 or out[i] > tops[i]:
                _trouble(desk.trouble, BAD_METRIC, i, out[i])
                return False
            counts[i, out[i]] += 1
        rounds[begun] += 1
        gains[0] += dice.gained[0]
        gains[1] += dice.gained[0] * dice.gained[0]
    return True

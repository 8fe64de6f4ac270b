"""Chance in a statement: each kind of roll is written down once for every kind of dice.

A rule asks `chance(dice, p)`, `roll(dice, table, row)` and so on. `Sampler` rolls; `Tree` goes through
everything that could be rolled, path by path, with its chance. With `primitive` a game adds its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from numba import njit, types
from numba.extending import overload
from numpy.typing import ArrayLike, NDArray

from buildsearch.engines.jit import step_options
from buildsearch.engines.plain import plain

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Sampler(NamedTuple):
    """Dice of one random stream, for each fight another."""

    stream: NDArray[np.uint64]
    gained: Floats  # what was earned on the way
    fired: Ints  # fired[0, trigger]: the fight in which it fired last, from 1; fired[1, trigger]: how many
    fight: Ints


class Tree(NamedTuple):
    """One path through everything that could be rolled; `next_path` goes on to the next."""

    at: Ints  # how many rolls were asked for, how many are laid down, whether there were too many
    path: Ints
    width: Ints
    p: Floats  # the chance of the path so far
    gained: Floats


# Rolls of one action.
MOST_ROLLS = 64


def make_sampler(triggers: int = 0) -> Sampler:
    """Dice without a stream yet."""
    return Sampler(
        np.zeros(1, np.uint64), np.zeros(1), np.zeros((2, triggers), np.int64), np.zeros(1, np.int64)
    )


def make_tree() -> Tree:
    """At the first path."""
    return Tree(
        np.zeros(3, np.int64),
        np.zeros(MOST_ROLLS, np.int64),
        np.zeros(MOST_ROLLS, np.int64),
        np.ones(1),
        np.zeros(1),
    )


def primitive(function: Callable[..., Any]) -> Any:
    """A kind of chance. The function itself is its name and its arguments, `dice` first.

    `@name.by(Sampler)` and `@name.by(Tree)` mark the functions that roll and that enumerate; dice of a class
    without one of its own are treated as those of its base. Compiled rules are given the function by the type
    of their dice.
    """
    ways: dict[type, Callable[..., Any]] = {}

    @wraps(function)
    def rolled(dice: Any, *arguments: Any) -> Any:
        return plain(_way(ways, type(dice)))(dice, *arguments)

    def chosen(dice: Any, *_: Any) -> Any:
        return (
            _way(ways, dice.instance_class)
            if isinstance(dice, types.NamedTuple | types.NamedUniTuple)
            else None
        )

    def by(kind: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def register(way: Callable[..., Any]) -> Callable[..., Any]:
            ways[kind] = way
            return way

        return register

    overload(rolled, strict=False, jit_options=step_options())(chosen)
    rolled.by, rolled.ways = by, ways  # type: ignore[attr-defined]
    return rolled


def _way(ways: dict[type, Callable[..., Any]], kind: type) -> Callable[..., Any]:
    return next(ways[each] for each in kind.__mro__ if each in ways)


# Numbers ------------------------------------------------------------------------------------------

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))
_UNIT = 2.0**-53


@njit(inline="always")
def mix(word: np.uint64) -> np.uint64:
    """Splitmix64's last step: words in a row become words that have nothing to do with each other."""
    word = (word ^ (word >> _S30)) * _M1
    word = (word ^ (word >> _S27)) * _M2
    return word ^ (word >> _S31)


@njit(inline="always")
def uniform(stream: NDArray[np.uint64]) -> float:
    """From 0 to below 1. The word is signed: an unsigned one takes a branch to convert."""
    stream[0] += GOLDEN
    return np.int64(mix(stream[0]) >> _S11) * _UNIT


@njit(inline="always")
def branch(dice: Tree, number: int) -> int:
    """Which of so many ways the enumeration goes; whoever asks multiplies `dice.p[0]` by its chance."""
    at = dice.at
    depth = at[0]
    if depth == len(dice.path):
        at[2] = 1
        return 0
    at[0] = depth + 1
    if depth == at[1]:
        at[1] = depth + 1
        dice.path[depth] = 0
        dice.width[depth] = number
    return dice.path[depth]


@njit(inline="always")
def first_path(dice: Tree) -> None:
    """Before anything was rolled."""
    dice.at[1] = 0
    dice.at[2] = 0
    start_path(dice)


@njit(inline="always")
def start_path(dice: Tree) -> None:
    """The rules are about to be run once more."""
    dice.at[0] = 0
    dice.p[0] = 1.0
    dice.gained[0] = 0.0


@njit(inline="always")
def next_path(dice: Tree) -> bool:
    """As an odometer counts; False when every path has been gone."""
    number = dice.at[1]
    while number > 0 and dice.path[number - 1] + 1 >= dice.width[number - 1]:
        number -= 1
    dice.at[1] = number
    if number == 0:
        return False
    dice.path[number - 1] += 1
    return True


# Kinds of chance ----------------------------------------------------------------------------------


@primitive
def chance(dice: Any, p: float) -> Any:
    """Whether something of this chance comes about."""


@chance.by(Sampler)
def _(dice: Sampler, p: float) -> bool:
    return uniform(dice.stream) < p


@chance.by(Tree)
def _(dice: Tree, p: float) -> bool:
    if p <= 0.0:
        return False
    if p >= 1.0:
        return True
    if branch(dice, 2) == 0:
        dice.p[0] *= p
        return True
    dice.p[0] *= 1.0 - p
    return False


@primitive
def roll(dice: Any, table: Floats, row: int) -> Any:
    """The number of an outcome of one row of `chances_of`."""


@roll.by(Sampler)
def _(dice: Sampler, table: Floats, row: int) -> int:
    at = uniform(dice.stream) * table.shape[2]
    outcome = int(at)
    return int(table[2, row, outcome]) if at - outcome >= table[1, row, outcome] else outcome


@roll.by(Tree)
def _(dice: Tree, table: Floats, row: int) -> int:
    number = table.shape[2]
    while table[0, row, number - 1] <= 0.0:
        number -= 1
    depth = dice.at[0]
    outcome = branch(dice, number)
    while table[0, row, outcome] <= 0.0:
        outcome += 1
    if dice.at[2] == 0:
        dice.path[depth] = outcome
    dice.p[0] *= table[0, row, outcome]
    return outcome


@primitive
def pick(dice: Any, chances: Floats, first: int, number: int) -> Any:
    """0 to `number` - 1 by the chances from `first` on."""


@pick.by(Sampler)
def _(dice: Sampler, chances: Floats, first: int, number: int) -> int:
    at, outcome, upto = uniform(dice.stream), 0, 0.0
    for i in range(number - 1):  # no branch: where it ends is anybody's guess
        upto += chances[first + i]
        outcome += 1 if at >= upto else 0
    return outcome


@pick.by(Tree)
def _(dice: Tree, chances: Floats, first: int, number: int) -> int:
    while number > 1 and chances[first + number - 1] <= 0.0:
        number -= 1
    depth = dice.at[0]
    outcome = branch(dice, number)
    while outcome < number - 1 and chances[first + outcome] <= 0.0:
        outcome += 1
    if dice.at[2] == 0:
        dice.path[depth] = outcome
    dice.p[0] *= chances[first + outcome]
    return outcome


@primitive
def below(dice: Any, number: int) -> Any:
    """0 to `number` - 1, all equally likely."""


@below.by(Sampler)
def _(dice: Sampler, number: int) -> int:
    if number < 2:
        return 0
    dice.stream[0] += GOLDEN
    return int((np.int64(mix(dice.stream[0]) >> _S32) * number) >> 32)


@below.by(Tree)
def _(dice: Tree, number: int) -> int:
    if number < 2:
        return 0
    dice.p[0] /= number
    return branch(dice, number)


@primitive
def draw(dice: Any, source: Ints, target: Ints, row: int, total: int, number: int) -> None:
    """Move `number` of the `total` things of `source[row]`, counted by kind, to `target[row]`."""


@draw.by(Sampler)
def _(dice: Sampler, source: Ints, target: Ints, row: int, total: int, number: int) -> None:
    for i in range(number):
        at, kind, upto = int(uniform(dice.stream) * (total - i)), 0, 0
        for j in range(source.shape[1] - 1):
            upto += source[row, j]
            kind += 1 if at >= upto else 0
        source[row, kind] -= 1
        target[row, kind] += 1


@draw.by(Tree)
def _(dice: Tree, source: Ints, target: Ints, row: int, total: int, number: int) -> None:
    """How many of each kind, kind by kind: hypergeometric, so that the order of cards makes no paths."""
    kind = 0
    while number > 0:
        have = source[row, kind]
        rest = total - have
        taken = max(0, number - rest)
        most = min(have, number)
        if taken < most:
            taken += branch(dice, most - taken + 1)
            for j in range(taken):
                dice.p[0] *= (have - j) / (j + 1)
            for j in range(number - taken):
                dice.p[0] *= (rest - j) / (j + 1)
            for j in range(number):
                dice.p[0] *= (j + 1) / (total - j)
        source[row, kind] -= taken
        target[row, kind] += taken
        total = rest
        number -= taken
        kind += 1


# What is counted or told, and changes nothing -----------------------------------------------------


@primitive
def gain(dice: Any, amount: float) -> None:
    """Earned on the way, without any effect on the fight: a mean when solved, a sum when sampled."""


@gain.by(tuple)
def _(dice: Any, amount: float) -> None:
    dice.gained[0] += amount


@primitive
def trigger(dice: Any, number: int) -> None:
    """Something took effect: samples count the fights in which it did."""


@trigger.by(Sampler)
def _(dice: Sampler, number: int) -> None:
    if dice.fired[0, number] != dice.fight[0]:
        dice.fired[0, number] = dice.fight[0]
        dice.fired[1, number] += 1


@trigger.by(Tree)
def _(dice: Tree, number: int) -> None:
    pass


@primitive
def seen(dice: Any, number: int) -> None:
    """Something that may be more than once in a fight: samples count how often."""


@seen.by(Sampler)
def _(dice: Sampler, number: int) -> None:
    dice.fired[1, number] += 1


@seen.by(Tree)
def _(dice: Tree, number: int) -> None:
    pass


@primitive
def tell(dice: Any, kind: int, a: int, b: int, c: int) -> None:
    """Something for the story: what it was, and three numbers. Only a `Teller` listens."""


@tell.by(tuple)
def _(dice: Any, kind: int, a: int, b: int, c: int) -> None:
    pass


def chances_of(rows: ArrayLike) -> Floats:
    """Rows of chances as `roll` takes them (alias method): [chance, share kept, other][row, outcome]."""
    chances = np.atleast_2d(np.asarray(rows, np.float64))
    number = chances.shape[1]
    table = np.zeros((3, *chances.shape))
    table[0], table[1], table[2] = chances, 1.0, np.arange(number)
    for row, kept, other in zip(*table, strict=True):
        share = row / row.sum() * number
        small = [i for i in range(number) if share[i] < 1]
        large = [i for i in range(number) if share[i] >= 1]
        while small and large:
            i, j = small.pop(), large[-1]
            kept[i], other[i] = share[i], j
            share[j] -= 1 - share[i]
            if share[j] < 1:
                small.append(large.pop())
    return table

"""A game's fight, stated once. Everything else is derived: see `stated.py` for what.

The author writes functions marked `@rule`; `t` is the record of the fight, `c` those of the actors, `g` a
NamedTuple of tables, `dice` where chance comes from (`dice.py`):

    begin(t, c, g, dice)                 all fields are 0 before; may roll
    decide(t, c, g) -> action            how it is played: a whole number; no dice, and nothing changes
    act(t, c, g, action, dice) -> code   one action, as few rolls as can be: NEXT, ROUND, TICK or END
    measure(t, c, g, out)                a whole number from 0 up for each metric, at an end or out of time
    ranges(t, c, g)                      writes into each field the most that it can be for this build; ANY
                                         where the field does not matter for it, and exact play forgets it
    options(t, c, g, out) -> number      all that may be done, at most `Terms.options`; 0: `decide` does it
    prepare(g, source, sheet)            writes a build, a record of numbers, into the tables named in `own`
    same(t, c, g, code) -> code          makes equal what is equal in all that follows; exact play alone asks

A round that never ends is found; a loop within one rule is not watched, and must end by itself.

An action that is cut into small ones is solved faster: what one action rolls multiplies. Policies are rules
like any other, and `decide` may choose among them by actor. Two builds are alike, and are solved once, if
`prepare` writes the same numbers for them: it should write what can be asked and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.engines.plain import Rule, source_digest
from buildsearch.model.errors import UsageError

# A rule is part of the kernels that run it, wherever it is called: handed over a call, the tables of a game
# are more than a hundred words.
rule = partial(step, _nrt=False, forceinline=True)
# The range of a field that exact play may forget.
ANY = -1
MOST_BITS = 62  # of a word of a key
MOST_WORDS = 64


class StatementError(UsageError):
    """A statement does what it says it does not; the sentence names the field or the function."""


@rule
def _no_options(t: Any, c: Any, g: Any, out: Any) -> int:
    return 0


@rule
def _nothing_to_prepare(g: Any, source: Any, sheet: Any) -> None:
    pass


@rule
def _as_it_is(t: Any, c: Any, g: Any, code: int) -> int:
    return code


@dataclass(frozen=True, eq=False)
class Statement:
    """See above. `table`, `actor` and `sheet` are names of fields; `counts` those of arrays [actor, kind]."""

    name: str
    table: tuple[str, ...]
    actor: tuple[str, ...]
    metrics: tuple[str, ...]
    begin: Rule
    decide: Rule
    act: Rule
    measure: Rule
    ranges: Rule
    options: Rule = _no_options
    prepare: Rule = _nothing_to_prepare
    same: Rule = _as_it_is
    sheet: tuple[str | tuple[str, tuple[int, ...]], ...] = ("build",)  # with a shape: an array
    counts: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    scratch: tuple[str, ...] = ()
    home: str = ""  # a module that compiled code refers to: kernels of another one are others

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """By the names that kernels know."""
        names = ("begin", "decide", "act", "measure", "ranges", "options", "prepare", "same")
        return {name: getattr(self, name) for name in names}

    @cached_property
    def digest(self) -> str:
        """Of all that the compiled code is made of."""
        return source_digest(*self.rules.values(), *((self.home,) if self.home else ()))

    @property
    def sheet_type(self) -> np.dtype[np.void]:
        """The record of a build."""
        named = [(each, ()) if isinstance(each, str) else each for each in self.sheet]
        return np.dtype([(name, np.int64, shape) for name, shape in named])

    def sheets(self, rows: NDArray[np.int64]) -> Any:
        """Rows of numbers as records."""
        return np.ascontiguousarray(rows).view(self.sheet_type)[:, 0].view(np.recarray)


class State:
    """The fields of a fight in one row of numbers, and the records that rules see of it."""

    def __init__(self, statement: Statement, actors: int, kinds: Mapping[str, int]) -> None:
        table, actor = statement.table, statement.actor
        head, body = len(table), actors * len(actor)
        self.names = [*table, *(f"{name} of actor {i}" for i in range(actors) for name in actor)]
        for name in statement.counts:
            self.names += [
                f"{name} of actor {i}, kind {k}" for i in range(actors) for k in range(kinds[name])
            ]
        self.flat = np.zeros(len(self.names), np.int64)
        self.t = _records(self.flat[:head], table)
        self.c = _records(self.flat[head : head + body], actor)
        self.counts = {}
        at = head + body
        for name in statement.counts:
            size = actors * kinds[name]
            self.counts[name] = self.flat[at : at + size].reshape(actors, kinds[name])
            at += size


def records(rows: Sequence[tuple[int, ...]], names: tuple[str, ...]) -> Any:
    """Records of whole numbers, for tables."""
    return np.array(list(rows), [(name, np.int64) for name in names]).view(np.recarray)


def _records(numbers: NDArray[np.int64], names: tuple[str, ...]) -> Any:
    return numbers.view(np.dtype([(name, np.int64) for name in names])).view(np.recarray)


@dataclass(frozen=True, eq=False)
class Terms:
    """A fight of a statement, without the build: its tables, how many act in it, how long it lasts.

    `most[metric]` is the most that `measure` says; `kinds` how many kinds each of the `counts` has; `options`
    how many there are at most at once; `source` what only `prepare` reads: tables that every rule is handed
    make compiling slow.
    """

    statement: Statement
    tables: Any
    actors: int
    limit: int
    most: tuple[int, ...]
    kinds: Mapping[str, int] = field(default_factory=dict)
    triggers: int = 0
    options: int = 1024
    source: Any = ()
